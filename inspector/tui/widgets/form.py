"""A form for any JSON Schema, as one widget: fields, JSON text, problems, suggestions.

Decides which of its faces shows (fields, or a JSON text for a part or for the whole) and when the
schema is asked for its verdict, in the background. Keys on fields are `form_rows`; what a field
means is `inspector.forms`. Wrong values are marked and never kept from being sent.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import ClassVar, Final, Self

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Static, TextArea

from inspector.errors import InspectorError, UsageError
from inspector.forms.fields import Kind
from inspector.forms.jsontext import JsonTextError, check, compact, plain
from inspector.forms.nodes import Node
from inspector.forms.problems import NotValidated, Problem
from inspector.forms.tree import build_form
from inspector.forms.validate import Verdict, validate
from inspector.forms.values import FormState
from inspector.protocol.messages import Json, RawJson, Sendable
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.form_draw import described, field_facts, problem_indent
from inspector.tui.widgets.form_lines import Line
from inspector.tui.widgets.form_rows import FormRows
from inspector.tui.widgets.form_text import FormText
from inspector.tui.widgets.form_told import kept_as_json, lines_of, no_verdict, told_of_json

Complete = Callable[[str, str, Json], Awaitable[list[str]]]
"""Suggestions for the field at a pointer, given its text and the whole value."""

JUDGE_AFTER: Final = 0.25
COMPLETE_AFTER: Final = 0.15
"""Seconds without a key before the schema, or the server, is asked."""
DETAIL_LINES: Final = 3
EDITOR_LINES: Final = 8
_KEYS: Final = {"form.json", "form.close", "form.part", "form.submit"}


class SchemaForm(Widget):
    """The form of `schema`, filled with `initial` or with its defaults.

    `complete` is asked for suggestions while a text is typed; `judge` says what is wrong with a
    value (tests answer in its place). Needs 36 cells; grows with its fields where its height is
    auto.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        binding for binding in bindings_for("form") if binding.id in _KEYS
    ]
    HELP: ClassVar[str] = (
        "Type into a field to fill it; Enter opens the options of a field, Space and the arrow "
        "keys change it. Each field is left out (Ctrl+L), null (Ctrl+N) or a value; Backspace in "
        "an empty optional field leaves it out. Ins adds an item, Ctrl+Del removes it, Ctrl+Up and "
        "Ctrl+Down move it. Ctrl+Y opens a text of several lines, F9 edits one field as JSON, "
        "Ctrl+J everything. Problems are told "
        "beside the fields and never prevent sending."
    )
    DEFAULT_CSS = """
    SchemaForm {
        layout: vertical; width: 1fr; height: 1fr;
        & #form-detail { height: auto; max-height: 3; padding: 0 1 0 2; }
        & #form-json { height: 1fr; display: none; border: none; }
        &.-json #form-rows { display: none; }
        &.-json #form-json, &.-part #form-json { display: block; }
        &.-part #form-json { height: 8; max-height: 50%; }
    }
    """

    class Changed(Message):
        """What the form would send may be another value now."""

        def __init__(self, form: "SchemaForm") -> None:
            super().__init__()
            self.form = form

        @property
        def control(self) -> "SchemaForm":
            """The form."""
            return self.form

    class Submitted(Message):
        """The user wants to send what the form holds."""

        def __init__(self, form: "SchemaForm") -> None:
            super().__init__()
            self.form = form

        @property
        def control(self) -> "SchemaForm":
            """The form."""
            return self.form

    def __init__(
        self,
        schema: Json,
        *,
        initial: Sendable | None = None,
        complete: Complete | None = None,
        judge: Callable[[Json, Sendable], Awaitable[Verdict]] = validate,
        prefill: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.schema = schema
        self.state = FormState(build_form(schema), prefill=prefill)
        if initial is not None:
            self.state.load(initial)
        self._complete = complete
        self._judge = judge
        self._rows = FormRows(self.state, id="form-rows")
        self._part: Node | None = None
        self._refused = ""
        self._kept: list[str] = []
        self._verdict: Verdict = []
        self._timer: Timer | None = None
        self._judging = False
        self._stale = False

    def compose(self) -> ComposeResult:
        """Fields, the JSON text, and what is known about the field under the cursor."""
        yield self._rows
        yield FormText(id="form-json")
        yield Static(id="form-detail", markup=False)

    def on_mount(self) -> None:
        """What can be said without the validator: a form that is only looked at starts none."""
        self._show_verdict()

    def on_descendant_focus(self) -> None:
        """The first verdict, when somebody begins to work here."""
        if self._timer is None:
            self._ask_verdict()

    def focus(self, scroll_visible: bool = True) -> Self:
        """The focus goes to the fields, or to the JSON text."""
        (self._area if self._text_shows else self._rows).focus(scroll_visible)
        return self

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Where the height is auto: all lines and what is told below them."""
        lines = EDITOR_LINES if self._text_shows else 0
        if not self.has_class("-json"):
            lines += max(1, self._rows.count_lines())
        return lines + DETAIL_LINES

    # -- value ----------------------------------------------------------------------------------

    @property
    def shows_json(self) -> bool:
        """Whether the whole value is being edited as JSON text."""
        return self.has_class("-json")

    def value(self) -> Sendable:
        """What would be sent; UsageError where JSON text does not parse."""
        self._keep_part()
        if not self.shows_json:
            return self.state.collect()
        if reason := check(self._area.text):
            raise UsageError(reason, hint="correct the JSON text")
        return RawJson(compact(self._area.text).encode("utf-8", "backslashreplace"))

    def set_value(self, value: Json | RawJson) -> None:
        """Fills the form with `value`; parts that no field can hold become JSON."""
        self._close_part()
        self.state.load(value)
        self._filled_anew()

    def reset(self) -> None:
        """Back to how the form began, defaults included."""
        self._close_part()
        self.state.reset()
        self._filled_anew()

    def _filled_anew(self) -> None:
        self._rows.view.folded.clear()
        self._rows.view.pick = self._rows.view.prompt = None
        if self.is_mounted:
            if self.shows_json and self._area.take_up(self.state.text(), is_json=True):
                self.remove_class("-json")  # it is too large
            self._rows.problems = ()
            self._rows.update_lines()
            self._moved_on()

    # -- JSON text ------------------------------------------------------------------------------

    @property
    def _area(self) -> FormText:
        return self.query_one("#form-json", FormText)

    @property
    def _text_shows(self) -> bool:
        return self.shows_json or self._part is not None

    def toggle_json(self) -> bool:
        """The whole value as JSON text, or back as fields; False where that cannot be.

        Parts that the fields cannot hold stay JSON, which is said.
        """
        self._close_part()
        self._kept = []
        if not self.shows_json:
            if reason := self._area.take_up(self.state.text(), is_json=True):
                return self._refuse(reason)
            self.add_class("-json")
            self._area.focus()
        else:
            if self._area.is_changed:
                try:
                    self._kept = self.state.load_text(self._area.text)
                except UsageError as error:
                    return self._refuse(error.message)
            self.remove_class("-json")
            self._rows.update_lines()
            self._rows.focus()
        self._moved_on()
        self._grow()
        return True

    def _refuse(self, reason: str) -> bool:
        self._refused = reason
        self._tell()
        return False

    action_toggle_json = toggle_json

    def action_close(self) -> None:
        """Escape in the text of a part closes it and keeps the text."""
        self._close_part()
        self._rows.update_lines()
        self._rows.focus()

    def action_part(self) -> None:
        """The same key that made a part JSON makes it fields again."""
        part = self._part
        if part is not None:
            self._keep_part()
            reason = self.state.as_fields(part)
            part.why = reason or part.why
            self.action_close()
            self._moved_on()

    def action_submit(self) -> None:
        """Sends the form, right or wrong."""
        self.post_message(self.Submitted(self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is the screen's while no part is open."""
        if action in ("close", "part"):
            return self._part is not None
        return True

    def _keep_part(self) -> None:
        if self._part is not None and self._area.is_changed:
            self.state.set_text(self._part, self._area.text)

    def _close_part(self) -> None:
        self._keep_part()
        self._part = None
        self.remove_class("-part")
        self._grow()

    def _grow(self) -> None:
        height = self.styles.height
        if height is not None and height.is_auto:
            self.refresh(layout=True)

    # -- what happens ---------------------------------------------------------------------------

    @on(FormRows.Changed)
    def _rows_changed(self, event: FormRows.Changed) -> None:
        event.stop()
        self._refused, self._kept = "", []
        self._moved_on()
        node = event.typed
        if self._complete is not None and node is not None and node.field.kind is Kind.STRING:
            self.run_worker(self._suggest(node), group="complete", exclusive=True)

    @on(FormRows.Rested)
    def _rested(self, event: FormRows.Rested) -> None:
        event.stop()
        self._refused = self._refused if self.shows_json else ""
        self._tell()

    @on(FormRows.Resized)
    def _resized(self, event: FormRows.Resized) -> None:
        event.stop()
        self._grow()

    @on(FormRows.Submitted)
    def _rows_submitted(self, event: FormRows.Submitted) -> None:
        event.stop()
        self.action_submit()

    @on(FormRows.EditPart)
    def _edit_part(self, event: FormRows.EditPart) -> None:
        event.stop()
        node = event.node
        text = node.text if node.json is None else node.json
        if reason := self._area.take_up(text, is_json=node.json is not None):
            self._refuse(reason)
            return
        self._part = node
        self.add_class("-part")
        self._area.focus()
        self._grow()

    @on(TextArea.Changed)
    def _text_changed(self, event: TextArea.Changed) -> None:
        event.stop()
        if self._text_shows and self._area.is_changed:
            self._refused = ""
            self._moved_on()

    def _moved_on(self) -> None:
        self.post_message(self.Changed(self))
        self._ask_verdict()

    # -- verdict --------------------------------------------------------------------------------

    def _ask_verdict(self) -> None:
        self._stale = True
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(JUDGE_AFTER, self._start_judging)

    def _start_judging(self) -> None:
        if not self._judging:
            self._judging = True
            self.run_worker(self._judge_all(), group="judge")

    async def _judge_all(self) -> None:
        """Asks until the verdict is about what the form holds now; one question at a time."""
        try:
            while self._stale and self.is_attached:
                self._stale = False
                self._verdict = await self._judged()
        finally:
            self._judging = False
        self._show_verdict()

    async def _judged(self) -> Verdict:
        try:
            value = self.value()
        except UsageError as error:
            return NotValidated(error.message) if self.shows_json else []
        return await self._judge(self.schema, value)

    def problems(self) -> list[Problem]:
        """Everything known to be wrong, as far as the last verdict goes."""
        local = [] if self.shows_json else self.state.problems()
        known = {problem.pointer for problem in local}
        verdict = self._verdict if isinstance(self._verdict, list) else []
        return local + [problem for problem in verdict if problem.pointer not in known]

    def _show_verdict(self) -> None:
        self._rows.show_problems(self.problems())
        self._tell()

    def _tell(self) -> None:
        """What is known about the field under the cursor, or about the JSON text."""
        detail = next(iter(self.query("#form-detail").results(Static)), None)
        if detail is None:  # not there yet, or gone while the validator was asked
            return
        verdict, line = no_verdict(self._verdict), self._rows.line
        if self.shows_json or self._refused:
            told = [told_of_json(self._refused, self.problems()), verdict]
        else:
            about = [verdict] if line is None else self._told_of(line, verdict)
            told = [kept_as_json(self._kept), *about]
        detail.update(lines_of(*told))

    def _told_of(self, line: Line, verdict: Text) -> list[Text]:
        problems = self._rows.view.problems.get(line.node, [])
        room = self._rows.body_width - problem_indent(line)
        return [field_facts(line.node, problems, room), verdict, described(line.node)]

    # -- suggestions ----------------------------------------------------------------------------

    async def _suggest(self, node: Node) -> None:
        if self._complete is None:
            return
        await asyncio.sleep(COMPLETE_AFTER)
        text = node.text
        try:
            texts = await self._complete(node.pointer, text, plain(self.state.collect()))
        except (InspectorError, JsonTextError):
            texts = []
        if node.text == text:
            self._rows.suggest(node, texts)
