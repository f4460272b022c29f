"""Rules of the stdio transport (`basic/transports`): stdout is for messages, and a server leaves
when its stdin ends."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from inspector.journal.entries import Row
from inspector.lint.look import Look, finding
from inspector.lint.rule import Finding, Rule, rule
from inspector.lint.state import MODERN, Connection
from inspector.protocol.messages import JsonObject, MessageKind

PATIENCE: Final = 1.0
"""Seconds that a server may take to end once its stdin is closed."""
_PAGE: Final = "basic/transports"
_STDIO: Final = "basic/transports/stdio"

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "stdio/stdout-pollution",
        "A line on stdout is no message",
        _PAGE,
        error="ABCDE",
        modern_page=_STDIO,
    ),
    rule(
        "stdio/embedded-newline",
        "A message goes over several lines",
        _PAGE,
        error="ABCDE",
        modern_page=_STDIO,
    ),
    rule(
        "stdio/no-exit-on-eof",
        "The server outlives its stdin",
        "basic/lifecycle",
        info="ABCD",
        warn="E",
        modern_page=_STDIO,
    ),
    rule(
        "stdio/untagged-subscription",
        "A change is announced without its subscription",
        "basic/patterns/subscriptions",
        error="E",
    ),
)

_SUBSCRIBED: Final = frozenset(
    {
        "notifications/tools/list_changed",
        "notifications/prompts/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
    }
)


_MEMBERS: Final = frozenset({"jsonrpc", "method", "result", "error"})
_MEANT: Final = re.compile(rb"[{\[].*[\"']jsonrpc[\"']", re.DOTALL)
"""What is plainly meant as a message."""


@dataclass(slots=True)
class _Kept:
    spread: int = 0
    """The line on which a message began that it does not end."""


def broken(look: Look, fault: str) -> None:
    """Judges a line that is not JSON."""
    kept = look.state.held(_Kept)
    text = look.raw.lstrip()
    if text.startswith((b"{", b"[")):
        look.state.garbled = look.number
    if _goes_on(look, kept):
        if look.raw.startswith(b"}"):
            kept.spread = 0
    elif text == b"{" or (text.startswith(b"{") and "ends in the middle" in fault):
        kept.spread = look.number
        look.report(
            "stdio/embedded-newline",
            "A message begins on this line and does not end on it; messages must not contain line"
            " breaks.",
        )
    elif _MEANT.match(text):
        look.report("rpc/not-json", f"The message must be UTF-8 JSON ({fault}).")
    else:
        look.report(
            "stdio/stdout-pollution",
            f"The line is no message ({fault}); only messages may stand on stdout.",
        )


def _goes_on(look: Look, kept: _Kept) -> bool:
    """Whether a line is of a message that began before: they are told with the first."""
    return bool(kept.spread) and kept.spread >= look.state.heard


def stray(look: Look) -> bool:
    """Whether a line of JSON is no message at all, but something printed; tells it."""
    if look.state.transport != "stdio" or not look.from_server or not look.whole:
        return False
    if look.value.keys() & _MEMBERS:
        return False
    if not _goes_on(look, look.state.held(_Kept)):
        look.report(
            "stdio/stdout-pollution",
            "The line is JSON and no message; only messages may stand on stdout.",
        )
    return True


def check(look: Look) -> None:
    """Judges one message."""
    if not look.from_server or look.state.transport != "stdio":
        return
    if (
        look.revision is MODERN
        and look.kind is MessageKind.NOTIFICATION
        and look.method in _SUBSCRIBED
    ):
        match look.params.get("_meta"):
            case {"io.modelcontextprotocol/subscriptionId": _}:
                return
        look.report(
            "stdio/untagged-subscription",
            f"{look.method} must say in _meta io.modelcontextprotocol/subscriptionId to which"
            " subscription it belongs.",
            "/params/_meta",
        )


def happened(
    rules: Mapping[str, Rule], state: Connection, row: Row, facts: JsonObject
) -> list[Finding | None]:
    """Judges how the server ended."""
    if row.method != "sigterm" or facts.get("leader") != "alive":
        return []
    waited = facts.get("waitSeconds")
    if isinstance(waited, int | float) and waited < PATIENCE:
        return []  # somebody was in a hurry: that says nothing of the server
    said = (
        "The server did not end in the time it was given when its stdin was closed, and needed a"
        " signal; it should exit then."
    )
    return [finding(rules, "stdio/no-exit-on-eof", state.revision, said, (row.number,))]
