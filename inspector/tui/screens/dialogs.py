"""Small dialogs: one line of text, an editor for a message, and a question to be agreed to.

They return what was typed, or True; None or False where the user left with Escape. What becomes
of it is decided by whoever opened them.
"""

from typing import ClassVar

import msgspec
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Input, Static, TextArea

from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import RawJson, encode_json, raw_members
from inspector.render.safe import json_safe, safe_text
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.text_box import TextBox


class LineDialog(ModalScreen[str | None], LeftOnce[str | None]):
    """Asks for one line."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    DEFAULT_CSS = """
    LineDialog { align: center middle; background: $background 60%; }
    LineDialog > Vertical {
        width: 76; max-width: 90%; height: auto; padding: 1 2; background: $panel;
        border-left: outer $primary;
    }
    LineDialog Static { height: auto; margin-bottom: 1; text-style: bold; }
    LineDialog HintLine { margin-top: 1; }
    """

    def __init__(self, title: str, text: str = "", *, password: bool = False) -> None:
        """With `password` what is typed is not shown."""
        super().__init__()
        self._title = title
        self._text = text
        self._password = password

    def compose(self) -> ComposeResult:
        """Title and input."""
        with Vertical():
            yield Static(safe_text(self._title), markup=False)
            yield TextBox(self._text, password=self._password, select_on_focus=False)
            yield HintLine()

    def on_mount(self) -> None:
        """The focus is in the input."""
        self.query_one(Input).focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    @on(Input.Submitted)
    def action_accept(self) -> None:
        """Hands back the text."""
        self.dismiss(self.query_one(Input).value)

    def action_cancel(self) -> None:
        """Hands back nothing."""
        self.dismiss(None)


class ConfirmDialog(ModalScreen[bool], LeftOnce[bool]):
    """Asks whether to go on; `told` says what there is to know."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    DEFAULT_CSS = """
    ConfirmDialog { align: center middle; background: $background 60%; }
    ConfirmDialog > Vertical {
        width: 76; max-width: 90%; height: auto; padding: 1 2; background: $panel;
        border-left: outer $warning;
    }
    ConfirmDialog Static { height: auto; margin-bottom: 1; }
    ConfirmDialog #confirm-title { text-style: bold; }
    """

    def __init__(self, title: str, told: str) -> None:
        super().__init__()
        self._title = title
        self._told = told

    def compose(self) -> ComposeResult:
        """Title and words."""
        with Vertical():
            yield Static(safe_text(self._title), id="confirm-title", markup=False)
            yield Static(safe_text(self._told), markup=False)
            yield HintLine()

    def on_mount(self) -> None:
        """The keys."""
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    def action_accept(self) -> None:
        """Yes."""
        self.dismiss(True)

    def action_cancel(self) -> None:
        """No."""
        self.dismiss(False)


class EditDialog(ModalScreen[bytes | None], LeftOnce[bytes | None]):
    """An editor for one message. What is sent need be no JSON: the wrong is what one may want."""

    NOTE: ClassVar[str] = "is sent on one line, every token as it stands"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    DEFAULT_CSS = """
    EditDialog { align: center middle; background: $background 60%; }
    EditDialog > Vertical {
        width: 90%; height: 80%; padding: 1 2; background: $panel; border-left: outer $primary;
    }
    EditDialog #edit-title { height: 1; margin-bottom: 1; text-style: bold; }
    EditDialog #edit-note { height: auto; color: $text-muted; }
    EditDialog TextArea { height: 1fr; }
    EditDialog HintLine { margin-top: 1; }
    """

    def __init__(self, title: str, raw: bytes, *, must_be_json: bool = False) -> None:
        """With `must_be_json` it stays open until what stands there is JSON."""
        super().__init__()
        self._title = title
        self._raw = raw
        self._must_be_json = must_be_json

    def compose(self) -> ComposeResult:
        """Title, editor, and a word on what will happen."""
        with Vertical():
            yield Static(safe_text(self._title), id="edit-title", markup=False)
            yield TextArea(editable(self._raw), show_line_numbers=True)
            yield Static("", id="edit-note", markup=False)
            yield HintLine()

    def on_mount(self) -> None:
        """The focus is in the editor."""
        self.query_one(TextArea).focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    @on(TextArea.Changed)
    def _judge(self) -> None:
        note = self.NOTE
        try:
            parse_json(_encoded(self.query_one(TextArea).text))
        except NotJsonError as error:
            then = "it is sent all the same, line breaks as spaces"
            then = "this has to be JSON" if self._must_be_json else then
            note = f"{error}; {then}"
        self.query_one("#edit-note", Static).update(note)

    def action_accept(self) -> None:
        """Hands back one line."""
        text = self.query_one(TextArea).text
        if self._must_be_json and not _is_json(text):
            self.app.bell()
            return
        self.dismiss(one_line_of(text))

    def action_cancel(self) -> None:
        """Hands back nothing."""
        self.dismiss(None)


def kept_members(raw: bytes, edited: bytes) -> bytes:
    """`edited` (from an editor of `raw`, an object) with every member that the user left alone as
    it stands in `raw`: the editor shows characters that no terminal may get as escapes."""
    before, shown = raw_members(raw), raw_members(one_line_of(editable(raw)))
    if before == shown:
        return edited
    after = raw_members(edited)
    if not after:
        return edited
    alone = {name for name, text in after.items() if name in before and shown.get(name) == text}
    return encode_json(
        {name: RawJson(before[name] if name in alone else text) for name, text in after.items()}
    )


def editable(raw: bytes) -> str:
    """A message as the editor shows it."""
    try:
        shown = msgspec.json.format(raw, indent=2)
    except (msgspec.DecodeError, RecursionError):
        shown = raw
    return json_safe(shown).decode("utf-8", "backslashreplace")


def _is_json(text: str) -> bool:
    try:
        parse_json(_encoded(text))
    except NotJsonError:
        return False
    return True


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def one_line_of(text: str) -> bytes:
    """The message on one line: a newline inside would end it on stdio."""
    raw = _encoded(text)
    try:
        return msgspec.json.format(raw, indent=-1)
    except (msgspec.DecodeError, RecursionError):
        return raw.replace(b"\r", b" ").replace(b"\n", b" ")
