"""The question before anything of a config file is started: the whole of it, nothing shortened.

Which entries need it, and what agreeing is bound to, is decided by `inspector.config.trust`.
"""

from collections.abc import Iterable
from typing import ClassVar, Final

from rich.table import Column, Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Static

from inspector.config.targets import Target
from inspector.config.trust import describe
from inspector.render.safe import safe_text, suspicious
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine

_NAMES: Final = 11
"""Cells that `describe` gives the name of a fact."""


class TrustScreen(ModalScreen[bool], LeftOnce[bool]):
    """True: start it, and remember the answer for exactly this entry."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("trust")]
    DEFAULT_CSS = """
    TrustScreen { align: center middle; background: $background 60%; }
    TrustScreen > Vertical {
        width: 90%; max-width: 100; height: auto; max-height: 90%; padding: 1 2;
        background: $panel; border-left: outer $warning;
    }
    TrustScreen VerticalScroll { height: auto; max-height: 50vh; margin: 1 0; }
    TrustScreen HintLine { margin-top: 1; }
    TrustScreen Static { height: auto; }
    """

    def __init__(self, target: Target, notes: Iterable[str] = ()) -> None:
        """`notes` tell what was expanded in the entry."""
        super().__init__()
        self.target = target
        self._notes = tuple(notes)

    def compose(self) -> ComposeResult:
        """What would be started, line by line."""
        verb = "start this program" if self.target.command else "connect to this address"
        with Vertical():
            yield Static(Text(f"A config file wants to {verb}.", "mcp.title"), markup=False)
            with VerticalScroll(can_focus=True):
                yield Static(self._described(), markup=False)
            then = "It runs as you, with your files."
            then = then if self.target.command else "It sees what you send."
            yield Static(Text(f"{then} A changed entry is asked about again."), markup=False)
            yield HintLine()

    def on_mount(self) -> None:
        """Nothing that starts it has the focus."""
        self.query_one(VerticalScroll).focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    def action_agree(self) -> None:
        """Yes."""
        self.dismiss(True)

    def action_refuse(self) -> None:
        """No."""
        self.dismiss(False)

    def _described(self) -> Table:
        names, values = Column(width=10, no_wrap=True), Column(ratio=1, overflow="fold")
        table = Table.grid(names, values, padding=(0, 1, 0, 0))
        for line in (*describe(self.target), *(f"note       {note}" for note in self._notes)):
            name, value = line[:_NAMES].strip(), line[_NAMES:]
            said = safe_text(value, "mcp.code", keep_newlines=False)
            said.no_wrap = False  # as many lines as it takes, not one that is cut
            table.add_row(Text(name, "mcp.dim"), said)
        for problem in suspicious(self.target.name):
            table.add_row(Text("!", "mcp.warn"), safe_text(f"its name {problem}", "mcp.warn"))
        return table
