"""The main screen: header, tabs, the chosen view, the traffic pane below, key hints.

It decides where things stand and what is visible; a ticker of the app tells it to look at the
change counters. What views and panes show is theirs.
"""

import os
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.widgets import ContentSwitcher

from inspector.protocol.versions import Era
from inspector.session.state import Phase
from inspector.tui.asking import AskOpener, AuthOpener
from inspector.tui.bindings import bindings_for
from inspector.tui.layout import TellingCompositor
from inspector.tui.screens.debugging import Debugging
from inspector.tui.screens.time_travel import TimeTravel
from inspector.tui.views.registry import VIEWS, load_views
from inspector.tui.widgets.header import Header, HintLine, TabStrip
from inspector.tui.widgets.lost import LostBanner
from inspector.tui.widgets.status import StatusPanel

if TYPE_CHECKING:
    from inspector.tui.views.base import View
    from inspector.workbench import Workbench

FRAMES: Final = 20
FRAMES_OVER_SSH: Final = 10
LINES_EVERY: Final = 4
"""Ticks between two looks at the counters in the header."""
HEADLINES: Final = frozenset({"state", "catalog", "asks"})
JUDGED: Final = frozenset({"findings"})
LIST_KINDS: Final = ("tools", "resources", "resourceTemplates", "prompts")


class MainScreen(Debugging, TimeTravel):
    """Everything about one inspection."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("main")]
    HELP: ClassVar[str] = (
        "Numbers go to the tabs; with Alt also while typing, as do Ctrl+PgUp and Ctrl+PgDn. "
        "Ctrl+T changes the size of the traffic pane, Ctrl+G moves the focus into it and back, "
        "Ctrl+O puts letters over the panes."
    )
    DEFAULT_CSS = """
    MainScreen { layout: vertical; }
    MainScreen #content { height: 2fr; }
    MainScreen #content > ContentSwitcher { height: 1fr; }
    MainScreen #traffic { height: 1fr; }
    MainScreen.-traffic-hidden #traffic { display: none; }
    MainScreen.-traffic-half #content { height: 1fr; }
    MainScreen.-traffic-all #content { display: none; }
    """

    def __init__(self, label: str) -> None:
        super().__init__()
        self._compositor = TellingCompositor()
        self._label = label
        # Held, not looked up: the ticker may still run while the screen is taken apart.
        self._header, self._tabs = Header(id="header"), TabStrip(id="tabs")
        self._lost = LostBanner(id="lost")
        self._status, self._hints = StatusPanel(id="status"), HintLine(id="hints")
        self._hinted = True
        self._tab = ""
        self._counts: dict[str, int] = {}
        self._phase: Phase | None = None
        self._session: object = None
        self._user_chose = False
        self._was_ready = False
        self._asking = AskOpener()
        self._authorizing = AuthOpener()

    def compose(self) -> ComposeResult:
        """The frame; views and traffic come when the workbench is up."""
        yield self._header
        yield self._tabs
        yield self._banner
        yield self._lost
        with Container(id="content"), ContentSwitcher(initial="status"):
            yield self._status
        with Container(id="traffic"):
            yield Container(id="traffic-waits")
        yield self._hints

    def on_mount(self) -> None:
        """First look at everything."""
        self.bindings_updated_signal.subscribe(self, lambda _: self._update_hints())
        self._status.focus()
        self.call_after_refresh(self.tick)

    def on_resize(self) -> None:
        """Lines are drawn for a width."""
        self.set_class(self.size.width < 100, "-narrow")
        self.set_class(self.size.height < 30, "-low")
        self.call_after_refresh(self.refresh_lines)

    # -- state ----------------------------------------------------------------------------------

    @property
    def bench(self) -> "Workbench | None":
        """The workbench, once it is up."""
        app = self.inspector
        return app.bridge.workbench if app.has_bridge and app.bridge.ready else None

    @property
    def tab(self) -> str:
        """The id of the tab shown; "" while the status panel is shown."""
        return self._tab

    # -- ticking --------------------------------------------------------------------------------

    def tick(self) -> None:
        """Look at the change counters and bring what is visible up to date."""
        if self.inspector.leaving:
            return
        if self._hinted is not (self.app.screen is self):
            self._hinted = not self._hinted
            self._update_hints()
        bench = self.bench
        self._ticks += 1
        if bench is None:
            self.refresh_lines()
            return
        if self.traffic is None:
            self._bring_up(bench)
        counts = bench.changes.snapshot()
        moved = frozenset(
            topic for topic, count in counts.items() if self._counts.get(topic) != count
        )
        self._counts = counts
        # A repaint at the top and one at the bottom make Textual look at all between: the header's
        # counters therefore change less often than the traffic.
        in_past = self.look_at_time(bench)
        if self._ticks % LINES_EVERY == 0 or moved & HEADLINES:
            self.refresh_lines()
        if bench.session is not self._session:
            self._session, self._phase = bench.session, None
        if bench.session.state.phase is not self._phase:
            self._phase = bench.session.state.phase
            self._phase_changed(bench, self._phase)
        view = self.shown
        if view is not None and view.is_mounted and self._traffic != "all":
            # The past stays as it was, but not what is thought of it.
            concerned = moved & frozenset(view.TOPICS) & (JUDGED if in_past else moved)
            if concerned:
                view.show_changes(concerned)
        if not in_past:  # nothing of now pops up over what was
            self._asking.look(self.inspector, self, bench.session.inbox, self._tab)
            self._authorizing.look(self.inspector, self)
        traffic = self.traffic
        if traffic is not None and traffic.is_mounted and self._traffic != "hidden":
            traffic.tick()

    def refresh_lines(self) -> None:
        """Draw header, tabs and the lines below them."""
        bench, failure, scene = self.bench, self.inspector.start_failure, self.scene
        self._header.update_from(scene, self._label)
        self._tabs.update_from(scene, self._tab)
        if self.in_past:
            self._lost.remove_class("-open")
        elif self._tab:
            self._lost.update_from(bench)
        elif bench is None or bench.source is None:
            self._lost.remove_class("-open")
            self._status.update_from(bench, self._label, failure)

    def _update_hints(self) -> None:
        if self.app.screen is self:
            self._hints.update_hints()
        else:
            # A dialog takes the keys: hints of what lies beneath it would mislead.
            self._hints.clear()

    def _bring_up(self, bench: "Workbench") -> None:
        from inspector.tui.widgets.traffic_pane import TrafficPane

        load_views()
        self.judge(bench)
        holder = self.query_one("#traffic", Container)
        self.query_one("#traffic-waits").remove()
        self._pane = TrafficPane(bench, id="traffic-pane")
        holder.mount(self._pane)

    def _phase_changed(self, bench: "Workbench", phase: Phase) -> None:
        if phase is Phase.READY:
            self._was_ready = True
            self._read_lists(bench)
            if self.in_past:
                return
            if not self._user_chose or not self._tab:
                declared = bench.session.state.declares
                first = next(
                    (one for one in ("tools", "resources", "prompts") if declared(one)), ""
                )
                self.show_tab(self._tab or first or "server", by_user=False)
        elif phase in (Phase.FAILED, Phase.CLOSED, Phase.CONNECTING) and not (
            # What was seen of a server stays in view after its end, under a line that says so.
            self._user_chose or self._was_ready or self.in_past
        ):
            self.show_status()

    def _read_lists(self, bench: "Workbench") -> None:
        """Read what the server offers, so that tabs can say how much of it there is. Modern servers
        announce changes of it only to who listens."""
        catalog, session = bench.session.catalog, bench.session
        listening = session.subscriptions.listening

        async def read() -> None:
            if session.era is Era.MODERN and listening.filter(()):
                session.engine.nest.spawn(session.subscriptions.resume())
            for kind in LIST_KINDS:
                await catalog.look(kind)

        self.inspector.bridge.post(read)

    # -- tabs -----------------------------------------------------------------------------------

    def show_status(self) -> None:
        """Show the panel about the connection in place of a tab."""
        inside = self.query_one(ContentSwitcher).has_focus_within
        self._tab = ""
        self.query_one(ContentSwitcher).current = "status"
        if inside or self.focused is None:
            self._status.focus()
        self.refresh_lines()

    def show_tab(self, tab: str, *, by_user: bool = True) -> "View | None":
        """Show a tab, making its view if this is the first time."""
        bench = self.bench
        if bench is None:
            return None
        spec = next(spec for spec in VIEWS if spec.id == tab)
        switcher = self.query_one(ContentSwitcher)
        view = self._views.get(tab)
        if view is None:
            view = self._views[tab] = spec.make_past() if self.in_past else spec.make()
            view.display = False
            switcher.mount(view)
        self._user_chose = self._user_chose or by_user
        if self._traffic == "all" and by_user:
            self.set_traffic("third")
        if tab != self._tab:
            self._tab = tab
            switcher.current = view.id
            self.when_mounted(view, partial(self._view_shown, view, by_user))
        elif by_user:
            self.when_mounted(view, view.focus_first)
        self.refresh_lines()
        return view

    def _view_shown(self, view: "View", by_user: bool) -> None:
        if self._views.get(self._tab) is not view:
            return
        view.show_changes(frozenset(view.TOPICS))
        traffic = self.traffic
        if by_user or traffic is None or not traffic.has_focus_within:
            view.focus_first()

    def show_again(self, tab: str) -> None:
        """Show the tab of this time; "" for the status panel."""
        if not tab:
            self.show_status()
            return
        self._tab = ""
        self.show_tab(tab, by_user=False)

    @on(TabStrip.Chosen)
    def _tab_clicked(self, event: TabStrip.Chosen) -> None:
        self.show_tab(event.tab)

    def action_show_tab_number(self, number: int) -> None:
        """The number of a tab."""
        for spec in VIEWS:
            if spec.key == str(number):
                self.show_tab(spec.id)

    def action_next_tab(self, step: int) -> None:
        """Ctrl+PgUp and PgDn."""
        ids = [spec.id for spec in VIEWS]
        place = ids.index(self._tab) + step if self._tab else 0
        self.show_tab(ids[place % len(ids)])

    @property
    def shown(self) -> "View | None":
        """The view of the tab on show; None while the status panel is shown."""
        return self._views.get(self._tab)

    def focus_content(self) -> None:
        """Put the focus above the traffic pane."""
        view = self.shown
        if view is not None:
            self.when_mounted(view, view.focus_first)
        else:
            self._status.focus()

    def retarget(self, label: str) -> None:
        """Another target was chosen; `label` names it until it names itself."""
        self._label = label
        self._user_chose = self._was_ready = False


def frames_per_second() -> int:
    """Fewer frames where each one crosses a network."""
    return FRAMES_OVER_SSH if os.environ.get("SSH_CONNECTION") else FRAMES
