"""Which widgets are told their size after a layout: every one whose size it does not know yet.

Textual compares a layout with the map before it. But a look at the whole map between two layouts
(asking where a widget is, moving the focus) puts new widgets into that map, and they would then
never be told their size. Here is remembered instead what each widget was told.
"""

from typing import Final

from textual._compositor import Compositor, ReflowResult
from textual.geometry import Size
from textual.widget import Widget

NOWHERE: Final = Size(0, 0)


class TellingCompositor(Compositor):
    """A compositor that leaves no widget out."""

    def __init__(self) -> None:
        super().__init__()
        self._told: dict[Widget, Size] = {}

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lays out, and adds those that were left out to the resized."""
        hidden, shown, resized = super().reflow(parent, size)
        sizes = {widget: place.region.size for widget, place in self._full_map.items()}
        resized |= {
            widget for widget, now in sizes.items() if self._told.get(widget, NOWHERE) != now
        }
        self._told = sizes
        return ReflowResult(hidden, shown, resized)

    def clear(self) -> None:
        """Forgets all widgets."""
        super().clear()
        self._told = {}
