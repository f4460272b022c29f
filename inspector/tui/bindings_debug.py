"""The keys of findings, of the panel about hanging servers and of coverage: rows of `bindings`."""

from typing import Final

from inspector.tui.binding_spec import BindingSpec

_S = BindingSpec

WORTH_ASKING: Final = 10.0
"""Seconds after which whoever waits is offered the key that tells why."""

DEBUG_MAIN: Final = (
    _S(
        "main.hanging",
        "alt+w,f11",
        "why_hanging",
        "Why is it hanging?",
        "What is waited for, for how long, and what is odd about it",
    ),
)
SERVER_COVERAGE: Final = (
    _S(
        "server.coverage",
        "c",
        "coverage",
        "Coverage",
        "What this session has tried of the server, and what it has not",
        show=True,
    ),
)
FINDINGS: Final = (
    _S("findings.fold", "space", "fold", "Fold", "Shows or hides the findings of this rule"),
    _S("findings.filter", "slash", "filter", "Filter", "Keeps what matches", show=True),
    _S("findings.error", "e", "sift('error')", "Errors", "Shows or hides errors"),
    _S("findings.warn", "w", "sift('warn')", "Warnings", "Shows or hides warnings"),
    _S("findings.info", "i", "sift('info')", "Remarks", "Shows or hides remarks"),
    _S(
        "findings.traffic",
        "t",
        "traffic",
        "Only this rule",
        "Shows in the traffic only the entries that break this rule",
        show=True,
    ),
    _S(
        "findings.open_page",
        "o",
        "open_page",
        "Open page",
        "Opens the page of the specification in the browser",
        show=True,
    ),
    _S("findings.copy", "y", "copy_page", "Copy address", "Copies the address of that page"),
    _S("findings.copy_all", "Y", "copy_finding", "Copy finding", "Copies the finding as text"),
    _S(
        "findings.coverage",
        "c",
        "coverage",
        "Coverage",
        "What this session has tried of the server, and what it has not",
        show=True,
    ),
    _S("findings.close", "escape", "close", "Clear", "Clears the filter"),
)
HANGING: Final = (
    _S("hanging.copy", "y", "copy", "Copy", "Copies all of it as text", show=True),
    _S("hanging.asks", "a", "asks", "Asks tab", "Goes to the asks that wait for you", show=True),
    _S("hanging.close", "escape,q,f11,alt+w", "close", "Close", "Closes this", show=True),
)
COVERAGE: Final = (
    _S(
        "coverage.untried",
        "u",
        "untried",
        "Untried only",
        "Shows only what was not tried, or everything again",
        show=True,
    ),
    _S("coverage.copy", "y", "copy", "Copy", "Copies all of it as text", show=True),
    _S("coverage.close", "escape,q", "close", "Close", "Closes this", show=True),
)
