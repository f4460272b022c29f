"""A bare app with one form in it, and a judge that answers at once."""

from collections.abc import Callable

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.pilot import Pilot
from textual.widgets import Input, Static

from inspector.forms.jsontext import dump
from inspector.forms.problems import NotValidated, Problem
from inspector.protocol.messages import Json, Sendable
from inspector.tui.themes import rich_inks
from inspector.tui.widgets.form import Complete, SchemaForm
from inspector.tui.widgets.form_rows import FormRows

Answer = Callable[[Sendable], list[Problem] | NotValidated]


class InkedApp(App[None]):
    """A bare app in which the named inks can be drawn."""

    def __init__(self) -> None:
        super().__init__()
        self.console.push_theme(rich_inks(self.current_theme))


class FormHost(InkedApp):
    """The form between two other panes, as narrow as a form may be, or alone and wide."""

    CSS = "#left { width: 21; } #right { width: 21; } #form { width: 1fr; }"

    def __init__(
        self,
        schema: Json,
        *,
        initial: Json | None = None,
        answer: Answer = lambda value: [],
        complete: Complete | None = None,
        narrow: bool = True,
    ) -> None:
        super().__init__()
        self.judged: list[str] = []
        self.changes = 0
        self.submitted = 0
        self._answer = answer
        self._narrow = narrow
        self.form = SchemaForm(
            schema, initial=initial, judge=self._judge, complete=complete, id="form"
        )

    async def _judge(self, schema: Json, value: Sendable) -> list[Problem] | NotValidated:
        self.judged.append(dump(value))
        return self._answer(value)

    def compose(self) -> ComposeResult:
        with Horizontal():
            if self._narrow:
                yield Static("", id="left")
            yield self.form
            if self._narrow:
                yield Input(id="right")

    def on_mount(self) -> None:
        self.form.focus()

    def on_schema_form_changed(self) -> None:
        self.changes += 1

    def on_schema_form_submitted(self) -> None:
        self.submitted += 1

    @property
    def rows(self) -> FormRows:
        return self.query_one(FormRows)

    @property
    def sent(self) -> str:
        """What the form would send, as JSON text."""
        return dump(self.form.value())

    def screen_text(self) -> list[str]:
        """What the rows show, line by line, without trailing blanks."""
        rows = self.rows
        return [rows.render_line(y).text.rstrip() for y in range(rows.size.height)]


async def type_in(pilot: Pilot[None], text: str) -> None:
    """Presses one key per character."""
    names = {" ": "space", "-": "minus", ".": "full_stop", "@": "at", '"': "quotation_mark"}
    await pilot.press(*(names.get(char, char) for char in text))


async def settled(pilot: Pilot[None], done: Callable[[], bool]) -> None:
    """Waits until `done`, a bounded number of turns."""
    for _ in range(1500):
        if done():
            return
        await pilot.pause(0.01)
    raise AssertionError("it did not come about")
