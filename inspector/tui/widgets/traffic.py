"""The list of journal entries: draws the visible ones, follows the newest, keeps its place.

It reads the journal and holds nothing per entry but the index of what is shown. The cursor belongs
to an entry, not to a line, so filters and floods leave it where it was. Keys that change something
outside the list are the pane's (`inspector.tui.widgets.traffic_pane`).
"""

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.text import Text
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip

from inspector.journal.entries import Flag, Kind, Row
from inspector.tui.traffic_index import TrafficIndex, is_carrier
from inspector.tui.traffic_row import Columns, columns_for, draw_row
from inspector.tui.widgets.lines import LineArea

if TYPE_CHECKING:
    from inspector.journal.exchanges import Exchanges
    from inspector.journal.journal import Journal
    from inspector.journal.query import Filter

KEPT_STRIPS: Final = 1024
TICK_BUDGET: Final = 0.012
"""Seconds a tick may spend on examining entries."""

Key = tuple[int, Flag, int | None, float | None, bool, bool]
"""Everything that a drawn row depends on, apart from the width."""


class TrafficList(LineArea):
    """Entries by line, newest last."""

    class Opened(Message):
        """Enter or a double click on an entry."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Status(Message):
        """Follow, counts or progress changed: the pane's title wants a new look."""

    def __init__(
        self, journal: "Journal", exchanges: "Exchanges", *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.journal = journal
        self.exchanges = exchanges
        self.index = TrafficIndex(journal)
        self.search: Filter | None = None
        self.as_of: int | None = None
        """The entry after which nothing has happened yet, while somebody looks at the past."""
        self._filter: Filter | None = None
        self._follow = True
        self._entry: int | None = None
        self._seen = 0
        self._related: frozenset[int] = frozenset()
        self._strips: OrderedDict[Key, Strip] = OrderedDict()
        self._columns: Columns = columns_for(80)
        self._drawn: dict[int, Key] = {}
        self._waiting: set[int] = set()
        self._ticks = 0
        self._painted_thumb = (0, 0)

    # -- what others ask ------------------------------------------------------------------------

    @property
    def follow(self) -> bool:
        """Whether the newest entry stays in view."""
        return self._follow

    @property
    def entry(self) -> int | None:
        """The entry under the cursor."""
        return self._entry

    @property
    def unseen(self) -> int:
        """Entries shown below the window since following stopped."""
        return 0 if self._follow else max(0, len(self.index) - self._seen)

    @property
    def filtered(self) -> bool:
        """Whether a filter hides entries."""
        return self._filter is not None

    def set_filter(self, wanted: "Filter | None", *, carriers: bool) -> None:
        """Show only what matches; the entry under the cursor keeps its place where it is left."""
        self._filter = wanted
        self.index.reset(wanted, carriers=carriers)
        self._top = self._cursor = 0
        self.index.advance(TICK_BUDGET * 4)
        self._replace_cursor()
        self._status()
        self.refresh()

    def show_entry(self, number: int) -> bool:
        """Put the cursor on entry `number`; False where it is not shown."""
        while self.index.behind and self.index.line_near(number) >= len(self.index):
            self.index.advance(TICK_BUDGET * 4)
        line = self.index.line_of(number)
        if line is None:
            return False
        self.set_follow(False)
        self.go_to(line, centre=True)
        self._entry_moved()
        return True

    def set_follow(self, follow: bool) -> None:
        """Follow the newest entry or stay."""
        if follow != self._follow:
            self._follow = follow
            self._seen = len(self.index)
            self._status()
        if follow:
            self._to_end()

    def show_as_of(self, number: int | None) -> None:
        """Draw what comes after entry `number` as not there yet; None: everything is there."""
        if number != self.as_of:
            self.as_of = number
            self.refresh()

    def stop_at(self, line: int) -> None:
        """Put the cursor on a line and stay there."""
        self.set_follow(False)
        self.go_to(line, centre=True)
        self._entry_moved()

    def hides_carrier(self, number: int) -> bool:
        """Whether an entry is hidden because it merely carried a message."""
        row = self.journal.row(number)
        return row.kind is Kind.HTTP and not self.index.shows_carriers and is_carrier(row)

    def tick(self) -> None:
        """Called at most 20 times a second while visible; repaints what changed and no more."""
        self._ticks += 1
        if self.index.behind and self.index.advance(TICK_BUDGET):
            self._grown()
        elif self._ticks % 4 == 0 and self._waiting:
            self._repaint(self._waiting)
        self._repaint(self._stale())

    # -- LineArea -------------------------------------------------------------------------------

    def count_lines(self) -> int:
        """Entries shown."""
        return len(self.index)

    def empty_text(self) -> str:
        """Says why nothing is here."""
        if self.index.behind:
            return "Looking…"
        return "No entry matches the filter" if self.filtered else "Nothing has happened yet"

    def draw_line(self, line: int, width: int) -> Strip:
        """One entry, from the kept strips where nothing about it changed."""
        number = self.index[line]
        row = self.journal.row(number)
        key = self._key(row)
        self._drawn[line] = key
        if row.flags & Flag.PENDING:
            self._waiting.add(line)
            return self._in_time(number, self._draw(row, key, width))
        self._waiting.discard(line)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._draw(row, key, width)
            if len(self._strips) > KEPT_STRIPS:
                self._strips.popitem(last=False)
        else:
            self._strips.move_to_end(key)
        return self._in_time(number, strip)

    def _in_time(self, number: int, strip: Strip) -> Strip:
        """What has not happened yet is all in one faint ink."""
        if self.as_of is None or number <= self.as_of:
            return strip
        ink = self.app.console.get_style("mcp.faint")
        return Strip([Segment(segment.text, ink) for segment in strip], strip.cell_length)

    def render_line(self, y: int) -> Strip:
        """Forgets kept strips when the columns change."""
        if y == 0:
            columns = columns_for(self.body_width, len(str(len(self.journal))))
            if columns != self._columns:
                self._columns = columns
                self._strips.clear()
        return super().render_line(y)

    def cursor_moved(self) -> None:
        """By hand: away from the end stops following."""
        if self._follow and self._cursor < len(self.index) - 1:
            self.set_follow(False)
        self._entry_moved()

    def action_last(self) -> None:
        """To the newest, and stay there."""
        super().action_last()
        self.set_follow(True)

    def wheel(self, step: int) -> None:
        """Scrolling up stops following."""
        if step < 0:
            self.set_follow(False)
        super().wheel(step)
        self._note_seen()

    def clicked(self, line: int, times: int) -> None:
        """A double click opens."""
        if times > 1 and self._entry is not None:
            self.post_message(self.Opened(self._entry))

    def notify_style_update(self) -> None:
        """A theme changes every strip."""
        super().notify_style_update()
        self._strips.clear()

    # -- inside ---------------------------------------------------------------------------------

    def _key(self, row: Row) -> Key:
        found = self.search is not None and self.search.matches(self.journal, row.number)
        related = row.number in self._related
        return row.number, row.flags, row.partner, row.latency, found, related

    def _draw(self, row: Row, key: Key, width: int) -> Strip:
        text = draw_row(self.journal, row, self._columns, self.journal.clock.monotonic())
        digits = self._columns.number
        if key[4]:
            text.stylize("mcp.match", 0, digits)
        if key[5] and not row.flags & Flag.MARKED:
            mark = Text("▎", "mcp.accent", end="")
            text = Text.assemble(text[:digits], mark, text[digits + 1 :], no_wrap=True, end="")
        return self.strip_of(text)

    def _entry_moved(self) -> None:
        entry = self.index[self._cursor] if self._cursor < len(self.index) else None
        if entry != self._entry:
            self._entry = entry
            self._related = frozenset()
            if entry is not None and not self._follow:
                related = self.exchanges.of(entry)
                self._related = frozenset(related if len(related) > 1 else ())
            self.refresh()
        self._note_seen()

    def _note_seen(self) -> None:
        seen = min(len(self.index), self._top + self.page_height)
        if seen > self._seen:
            self._seen = seen
            self._status()

    def _status(self) -> None:
        self.post_message(self.Status())

    def _to_end(self) -> None:
        last = len(self.index) - 1
        self._cursor = max(0, last)
        self._top = max(0, last + 1 - self.page_height)
        self._entry_moved()
        self.refresh()

    def _replace_cursor(self) -> None:
        if self._follow or self._entry is None:
            self._to_end()
            return
        line = min(self.index.line_near(self._entry), max(0, len(self.index) - 1))
        self._cursor = line
        self._top = max(0, min(line - self.page_height // 2, len(self.index) - self.page_height))

    def _grown(self) -> None:
        if self._follow:
            self._to_end()
        else:
            if self._entry is not None and self.index.line_of(self._entry) != self._cursor:
                self._replace_cursor()
                self.refresh()
            drawn_end = max(self._drawn, default=-1) + 1
            if drawn_end < self._top + self.page_height:
                self._repaint(range(drawn_end, len(self.index)))
            thumb = self._thumb(len(self.index))
            if thumb != self._painted_thumb and len(self.index) > self.page_height:
                self._painted_thumb = thumb
                self.refresh(Region(self.body_width, 0, 1, self.page_height))
        self._status()

    def _stale(self) -> list[int]:
        """Visible lines whose entry changed since they were drawn."""
        journal, drawn = self.journal, self._drawn
        stale = [
            line
            for line in self.visible_lines()
            if line in drawn and drawn[line] != self._key(journal.row(self.index[line]))
        ]
        if len(drawn) > 4 * self.page_height:
            visible = self.visible_lines()
            self._drawn = {line: key for line, key in drawn.items() if line in visible}
            self._waiting.intersection_update(visible)
        return stale

    def _repaint(self, lines: "set[int] | list[int] | range") -> None:
        visible = self.visible_lines()
        self.refresh_lines_at([line for line in visible if line in lines])
