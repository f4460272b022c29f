"""Lines for what is no message: HTTP exchanges, events, notes; and an exchange as a whole.

Pure: journal bodies in, lines of rich `Text` out, every piece of them through `render.safe`.
"""

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.facts import http_facts
from inspector.protocol.messages import Json
from inspector.render.jsonlines import JsonLines
from inspector.render.safe import one_line, safe_text
from inspector.tui.traffic_row import ARROWS, byte_size, clock_text, duration

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

LINES_PER_MEMBER: Final = 400
LINE_WIDTH: Final = 2000
BODY_LIMIT: Final = 256 * 1024


def fact_lines(raw: bytes) -> list[Text]:
    """A JSON object of facts as one line a fact; anything else as it stands."""
    facts = _load(raw)
    if not isinstance(facts, dict):
        return _plain_lines(raw)
    wide = max((len(key) for key in facts), default=0)
    lines: list[Text] = []
    for key, value in facts.items():
        shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for place, part in enumerate(shown.splitlines() or [""]):
            line = Text(end="", no_wrap=True)
            line.append(f"{one_line(key, 40) if place == 0 else '':<{min(wide, 40)}}  ", "mcp.key")
            line.append_text(safe_text(part, keep_newlines=False))
            lines.append(line)
    return lines


def http_lines(journal: "Journal", number: int) -> list[Text]:
    """The HTTP entry `number`: request, status, headers both ways, a body that is no message."""
    facts = http_facts(journal.body(number))
    lines = [_inked(f"{facts.method} {facts.url}", "mcp.title")]
    lines += _headers(facts.request_headers)
    lines.append(Text())
    if facts.status is not None:
        line = Text(end="", no_wrap=True)
        version = facts.http_version
        line.append(
            one_line(version if "/" in version else f"HTTP/{version or '?'}", 12), "mcp.dim"
        )
        ink = "mcp.error" if facts.status >= 400 else "mcp.ok"
        line.append(one_line(f" {facts.status} {facts.reason}", 200), ink)
        lines.append(line)
    if facts.error:
        lines.append(_inked(facts.error, "mcp.error"))
    lines += _headers(facts.response_headers)
    if facts.body:
        lines += [Text(), *_plain_lines(facts.body)]
    return lines


def exchange_lines(journal: "Journal", members: Iterable[int]) -> tuple[list[Text], dict[int, int]]:
    """Every entry of an exchange one after the other, and which line heads which entry."""
    lines: list[Text] = []
    entries: dict[int, int] = {}
    begin: float | None = None
    for number in members:
        row = journal.row(number)
        begin = row.monotonic if begin is None else begin
        entries[len(lines)] = number
        head = Text(end="", no_wrap=True)
        head.append(f"#{number} ", "mcp.faint")
        ink = "mcp.sent" if row.direction is Direction.SENT else "mcp.received"
        head.append(ARROWS[row.direction] + " ", ink)
        suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
        head.append(one_line(row.method or row.kind.name.lower(), 48) + suffix, "mcp.title")
        head.append(f"  {clock_text(row.wall)}  +{duration(row.monotonic - begin)}", "mcp.dim")
        head.append(f"  {byte_size(row.size)}", "mcp.dim")
        for flag in Flag:
            if row.flags & flag and flag is not Flag.MASKED:
                head.append(f"  {(flag.name or '').lower().replace('_', ' ')}", "mcp.warn")
        lines.append(head)
        lines += _member_lines(journal.body(number, BODY_LIMIT), cut=row.size > BODY_LIMIT)
        lines.append(Text())
    return lines, entries


def _member_lines(raw: bytes, *, cut: bool) -> list[Text]:
    if cut:
        return [_inked("  too long to show here; it has a line of its own in the list", "mcp.dim")]
    body = JsonLines(raw)
    shown = min(body.line_count, LINES_PER_MEMBER)
    lines = [Text.assemble("  ", body.draw(line, 0, LINE_WIDTH), end="") for line in range(shown)]
    if body.line_count > shown:
        lines.append(_inked(f"  … {body.line_count - shown:,} more lines", "mcp.dim"))
    return lines


def _headers(headers: Iterable[tuple[str, str]]) -> list[Text]:
    lines = []
    for name, value in headers:
        line = Text(end="", no_wrap=True)
        line.append(one_line(f"{name}: ", 80), "mcp.key")
        line.append_text(safe_text(value, keep_newlines=False))
        lines.append(line)
    return lines


def _inked(words: str, ink: str) -> Text:
    line = Text(end="", no_wrap=True)
    line.append(one_line(words, 4000), ink)
    return line


def _plain_lines(raw: bytes) -> list[Text]:
    text = raw.decode("utf-8", "backslashreplace")
    return [safe_text(part, keep_newlines=False) for part in text.splitlines()]


def _load(raw: bytes) -> Json:
    try:
        facts: Json = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    return facts
