"""A screen that is left once, however fast somebody types.

Textual's `dismiss` takes off whichever screen is on top. Two keys that both leave a dialog, typed
before the first has acted, would take off the screen below too, or end the program.
"""

from typing import TYPE_CHECKING

from textual.await_complete import AwaitComplete
from textual.screen import Screen, ScreenResultType

from inspector.tui.layout import TellingCompositor

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp


class LeftOnce(Screen[ScreenResultType]):
    """Mixed into every screen of ours that is left by `dismiss`."""

    def __init__(
        self, name: str | None = None, id: str | None = None, classes: str | None = None
    ) -> None:
        super().__init__(name, id, classes)
        self._compositor = TellingCompositor()

    @property
    def inspector(self) -> "InspectorApp":
        """The app, with its type."""
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Leaves, unless that has happened or another screen lies on top."""
        return super().dismiss(result) if self.is_active else AwaitComplete()
