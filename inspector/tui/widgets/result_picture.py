"""Pictures as widgets: half cells everywhere, the terminal's own graphics where they are known.

The library asks the terminal what it can do when it is imported. That must not happen while
Textual reads the keyboard, so it is kept from asking, and the choice is made from the environment.
"""

import io
import os
import sys
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Final

from textual.widget import Widget

if TYPE_CHECKING:
    from PIL.Image import Image as Picture

WIDEST: Final = 120
HIGHEST: Final = 30
"""Cells that a picture takes at most."""


def knows_graphics(environment: Mapping[str, str]) -> bool:
    """Whether the terminal draws pictures placed by Unicode characters (kitty's protocol)."""
    if environment.get("TMUX") or environment.get("STY"):
        return False
    term, program = environment.get("TERM", ""), environment.get("TERM_PROGRAM", "")
    return (
        "KITTY_WINDOW_ID" in environment
        or term in ("xterm-kitty", "xterm-ghostty")
        or program == "ghostty"
    )


@cache
def _widget_class(graphics: bool) -> type[Widget]:
    real = sys.__stdout__
    # Not a terminal, as far as the library can see: it then asks nothing.
    sys.__stdout__ = io.TextIOWrapper(io.BytesIO())  # type: ignore[misc]
    try:
        from textual_image.widget import HalfcellImage, TGPImage
    finally:
        sys.__stdout__ = real  # type: ignore[misc]
    chosen: type[Widget] = TGPImage if graphics else HalfcellImage
    return chosen


def fitting_size(width: int, height: int, room: int) -> tuple[int, int]:
    """Cells for a picture of so many pixels: two pixels above each other make one cell."""
    scale = min(1.0, min(room, WIDEST) / max(width, 1), 2 * HIGHEST / max(height, 1))
    return max(1, round(width * scale)), max(1, round(height * scale / 2))


def picture_widget(picture: "Picture", room: int) -> Widget:
    """A widget that draws the picture within `room` cells of width."""
    graphics = knows_graphics(os.environ) and sys.__stdout__ is not None and sys.__stdout__.isatty()
    widget = _widget_class(graphics)(picture)  # type: ignore[arg-type]
    columns, rows = fitting_size(picture.width, picture.height, max(room, 8))
    widget.styles.width = columns
    widget.styles.height = rows
    return widget
