"""What the main screen does about findings, hanging servers and coverage: a part of it.

Each leads to a screen of its own, or to a place in the traffic or the Findings tab.
"""

from functools import partial
from typing import TYPE_CHECKING

from inspector.tui.judging import begin_judging
from inspector.tui.screens.traffic_place import TrafficPlace

if TYPE_CHECKING:
    from inspector.workbench import Workbench


class Debugging(TrafficPlace):
    """Mixed into the main screen."""

    def judge(self, bench: "Workbench") -> None:
        """Let what happens be judged from now on."""
        self.inspector.bridge.post(lambda: begin_judging(bench))

    def show_entry_at(self, number: int, pointer: str) -> None:
        """Show an entry in the traffic with its detail open, and mark the place in its body."""
        self.show_entry(number)
        if pointer and (traffic := self.traffic) is not None:
            self.when_mounted(traffic, partial(traffic.detail.body.mark_pointer, pointer))

    def open_finding(self, number: int, rule: str = "") -> None:
        """Go to the finding of `rule` ("": any) about an entry."""
        from inspector.tui.views.findings import FindingsView

        main = self.inspector.main
        view = None if main is None else main.show_tab("findings")
        if isinstance(view, FindingsView):
            self.when_mounted(view, partial(view.show_at, number, rule))

    def action_why_hanging(self) -> None:
        """Alt+W"""
        from inspector.tui.screens.hanging import HangingScreen

        if self.inspector.has_bridge and self.inspector.bridge.ready:
            self.app.push_screen(HangingScreen())

    def action_coverage(self) -> None:
        """c in the Server and the Findings tab."""
        from inspector.tui.screens.coverage import CoverageScreen

        if self.inspector.has_bridge and self.inspector.bridge.ready:
            self.app.push_screen(CoverageScreen())
