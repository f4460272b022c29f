"""The list of journal entries: follows the newest, keeps its place.

It reads the journal and holds nothing per entry but the index of what is shown. The cursor belongs
to an entry, not to a line: filters, floods, findings and resizing leave it on that entry, and that
entry on its row of the screen. How lines are painted is `inspector.tui.widgets.traffic_rows`; keys
that change something outside the list are the pane's (`inspector.tui.widgets.traffic_pane`).
"""

from typing import TYPE_CHECKING, Final

from textual.geometry import Region
from textual.message import Message

from inspector.journal.entries import Kind
from inspector.journal.precedence import PERSON
from inspector.tui.traffic_index import is_carrier
from inspector.tui.widgets.traffic_rows import TrafficRows

if TYPE_CHECKING:
    from inspector.journal.exchanges import Exchanges
    from inspector.journal.journal import Journal
    from inspector.journal.query import Filter

TICK_BUDGET: Final = 0.012
"""Seconds a tick may spend on examining entries."""
MANY: Final = 10_000
"""Entries that wait, from which on they are examined between ticks as well."""
BREATH: Final = 0.004
"""Seconds between two slices of that: messages alone would leave nobody else a turn."""
PAGES: Final = 2
"""Where so many pages of lines come between two frames, nobody reads them as they go by."""
FRAME_EVERY: Final = 4
"""Ticks between two frames then."""


class TrafficList(TrafficRows):
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
        super().__init__(journal, exchanges, id=id)
        self._filter: Filter | None = None
        self._follow = True
        self._entry: int | None = None
        self._anchor: int | None = None
        """The entry on which the user stopped; the cursor comes back to it when it is shown."""
        self._row = 0
        """The row of the screen on which that was."""
        self._seen = 0
        """The last entry that was in the window since following stopped."""
        self._ticks = 0
        self._painted_thumb = (0, 0)
        self._looking = self._was_behind = False
        self._unseen_change = False
        """Whether lines changed that are not on the screen yet."""
        self._framed = (-FRAME_EVERY, 0)
        """The tick of the last frame at the end, and how many lines there were."""

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
        """Entries shown that came after all that was in the window since following stopped."""
        return 0 if self._follow else len(self.index) - self.index.line_near(self._seen + 1)

    @property
    def filtered(self) -> bool:
        """Whether a filter hides entries."""
        return self._filter is not None

    def set_filter(self, wanted: "Filter | None", *, carriers: bool) -> None:
        """Show only what matches; the entry under the cursor keeps its place where it is left."""
        self._filter = wanted
        self.index.reset(wanted, carriers=carriers)
        self.index.advance(TICK_BUDGET)
        if self._follow or self._anchor is None:
            self._to_end()
        else:
            self._row = max(0, min(self._row, self.page_height - 1))
            self._place()
        self._status()
        self.refresh()

    def show_entry(self, number: int) -> bool:
        """Put the cursor on entry `number`; False where it is not shown. Where a filter has not
        come so far yet the cursor goes there when it has."""
        line = self.index.line_of(number)
        if line is None and self.index.line_near(number) >= len(self.index) and self.index.behind:
            self.index.advance(TICK_BUDGET)
            line = self.index.line_of(number)
        if line is not None:
            self.stop_at(line)
            return True
        if number <= self.index.scanned or self._hides(number):
            return False
        self.set_follow(False)
        self._anchor = number
        return True

    def set_follow(self, follow: bool) -> None:
        """Follow the newest entry or stay."""
        if follow != self._follow:
            self._follow = follow
            self._seen = self.index[-1] if len(self.index) else 0
            self._remember()
            self._status()
        if follow:
            self._to_end()

    def stop_at(self, line: int) -> None:
        """Put the cursor on a line and stay there."""
        self.set_follow(False)
        self.go_to(line, centre=True)
        self._entry_moved()
        self._remember()

    def hides_carrier(self, number: int) -> bool:
        """Whether an entry is hidden because it merely carried a message."""
        row = self.journal.row(number)
        return row.kind is Kind.HTTP and not self.index.shows_carriers and is_carrier(row)

    def tick(self) -> None:
        """Called at most 20 times a second while visible; repaints what changed and no more."""
        self._ticks += 1
        changed, self._unseen_change = self._unseen_change, False
        if self.index.advance(TICK_BUDGET) or changed:
            self._grown()
        elif self._ticks % 4 == 0 and self._waiting:
            self._repaint(self._waiting)
        self._repaint(self._stale())
        if self.index.behind or self._was_behind:
            self._was_behind = self.index.behind > 0
            self._status()  # what is looked for and not found is told of, too
        if self.index.behind > MANY and not self._looking:
            self._looking = True
            self.set_timer(BREATH, self._look_on)

    def _look_on(self) -> None:
        """So many entries wait that they are examined between two ticks, too; keys come first."""
        if self.filtered:
            PERSON.claim()  # somebody waits for what is found
        changed = self.index.advance(TICK_BUDGET)
        self._looking = self.index.behind > 0
        if self._looking:
            self._unseen_change = changed or self._unseen_change
            self.set_timer(BREATH, self._look_on)
        elif changed:
            self._grown()

    # -- LineArea -------------------------------------------------------------------------------

    def empty_text(self) -> str:
        """Says why nothing is here."""
        if self.index.behind:
            return "Looking…"
        return "No entry matches the filter" if self.filtered else "Nothing has happened yet"

    def cursor_moved(self) -> None:
        """By hand: away from the end stops following."""
        if self._follow and self._cursor < len(self.index) - 1:
            self.set_follow(False)
        self._entry_moved()
        self._remember()

    def action_last(self) -> None:
        """To the newest, and stay there."""
        super().action_last()
        self.set_follow(True)

    def wheel(self, step: int) -> None:
        """Scrolling up stops following."""
        if step < 0:
            self.set_follow(False)
        super().wheel(step)
        self._row = self._cursor - self._top
        self._note_seen()

    def clicked(self, line: int, times: int) -> None:
        """A double click opens."""
        if times > 1 and self._entry is not None:
            self.post_message(self.Opened(self._entry))

    def on_resize(self) -> None:
        """The entry stays on its row as far as there are rows; a hidden list keeps its place."""
        if not self.size.height:
            return
        if self._follow or self._anchor is None:
            super().on_resize()
            if self._follow:
                self._to_end()
            return
        kept = self._row
        self._row = max(0, min(kept, self.page_height - 1))
        self._place()
        self._row = kept
        self._note_seen()
        self.refresh()

    # -- inside ---------------------------------------------------------------------------------

    def _hides(self, number: int) -> bool:
        """Whether an entry that was not examined yet will not be shown."""
        wanted = self._filter
        matches = wanted is None or wanted.matches(self.journal, number)
        return self.hides_carrier(number) or not matches

    def _remember(self) -> None:
        """The user has chosen this entry, on this row."""
        self._anchor, self._row = self._entry, self._cursor - self._top

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
        last = min(len(self.index), self._top + self.page_height) - 1
        if last >= 0 and self.index[last] > self._seen:
            self._seen = self.index[last]
            self._status()

    def _status(self) -> None:
        self.post_message(self.Status())

    def _to_end(self) -> None:
        last = len(self.index) - 1
        self._cursor = max(0, last)
        self._top = max(0, last + 1 - self.page_height)
        self._entry_moved()
        self.refresh()

    def _place(self) -> bool:
        """Puts the cursor on the anchor, or the entry nearest to it, and that on its row; whether
        anything moved."""
        total = len(self.index)
        anchor = self._anchor or 0
        line = max(0, min(self.index.line_near(anchor), total - 1))
        top = max(0, min(line - self._row, total - self.page_height))
        moved = (line, top) != (self._cursor, self._top)
        self._cursor, self._top = line, top
        self._entry_moved()
        return moved

    def _grown(self) -> None:
        if self._follow:
            total, (tick, lines) = len(self.index), self._framed
            if total - lines > PAGES * self.page_height and self._ticks - tick < FRAME_EVERY:
                self._unseen_change = True
                return
            self._framed = (self._ticks, total)
            self._to_end()
        elif self._anchor is None:
            self._entry_moved()
            self._remember()
            self.refresh()
        elif self._place():
            self.refresh()
        else:
            drawn_end = max(self._drawn, default=-1) + 1
            shown_end = min(len(self.index), self._top + self.page_height)
            if drawn_end != shown_end:
                self._repaint(range(min(drawn_end, shown_end), shown_end))
            if drawn_end > len(self.index):
                self.refresh()  # lines went away: what lay below them is blank
                self._drawn.clear()
            thumb = self._thumb(len(self.index))
            if thumb != self._painted_thumb and len(self.index) > self.page_height:
                self._painted_thumb = thumb
                self.refresh(Region(self.body_width, 0, 1, self.page_height))
        self._status()
