"""The line that asks where to go: a number, a distance, a time of day, a share.

What is typed wrong stays there to be mended, under a word on what can be said. What a place may be
called is decided by `inspector.journal.stepping`.
"""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static

from inspector.journal.stepping import ACCEPTED
from inspector.render.safe import safe_text
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.text_box import TextBox


class PlaceBox(Widget):
    """Hidden until it is opened; Enter goes there, Escape leaves."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    HELP: ClassVar[str] = (
        "31 or #31 is an entry; +100 and -100 count the lines shown; 12:01:07 is a time of day, "
        "local as in the list; 50% is half way; start and end are what they say."
    )
    DEFAULT_CSS = """
    PlaceBox {
        height: auto;
        display: none;
        & Horizontal { height: 1; }
        & #place-label { width: auto; padding: 0 1; color: $text-primary; }
        & Input { width: 1fr; border: none; height: 1; padding: 0; background: $background; }
        & Input:focus { border: none; }
        & #place-problem { height: auto; color: $text-error; display: none; padding: 0 1; }
        &.-wrong #place-problem { display: block; }
    }
    """

    class Wanted(Message):
        """A place was named. Who goes there answers with `close` or `refuse`."""

        def __init__(self, box: "PlaceBox", text: str) -> None:
            super().__init__()
            self.box = box
            self.text = text

    class Left(Message):
        """Escape: the focus goes back to the list."""

    def compose(self) -> ComposeResult:
        """Label and input, and a line for what is wrong."""
        with Horizontal():
            yield Static("go to", id="place-label", markup=False)
            yield TextBox(placeholder=ACCEPTED, select_on_focus=False)
        yield Static("", id="place-problem", markup=False)

    @property
    def text(self) -> str:
        """What stands in the box."""
        return self.query_one(Input).value

    def open(self) -> None:
        """Show the empty box with the focus in it, before the next key is looked at."""
        self.query_one(Input).value = ""
        self.remove_class("-wrong")
        self.display = True
        self.screen.set_focus(self.query_one(Input))

    def close(self) -> None:
        """Hide it."""
        self.display = False

    def refuse(self, why: str) -> None:
        """Say what is wrong; the text stays."""
        self.query_one("#place-problem", Static).update(safe_text(why, keep_newlines=False))
        self.add_class("-wrong")

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_accept()

    @on(Input.Changed)
    def _changed(self, event: Input.Changed) -> None:
        event.stop()
        self.remove_class("-wrong")

    def action_accept(self) -> None:
        """Go there."""
        self.post_message(self.Wanted(self, self.text))

    def action_cancel(self) -> None:
        """Leave it."""
        self.close()
        self.post_message(self.Left())
