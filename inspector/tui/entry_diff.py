"""Two entries beside each other: where their bodies differ, by JSON pointer, or line by line.

Decides what of two bodies is compared and how a difference looks. What counts as the same is
`inspector.compare.values`; which entries are compared is decided by the pane.
"""

import difflib
from typing import TYPE_CHECKING, Final

import msgspec
from rich.text import Text

from inspector.compare.values import Difference, differences
from inspector.journal.entries import Kind
from inspector.protocol.messages import Json
from inspector.render.safe import one_line, safe_text
from inspector.tui.traffic_row import ARROWS, byte_size, clock_text, duration

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

BODY_LIMIT: Final = 1024 * 1024
"""Bytes of a body up to which it is compared."""
MOST: Final = 300
"""Differences that are shown."""
VALUE: Final = 400
"""Characters of a value."""
TEXT_LINES: Final = 2000
"""Lines of a text that is no JSON."""


def diff_lines(journal: "Journal", marked: int, number: int) -> tuple[list[Text], dict[int, int]]:
    """What differs from entry `marked` to entry `number`, and which lines lead to which entry."""
    lines = [_head(journal, marked, "− "), _head(journal, number, "+ ")]
    rows = journal.row(marked), journal.row(number)
    apart = rows[1].monotonic - rows[0].monotonic
    said = f"{duration(abs(apart))} {'later' if apart >= 0 else 'earlier'}"
    lines.append(_dim(f"  {said}, {_sizes(rows[0].size, rows[1].size)}"))
    lines.append(Text(end=""))
    if max(rows[0].size, rows[1].size) > BODY_LIMIT:
        lines.append(_dim("One of them is too long to be compared here"))
    else:
        lines += _bodies(journal.body(marked), journal.body(number))
    return lines, {0: marked, 1: number}


def _bodies(left: bytes, right: bytes) -> list[Text]:
    if left == right:
        return [Text("Byte for byte the same", "mcp.ok", end="")]
    try:
        one: Json = msgspec.json.decode(left)
        two: Json = msgspec.json.decode(right)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _texts(left, right)
    found = differences(one, two, MOST)
    if not found:
        return [Text("They say the same; only their spelling differs", "mcp.ok", end="")]
    lines: list[Text] = []
    for each in found:
        lines += _difference(each)
    if len(found) >= MOST:
        lines.append(_dim(f"… only the first {MOST} differences are shown"))
    return lines


def _difference(each: Difference) -> list[Text]:
    lines = [Text(one_line(each.pointer or "(the whole)", VALUE), "mcp.key", end="")]
    if each.missing != "left":
        lines.append(_value("  − ", each.left, "mcp.error"))
    if each.missing != "right":
        lines.append(_value("  + ", each.right, "mcp.ok"))
    return lines


def _value(sign: str, value: Json, ink: str) -> Text:
    text = Text(sign, ink, end="", no_wrap=True)
    text.append(one_line(msgspec.json.encode(value).decode("utf-8", "replace"), VALUE))
    return text


def _texts(left: bytes, right: bytes) -> list[Text]:
    one, two = (raw.decode("utf-8", "backslashreplace").splitlines() for raw in (left, right))
    lines: list[Text] = []
    for line in difflib.unified_diff(one[:TEXT_LINES], two[:TEXT_LINES], lineterm="", n=2):
        if line.startswith(("---", "+++")):
            continue
        ink = {"-": "mcp.error", "+": "mcp.ok", "@": "mcp.faint"}.get(line[:1], "")
        text = Text(end="", no_wrap=True)
        text.append_text(safe_text(line[: 4 * VALUE], keep_newlines=False))
        text.stylize(ink)
        lines.append(text)
    return lines or [_dim("They differ in what is no text, or beyond the lines compared here")]


def _head(journal: "Journal", number: int, sign: str) -> Text:
    row = journal.row(number)
    text = Text(sign, "mcp.error" if sign == "− " else "mcp.ok", end="", no_wrap=True)
    text.append(f"#{number} {ARROWS[row.direction]} ", "mcp.primary")
    suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
    text.append(one_line(row.method or row.kind.name.lower(), 48) + suffix, "mcp.title")
    if name := journal.name(number):
        text.append(" " + one_line(name, 40), "mcp.accent")
    text.append(f"  {clock_text(row.wall)}", "mcp.dim")
    return text


def _sizes(left: int, right: int) -> str:
    if left == right:
        return f"both {byte_size(left)}"
    return f"{byte_size(left)} against {byte_size(right)}"


def _dim(words: str) -> Text:
    return Text(words, "mcp.dim", end="")
