"""Where the traffic pane stands on the main screen: hidden, a third, half, all; and going into it.

A part of `inspector.tui.screens.main`; what the pane shows is its own affair.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.widget import Widget

from inspector.tui.screens.connection import ConnectionActions

if TYPE_CHECKING:
    from inspector.tui.views.base import View
    from inspector.tui.widgets.traffic_pane import TrafficPane

TRAFFIC_SIZES: Final = ("hidden", "third", "half", "all")


class TrafficPlace(ConnectionActions):
    """Mixed into the main screen."""

    def __init__(self) -> None:
        super().__init__(classes="-traffic-third")
        self._pane: TrafficPane | None = None
        self._traffic = "third"

    @property
    def shown(self) -> "View | None":
        """The view of the tab on show; None while the status panel is shown."""
        return None

    def focus_content(self) -> None:
        """Put the focus above the traffic pane."""

    @property
    def traffic(self) -> "TrafficPane | None":
        """The traffic pane, once the workbench is up."""
        return self._pane

    @property
    def traffic_size(self) -> str:
        """One of `TRAFFIC_SIZES`."""
        return self._traffic

    def when_mounted(self, widget: Widget, does: Callable[[], object]) -> None:
        """Call `does` once `widget` and all in it are there; at once if they are."""
        if self.inspector.leaving:
            return
        if widget.is_mounted:
            does()
        else:
            self.set_timer(0.01, partial(self.when_mounted, widget, does))

    def action_cycle_traffic(self) -> None:
        """Hidden, a third, half, all."""
        place = TRAFFIC_SIZES.index(self._traffic) + 1
        self.set_traffic(TRAFFIC_SIZES[place % len(TRAFFIC_SIZES)])

    def action_focus_traffic(self) -> None:
        """Into the traffic pane, or back to the tab."""
        traffic = self.traffic
        if traffic is None:
            return
        if traffic.has_focus_within and self._traffic != "all":
            self.focus_content()
            return
        if self._traffic == "hidden":
            self.set_traffic("third")
        traffic.focus_list()

    def act_in_traffic(self, action: str) -> None:
        """Go into the traffic pane, and do there what the key of `action` does."""
        if self._traffic == "hidden":
            self.set_traffic("third")
        if (traffic := self.traffic) is not None:
            self.when_mounted(traffic, traffic.focus_list)
            act = partial(self.call_later, self.app.run_action, action, traffic)
            self.when_mounted(traffic, act)

    def show_entry(self, number: int) -> None:
        """Show a journal entry in the traffic pane."""
        if self._traffic == "hidden":
            self.set_traffic("half")
        if (traffic := self.traffic) is not None:
            self.when_mounted(traffic, partial(traffic.show_entry, number))

    def filter_traffic(self, text: str) -> None:
        """Show what matches `text` in the traffic pane."""
        if self._traffic == "hidden":
            self.set_traffic("half")
        if (traffic := self.traffic) is not None:
            self.when_mounted(traffic, partial(traffic.filter_by, text))

    def set_traffic(self, size: str) -> None:
        """One of `TRAFFIC_SIZES`."""
        self._traffic = size
        self._apply_traffic()
        traffic = self.traffic
        if traffic is None:
            return
        if size == "all":
            traffic.focus_list()
        elif size == "hidden" and traffic.has_focus_within:
            self.focus_content()
        elif (view := self.shown) is not None and view.is_mounted:
            view.show_changes(frozenset(view.TOPICS))

    def on_traffic_pane_detail_opened(self) -> None:
        """Two thirds of a low screen leave too little for a detail."""
        if self._traffic == "third" and self.has_class("-low"):
            self.set_traffic("half")

    def _apply_traffic(self) -> None:
        for size in TRAFFIC_SIZES:
            self.set_class(size == self._traffic, f"-traffic-{size}")
