"""Fields for texts that the server can complete: prompt arguments and parts of a URI template.

Asks for suggestions while somebody types, after a short rest, and never before. What a suggestion
request looks like is decided by the caller.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.events import DescendantBlur, Key
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.errors import InspectorError
from inspector.render.safe import one_line, safe_text
from inspector.session.completion import Completion
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.text_box import TextBox

REST_SECONDS: Final = 0.15
"""How long nobody types before suggestions are asked for."""
SUGGESTIONS_SHOWN: Final = 6
FIELDS_CAP: Final = 100
"""Fields beyond that are counted: thousands of them would stop the screen."""
DESCRIPTION_CAP: Final = 500
EMPTY: Final = '""'
"""Typed into a field, it sends an empty text; an empty field is left out."""

Complete = Callable[[str, str, Mapping[str, str]], Awaitable[Completion]]
"""Name of the field, what was typed, and the other fields: suggestions."""


@dataclass(frozen=True, slots=True)
class TextField:
    """One field; `name` and `description` are the server's words."""

    name: str
    required: bool = False
    description: str = ""


class _FieldInput(TextBox):
    """An input that knows its field."""

    def __init__(self, field: TextField) -> None:
        super().__init__(placeholder="left out", select_on_focus=False)
        self.field = field


class TextFields(Widget):
    """Fields below each other, and the suggestions for the one being typed into."""

    HELP: ClassVar[str] = (
        "An empty field is left out; two quotes send an empty text. While you type, the server "
        "may suggest values: Down goes into them, Enter takes one, Escape leaves them. Down in a "
        "field asks at once."
    )
    DEFAULT_CSS = """
    TextFields {
        height: auto;
        & .field { height: auto; margin-bottom: 1; }
        & Static { height: auto; }
        & RowList { height: 0; display: none; background: $panel; }
        & RowList.-open { display: block; }
    }
    """

    class Changed(Message):
        """A value changed."""

    class Submitted(Message):
        """Enter in a field."""

    def __init__(self, fields: Sequence[TextField], complete: Complete | None) -> None:
        """`complete` is None where the server cannot complete."""
        super().__init__()
        self._fields = tuple(fields)
        self._complete = complete
        self._resting: Timer | None = None
        self._active: _FieldInput | None = None
        self._quiet = False

    def compose(self) -> ComposeResult:
        """Label, input, suggestions for each."""
        for field in self._fields[:FIELDS_CAP]:
            with Vertical(classes="field"):
                yield Static(_label(field), markup=False)
                yield _FieldInput(field)
                suggestions: RowList[str] = RowList(_draw_suggestion, empty="")
                # Down leads there; Tab goes on to the next field, whether or not they are open.
                suggestions.can_focus = False
                yield suggestions
        if more := self._fields[FIELDS_CAP:]:
            yield Static(Text(f"… {len(more):,} fields more, left out", "mcp.warn"))
        if not self._fields:
            yield Static(Text("takes no arguments", "mcp.dim"))

    # -- values ---------------------------------------------------------------------------------

    def values(self) -> dict[str, str]:
        """What is filled in; empty fields are left out."""
        values: dict[str, str] = {}
        for box in self.query(_FieldInput):
            if box.value:
                values[box.field.name] = "" if box.value == EMPTY else box.value
        return values

    def set_values(self, values: Mapping[str, str]) -> None:
        """Fills in; fields without a value become empty."""
        for box in self.query(_FieldInput):
            value = values.get(box.field.name)
            with self.prevent(Input.Changed):
                box.value = "" if value is None else value or EMPTY
        self.post_message(self.Changed())

    def focus_first(self) -> None:
        """Into the first field."""
        for box in self.query(_FieldInput):
            box.focus()
            return

    # -- suggestions ----------------------------------------------------------------------------

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.post_message(self.Changed())
        if self._quiet or not isinstance(event.input, _FieldInput) or not event.input.has_focus:
            self._quiet = False
            return
        self._active = event.input
        if self._resting is not None:
            self._resting.stop()
        self._resting = self.set_timer(REST_SECONDS, self._ask)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._close()
        self.post_message(self.Submitted())

    @work(exclusive=True, group="complete")
    async def _ask(self) -> None:
        box, complete = self._active, self._complete
        if box is None or complete is None:
            return
        typed = box.value
        context = {name: value for name, value in self.values().items() if name != box.field.name}
        try:
            found = await complete(box.field.name, typed, context)
        except InspectorError as error:
            found = Completion(error=error.message)
        if box.is_attached and box.value == typed:
            self._show(box, found)

    def _show(self, box: _FieldInput, found: Completion) -> None:
        self._close()
        values = [value for value in found.values if value != box.value]
        rows = self._rows_of(box)
        if rows is None or not (values or found.error):
            return
        rows.set_items(values)
        rows.set_empty(f" no suggestions: {one_line(found.error, 60)}" if found.error else "")
        rows.styles.height = max(1, min(len(values), SUGGESTIONS_SHOWN))
        rows.add_class("-open")

    def _rows_of(self, box: _FieldInput) -> "RowList[str] | None":
        holder = box.parent
        return next(iter(holder.query(RowList)), None) if isinstance(holder, Vertical) else None

    def _close(self) -> None:
        for rows in self.query(RowList):
            rows.remove_class("-open")
            rows.can_focus = False

    @on(RowList.Highlighted)
    def _moved(self, event: RowList.Highlighted) -> None:
        event.stop()

    @on(RowList.Selected)
    def _take(self, event: RowList.Selected) -> None:
        event.stop()
        box = self._active
        if box is not None and isinstance(event.item, str):
            self._quiet = True
            box.value = event.item
            box.cursor_position = len(event.item)
            box.focus()
        self._close()

    def on_key(self, event: Key) -> None:
        """Down goes into the suggestions, or asks for them; Escape closes them."""
        focused = self.app.focused
        if isinstance(focused, _FieldInput) and event.key == "down":
            event.stop()
            rows = self._rows_of(focused)
            if rows is not None and rows.has_class("-open") and rows.shown:
                rows.can_focus = True
                rows.focus()
            else:
                self._active = focused
                self._ask()
        elif event.key == "escape" and self.query("RowList.-open"):
            event.stop()
            event.prevent_default()
            self._close()
            if self._active is not None:
                self._active.focus()

    def on_descendant_blur(self, event: DescendantBlur) -> None:
        """Suggestions stay only while somebody is in them or in their field."""
        self.call_after_refresh(self._close_if_left)

    def _close_if_left(self) -> None:
        focused = self.app.focused
        if focused is not self._active and not (
            isinstance(focused, RowList) and self in focused.ancestors
        ):
            self._close()


def _label(field: TextField) -> Text:
    text = Text(end="")
    text.append(one_line(field.name, 60), "mcp.key")
    text.append("*" if field.required else "", "mcp.warn")
    if field.description:
        text.append("  ")
        said = field.description[:DESCRIPTION_CAP]
        text.append_text(safe_text(said, "mcp.dim", keep_newlines=False))
        if more := len(field.description) - len(said):
            text.append(f"… {more:,} characters more, in the traffic", "mcp.warn")
    return text


def _draw_suggestion(value: str, width: int) -> Text:
    return Text(f"  {one_line(value, width - 2)}", no_wrap=True, end="")
