"""The dialog with an ask that opens where the user is, and closes when the ask is decided.

It can be put off with Escape: the ask then waits in the Asks tab. When the server withdraws its
request, the dialog closes and says so.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.ask_panel import AskPanel


class AskScreen(ModalScreen[None], LeftOnce[None]):
    """One ask, by its number."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("asks")]
    DEFAULT_CSS = """
    AskScreen { align: center middle; background: $background 60%; }
    AskScreen > Vertical {
        width: 90%; max-width: 100; height: 85%; padding: 1 1; background: $panel;
        border-left: outer $warning;
    }
    """

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def compose(self) -> ComposeResult:
        """Just the panel."""
        with Vertical():
            yield AskPanel()

    async def on_mount(self) -> None:
        """Shows the ask and keeps its clock running."""
        await self._look()
        self.query_one(AskPanel).focus_answer()
        self.set_interval(0.5, self._look)

    async def _look(self) -> None:
        from inspector.tui.app import InspectorApp

        app = self.app
        if not isinstance(app, InspectorApp) or not self.is_attached:
            return
        ask = app.bridge.workbench.session.inbox.find(self.number)
        if ask is None or not ask.is_open:
            if self.is_current:
                if ask is None or ask.state == "withdrawn":
                    why = ask.note if ask is not None else "the session is over"
                    app.notify_safe(f"Ask #{self.number} was withdrawn: {why}")
                self.dismiss()
            return
        await self.query_one(AskPanel).show_ask(ask)

    @on(AskPanel.Decided)
    async def _decided(self) -> None:
        await self._look()

    @on(AskPanel.PutOff)
    def _put_off(self) -> None:
        self.dismiss()

    def action_put_off(self) -> None:
        """Escape, wherever the focus is."""
        self.dismiss()
