"""What the main screen does about its connection: again, otherwise, elsewhere, authorized,
compared.

A part of `inspector.tui.screens.main`; what each action asks first is decided by its dialog.
"""

from typing import TYPE_CHECKING

from textual.screen import Screen

from inspector.tui.readiness import is_now, running

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp


class ConnectionActions(Screen[None]):
    """Mixed into the main screen."""

    _tab: str
    _user_chose: bool
    """Whether the user chose the tab: then it stays where a connection begins or ends."""

    @property
    def inspector(self) -> "InspectorApp":
        """The app, with its type."""
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    def action_reconnect(self) -> None:
        """F5."""
        if not is_now(self.inspector):
            return
        self._user_chose = self._user_chose and bool(self._tab)
        self.inspector.reconnect()

    def action_disconnect(self) -> None:
        """Ctrl+K: a stuck server, or one that lives on without its stdout, is ended too."""
        app = self.inspector
        if not is_now(app) or not app.has_bridge or not app.bridge.ready:
            return
        bench = app.bridge.workbench
        if bench.source is not None or not running(bench):
            app.notify_safe("Nothing is connected")
            return
        app.bridge.post(bench.disconnect)
        app.notify_safe("Disconnecting; a process that does not end by itself is killed")

    def action_choose_revision(self) -> None:
        """F2."""
        if not is_now(self.inspector):
            return
        from inspector.tui.screens.revision import choose_revision

        self._user_chose = self._user_chose and bool(self._tab)
        choose_revision(self.inspector)

    def action_show_auth(self) -> None:
        """F9."""
        if not is_now(self.inspector):
            return
        from inspector.tui.screens.auth import show_auth

        show_auth(self.inspector)

    def action_compare(self) -> None:
        """Alt+D."""
        from inspector.tui.screens.compare import compare

        compare(self.inspector)

    def action_edit_target(self) -> None:
        """F4."""
        if not is_now(self.inspector):
            return
        self.inspector.edit_target()

    def action_connect_screen(self) -> None:
        """F3."""
        if not is_now(self.inspector):
            return
        self.inspector.show_connect_screen()
