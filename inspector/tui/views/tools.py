"""The Tools tab: what the server offers, a form for its arguments, and what came of each call.

Nothing is called unasked, and nothing prevents a call: wrong arguments are sent when the user wants
it. Hints of the server are shown as its claims and decide nothing.
"""

from collections.abc import Callable, Coroutine
from typing import ClassVar, Final

import msgspec
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from inspector.errors import UsageError
from inspector.forms.jsontext import dump
from inspector.protocol.messages import Json, RawJson, Sendable
from inspector.protocol.models import Tool
from inspector.render.commands import call_command, tool_params
from inspector.render.content import result_blocks
from inspector.render.safe import one_line, safe_text
from inspector.session.catalog import ListKind
from inspector.session.pending import Call
from inspector.session.session import Session
from inspector.tui.bindings import bindings_for
from inspector.tui.views.tools_about import claims_line, description
from inspector.tui.views.tools_items import Item, marks_lines
from inspector.tui.views.tools_panes import PanesView
from inspector.tui.widgets.form import SchemaForm
from inspector.tui.widgets.history import Past
from inspector.tui.widgets.result import Reading
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

FORMS_KEPT: Final = 16
"""Forms that stay alive with everything typed into them; of older ones the values are kept."""
DRAFTS_KEPT: Final = 200


class ToolsView(PanesView):
    """Tools, forms, results."""

    BINDINGS = [*bindings_for("tools")]
    KINDS: ClassVar[tuple[ListKind, ...]] = ("tools",)
    WHAT: ClassVar[str] = "tools"
    METHOD: ClassVar[str] = "tools/call"
    HELP: ClassVar[str] = (
        "Enter on a tool goes into its form, Ctrl+R (or Ctrl+Enter, where the terminal sends it) "
        "calls it from anywhere in this tab, Ctrl+X cancels. F6 goes from list to form to result, "
        "F7 shows all that the server says about the tool.\n\n"
        "Wrong arguments are marked and sent all the same. c copies the call as a command, J as "
        "JSON-RPC, u as curl. Hints such as read-only are claims of the server."
    )
    DEFAULT_CSS = """
    ToolsView {
        & #form-holder { height: 1fr; min-height: 6; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._forms: dict[str, tuple[Json, SchemaForm]] = {}
        self._drafts: dict[str, RawJson] = {}
        self._as_task = False

    def compose_form(self) -> ComposeResult:
        """What it is and the form scroll together."""
        yield Static(id="tool-head", markup=False)
        yield Vertical(id="tool-description", classes="description")
        yield Vertical(id="form-holder")

    # -- the form -------------------------------------------------------------------------------

    async def show_form(self, item: Item | None) -> None:
        """The tool's head, description and form."""
        rule = self.query_one("#form-rule", Rule)
        head = self.query_one("#tool-head", Static)
        said = self.query_one("#tool-description", Vertical)
        await said.remove_children()
        if item is None:
            rule.show(title=Text("tool"), facts=Text())
            head.update("")
            self._only(None)
            return
        rule.show(title=Text(one_line(item.name, 60)), facts=self._form_facts(item))
        tool = item.what
        head.update(_head(item))
        if isinstance(tool, Tool) and tool.description:
            await said.mount(description(tool.description, most=2000))
        await self._use_form(item)

    async def _use_form(self, item: Item) -> None:
        schema: Json = {"type": "object"}
        if isinstance(item.what, Tool) and "inputSchema" in item.what.raw:
            schema = item.what.input_schema
        elif item.what is None:
            given = _raw_schema(item.raw)
            schema = schema if given is None else given
        kept = self._forms.pop(item.key, None)
        if kept is not None and kept[0] != schema:
            self._keep_draft(item.key, kept[1])
            await kept[1].remove()
            kept = None
        if kept is None:
            form = SchemaForm(schema, initial=self._drafts.pop(item.key, None))
            self._only(None)
            await self.query_one("#form-holder").mount(form)
            kept = (schema, form)
        self._forms[item.key] = kept
        self._only(kept[1])
        while len(self._forms) > FORMS_KEPT:
            oldest = next(iter(self._forms))
            self._keep_draft(oldest, self._forms[oldest][1])
            await self._forms.pop(oldest)[1].remove()

    def _keep_draft(self, key: str, form: SchemaForm) -> None:
        try:
            text = dump(form.value())
        except UsageError:
            return
        self._drafts[key] = RawJson(text.encode())  # with every number as it was typed
        while len(self._drafts) > DRAFTS_KEPT:
            del self._drafts[next(iter(self._drafts))]

    def _only(self, wanted: SchemaForm | None) -> None:
        for form in self.query(SchemaForm):
            form.display = form is wanted

    @property
    def form(self) -> SchemaForm | None:
        """The form on show."""
        kept = None if self.item is None else self._forms.get(self.item.key)
        return None if kept is None else kept[1]

    def focus_form(self) -> None:
        """The first field, or the page about the tool."""
        if (form := self.form) is None:
            return
        form.focus()

    @on(RowList.Selected, "#list")
    def _chosen(self, event: RowList.Selected) -> None:
        event.stop()
        self.go_to_pane("form")

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        self.action_act()

    # -- calling --------------------------------------------------------------------------------

    def _task_support(self, item: Item) -> str:
        tool = item.what
        runs_tasks = self.bench.session.runs_tasks
        if not runs_tasks or not isinstance(tool, Tool) or tool.execution is None:
            return ""
        return tool.execution.task_support or ""

    def _form_facts(self, item: Item) -> Text:
        support = self._task_support(item)
        if support == "required":
            return Text("as a task (required)")
        if support == "optional":
            return Text("as a task" if self._as_task else "F8 as a task")
        return Text()

    def action_toggle_task(self) -> None:
        """F8"""
        item = self.item
        if item is None:
            return
        if self._task_support(item) not in ("optional", "required"):
            self.inspector.notify_safe("This tool does not run as a task on this server")
            return
        self._as_task = not self._as_task
        self.query_one("#form-rule", Rule).show(facts=self._form_facts(item))

    def _arguments(self, item: Item) -> Sendable:
        kept = self._forms.get(item.key)
        return {} if kept is None else kept[1].value()

    def params(self, item: Item) -> dict[str, Sendable]:
        """`tools/call`."""
        return tool_params(item.said, self._arguments(item))

    def request(self, item: Item) -> Callable[[Session], Coroutine[object, object, Call]]:
        """With the arguments as they stand in the form now."""
        arguments = self._arguments(item)
        as_task = self._as_task and self._task_support(item) in ("optional", "required")
        task, name = 0 if as_task else None, item.said
        return lambda session: session.call_tool(name, arguments, task=task)

    def command(self, item: Item) -> str:
        """`mcp-inspect call`."""
        return call_command(self.bench.target, item.said, self._arguments(item))

    def reading(self, item: Item | None) -> Reading:
        """Content blocks and structured content."""
        tool = item.what if item is not None else None
        schema = tool.output_schema if isinstance(tool, Tool) else None
        idle = "Ctrl+R calls it" if item is not None else "No tool chosen"
        return Reading(result_blocks, "call", schema, idle)

    def recall(self, past: Past) -> None:
        """The arguments of an earlier call."""
        form = self.form
        if form is None or not past.arguments:
            return
        try:
            form.set_value(RawJson(past.arguments))
        except (ValueError, RecursionError):
            self.inspector.notify_safe("These arguments cannot be put into the form")


def _head(item: Item) -> Text:
    text = Text(end="")
    tool = item.what
    if tool is None:
        text.append_text(safe_text(f"invalid: {item.reason}", "mcp.error"))
        can = "has no name to call it by" if item.unnamed else "can be called all the same"
        text.append(f"\nIt is listed by the server and {can}.\n", "mcp.dim")
    elif tool.label != item.name:
        text.append(f"{one_line(tool.label, 200)}\n", "mcp.title")
    for warning in item.warnings[:4]:
        text.append_text(safe_text(f"! {warning[:200]}\n", "mcp.warn"))
    text.append_text(marks_lines(item))
    if isinstance(tool, Tool):
        text.append_text(claims_line(tool))
    text.rstrip()
    return text


def _raw_schema(raw: bytes) -> Json:
    """The input schema of an item that cannot be read as a tool."""
    try:
        value: Json = msgspec.json.decode(raw)
    except (msgspec.DecodeError, RecursionError):
        return None
    return value.get("inputSchema") if isinstance(value, dict) else None
