"""The box for the filter language: compiles while typing, says where a filter is wrong.

The last good filter stays in force while the text is wrong. What the language can say is decided
by `inspector.journal.query`, which also writes the grammar that F1 shows.
"""

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.render.safe import safe_text
from inspector.tui.bindings import bindings_for

if TYPE_CHECKING:
    from inspector.journal.query import Filter


class FilterBox(Widget):
    """One line: a label, the text, and what is wrong with it."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("filter")]
    HELP: ClassVar[str] = (
        "Words match method, name, id and text. Several conditions must all hold; | means or, "
        "- means not, parentheses group, quotes keep words together."
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

    def compose(self) -> ComposeResult:
        """Label and input, and a line for what is wrong."""
        with Horizontal():
            yield Static(self._label, id="filter-label", markup=False)
            yield Input(
                placeholder="method:tools/*  is:error  ms>500      F1 grammar",
                select_on_focus=False,
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
            said = Text(" " * (column + len(self._label) + 1) + "^ ", end="")
            said.append_text(safe_text(error.message, keep_newlines=False))
            self.query_one("#filter-problem", Static).update(said)
            return
        self.remove_class("-wrong")
        if wanted is not self.wanted:
            self.wanted = wanted
            self.post_message(self.Changed(self, wanted))

    def action_accept(self) -> None:
        """Keep the filter."""
        if not self.text.strip():
            self.display = False
        self.post_message(self.Left(self))

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_leave(self) -> None:
        """Remove the filter."""
        self.query_one(Input).value = ""
        self.display = False
        self.post_message(self.Left(self))

    def action_grammar(self) -> None:
        """Show what a filter can say."""
        from inspector.journal.query import Filter
        from inspector.tui.screens.help import TextScreen

        self.app.push_screen(TextScreen("Filter language", Filter.help()))
