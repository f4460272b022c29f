"""The steps through the traffic: partner, cause, exchange, match, error, mark, time, any place.

Decides which entry a key leads to and what is said where it leads nowhere. Wide searches run in
slices between other work, and stop when the user does something else. How a place is found is
`inspector.journal.stepping`; the list moves, the pane shows.
"""

from functools import partial
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual import on
from textual.widget import Widget

from inspector.journal.causality import probable_cause, together
from inspector.journal.entries import Flag
from inspector.journal.precedence import PERSON
from inspector.journal.stepping import (
    Look,
    Seek,
    WrongPlaceError,
    found_between,
    line_by_time,
    line_of_place,
    marked_between,
    read_place,
    wrong_between,
)
from inspector.tui.key_hints import key_name
from inspector.tui.traffic_row import clock_text, duration
from inspector.tui.widgets.place_box import PlaceBox
from inspector.tui.widgets.traffic import BREATH, TrafficList

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp
    from inspector.workbench import Workbench

_MARKED: Final = int(Flag.MARKED)
MARKS_READ: Final = 100_000
"""Entries looked through, each way, for one that is marked."""
SEEK_SECONDS: Final = 0.008
"""How long a search may look before others have their turn."""


class TrafficSteps(Widget):
    """What the traffic pane is besides its layout: it moves through `rows`."""

    def __init__(self, bench: "Workbench", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._bench = bench
        self.rows = TrafficList(bench.journal, bench.exchanges, id="traffic-list")
        """The list."""
        self.rows.worst_at = self._worst_at
        self._seek: Seek | None = None
        self._stepped: tuple[int | None, str] = (None, "")

    def _worst_at(self, number: int) -> str | None:
        judge = self._bench.judge
        return None if judge is None else judge.worst_at(number)

    @property
    def inspector(self) -> "InspectorApp":
        """The app, with its type."""
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    def show_entry(self, number: int, *, detail: bool = True) -> None:
        """Go to an entry; the pane says how."""

    def retitle(self) -> None:
        """Show the facts of the list anew; the pane says where."""

    def step_facts(self) -> Text:
        """How far a search is, or how far the last step in time went."""
        if self._seek is not None:
            return Text(f"looking {self._seek.share:.0%}, Esc stops", "mcp.badge")
        entry, words = self._stepped
        return Text(words if entry is not None and entry == self.rows.entry else "", "mcp.accent")

    def stop_seeking(self) -> bool:
        """Give up a search that is under way; whether there was one."""
        was, self._seek = self._seek is not None, None
        return was

    # -- what belongs together ------------------------------------------------------------------

    def action_partner(self) -> None:
        """%"""
        entry = self.rows.entry
        if entry is None:
            return
        partner = self._bench.exchanges.partner(entry)
        if partner is not None:
            self._show(partner)
        elif (cause := self._cause(entry)) is not None:
            self._show(cause)
        elif self._bench.exchanges.is_pending(entry):
            self.inspector.notify_safe("Nobody has answered this yet")
        else:
            self.inspector.notify_safe("This entry has no partner")

    def action_cause(self) -> None:
        """^"""
        entry = self.rows.entry
        if entry is None:
            return
        cause = self._cause(entry)
        if cause is None:
            self.inspector.notify_safe("Nothing says that another entry led to this one")
        else:
            self._show(cause)

    def _cause(self, entry: int) -> int | None:
        cause = self._bench.exchanges.cause(entry)
        if cause is None:
            cause = probable_cause(self._bench.journal, entry)
            if cause is not None:
                self.inspector.notify_safe(f"Probably of {cause}: nothing else waited then")
            else:
                http = self._bench.journal.row(entry).http  # the stream that it came on
                cause = None if http is None or self.rows.hides_carrier(http) else http
        return cause

    def action_within_exchange(self, step: int) -> None:
        """[ and ]"""
        entry = self.rows.entry
        if entry is None:
            return
        members = together(self._bench.journal, entry)
        on = members[members.index(entry) + 1 :] if step > 0 else members[: members.index(entry)]
        ways = [number for number in on if not self.rows.hides_carrier(number)]
        if ways:
            self._show(ways[0 if step > 0 else -1])
        elif on:
            self.inspector.notify_safe("Only HTTP exchanges follow, which are hidden; H shows them")
        elif len(members) == 1:
            self.inspector.notify_safe("This entry belongs to no exchange")
        else:
            self.inspector.notify_safe("The exchange ends here")

    def _show(self, number: int) -> None:
        self.stop_seeking()
        self.show_entry(number, detail=self.has_class("-detail"))

    # -- searches -------------------------------------------------------------------------------

    def action_next_match(self, step: int) -> None:
        """n and N"""
        search = self.rows.search
        if search is None:
            self.inspector.notify_safe("Nothing is searched; ? begins a search")
        else:
            self._begin(found_between(self._bench.journal, search), step, "No further match")

    def action_next_error(self, step: int) -> None:
        """e and E"""
        judge = self._bench.judge
        judged = None if judge is None else lambda number: judge.worst_at(number) is not None
        look = wrong_between(self._bench.journal, judged)
        self._begin(look, step, f"Nothing wrong further {self._way(step, 'error')}")

    def action_next_mark(self, step: int) -> None:
        """' and \""""
        look = marked_between(self._bench.journal)
        words = f"No mark or note further {self._way(step, 'mark')}; m marks, ; notes"
        self._begin(look, step, words)

    def _way(self, step: int, name: str) -> str:
        """Where was looked, and the key that looks on the other side: a recording opens at its
        end."""
        down, up = (key_name(self.app, f"traffic.{name}_{way}") for way in ("next", "previous"))
        return f"down; {up} looks above" if step > 0 else f"up; {down} looks below"

    def marked_entry(self) -> int | None:
        """The nearest marked entry above the cursor, else below it; None where there is none."""
        entry, journal = self.rows.entry, self._bench.journal
        if entry is None:
            return None
        flags, last = journal.columns.flags, len(journal)
        above = range(entry - 1, max(0, entry - MARKS_READ), -1)
        below = range(entry + 1, min(last, entry + MARKS_READ) + 1)
        marked = (number for way in (above, below) for number in way)
        return next((number for number in marked if flags[number] & _MARKED), None)

    def _begin(self, look: Look, step: int, failed: str) -> None:
        entry = self.rows.entry
        if entry is None:
            return
        self._seek = Seek(self._bench.journal, self.rows.index, look, entry, step)
        self._go_on(self._seek, failed)

    def _go_on(self, seek: Seek, failed: str) -> None:
        if seek is not self._seek:
            return
        PERSON.claim()
        if not seek.advance(SEEK_SECONDS):
            self.retitle()
            self.set_timer(BREATH, partial(self._go_on, seek, failed))
            return
        self._seek = None
        if seek.line is None:
            self.inspector.notify_safe(failed)
        else:
            self.rows.stop_at(seek.line)
        self.retitle()

    @on(TrafficList.Moved)
    def _moved_by_hand(self, event: TrafficList.Moved) -> None:
        if event.area is self.rows:
            self.stop_seeking()
            self.retitle()

    # -- by time and place ----------------------------------------------------------------------

    def action_by_time(self, seconds: float) -> None:
        """, . < > { }"""
        rows, journal = self.rows, self._bench.journal
        here = rows.entry
        if here is None:
            return
        line = line_by_time(journal, rows.index, rows.cursor, seconds)
        if line == rows.cursor:
            way = "last" if seconds > 0 else "first"
            self.inspector.notify_safe(f"This is the {way} entry shown")
            return
        self._stop_at(line, here)

    def action_go_to_place(self) -> None:
        """:"""
        self.query_one(PlaceBox).open()

    @on(PlaceBox.Wanted)
    def _place_wanted(self, event: PlaceBox.Wanted) -> None:
        event.stop()
        rows, journal = self.rows, self._bench.journal
        here = rows.entry
        try:
            place = read_place(event.text)
            line = line_of_place(journal, rows.index, rows.cursor, place)
        except WrongPlaceError as wrong:
            event.box.refuse(str(wrong))
            return
        event.box.close()
        self.focus_inside()
        if place.sort == "number" and rows.index[line] != place.value:
            self._show(int(place.value))
        else:
            self._stop_at(line, here)

    @on(PlaceBox.Left)
    def _place_left(self, event: PlaceBox.Left) -> None:
        event.stop()
        self.focus_inside()

    def focus_inside(self) -> None:
        """Put the focus where reading goes on; the pane says where."""

    def _stop_at(self, line: int, before: int | None) -> None:
        """Go to a line, and say when that was and how far from entry `before`."""
        rows, journal = self.rows, self._bench.journal
        self.stop_seeking()
        rows.stop_at(line)
        entry = rows.entry
        if entry is not None and before is not None:
            row = journal.row(entry)
            spent = row.monotonic - journal.row(before).monotonic
            sign = "+" if entry >= before else "-"
            self._stepped = (entry, f"{clock_text(row.wall)} {sign}{duration(abs(spent))}")
        self.retitle()
