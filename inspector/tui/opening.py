"""What the app inspects: the bridge to its workbench, and how one target follows another.

Decides when a workbench is made and when the one there is goes on with another target. How a
session is opened and ends is the workbench's business.
"""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from textual.notifications import SeverityLevel

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.render.safe import visible
from inspector.tui.bridge import Bridge
from inspector.tui.dressed import DressedApp
from inspector.tui.ending import describe
from inspector.tui.screens.main import MainScreen

if TYPE_CHECKING:
    from inspector.tui.travel import Traveller
    from inspector.workbench import Workbench


class OpeningApp(DressedApp, inherit_bindings=False):
    """An app on one target at a time."""

    def __init__(
        self,
        make: "Callable[[Target], Workbench]",
        target: Target | None,
        *,
        theme: str = "",
        problems: Iterable[str] = (),
    ) -> None:
        """`make` builds the workbench for the first target, in the bridge's thread."""
        super().__init__()
        self.problems = tuple(problems)
        self._make = make
        self._target = target
        self._bridge: Bridge | None = None
        self._travel: Traveller | None = None
        self._greeted = False
        self.load_themes(theme)

    @property
    def bridge(self) -> Bridge:
        """The way to the workbench."""
        if self._bridge is None:
            raise RuntimeError("nothing is connected yet")
        return self._bridge

    @property
    def has_bridge(self) -> bool:
        """Whether a target was chosen."""
        return self._bridge is not None

    @property
    def travel(self) -> "Traveller | None":
        """The way to the past of what is inspected; None while nothing is."""
        if self._bridge is None or not self._bridge.ready:
            return None
        bench = self._bridge.workbench
        if self._travel is None or self._travel.live is not bench:
            from inspector.tui.travel import Traveller

            if self._travel is not None:
                self._travel.close()
            self._travel = Traveller(bench, bench.source)
        return self._travel

    @property
    def start_failure(self) -> str:
        """Why there is no workbench ("" where there is, or will be)."""
        failure = self._bridge.failure if self._bridge is not None else None
        return "" if failure is None else describe(failure)

    @property
    def main(self) -> MainScreen | None:
        """The main screen, if there is one."""
        return next((one for one in self.screen_stack if isinstance(one, MainScreen)), None)

    def notify_safe(
        self,
        text: str,
        *,
        title: str = "",
        severity: SeverityLevel = "information",
        error: bool = False,
    ) -> None:
        """A notification; `text` may come from a server."""
        self.notify(
            visible(text[:2000], keep_newlines=True),
            title=visible(title[:200]),
            severity="error" if error else severity,
            markup=False,
        )

    def open_target(self, target: Target) -> None:
        """Inspect `target`: in the running workbench if there is one."""
        self._target = target
        if (main := self.main) is not None:
            main.retarget(target.label)
        if self._bridge is not None and self._bridge.ready:
            bench = self._bridge.workbench
            self._bridge.post(lambda: bench.switch(target))
            return
        self.close_bridge()
        self._greeted = False
        self._bridge = Bridge(lambda: self._make(target))
        self._bridge.start()

    def reconnect(self) -> None:
        """Connect again to the same target."""
        if self._bridge is not None and self._bridge.ready:
            self._bridge.post(self._bridge.workbench.reconnect)
        elif self._target is not None:
            self.open_target(self._target)

    def edit_target(self) -> None:
        """Change the command or URL, then connect to it."""
        from inspector.tui.screens.dialogs import LineDialog
        from inspector.tui.target_line import changed_target, line_of

        target = self._target
        if target is None:
            return

        def changed(line: str | None) -> None:
            if line is None:
                return
            try:
                self.open_target(changed_target(target, line))
            except InspectorError as error:
                self.notify_safe(describe(error), severity="error")

        self.push_screen(LineDialog("Command, or URL --header 'K: V'", line_of(target)), changed)

    def show_connect_screen(self) -> None:
        """The list of servers; whatever is chosen there is opened."""
        from inspector.tui.screens.connect import ConnectScreen

        def chosen(target: Target | None) -> None:
            if target is not None:
                self.open_target(target)
            elif self._bridge is None:
                self.exit(0)

        self.push_screen(ConnectScreen(), chosen)

    def close_bridge(self) -> None:
        """Close the workbench, from any thread; bounded."""
        if self._travel is not None:
            self._travel.close()
        if self._bridge is not None:
            self._bridge.stop()

    def hurry(self) -> None:
        """No patience with what is being closed, from any thread."""
        if self._bridge is not None:
            self._bridge.hurry()
