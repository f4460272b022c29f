"""How the lines of the traffic list are painted: text, sign of a finding, bar, and what is kept.

Decides what a drawn line depends on, keeps strips that are still right, and knows which visible
lines are not. Where the cursor is and which entries there are is `inspector.tui.widgets.traffic`.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from rich.segment import Segment
from rich.text import Text
from textual.geometry import Region
from textual.strip import Strip

from inspector.journal.entries import Flag, Row
from inspector.tui.traffic_index import TrafficIndex
from inspector.tui.traffic_row import Columns, columns_for, draw_row
from inspector.tui.waterfall import INKS, Axis, Bar, axis_of, bar_cells, bar_of, drawn
from inspector.tui.widgets.lines import LineArea

if TYPE_CHECKING:
    from inspector.journal.exchanges import Exchanges
    from inspector.journal.journal import Journal
    from inspector.journal.query import Filter

KEPT_STRIPS: Final = 256
SIGNS: Final = {"error": ("✗", "mcp.error"), "warn": ("!", "mcp.warn"), "info": ("i", "mcp.dim")}
"""The sign of the gravest finding at an entry, by severity."""

Key = tuple[int, Flag, int | None, float | None, bool, bool, str]
"""Everything that the text of a drawn row depends on, apart from the width."""
Drawn = tuple[Key, Bar | None]
"""Everything that a line on screen depends on."""


class TrafficRows(LineArea):
    """Entries by line, painted."""

    def __init__(
        self, journal: "Journal", exchanges: "Exchanges", *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.journal = journal
        self.exchanges = exchanges
        self.index = TrafficIndex(journal)
        self.search: Filter | None = None
        self.worst_at: Callable[[int], str | None] = _nothing_found
        """The severity of the gravest finding at an entry."""
        self.as_of: int | None = None
        """The entry after which nothing has happened yet, while somebody looks at the past."""
        self.waterfall: bool | None = None
        """Whether requests are drawn as bars too; None: where there is room."""
        self._related: frozenset[int] = frozenset()
        self._strips: OrderedDict[Key, Strip] = OrderedDict()
        self._columns: Columns = columns_for(80)
        self._drawn: dict[int, Drawn] = {}
        self._waiting: set[int] = set()
        self._axis: Axis | None = None
        self._painting = False

    # -- what others ask ------------------------------------------------------------------------

    def show_as_of(self, number: int | None) -> None:
        """Draw what comes after entry `number` as not there yet; None: everything is there."""
        if number != self.as_of:
            self.as_of = number
            self.refresh()

    @property
    def bar_width(self) -> int:
        """Cells of the column of bars; 0 while there is none."""
        return bar_cells(self.body_width, self.waterfall)

    @property
    def axis(self) -> Axis | None:
        """The time that the bars stand on: that of the visible entries."""
        visible, cells = self.visible_lines(), self.bar_width
        if not cells or not visible:
            return None
        return axis_of(self.journal, [self.index[line] for line in visible], cells)

    def toggle_waterfall(self) -> bool:
        """Show or hide the bars; False where there is no room for them."""
        wanted = not self.bar_width
        self.waterfall = wanted
        self.refresh()
        return bool(self.bar_width) is wanted

    # -- LineArea -------------------------------------------------------------------------------

    def count_lines(self) -> int:
        """Entries shown."""
        return len(self.index)

    def draw_line(self, line: int, width: int) -> Strip:
        """One entry, from the kept strips where nothing about it changed."""
        number = self.index[line]
        row = self.journal.row(number)
        axis = self._axis if self._painting else self.axis
        key = self._key(row)
        bar = None if axis is None else bar_of(self.journal, row, axis)
        self._drawn[line] = key, bar
        strip = self._text_of(line, row, key)
        if axis is not None:
            strip = self._with_bar(strip, bar, axis.cells, width)
        return self._in_time(number, strip)

    def render_lines(self, crop: Region) -> list[Strip]:
        """The axis is the same for all of them."""
        self._axis, self._painting = self.axis, True
        try:
            return super().render_lines(crop)
        finally:
            self._painting = False

    def render_line(self, y: int) -> Strip:
        """Forgets kept strips when the columns change."""
        if y == 0:
            bars = self.bar_width
            # The first cell of the number is kept for the sign of a finding.
            digits = len(str(len(self.journal))) + 1
            columns = columns_for(self.body_width - (bars + 1 if bars else 0), digits)
            if columns != self._columns:
                self._columns = columns
                self._strips.clear()
        return super().render_line(y)

    def notify_style_update(self) -> None:
        """A theme changes every strip."""
        super().notify_style_update()
        self._strips.clear()

    # -- inside ---------------------------------------------------------------------------------

    def _key(self, row: Row) -> Key:
        found = self.search is not None and self.search.matches(self.journal, row.number)
        related = row.number in self._related
        worst = self.worst_at(row.number) or ""
        return row.number, row.flags, row.partner, row.latency, found, related, worst

    def _text_of(self, line: int, row: Row, key: Key) -> Strip:
        if row.flags & Flag.PENDING:
            self._waiting.add(line)
            return self._draw(row, key)
        self._waiting.discard(line)
        strip = self._strips.get(key)
        if strip is None:
            strip = self._strips[key] = self._draw(row, key)
            if len(self._strips) > KEPT_STRIPS:
                self._strips.popitem(last=False)
        else:
            self._strips.move_to_end(key)
        return strip

    def _draw(self, row: Row, key: Key) -> Strip:
        text = draw_row(self.journal, row, self._columns, self.journal.clock.monotonic())
        digits = self._columns.number
        if key[6] in SIGNS:
            sign, ink = SIGNS[key[6]]
            text = Text.assemble(Text(sign, ink, end=""), text[1:], no_wrap=True, end="")
        if key[4]:
            text.stylize("mcp.match", 1, digits)
        if key[5] and not row.flags & Flag.MARKED:
            mark = Text("▎", "mcp.accent", end="")
            text = Text.assemble(text[:digits], mark, text[digits + 1 :], no_wrap=True, end="")
        return self.strip_of(text)

    def _with_bar(self, strip: Strip, bar: Bar | None, cells: int, width: int) -> Strip:
        """The text cut to what the bars leave, and the bar behind it."""
        text = strip.adjust_cell_length(max(0, width - cells - 1))
        if bar is None:
            return text
        drawing = Segment(" " + drawn(bar, cells), self.ink(INKS[bar.state]))
        return Strip.join([text, Strip([drawing], cells + 1)])

    def _in_time(self, number: int, strip: Strip) -> Strip:
        """What has not happened yet is all in one faint ink."""
        if self.as_of is None or number <= self.as_of:
            return strip
        ink = self.app.console.get_style("mcp.faint")
        return Strip([Segment(segment.text, ink) for segment in strip], strip.cell_length)

    def _stale(self) -> list[int]:
        """Visible lines whose entry changed since they were drawn."""
        journal, known, axis = self.journal, self._drawn, self.axis
        stale = []
        for line in self.visible_lines():
            if line not in known:
                continue
            row = journal.row(self.index[line])
            bar = None if axis is None else bar_of(journal, row, axis)
            if known[line] != (self._key(row), bar):
                stale.append(line)
        if len(known) > 4 * self.page_height:
            visible = self.visible_lines()
            self._drawn = {line: key for line, key in known.items() if line in visible}
            self._waiting.intersection_update(visible)
        return stale

    def _repaint(self, lines: "set[int] | list[int] | range") -> None:
        visible = self.visible_lines()
        self.refresh_lines_at([line for line in visible if line in lines])


def _nothing_found(_: int) -> None:
    return None
