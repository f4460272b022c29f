"""Opens what somebody asks where the user is: one dialog at a time, each question once.

An ask that was put off waits in the Asks tab, where nothing pops up; a question of an
authorization behind its key. What the dialogs show is `inspector.tui.screens.ask` and `auth`.
"""

from typing import TYPE_CHECKING

from textual.app import App
from textual.screen import Screen

if TYPE_CHECKING:
    from inspector.session.inbox import Inbox
    from inspector.tui.app import InspectorApp


class AskOpener:
    """Remembers which asks were shown; numbers go on across reconnects."""

    def __init__(self) -> None:
        self._shown: set[int] = set()

    def look(self, app: "App[int]", main: "Screen[None]", inbox: "Inbox", tab: str) -> None:
        """Opens the oldest ask that was not shown yet, if nothing else is open above `main`."""
        waiting = [ask for ask in inbox.asks if ask.is_open and ask.number not in self._shown]
        if not waiting:
            return
        if tab == "asks":
            self._shown.update(ask.number for ask in waiting)
            return
        if app.screen is not main:
            return
        from inspector.tui.screens.ask import AskScreen

        self._shown.add(waiting[0].number)
        app.push_screen(AskScreen(waiting[0].number))


class AuthOpener:
    """Remembers which question of an authorization was shown."""

    def __init__(self) -> None:
        self._shown = 0

    def look(self, app: "InspectorApp", main: "Screen[None]") -> None:
        """Opens the Auth screen where something is asked, if nothing else is open above `main`."""
        question = getattr(app.bridge.workbench.person, "question", None)
        if question is None or question.number <= self._shown:
            return
        from inspector.tui.screens.auth import AuthScreen

        if isinstance(app.screen, AuthScreen):
            self._shown = question.number
        elif app.screen is main:
            self._shown = question.number
            app.push_screen(AuthScreen())
