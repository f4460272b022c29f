"""The findings about one entry as lines of its detail, and which line belongs to which finding.

Decides their order (the gravest first, those that the entry is guilty of before those that merely
name it). What a finding is, is decided by the linter. Messages quote what a server sent, so
everything goes through `render.safe`.
"""

import textwrap
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from inspector.lint.rule import Finding, Severity
from inspector.render.safe import one_line, visible
from inspector.tui.finding_lines import SIGNS, WORDS, page_url

NARROW: Final = 30
WIDE: Final = 100
SHOWN: Final = 200
"""Findings of one entry that are listed."""

_GRAVITY: Final = {severity: place for place, severity in enumerate(Severity)}


def in_order(findings: Sequence[Finding], number: int) -> list[Finding]:
    """The findings about an entry as they are listed."""
    return sorted(
        findings, key=lambda one: (one.entries[0] != number, _GRAVITY[one.severity], one.rule)
    )


def pointer_of(findings: Sequence[Finding], number: int) -> str:
    """The place in an entry's body that its gravest finding blames; "" where none does."""
    guilty = [one for one in in_order(findings, number) if one.entries[0] == number]
    return next((one.pointer for one in guilty if one.pointer), "")


def finding_lines(
    findings: Sequence[Finding], number: int, width: int
) -> tuple[list[Text], dict[int, Finding]]:
    """Lines about all findings, and the finding that each line is about."""
    lines: list[Text] = []
    owners: dict[int, Finding] = {}
    for finding in in_order(findings, number)[:SHOWN]:
        if lines:
            lines.append(Text(end=""))
        for line in _lines(finding, number, max(NARROW, min(width, WIDE))):
            owners[len(lines)] = finding
            lines.append(line)
    if len(findings) > SHOWN:
        lines.append(Text(f"… {len(findings) - SHOWN:,} more; tab 7 has all", "mcp.dim", end=""))
    return lines, owners


def _lines(finding: Finding, number: int, width: int) -> list[Text]:
    sign, ink = SIGNS[finding.severity]
    head = Text(end="", no_wrap=True)
    head.append(f"{sign} {WORDS[finding.severity]} ", ink)
    head.append(one_line(finding.rule, 60), "mcp.title")
    head.append(f"  {finding.revision.value}", "mcp.dim")
    lines = [head]
    message = visible(finding.message)
    lines += [Text(f"  {part}", end="") for part in textwrap.wrap(message, width - 2)]
    if finding.pointer:
        at = Text("  at ", "mcp.dim", end="", no_wrap=True)
        at.append(one_line(finding.pointer, 200), "mcp.key")
        lines.append(at)
    others = [other for other in finding.entries if other != number]
    if others:
        named = ", ".join(f"#{other}" for other in others[:8]) + (" …" if len(others) > 8 else "")
        guilty = finding.entries[0] == number
        lines.append(Text(f"  {'with' if guilty else 'see'} {named}", "mcp.dim", end=""))
    if finding.page:
        lines.append(Text(f"  {page_url(finding)}", "mcp.link", end=""))
    return lines
