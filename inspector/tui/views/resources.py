"""The Resources tab: resources and templates, reading them, and watching them change.

Nothing is read unasked. A template is filled part by part; the URI that will be read always stands
in a field of its own and can be changed to any other.
"""

from collections.abc import Callable, Coroutine, Mapping
from typing import ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from inspector.errors import InspectorError, Undeclared, UsageError
from inspector.forms.uri_template import expanded, template_parts
from inspector.protocol.messages import JsonObject, Sendable
from inspector.protocol.models import Resource, ResourceTemplate
from inspector.render.commands import read_command
from inspector.render.content import resource_blocks, size_words
from inspector.render.lifetime import BYPASSED, lifetime, time_left
from inspector.render.safe import one_line, safe_text
from inspector.session.catalog import ListKind
from inspector.session.completion import Completion
from inspector.session.freshness import freshness_of_call
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.session import Session
from inspector.tui.bindings import bindings_for
from inspector.tui.key_hints import key_name
from inspector.tui.listen_words import asked, granted
from inspector.tui.views.prompts_fields import TextField, TextFields
from inspector.tui.views.tools_about import description
from inspector.tui.views.tools_items import Item, draw_item
from inspector.tui.views.tools_panes import PanesView
from inspector.tui.widgets.history import Past
from inspector.tui.widgets.result import Reading
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.text_box import TextBox


class ResourcesView(PanesView):
    """Resources, templates, contents."""

    BINDINGS = [*bindings_for("resources")]
    TOPICS: ClassVar[tuple[str, ...]] = ("catalog", "calls", "state", "subscriptions")
    KINDS: ClassVar[tuple[ListKind, ...]] = ("resources", "resourceTemplates")
    WHAT: ClassVar[str] = "resources"
    METHOD: ClassVar[str] = "resources/read"
    HELP: ClassVar[str] = (
        "Enter or Ctrl+R reads the resource. Templates, marked { }, have a field for each part. "
        "The URI field holds what is read, and takes any other URI.\n\n"
        "w watches a resource: the list then shows when it changed, until it is read again."
    )
    DEFAULT_CSS = """
    ResourcesView {
        & #fields-holder { height: auto; }
        & #uri { margin-bottom: 1; }
        & #watching { margin-bottom: 1; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._values: dict[str, Mapping[str, str]] = {}
        self._of = ""
        self._watching = Text(end="")

    def history_members(self) -> tuple[str, ...]:
        """A read names its URI and has no arguments."""
        return ("uri",)

    def compose_form(self) -> ComposeResult:
        """Head, description, parts, URI."""
        yield Static(id="resource-head", markup=False)
        yield Vertical(id="resource-description", classes="description")
        yield Vertical(id="fields-holder")
        yield Static(Text("URI to read", "mcp.key"), markup=False)
        yield TextBox(id="uri", select_on_focus=False)
        yield Static(id="watching", markup=False)

    # -- the list -------------------------------------------------------------------------------

    def draw_item(self, item: Item, width: int) -> Text:
        """With a sign for what is watched and for what has changed."""
        watched = self.bench.session.subscriptions.find(item.name)
        if watched is None:
            return draw_item(item, width)
        sign, ink = ("● changed", "mcp.badge") if watched.unseen else ("◉", "mcp.accent")
        stream = self.bench.session.subscriptions.listening.current
        if not watched.unseen and stream is not None and granted(stream, item.name) is False:
            sign, ink = "◉ denied", "mcp.warn"
        line = draw_item(item, width - len(sign) - 1)
        line.append(" " * max(1, width - line.cell_len - len(sign) - 1))
        line.append(sign, ink)
        return line

    def show_changes(self, topics: frozenset[str]) -> None:
        """Lists, reads, and what changed on the server."""
        super().show_changes(topics)
        if "catalog" in topics:
            self.go_to_wanted()
        if topics & {"subscriptions", "state", "calls"} and self._composed:
            self.rows.refresh()
            self._draw_watching()

    def grow_older(self) -> None:
        """What was read ages with the lists."""
        super().grow_older()
        if self._life():
            self._draw_watching()

    def go_to_wanted(self) -> bool:
        """A link may lead to what no list has: its URI is filled in, to be read with Ctrl+R."""
        name = self._wanted
        if super().go_to_wanted() or not name or not self._composed:
            return True
        lists = self.bench.session.catalog.lists
        if any(lists[kind].state in ("unknown", "loading", "stale") for kind in self.KINDS):
            return False
        if self.settling or self._shown != self.rows.current:
            return False  # the form of the item under the cursor would take its place
        self._wanted = ""
        box = self.query_one("#uri", Input)
        box.value, box.cursor_position = name, len(name)
        self.show_pane("form")
        self.call_after_refresh(box.focus)
        self.call_later(self._show_unlisted)
        return True

    def item_shown(self, *, again: bool) -> None:
        """Now a link that waited for it can be followed."""
        super().item_shown(again=again)
        self.go_to_wanted()

    async def _show_unlisted(self) -> None:
        """The item under the cursor is not what the URI names."""
        self.query_one("#form-rule", Rule).show(title=Text("linked resource"))
        act = key_name(self.app, "resources.act")
        words = f"In no list of the server; {act} reads it all the same."
        self.query_one("#resource-head", Static).update(Text(words, "mcp.dim"))
        for holder in ("#resource-description", "#fields-holder"):
            await self.query_one(holder, Vertical).remove_children()

    # -- the form -------------------------------------------------------------------------------

    @property
    def uri(self) -> str:
        """What would be read now."""
        return self.query_one("#uri", Input).value

    @property
    def fields(self) -> TextFields | None:
        """The parts of the template on show."""
        return next(iter(self.query(TextFields)), None)

    async def show_form(self, item: Item | None) -> None:
        """The resource, or the parts of the template."""
        if self._of and (fields := self.fields) is not None:
            self._values[self._of] = fields.values()
        said = self.query_one("#resource-description", Vertical)
        holder = self.query_one("#fields-holder", Vertical)
        await said.remove_children()
        await holder.remove_children()
        self._of = "" if item is None else item.key
        title = Text("resource" if item is None else one_line(item.label, 60))
        self.query_one("#form-rule", Rule).show(title=title)
        self.query_one("#resource-head", Static).update(_head(item))
        what = None if item is None else item.what
        if what is not None and what.description:
            await said.mount(description(what.description, most=2000))
        if isinstance(what, ResourceTemplate):
            parts = template_parts(what.uri_template)
            if parts.problem:
                await said.mount(Static(Text(f"! {parts.problem}", "mcp.warn")))
            can = not self.bench.session.undeclared("completion/complete")
            shown = TextFields(
                [TextField(name) for name in parts.names], self._completer(what) if can else None
            )
            await holder.mount(shown)
            shown.set_values(self._values.get(self._of, {}))
            self._expand()
        elif item is not None:
            self.query_one("#uri", Input).value = item.name if isinstance(what, Resource) else ""
        self._draw_watching()

    def _completer(
        self, template: ResourceTemplate
    ) -> Callable[[str, str, Mapping[str, str]], Coroutine[object, object, Completion]]:
        ref: JsonObject = {"type": "ref/resource", "uri": template.uri_template}

        async def complete(name: str, value: str, context: Mapping[str, str]) -> Completion:
            session = self.bench.session
            return await self.bridge.run(lambda: session.complete(ref, name, value, context))

        return complete

    @on(TextFields.Changed)
    def _expand(self) -> None:
        what = self.item.what if self.item is not None else None
        if isinstance(what, ResourceTemplate) and (fields := self.fields) is not None:
            self.query_one("#uri", Input).value = expanded(what.uri_template, fields.values())

    @on(TextFields.Submitted)
    def _next_part(self, event: TextFields.Submitted) -> None:
        event.stop()
        self.screen.focus_next()

    @on(Input.Changed, "#uri")
    def _uri_changed(self, event: Input.Changed) -> None:
        event.stop()
        self._draw_watching()

    @on(Input.Submitted, "#uri")
    def _uri_entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.action_act()

    def focus_form(self) -> None:
        """The first part, or the URI."""
        fields = self.fields
        if fields is not None and fields.query(Input):
            fields.focus_first()
        else:
            self.query_one("#uri", Input).focus()

    @on(RowList.Selected, "#list")
    def _chosen(self, event: RowList.Selected) -> None:
        event.stop()
        item = event.item
        if isinstance(item, Item) and isinstance(item.what, Resource) and item == self.item:
            self.action_act()
        else:
            self.go_to_pane("form")

    # -- watching -------------------------------------------------------------------------------

    def _draw_watching(self) -> None:
        line = watching_line(self.bench.session, self.uri)
        if said := self._life():
            line.append("\n" if line.plain else "")
            line.append(said, "mcp.dim")
        if line != self._watching or line.spans != self._watching.spans:
            self._watching = line
            self.query_one("#watching", Static).update(line)

    def _life(self) -> str:
        """How long the server calls what was read last fresh."""
        past = self.result.past
        call = past.call if past is not None and past.item == self.uri else None
        if call is None or not isinstance(call.outcome, Success):
            return ""
        journal = self.bench.session.engine.journal
        said = freshness_of_call(call, journal.row(call.outcome.entry).monotonic)
        if said is None:
            return ""
        left = time_left(said, journal.clock.monotonic())
        return ", ".join(part for part in (lifetime(said), left) if part) + f"; {BYPASSED}"

    def action_watch(self) -> None:
        """w"""
        if not self.uri:
            self.inspector.notify_safe("No URI to watch")
        elif self.can_send():
            self._watch(self.uri)

    @work(description="worker", group="watch")
    async def _watch(self, uri: str) -> None:
        session = self.bench.session
        known = session.subscriptions.find(uri) is not None
        try:
            watch = session.unsubscribe if known else session.subscribe
            try:
                call = await self.bridge.run(lambda: watch(uri))
            except Undeclared as error:
                if not await self.agreed(error, session):
                    return
                call = await self.bridge.run(lambda: watch(uri))
        except InspectorError as error:
            self.complain(error)
            return
        match call.outcome:
            case Failure(code=code, message=message):
                self.inspector.notify_safe(
                    f"{code} {message}", title="Refused by the server", severity="error"
                )
            case Lost(error=lost):
                self.complain(lost)
            case _:
                self.rows.refresh()
                self._draw_watching()

    # -- reading --------------------------------------------------------------------------------

    def called_name(self, item: Item) -> str:
        """Calls are told apart by URI."""
        return self.uri or item.name

    def action_act(self) -> None:
        """Ctrl+R; a URI alone is enough."""
        if self.item is None and self.uri:
            item = Item("uri", self.uri, None, "", b"{}")
            self._send(item, self.request(item))
            return
        super().action_act()

    def params(self, item: Item) -> dict[str, Sendable]:
        """`resources/read`."""
        return {"uri": self._wanted_uri()}

    def _wanted_uri(self) -> str:
        if not self.uri:
            raise UsageError("there is no URI to read", hint="fill in the parts, or the URI itself")
        return self.uri

    def request(self, item: Item) -> Callable[[Session], Coroutine[object, object, Call]]:
        """The URI as it stands."""
        uri = self._wanted_uri()
        return lambda session: session.read_resource(uri)

    def command(self, item: Item) -> str:
        """`mcp-inspect read`."""
        return read_command(self.bench.target, self._wanted_uri())

    def reading(self, item: Item | None) -> Reading:
        """Contents by MIME type."""
        idle = "Enter reads it" if item is not None else "No resource chosen"
        return Reading(resource_blocks, "resource", None, idle)

    def recall(self, past: Past) -> None:
        """The URI of an earlier read."""
        self.query_one("#uri", Input).value = past.item


def watching_line(session: Session, uri: str) -> Text:
    """Whether changes of a resource are announced, and where not, why not any more."""
    line = Text(end="")
    streams = session.subscriptions.listening.streams
    latest = streams[-1] if streams and asked(streams[-1], uri) else None
    watched = session.subscriptions.find(uri) if uri else None
    if watched is not None:
        line.append("◉ watched", "mcp.accent")
        line.append(f"  {watched.updates} changes", "mcp.dim")
        if latest is not None and latest.ended:
            again = session.subscriptions.listening.again
            line.append_text(safe_text(f"  not now: {latest.ended}; {again}", "mcp.warn"))
        elif latest is not None and not granted(latest, uri):
            denied = latest.granted is not None
            words = "asked for, but not granted by the server" if denied else "not acknowledged yet"
            line.append(f"  {words}", "mcp.warn")
        if watched.unseen:
            line.append("  ● changed since it was read; Ctrl+R reads it again", "mcp.badge")
    elif latest is not None and latest.ended:
        line.append_text(safe_text(f"No longer watched: {latest.ended}", "mcp.warn"))
        line.append("  w watches it again", "mcp.faint")
    elif session.state.declares("resources", "subscribe"):
        line.append("w watches it for changes", "mcp.faint")
    return line


def _head(item: Item | None) -> Text:
    text = Text(end="")
    if item is None:
        return text
    what = item.what
    if what is None:
        text.append_text(safe_text(f"invalid: {item.reason}\n", "mcp.error"))
    if isinstance(what, ResourceTemplate):
        text.append(f"{one_line(what.uri_template, 300)}\n", "mcp.accent")
    facts: list[str] = []
    if isinstance(what, Resource | ResourceTemplate):
        facts.append(one_line(what.mime_type, 60) if what.mime_type else "no MIME type")
    if isinstance(what, Resource) and what.size is not None:
        facts.append(size_words(what.size))
    if facts:
        text.append(" · ".join(facts) + "\n", "mcp.dim")
    for warning in item.warnings[:4]:
        text.append_text(safe_text(f"! {warning[:200]}\n", "mcp.warn"))
    text.rstrip()
    return text
