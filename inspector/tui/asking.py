"""Opens asks where the user is: one dialog at a time, each ask once.

An ask that was put off waits in the Asks tab, where nothing pops up. What the dialog shows is
`inspector.tui.screens.ask`.
"""

from typing import TYPE_CHECKING

from textual.app import App
from textual.screen import Screen

if TYPE_CHECKING:
    from inspector.session.inbox import Inbox


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
