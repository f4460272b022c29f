"""Textual's own scroll bars drawn as our lists draw theirs: a thin line with a thicker thumb.

`use_thin_bars` is called once, before the first paint. Where a bar stands and how it is dragged
stays Textual's.
"""

from math import ceil

from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual.scrollbar import ScrollBar, ScrollBarRender

LINE, THUMB = "│┃"
LINE_FLAT, THUMB_FLAT = "─━"


class ThinBar(ScrollBarRender):
    """One cell thick."""

    @classmethod
    def render_bar(
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,
        back_color: Color = Color.parse("default"),  # noqa: B008  # as in the base class
        bar_color: Color = Color.parse("default"),  # noqa: B008
    ) -> Segments:
        """`size` cells of a line, the thumb where the window stands in all there is."""
        line, thumb = (LINE, THUMB) if vertical else (LINE_FLAT, THUMB_FLAT)
        first, length = 0, 0
        if size and window_size and virtual_size > window_size:
            length = min(size, max(1, ceil(size * window_size / virtual_size)))
            furthest = virtual_size - window_size
            first = round((size - length) * min(max(position, 0), furthest) / furthest)
        held = Style(bgcolor=back_color, color=bar_color, meta={"@mouse.down": "grab"})
        faint = Style(bgcolor=back_color, color=bar_color, dim=True)
        before = faint + Style(meta={"@mouse.down": "scroll_up"})
        after = faint + Style(meta={"@mouse.down": "scroll_down"})
        cells = [
            Segment(line, before if cell < first else after)
            if not first <= cell < first + length
            else Segment(thumb, held)
            for cell in range(size)
        ]
        if vertical:
            wide = [Segment(text * thickness, style) for text, style, _ in cells]
            return Segments(wide, new_lines=True)
        return Segments([*cells, Segment.line()] * thickness, new_lines=False)


def use_thin_bars() -> None:
    """For every scroll bar of the program."""
    ScrollBar.renderer = ThinBar
