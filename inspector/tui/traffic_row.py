"""What one line of the traffic list says: number, time, latency, direction, what, size, state.

Reads the journal's columns and, for the few lines that are on screen, a bounded piece of the body
for its gist. Which entries are shown, and where, is `inspector.tui.traffic_index`.
"""

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.cells import cell_len
from rich.text import Text

from inspector.journal.entries import Direction, Flag, Kind, Row
from inspector.journal.exchanges import leg_of
from inspector.journal.gist import gist, id_text
from inspector.journal.spans import duration as duration
from inspector.render.safe import one_line

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}
_ARROW_INK: Final = {
    Direction.SENT: "mcp.sent",
    Direction.RECEIVED: "mcp.received",
    Direction.LOCAL: "mcp.faint",
}
_GIVEN_UP: Final = Flag.TIMED_OUT | Flag.CANCELLED
_FLAG_WORDS: Final = (
    (Flag.TIMED_OUT, "timed out", "mcp.error"),
    (Flag.CANCELLED, "cancelled", "mcp.warn"),
    (Flag.ORPHAN, "orphan", "mcp.error"),
    (Flag.DUPLICATE, "duplicate", "mcp.error"),
    (Flag.LATE, "late", "mcp.warn"),
    (Flag.ID_TYPE_MISMATCH, "id type differs", "mcp.error"),
    (Flag.ID_REUSED, "id reused", "mcp.error"),
    (Flag.OVERSIZED, "oversized", "mcp.error"),
    (Flag.RESENT, "resent", "mcp.accent"),
    (Flag.FORCED, "forced", "mcp.warn"),
    (Flag.PROBE, "probe", "mcp.dim"),
    (Flag.MASKED, "masked", "mcp.dim"),
)


@dataclass(frozen=True, slots=True)
class Columns:
    """Widths in cells; 0 leaves a column out. The state takes what remains."""

    number: int
    clock: int
    latency: int
    method: int
    name: int
    id: int
    size: int
    state: int


def columns_for(width: int, digits: int = 4) -> Columns:
    """The columns that fit into `width` cells; `digits` is the length of the newest number."""
    number = max(4, digits)
    if width >= 108:
        clock, latency, name, ident, size = 12, 8, 18, 8, 8
        method = 26 + min(10, (width - 108) // 4)
    elif width >= 72:
        clock, latency, name, ident, size = 8, 8, 12, 0, 8
        method = 19 + min(5, (width - 72) // 4)
    else:
        clock, latency, name, ident, size = 0, 8 if width >= 48 else 0, 0, 0, 0
        method = max(8, min(24, width - number - latency - 16))
    used = (
        number + 4 + sum(part + 1 for part in (clock, latency, method, name, ident, size) if part)
    )
    return Columns(number, clock, latency, method, name, ident, size, max(0, width - used))


def byte_size(count: int) -> str:
    """A short size: `118 B`, `4.2 kB`, `13 MB` (powers of 1000)."""
    if count < 1000:
        return f"{count} B"
    size = float(count)
    for unit in ("kB", "MB", "GB"):
        size /= 1000
        if size < 999.5:
            return f"{size:.1f} {unit}" if size < 9.95 else f"{size:.0f} {unit}"
    return f"{size:.0f} TB"


def clock_text(wall: float, width: int = 12) -> str:
    """Local time of day: with milliseconds from 12 cells on."""
    stamp = time.strftime("%H:%M:%S", time.localtime(wall))
    return f"{stamp}.{int(wall * 1000) % 1000:03}" if width >= 12 else stamp


def draw_row(journal: "Journal", row: Row, columns: Columns, now: float) -> Text:
    """One line. `now` is monotonic seconds, for requests that still wait."""
    text = Text(no_wrap=True, end="")
    mark = "◆" if row.flags & Flag.MARKED else " "
    _put(text, str(row.number), columns.number, "mcp.faint", right=True, gap="")
    text.append(mark, "mcp.accent")
    if columns.clock:
        _put(text, clock_text(row.wall, columns.clock), columns.clock, "mcp.dim")
    if columns.latency:
        latency = f"+{duration(row.latency)}" if row.latency is not None else ""
        _put(text, latency, columns.latency, "mcp.dim", right=True)
    text.append(ARROWS[row.direction] + " ", _ARROW_INK[row.direction])
    if row.kind in (Kind.STDERR, Kind.EVENT, Kind.NOTE, Kind.HTTP, Kind.MALFORMED):
        _loose(text, journal, row, columns)
    else:
        _message(text, journal, row, columns, now)
    return text


def _message(text: Text, journal: "Journal", row: Row, columns: Columns, now: float) -> None:
    suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
    method = row.method or ("batch" if row.kind is Kind.BATCH else "?")
    name = journal.name(row.number) if columns.name else ""
    # What names nothing lends its column to the method.
    width = columns.method if name or not columns.name else columns.method + columns.name + 1
    room = width - len(suffix)
    shown = one_line(method.removeprefix("notifications/") if room < 26 else method, max(4, room))
    text.append(shown, "mcp.title" if row.kind is Kind.REQUEST else "")
    text.append(suffix, "mcp.error" if row.kind is Kind.ERROR else "mcp.dim")
    text.append(" " * max(0, width - cell_len(shown) - len(suffix)) + " ")
    if name:
        _put(text, one_line(name, columns.name), columns.name, "mcp.accent")
    if columns.id:
        ident = id_text(journal, row)
        _put(text, one_line(f"id {ident}" if ident else "", columns.id), columns.id, "mcp.dim")
    if columns.size:
        _put(text, byte_size(row.size), columns.size, "mcp.dim", right=True)
    text.append(" ")
    _state(text, journal, row, columns.state, now)


def _state(text: Text, journal: "Journal", row: Row, room: int, now: float) -> None:
    words: list[tuple[str, str]] = []
    if row.flags & Flag.PENDING:
        words.append((f"pending {duration(max(0.0, now - row.monotonic))}", "mcp.warn"))
    elif row.kind is Kind.REQUEST and not row.partner and not row.flags & _GIVEN_UP:
        words.append(("unanswered", "mcp.error"))
    words += [(word, ink) for flag, word, ink in _FLAG_WORDS if row.flags & flag]
    if row.kind is Kind.REQUEST and (said := leg_words(journal, row)):
        words.append((said, "mcp.dim"))
    if row.kind is Kind.RESULT:
        wrong = bool(row.flags & Flag.IS_ERROR)
        words.append(("tool error", "mcp.error") if wrong else ("ok", "mcp.ok"))
    elif row.kind is Kind.ERROR:
        words.append((gist(journal, row) or "error", "mcp.error"))
    elif row.kind is Kind.NOTIFICATION and (said := gist(journal, row)):
        words.append((said, "mcp.dim"))
    for place, (word, ink) in enumerate(words):
        if room < 2:
            return
        shown = one_line(word, room)
        text.append(shown, ink)
        room -= cell_len(shown) + 1
        if place < len(words) - 1 and room > 1:
            text.append(" ")


def leg_words(journal: "Journal", row: Row) -> str:
    """What a request goes on with: `round 2 of 14`, `for 14`, or that nothing tells which."""
    leg = leg_of(journal.columns, row.number)
    if leg is None:
        return ""
    if leg.doubts:
        named = " or ".join(str(number) for number in leg.doubts[:3])
        return f"goes on with {named}" + (" or another" if len(leg.doubts) > 3 else "") + "?"
    return f"round {leg.turn} of {leg.first}" if leg.turn > 1 else f"for {leg.first}"


def _loose(text: Text, journal: "Journal", row: Row, columns: Columns) -> None:
    """Entries that are no message: a label, then their text to the end of the line."""
    label, ink = {
        Kind.STDERR: ("stderr", "mcp.warn"),
        Kind.EVENT: (row.method or "event", "mcp.dim"),
        Kind.NOTE: ("note", "mcp.accent"),
        Kind.HTTP: (f"HTTP {row.method}", "mcp.dim"),
        Kind.MALFORMED: ("stray output" if row.flags & Flag.STRAY else "malformed", "mcp.error"),
    }[row.kind]
    room = sum(
        part + 1 for part in (columns.method, columns.name, columns.id, columns.size) if part
    )
    room += columns.state
    label = one_line(label, min(room, 24))
    text.append(label, ink)
    room -= cell_len(label) + 2
    if row.kind is Kind.HTTP and room > 5:
        failed = row.status is None or row.status >= 400
        status = "failed" if row.status is None else str(row.status)
        text.append(f"  {status}", "mcp.error" if failed else "mcp.ok")
        room -= len(status) + 2
    if room > 2:
        text.append("  ")
        body = one_line(gist(journal, row), room)
        text.append(body, "" if row.kind is not Kind.EVENT else "mcp.dim")


def _put(
    text: Text, word: str, width: int, ink: str, *, right: bool = False, gap: str = " "
) -> None:
    pad = " " * max(0, width - cell_len(word))
    if right:
        text.append(pad)
        text.append(word, ink)
    else:
        text.append(word, ink)
        text.append(pad)
    text.append(gap)
