"""Jump mode: a letter over every pane; pressing it moves the focus there.

What can be jumped to is whatever can have the focus and is visible.
"""

from collections.abc import Sequence
from typing import ClassVar, Final

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Offset
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Static

from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce

LETTERS: Final = "asdfghjklqwertyuiopzxcvbnm"


class JumpScreen(ModalScreen[Widget | None], LeftOnce[Widget | None]):
    """Letters over the panes of the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("jump")]
    DEFAULT_CSS = """
    JumpScreen { background: $background 40%; layers: letters; }
    JumpScreen Static {
        layer: letters; position: absolute; width: 3; height: 1;
        background: $accent; color: $background; text-style: bold; content-align: center middle;
    }
    """

    def __init__(self, targets: Sequence[tuple[Widget, Offset]]) -> None:
        super().__init__()
        self.targets = dict(zip(LETTERS, targets, strict=False))

    def compose(self) -> ComposeResult:
        """The letters."""
        for letter, (_, offset) in self.targets.items():
            mark = Static(letter, markup=False)
            mark.styles.offset = (offset.x, offset.y)
            yield mark

    def on_key(self, event: events.Key) -> None:
        """A letter goes there; anything else goes back."""
        event.stop()
        target = self.targets.get(event.key)
        self.dismiss(None if target is None else target[0])


def jump_targets(focus_chain: Sequence[Widget]) -> list[tuple[Widget, Offset]]:
    """The visible widgets of a focus chain with the places of their letters."""
    found: list[tuple[Widget, Offset]] = []
    for widget in focus_chain:
        region = widget.region
        if region and widget.visible and widget.is_on_screen:
            found.append((widget, region.offset))
    return found
