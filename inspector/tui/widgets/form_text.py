"""The text area of a form: JSON of a part or of the whole, or a text of several lines.

Decides what is too large to be edited in a terminal without freezing it, and how long lines are
shown. What the text means is decided by `inspector.tui.widgets.form`.
"""

from typing import Final

from textual.widgets import TextArea

from inspector.forms.jsontext import compact

LINE_LIMIT: Final = 3000
CHARACTER_LIMIT: Final = 500_000
WRAP_LIMIT: Final = 20_000
"""Characters of one line beyond which lines are not folded: folding costs with each key."""


class FormText(TextArea):
    """A text being edited; `shown` is how it was when it was taken up."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, soft_wrap=True, tab_behavior="focus")
        self.show_line_numbers = False
        self.shown = ""

    @property
    def is_changed(self) -> bool:
        """Whether somebody edited it."""
        return self.text != self.shown

    def take_up(self, text: str, *, is_json: bool) -> str:
        """Shows a text for editing; says why not where it is too large."""
        if is_json and text.count("\n") >= LINE_LIMIT:
            text = compact(text)
        if len(text) > CHARACTER_LIMIT or text.count("\n") >= LINE_LIMIT:
            size = f"{len(text):,} characters on {text.count(chr(10)) + 1:,} lines"
            return f"too large to be edited here: {size}"
        self.soft_wrap = max(map(len, text.split("\n"))) <= WRAP_LIMIT
        self.shown = text
        self.load_text(text)
        return ""
