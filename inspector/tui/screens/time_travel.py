"""Going back and forth in time on the main screen: the keys, and what is shown of which time.

A part of `inspector.tui.screens.main`. The past has views of its own, so that forms, filters and
results of the present are as they were when somebody returns to it.
"""

from typing import TYPE_CHECKING, Final

from textual import on

from inspector.tui.screens.traffic_place import TrafficPlace
from inspector.tui.source_words import Remarks
from inspector.tui.widgets.lines import LineArea
from inspector.tui.widgets.travel_banner import TravelBanner

if TYPE_CHECKING:
    from inspector.past.bench import PastBench, Scene
    from inspector.tui.views.base import View
    from inspector.workbench import Workbench


WARM_TICKS: Final = 60
"""Ticks after which the way along the journal begins by itself, so that the first look is quick."""


class TimeTravel(TrafficPlace):
    """Mixed into the main screen."""

    def __init__(self) -> None:
        super().__init__()
        self._ticks = 0
        self._banner = TravelBanner(id="travel")
        self._of_now: dict[str, View] = {}
        self._of_then: dict[str, View] = {}
        self._views = self._of_now
        self._tab_now = ""
        self._seen: PastBench | None = None
        self._remarks = Remarks()

    @property
    def in_past(self) -> bool:
        """Whether the tabs on show are those of the past."""
        return self._views is self._of_then

    @property
    def scene(self) -> "Scene | None":
        """What the tabs, the header and the badges show: the workbench, or how it was."""
        app = self.inspector
        if not app.has_bridge or not app.bridge.ready:
            return None
        return self._seen if self.in_past and self._seen is not None else app.bridge.workbench

    # -- keys -----------------------------------------------------------------------------------

    def travel_to(self, number: int | None) -> None:
        """Show everything as of entry `number`."""
        if number is None or (travel := self.inspector.travel) is None:
            return
        travel.go(number)
        if (traffic := self.traffic) is not None:
            traffic.rows.set_follow(False)
            if traffic.rows.entry != travel.goal:
                traffic.rows.show_entry(travel.number)  # hidden by a filter, it is not
        self.tick()

    def action_step_time(self, step: int) -> None:
        """Alt+left and right: one entry back or forth, from anywhere."""
        travel, traffic = self.inspector.travel, self.traffic
        if travel is None or traffic is None or not len(travel.live.journal):
            return
        number = max(1, min(travel.number + step, len(travel.live.journal)))
        if not travel.travelling:
            return
        self.travel_to(number)

    def action_now(self) -> None:
        """Escape, where nothing nearer takes it."""
        self.return_to_now()

    def return_to_now(self) -> bool:
        """From the past to now, or to the end of a recording; False where we are there."""
        travel, traffic = self.inspector.travel, self.traffic
        if travel is None or not travel.back():
            return False
        if traffic is not None:
            traffic.rows.set_follow(True)
        self.tick()
        return True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The keys of time do nothing now."""
        if action in ("step_time", "now"):
            travel = self.inspector.travel
            if travel is None or not travel.travelling:
                return False
            return action != "now" or travel.goal is not None
        return super().check_action(action, parameters)

    @on(LineArea.Moved, "#traffic-list")
    def _cursor_moves_time(self) -> None:
        """The state follows the cursor once somebody travels; a recording stays at its end until
        then, so that reading its traffic or its findings changes no tab."""
        travel, traffic = self.inspector.travel, self.traffic
        if travel is None or traffic is None or travel.goal is None:
            return
        entry = traffic.rows.entry
        if entry is not None and entry != travel.goal and not traffic.rows.follow:
            self.travel_to(entry)

    # -- showing --------------------------------------------------------------------------------

    def look_at_time(self, bench: "Workbench") -> bool:
        """Shows the time that is wished for; whether that is the past."""
        travel, pane = self.inspector.travel, self.traffic
        if travel is not None and pane is not None and pane.rows.follow:
            travel.back()  # whoever follows the newest entry is there
        travelling = travel is not None and travel.travelling
        if bench.source is not None:
            if bench.source.held and self.traffic is not None and self.traffic.is_mounted:
                self.call_after_refresh(bench.source.let_go)
            for words, bad in self._remarks.new(bench.source):
                self.inspector.notify_safe(words, title="Recording", error=bad)
        if travel is not None and travel.source is not None:
            self._views = self._of_then  # there is no now
            travel.begin()
        elif travel is not None and bench.session.state.ready and self._ticks > WARM_TICKS:
            travel.begin()
        self._banner.update_from(travel, bench.session.inbox.open_count if travelling else 0)
        if pane is not None:
            pane.rows.show_as_of(travel.goal if travel is not None else None)
        if travel is None or not travelling:
            if self.in_past:
                self._return()
            return False
        if travel.bench is not None and travel.bench is not self._seen:
            first = not self.in_past or not self.tab
            self._seen, self._views = travel.bench, self._of_then
            if first:
                self._tab_now, tab = self.tab, self.tab
                self.show_again(tab or self._first_tab(travel.bench))
            elif (view := self.shown) is not None and view.is_mounted:
                view.show_changes(frozenset(view.TOPICS))
            self.refresh_lines()
        return True

    def _return(self) -> None:
        """To the tabs of now, the one on show or, without a session, what was shown then."""
        tab = self.tab
        self._views = self._of_now
        self.show_again(tab if self._tab_now else "")
        self.refresh_lines()

    def _first_tab(self, bench: "PastBench") -> str:
        state = bench.session.state
        offered = (one for one in ("tools", "resources", "prompts") if state.declares(one))
        return next(offered, "server")

    # -- what the main screen does --------------------------------------------------------------

    @property
    def tab(self) -> str:
        """The id of the tab shown; "" while the status panel is shown."""
        return ""

    def show_again(self, tab: str) -> None:
        """Show the tab of this time; "" for the status panel."""

    def refresh_lines(self) -> None:
        """Draw header, tabs and the lines below them."""

    def tick(self) -> None:
        """Look at what moved."""
