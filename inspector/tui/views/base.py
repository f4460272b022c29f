"""What every tab has in common: the way to the workbench, and being told of changes.

How a view is written: subclass `View`, name the change topics it depends on in `TOPICS`, compose
widgets, and in `show_changes` read snapshots from `self.bench` and hand them to the widgets.
Coroutines go through `self.bridge.run` (awaited) or `self.bridge.post` (fire and report). Server
text reaches widgets only as rich `Text` from `inspector.render.safe`; style names in such a `Text`
are those of `inspector.tui.themes.INKS` ("mcp.ok", "mcp.error", ...), which follow the theme.
"""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.widget import Widget

from inspector.errors import InspectorError, Undeclared
from inspector.tui.travel import RefusingBridge

if TYPE_CHECKING:
    from inspector.past.bench import Scene
    from inspector.session.session import Session
    from inspector.tui.app import InspectorApp
    from inspector.tui.bridge import Bridge


class View(Widget):
    """The content of one tab. Made when its tab is first shown, then kept."""

    TOPICS: ClassVar[tuple[str, ...]] = ()
    """Change topics ("state", "catalog", "asks", "tasks", "calls", "logs", "subscriptions",
    "journal", "findings") that make `show_changes` be called."""

    HELP: ClassVar[str] = ""
    """A few sentences for F1; plain text, paragraphs divided by an empty line."""

    DEFAULT_CSS = """
    View { width: 1fr; height: 1fr; }
    """

    past = False
    """Whether this view shows what was; those of the present are kept beside it, as they are."""

    @property
    def inspector(self) -> "InspectorApp":
        """The app, with its type."""
        from inspector.tui.app import InspectorApp

        app = self.app
        if not isinstance(app, InspectorApp):
            raise TypeError("a view lives inside InspectorApp")
        return app

    @property
    def bridge(self) -> "Bridge":
        """The way to the workbench's loop; in the past it refuses."""
        travel = self.inspector.travel
        if self.past and travel is not None:
            return RefusingBridge(lambda: travel.words, self.inspector.notify_safe)
        return self.inspector.bridge

    @property
    def bench(self) -> "Scene":
        """The inspection, for reading snapshots: as it is, or as it was. Always there when a view
        exists."""
        travel = self.inspector.travel
        if self.past and travel is not None and travel.bench is not None:
            return travel.bench
        return self.inspector.bridge.workbench

    def is_now(self) -> bool:
        """Whether something can be changed; tells the user where it is the past."""
        from inspector.tui.readiness import is_now

        return is_now(self.inspector)

    def can_send(self) -> bool:
        """Whether there is a session to send in; tells the user where there is none."""
        from inspector.tui.readiness import can_send

        return can_send(self.inspector)

    @work(description="worker")
    async def send(self, make: "Callable[[Session], Coroutine[object, object, object]]") -> None:
        """Runs `make` on the session; what was not negotiated only once the user agrees."""
        session = self.bench.session
        try:
            await self.bridge.run(lambda: make(session))
        except Undeclared as error:
            if await self.agreed(error, session):
                self.send(make)
        except InspectorError as error:
            words = f"{error.message}\n{error.hint}" if error.hint else error.message
            self.inspector.notify_safe(words, title=f"Not sent ({error.kind})", severity="error")

    async def agreed(self, error: Undeclared, session: "Session") -> bool:
        """Whether the user wants to send what was not negotiated; then it is permitted for the
        rest of this session, and marked in the traffic each time (basic/lifecycle)."""
        from inspector.tui.screens.dialogs import ConfirmDialog

        told = f"{error.message}. It can be sent all the same; the traffic marks it as forced."
        if not await self.app.push_screen_wait(ConfirmDialog("Send it anyway?", told)):
            return False
        session.permitted |= {error.what}
        return True

    def show_changes(self, topics: frozenset[str]) -> None:
        """Read what changed and show it.

        Called on the visible view at most 20 times a second when a topic of `TOPICS` moved, and
        with all of `TOPICS` each time the view becomes visible.
        """

    def show_item(self, name: str) -> None:
        """Go to the item called `name` (a tool, a prompt, a URI); called by the palette and by
        links. Views without items leave it."""

    def focus_first(self) -> None:
        """Put the focus where work in this view begins; called when its tab is chosen by key."""
        for widget in self.query("*"):
            if widget.focusable:
                widget.focus()
                return
