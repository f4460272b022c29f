"""The Prompts tab: prompts, their arguments with completion, and the messages they become."""

from collections.abc import Callable, Coroutine, Mapping
from typing import ClassVar

import msgspec
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from inspector.protocol.messages import JsonObject, Sendable
from inspector.protocol.models import Prompt
from inspector.render.commands import prompt_command
from inspector.render.content import message_blocks
from inspector.render.safe import one_line, safe_text
from inspector.session.catalog import ListKind
from inspector.session.completion import Completion
from inspector.session.pending import Call
from inspector.session.session import Session
from inspector.tui.bindings import bindings_for
from inspector.tui.views.prompts_fields import TextField, TextFields
from inspector.tui.views.tools_about import description
from inspector.tui.views.tools_items import Item
from inspector.tui.views.tools_panes import PanesView
from inspector.tui.widgets.history import Past
from inspector.tui.widgets.result import Reading
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule


class PromptsView(PanesView):
    """Prompts, arguments, messages."""

    BINDINGS = [*bindings_for("prompts")]
    KINDS: ClassVar[tuple[ListKind, ...]] = ("prompts",)
    WHAT: ClassVar[str] = "prompts"
    METHOD: ClassVar[str] = "prompts/get"
    HELP: ClassVar[str] = (
        "Enter on a prompt goes to its arguments, Ctrl+R gets it. Arguments are texts; an empty "
        "field is left out. While you type, the server may suggest values."
    )
    DEFAULT_CSS = """
    PromptsView {
        & #fields-holder { height: auto; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values: dict[str, Mapping[str, str]] = {}
        self._of = ""

    def compose_form(self) -> ComposeResult:
        """Head, description, fields."""
        yield Static(id="prompt-head", markup=False)
        yield Vertical(id="prompt-description", classes="description")
        yield Vertical(id="fields-holder")

    # -- the form -------------------------------------------------------------------------------

    @property
    def fields(self) -> TextFields | None:
        """The fields on show."""
        return next(iter(self.query(TextFields)), None)

    async def show_form(self, item: Item | None) -> None:
        """The prompt's arguments; what was typed for each prompt is kept."""
        self._keep_values()
        said = self.query_one("#prompt-description", Vertical)
        holder = self.query_one("#fields-holder", Vertical)
        await said.remove_children()
        await holder.remove_children()
        self._of = "" if item is None else item.key
        title = Text("prompt" if item is None else one_line(item.name, 60))
        self.query_one("#form-rule", Rule).show(title=title)
        self.query_one("#prompt-head", Static).update(_head(item))
        if item is None:
            return
        prompt = item.what
        fields: list[TextField] = []
        if isinstance(prompt, Prompt):
            if prompt.description:
                await said.mount(description(prompt.description, most=2000))
            fields = [
                TextField(one.name, one.required, one.description or "") for one in prompt.arguments
            ]
        can = not self.bench.session.undeclared("completion/complete")
        shown = TextFields(fields, self._completer(item) if can else None)
        await holder.mount(shown)
        if kept := self._values.get(item.key):
            shown.set_values(kept)

    def _keep_values(self) -> None:
        if self._of and (fields := self.fields) is not None:
            self._values[self._of] = fields.values()

    def _completer(
        self, item: Item
    ) -> Callable[[str, str, Mapping[str, str]], Coroutine[object, object, Completion]]:
        ref: JsonObject = {"type": "ref/prompt", "name": item.name}

        async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
            session = self.bench.session
            return await self.bridge.run(lambda: session.complete(ref, name, value, context))

        return complete

    def focus_form(self) -> None:
        """The first field."""
        if (fields := self.fields) is not None:
            fields.focus_first()

    @on(RowList.Selected, "#list")
    def _chosen(self, event: RowList.Selected) -> None:
        event.stop()
        self.go_to_pane("form")
        prompt = self.item.what if self.item is not None else None
        if isinstance(prompt, Prompt) and not prompt.arguments:
            self.rows.focus()

    @on(TextFields.Submitted)
    def _submitted(self, event: TextFields.Submitted) -> None:
        event.stop()
        self.screen.focus_next()

    # -- getting --------------------------------------------------------------------------------

    def _arguments(self) -> dict[str, str]:
        fields = self.fields
        return {} if fields is None else fields.values()

    def params(self, item: Item) -> dict[str, Sendable]:
        """`prompts/get`."""
        arguments = self._arguments()
        return {"name": item.said, "arguments": arguments} if arguments else {"name": item.said}

    def request(self, item: Item) -> Callable[[Session], Coroutine[object, object, Call]]:
        """With the arguments filled in."""
        arguments, name = self._arguments(), item.said
        return lambda session: session.get_prompt(name, arguments)

    def command(self, item: Item) -> str:
        """`mcp-inspect prompt`."""
        return prompt_command(self.bench.target, item.said, self._arguments())

    def reading(self, item: Item | None) -> Reading:
        """Messages with their roles."""
        idle = "Ctrl+R gets it" if item is not None else "No prompt chosen"
        return Reading(message_blocks, "prompt", None, idle)

    def recall(self, past: Past) -> None:
        """The arguments of an earlier request."""
        if (fields := self.fields) is None:
            return
        try:
            values = msgspec.json.decode(past.arguments or b"{}", type=dict[str, str])
        except msgspec.DecodeError:
            return
        fields.set_values(values)


def _head(item: Item | None) -> Text:
    text = Text(end="")
    if item is None:
        return text
    if item.what is None:
        text.append_text(safe_text(f"invalid: {item.reason}\n", "mcp.error"))
    elif item.what.label != item.name:
        text.append(f"{one_line(item.what.label, 200)}\n", "mcp.title")
    for warning in item.warnings[:4]:
        text.append_text(safe_text(f"! {warning[:200]}\n", "mcp.warn"))
    text.rstrip()
    return text
