"""A list of items, one line each, drawn when looked at: tools, resources, prompts, asks, history.

It keeps the cursor on the same item when the list changes and filters by words. What an item
looks like, and what its key and searchable text are, is decided by who makes the list.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import ClassVar, Generic, TypeVar

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.lines import LineArea

T = TypeVar("T")


class RowList(LineArea, Generic[T]):
    """`render_item(item, width)` gives one line as rich `Text`, made with `render.safe`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("rows")]

    class Highlighted(Message):
        """The cursor went to another item, or the item under it was replaced."""

        def __init__(self, rows: LineArea, item: object) -> None:
            super().__init__()
            self.rows = rows
            self.item = item

        @property
        def control(self) -> LineArea:
            """The list, for `@on(RowList.Highlighted, "#id")`."""
            return self.rows

    class Selected(Message):
        """Enter or a double click on an item."""

        def __init__(self, rows: LineArea, item: object) -> None:
            super().__init__()
            self.rows = rows
            self.item = item

        @property
        def control(self) -> LineArea:
            """The list, for `@on(RowList.Selected, "#id")`."""
            return self.rows

    def __init__(
        self,
        render_item: Callable[[T, int], Text],
        *,
        key: Callable[[T], Hashable] | None = None,
        haystack: Callable[[T], str] | None = None,
        heading: Callable[[T], bool] | None = None,
        empty: str = "",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`key` tells items apart across updates (default: position), `haystack` is the text that
        `set_filter` looks in (default: the rendered line), `heading` names lines that the cursor
        passes over, `empty` is shown where nothing is."""
        super().__init__(id=id, classes=classes)
        self._render_item = render_item
        self._key = key
        self._haystack = haystack
        self._heading = heading
        self._items: Sequence[T] = ()
        self._shown: Sequence[int] = ()
        self._filter = ""
        self._empty = empty
        self._announced: Hashable = None

    @property
    def items(self) -> Sequence[T]:
        """All items, filtered out ones included."""
        return self._items

    @property
    def shown(self) -> list[T]:
        """The items that pass the filter."""
        return [self._items[index] for index in self._shown]

    @property
    def current(self) -> T | None:
        """The item under the cursor."""
        return self._items[self._shown[self._cursor]] if self._cursor < len(self._shown) else None

    def set_items(self, items: Sequence[T]) -> None:
        """Replace the items; the cursor stays on the item with the same key where it is left."""
        self._items = items
        self._sift()

    def set_empty(self, text: str) -> None:
        """What to say where there is no item."""
        if text != self._empty:
            self._empty = text
            self.refresh()

    def set_filter(self, text: str) -> None:
        """Show only items that contain every word of `text`, case ignored."""
        if text != self._filter:
            self._filter = text
            self._sift()

    def select(self, key: Hashable) -> bool:
        """Put the cursor on the item with this key; False where it is not shown."""
        for line, index in enumerate(self._shown):
            if self._key_of(index) == key:
                self.go_to(line)
                return True
        return False

    def action_move(self, step: int) -> None:
        """Cursor up or down, past headings; it stays where only headings follow."""
        line = self._cursor + step
        while 0 <= line < len(self._shown) and self._is_heading(line):
            line += 1 if step > 0 else -1
        if 0 <= line < len(self._shown):
            self.go_to(line)
        elif step < 0:
            self.scroll_lines_to(0)

    def action_first(self) -> None:
        """The first item, with the headings above it in view."""
        first = next((n for n in range(len(self._shown)) if not self._is_heading(n)), 0)
        self.go_to(first)
        self.scroll_lines_to(0)

    def _is_heading(self, line: int) -> bool:
        return self._heading is not None and self._heading(self._items[self._shown[line]])

    def quiet_actions(self) -> frozenset[str]:
        """What the footer does not offer while the list is empty."""
        return frozenset() if self.current is not None else frozenset({"open"})

    def action_open(self) -> None:
        """Enter."""
        if (item := self.current) is not None:
            self.post_message(self.Selected(self, item))

    # -- LineArea -------------------------------------------------------------------------------

    def count_lines(self) -> int:
        """Items that pass the filter."""
        return len(self._shown)

    def draw_line(self, line: int, width: int) -> Strip:
        """One item."""
        return self.strip_of(self._render_item(self._items[self._shown[line]], width))

    def empty_text(self) -> str:
        """Says whether there is nothing, or nothing that matches."""
        if self._items and self._filter:
            return f"Nothing matches '{one_line(self._filter, 60)}'"
        return self._empty

    def cursor_moved(self) -> None:
        """Tells who listens."""
        self._announce()

    def clicked(self, line: int, times: int) -> None:
        """A double click opens."""
        if times > 1:
            self.action_open()

    # -- inside ---------------------------------------------------------------------------------

    def _key_of(self, index: int) -> Hashable:
        return index if self._key is None else self._key(self._items[index])

    def _text_of(self, item: T) -> str:
        if self._haystack is not None:
            return self._haystack(item)
        return self._render_item(item, 400).plain

    def _sift(self) -> None:
        was_empty = not self._shown
        words = self._filter.casefold().split()
        if words:
            self._shown = [
                index
                for index, item in enumerate(self._items)
                if all(word in self._text_of(item).casefold() for word in words)
            ]
        else:
            self._shown = range(len(self._items))
        keep = self._announced
        if keep is not None:
            for line, index in enumerate(self._shown):
                if self._key_of(index) == keep:
                    self._cursor = line
                    break
        self.lines_changed()
        self._reveal()
        self._announce(again=True)
        if was_empty is bool(self._shown):
            self.refresh_bindings()  # the footer offers to open an item where there is one

    def _announce(self, *, again: bool = False) -> None:
        item = self.current
        if item is None:
            return
        key = self._key_of(self._shown[self._cursor])
        if again or key != self._announced:
            self._announced = key
            self.post_message(self.Highlighted(self, item))
