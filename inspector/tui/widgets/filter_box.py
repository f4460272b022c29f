"""The box for the filter language: compiles while typing, says where a filter is wrong.

The last good filter stays in force while the text is wrong. The filters of this session come back
with up and down. What the language can say is decided by `inspector.journal.query`, which also
writes the grammar that F1 shows and completes what was begun.
"""

import re
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.suggester import Suggester
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.render.safe import safe_text
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.text_box import TextBox

if TYPE_CHECKING:
    from inspector.journal.query import Filter


FILTERS_KEPT: Final = 50


class FilterSuggester(Suggester):
    """Completes the last word; the right arrow takes it."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        """The whole text with the rest of its last word."""
        from inspector.journal.query_terms import completion

        rest = completion(re.split(r"[\s(]-?", value)[-1].removeprefix("-"))
        return value + rest if rest else None


class FilterBox(Widget):
    """One line: a label, the text, and what is wrong with it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("filter")]
    HELP: ClassVar[str] = (
        "Words match method, name, id and text. Several conditions must all hold; | means or, "
        "- means not, parentheses group, quotes keep words together. Up and down bring back "
        "earlier filters; the right arrow takes the completion that is shown."
    )
    DEFAULT_CSS = """
    FilterBox {
        height: auto;
        display: none;
        & Horizontal { height: 1; }
        & #filter-label { width: auto; padding: 0 1; color: $text-primary; }
        & Input { width: 1fr; border: none; height: 1; padding: 0; background: $background; }
        & Input:focus { border: none; }
        & #filter-problem { height: auto; padding: 0 1; color: $text-error; display: none; }
        &.-wrong #filter-problem { display: block; }
    }
    """

    class Changed(Message):
        """Another filter is in force; None shows everything."""

        def __init__(self, box: "FilterBox", wanted: "Filter | None") -> None:
            super().__init__()
            self.box = box
            self.wanted = wanted

        @property
        def control(self) -> "FilterBox":
            """The box."""
            return self.box

    class Left(Message):
        """Enter or Escape: the focus goes back to the list."""

        def __init__(self, box: "FilterBox") -> None:
            super().__init__()
            self.box = box

        @property
        def control(self) -> "FilterBox":
            """The box."""
            return self.box

    def __init__(self, label: str = "filter", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._label = label
        self.wanted: Filter | None = None
        self._wrong = (0, "")
        self._kept: list[str] = []
        self._place = 0
        """Where in the kept filters one is; behind the last: in what is typed."""

    def compose(self) -> ComposeResult:
        """Label and input, and a line for what is wrong."""
        with Horizontal():
            yield Static(self._label, id="filter-label", markup=False)
            yield TextBox(
                placeholder="method:tools/*  is:error  ms>500      F1 grammar",
                select_on_focus=False,
                suggester=FilterSuggester(),
            )
        yield Static("", id="filter-problem", markup=False)

    @property
    def text(self) -> str:
        """What stands in the box."""
        return self.query_one(Input).value

    def open(self) -> None:
        """Show the box and put the focus into it, before the next key is looked at: what is typed
        ahead must not act on the list."""
        self.display = True
        self.screen.set_focus(self.query_one(Input))

    def set_text(self, text: str) -> None:
        """Type `text` for the user."""
        self.query_one(Input).value = text
        self.display = bool(text)

    @on(Input.Changed)
    def _compile(self, event: Input.Changed) -> None:
        from inspector.journal.query import FilterError, compile_filter

        event.stop()
        text = event.value.strip()
        try:
            wanted = compile_filter(text) if text else None
        except FilterError as error:
            self.add_class("-wrong")
            column = error.column + len(event.value) - len(event.value.lstrip())
            self._wrong = column, error.message
            self._point()
            self.call_after_refresh(self._point)  # the text may scroll yet
            return
        self.remove_class("-wrong")
        if wanted is not self.wanted:
            self.wanted = wanted
            self.post_message(self.Changed(self, wanted))

    def _point(self) -> None:
        """A caret under what is wrong, and the words beside it where there is room, else below."""
        (column, message), box = self._wrong, self.query_one(Input)
        cells = cell_len(box.value[:column]) - round(box.scroll_offset.x)
        width = box.size.width or self.screen.size.width
        caret = len(self._label) + 1 + max(0, min(cells, width - 1))
        said = Text(" " * caret + "^", end="")
        said.append(" " if caret <= self.size.width // 3 else "\n")
        said.append_text(safe_text(message, keep_newlines=False))
        self.query_one("#filter-problem", Static).update(said)

    def action_earlier(self, step: int) -> None:
        """Up and down: the filters of this session."""
        place = self._place + step
        if 0 <= place <= len(self._kept):
            self._place = place
            box = self.query_one(Input)
            box.value = self._kept[place] if place < len(self._kept) else ""
            box.cursor_position = len(box.value)

    def _keep(self) -> None:
        text = self.text.strip()
        if text and not self.has_class("-wrong"):
            self._kept = [*(one for one in self._kept if one != text), text][-FILTERS_KEPT:]
        self._place = len(self._kept)

    def action_accept(self) -> None:
        """Keep the filter."""
        self._keep()
        if not self.text.strip():
            self.display = False
        self.post_message(self.Left(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_leave(self) -> None:
        """Remove the filter, and give up looking for it."""
        self._keep()
        self.query_one(Input).value = ""
        self.display = False
        self.post_message(self.Left(self))

    def action_grammar(self) -> None:
        """Show what a filter can say."""
        from inspector.journal.query import Filter
        from inspector.tui.screens.help import TextScreen

        self.app.push_screen(TextScreen("Filter language", Filter.help()))
