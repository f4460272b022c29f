"""A scrolling area of lines that are drawn when they are looked at: the base of every long list.

It keeps its own top line, cursor and scroll bar. Textual's `virtual_size` is never used: it is a
layout reactive, and a list that grows would lay out the whole screen at each tick. What a line
looks like and how many there are is decided by subclasses.
"""

import textwrap
from collections.abc import Iterable
from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual import events
from textual.binding import BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from inspector.tui.bindings import bindings_for

WHEEL_LINES: Final = 3


class LineArea(Widget, can_focus=True):
    """Lines by number, 0 to `count_lines() - 1`; subclasses give `count_lines` and `draw_line`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("lines")]
    TAKES_TEXT: ClassVar[bool] = False
    """Whether what is typed is text for it; otherwise every key is a binding."""
    DEFAULT_CSS = """
    LineArea { width: 1fr; height: 1fr; }
    """

    class Moved(Message):
        """The cursor went to another line."""

        def __init__(self, area: "LineArea", line: int) -> None:
            super().__init__()
            self.area = area
            self.line = line

        @property
        def control(self) -> "LineArea":
            """The area whose cursor moved."""
            return self.area

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._top = 0
        self._left = 0
        self._cursor = 0
        self._dragging = False
        self._base: Style | None = None
        self.lines_drawn = 0
        """How often a line was asked for since the start; what counting tests look at."""

    # -- what a subclass says -------------------------------------------------------------------

    def count_lines(self) -> int:
        """How many lines there are now."""
        return 0

    def draw_line(self, line: int, width: int) -> Strip:
        """The line with number `line`; cut and padded to `width` by the caller."""
        return Strip.blank(width)

    def empty_text(self) -> str:
        """What to say where there is no line."""
        return ""

    def cursor_moved(self) -> None:
        """Called after the cursor went to another line by the user's hand or `go_to`."""

    def clicked(self, line: int, times: int) -> None:
        """Called after a click on a line moved the cursor there; `times` is 2 for a double."""

    # -- state ----------------------------------------------------------------------------------

    @property
    def top(self) -> int:
        """The first visible line."""
        return self._top

    @property
    def left(self) -> int:
        """The first visible cell of each line."""
        return self._left

    @property
    def cursor(self) -> int:
        """The line under the cursor."""
        return self._cursor

    @property
    def body_width(self) -> int:
        """Cells for a line: all but the scroll bar."""
        return max(1, self.size.width - 1)

    @property
    def page_height(self) -> int:
        """Lines that fit."""
        return max(1, self.size.height)

    def visible_lines(self) -> range:
        """The numbers of the lines now on screen."""
        return range(self._top, min(self.count_lines(), self._top + self.page_height))

    def scroll_lines_to(self, top: int) -> None:
        """Make `top` the first visible line, within bounds."""
        bounded = max(0, min(top, self.count_lines() - self.page_height))
        if bounded != self._top:
            self._top = bounded
            self.refresh()

    def go_to(self, line: int, *, centre: bool = False) -> None:
        """Put the cursor on `line` (within bounds) and make it visible."""
        line = max(0, min(line, self.count_lines() - 1))
        moved = line != self._cursor
        self._cursor = line
        if centre and line not in self.visible_lines():
            self.scroll_lines_to(line - self.page_height // 2)
        else:
            self._reveal()
        if moved:
            self.refresh()
            self.cursor_moved()
            # Sent by a parent whose key moved us it would not get past that parent
            self.post_message(self.Moved(self, line).set_sender(self))

    def lines_changed(self) -> None:
        """Call when lines came or went: keeps top and cursor within bounds and repaints."""
        total = self.count_lines()
        self._cursor = max(0, min(self._cursor, total - 1))
        self._top = max(0, min(self._top, total - self.page_height))
        self.refresh()

    def _reveal(self) -> None:
        if self._cursor < self._top:
            self.scroll_lines_to(self._cursor)
        elif self._cursor >= self._top + self.page_height:
            self.scroll_lines_to(self._cursor - self.page_height + 1)

    # -- painting -------------------------------------------------------------------------------

    def ink(self, name: str) -> Style:
        """The rich style with the name `name` (see `inspector.tui.themes.INKS`)."""
        return self.app.console.get_style(name, default="")

    def strip_of(self, text: Text) -> Strip:
        """A one-line `Text` as a strip, its style names resolved by the current theme."""
        text.end = ""
        text.no_wrap = True
        return Strip(list(text.render(self.app.console)), text.cell_len)

    def cursor_style(self) -> Style:
        """What lies under the cursor's line."""
        return self.ink("mcp.cursor" if self.has_focus else "mcp.cursor-blurred")

    def render_lines(self, crop: Region) -> list[Strip]:
        """Textual asks for some lines: what they have in common is worked out once."""
        self._base = self.rich_style
        try:
            return super().render_lines(crop)
        finally:
            self._base = None

    def render_line(self, y: int) -> Strip:
        """Textual asks for the line at row `y` of the widget."""
        self.lines_drawn += 1
        width, line = self.body_width, self._top + y
        total = self.count_lines()
        base = self._base or self.rich_style
        if line < total:
            strip = self.draw_line(line, width + self._left)
            if self._left:
                strip = strip.crop(self._left)
            strip = strip.adjust_cell_length(width)
            if line == self._cursor and self.shows_cursor():
                strip = Strip(_under(strip, self.cursor_style()), width)
        elif total == 0 and (words := self._empty_line(y, width)):
            strip = Strip([Segment(words, self.ink("mcp.dim"))]).adjust_cell_length(width)
        else:
            strip = Strip.blank(width)
        return Strip.join([strip, self._bar(y, total)]).apply_style(base)

    def _empty_line(self, y: int, width: int) -> str:
        lines = textwrap.wrap(self.empty_text().strip(), max(8, width - 1))
        return f" {lines[y]}" if y < len(lines) else ""

    def shows_cursor(self) -> bool:
        """Whether the cursor's line is drawn differently."""
        return True

    def _thumb(self, total: int) -> tuple[int, int]:
        """First row and height of the scroll bar's thumb."""
        height = self.page_height
        size = max(1, height * height // max(total, 1))
        room = max(1, total - height)
        return round((height - size) * min(self._top, room) / room), size

    def _bar(self, y: int, total: int) -> Strip:
        if total <= self.page_height:
            return Strip.blank(1)
        first, size = self._thumb(total)
        if first <= y < first + size:
            return Strip([Segment("┃", self.ink("mcp.thumb"))], 1)
        return Strip([Segment("│", self.ink("mcp.bar"))], 1)

    def refresh_lines_at(self, lines: Iterable[int]) -> None:
        """Repaint only these lines, as far as they are visible."""
        width, visible = self.size.width, self.visible_lines()
        regions = [Region(0, line - self._top, width, 1) for line in lines if line in visible]
        if regions:
            self.refresh(*regions)

    # -- keys and mouse -------------------------------------------------------------------------

    def action_move(self, step: int) -> None:
        """Cursor up or down; without a cursor the text scrolls."""
        if self.shows_cursor():
            self.go_to(self._cursor + step)
        else:
            self.scroll_lines_to(self._top + step)

    def action_page(self, step: int) -> None:
        """A page up or down."""
        self.scroll_lines_to(self._top + step * self.page_height)
        self.go_to(self._cursor + step * self.page_height)

    def action_first(self) -> None:
        """To the first line."""
        self.go_to(0)

    def action_last(self) -> None:
        """To the last line."""
        self.go_to(self.count_lines() - 1)

    def action_sideways(self, cells: int) -> None:
        """Scroll horizontally."""
        left = max(0, self._left + cells)
        if left != self._left:
            self._left = left
            self.refresh()

    def wheel(self, step: int) -> None:
        """The mouse wheel scrolls without moving the cursor."""
        self.scroll_lines_to(self._top + step * WHEEL_LINES)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Wheel down."""
        event.stop()
        self.wheel(1)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Wheel up."""
        event.stop()
        self.wheel(-1)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A press on the bar begins a drag."""
        offset = event.get_content_offset(self)
        if offset is not None and offset.x >= self.body_width:
            self._dragging = True
            self.capture_mouse()
            self._drag_to(offset.y)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Dragging the bar."""
        if self._dragging:
            self._drag_to(event.get_content_offset_capture(self).y)

    def on_mouse_up(self, _: events.MouseUp) -> None:
        """Ends a drag."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _drag_to(self, y: int) -> None:
        total, height = self.count_lines(), self.page_height
        if total > height:
            self.scroll_lines_to(round(y / max(1, height - 1) * (total - height)))

    def on_click(self, event: events.Click) -> None:
        """A click puts the cursor on that line."""
        offset = event.get_content_offset(self)
        if offset is None or offset.x >= self.body_width:
            return
        line = self._top + offset.y
        if line < self.count_lines():
            self.go_to(line)
            self.clicked(line, event.chain)

    def on_focus(self, _: events.Focus) -> None:
        """The cursor's line says where the keys go."""
        self.refresh_lines_at([self._cursor])

    def on_blur(self, _: events.Blur) -> None:
        """The cursor's line says where the keys go."""
        self.refresh_lines_at([self._cursor])

    def on_resize(self) -> None:
        """Bounds depend on the height."""
        self.lines_changed()
        self._reveal()


def _under(segments: Iterable[Segment], style: Style) -> list[Segment]:
    """The segments with `style` laid over them (background wins, foreground stays)."""
    return [
        Segment(text, (own + style) if own else style, control) for text, own, control in segments
    ]
