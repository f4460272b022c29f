"""Everything the server says about an item, for reading: hints, description, schemas, raw JSON.

Words of the server are marked as such. What can be done with the item is in the form instead.
"""

from collections.abc import Iterator

from rich.console import Group
from rich.padding import Padding
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Static

from inspector.protocol.messages import Json
from inspector.protocol.models import Prompt, Resource, ResourceTemplate, Tool
from inspector.render.content import size_words
from inspector.render.markdown import looks_like_markdown, markdown
from inspector.render.safe import one_line, safe_text
from inspector.tui.views.tools_items import Item, claims, marks_lines
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.schema_tree import schema_lines


class AboutItem(VerticalScroll):
    """A scrolling page about one item."""

    DEFAULT_CSS = """
    AboutItem {
        & Static { height: auto; padding: 0 1; margin-bottom: 1; }
        & BodyView { padding: 0 0 0 1; }
    }
    """

    def __init__(self, item: Item, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._item = item

    def compose(self) -> ComposeResult:
        """Facts, description, schemas, raw."""
        item = self._item
        yield Static(_facts(item))
        what = item.what
        if what is not None and what.description:
            yield Rule("description")
            yield description(what.description)
        if isinstance(what, Tool):
            yield from _schema("input schema", what.input_schema)
            if "outputSchema" in what.raw:
                yield from _schema("output schema", what.output_schema)
        yield Rule("as it was sent")
        body = BodyView()
        body.set_bytes(item.raw, mode="pretty")
        body.styles.height = max(1, min(body.count_lines(), 40))
        yield body


def description(text: str, *, most: int = 20_000) -> Static:
    """A description as Markdown where it looks like it; very long ones are cut, saying so."""
    shown = text[:most]
    rest = Text(f"\n… {size_words(len(text) - most)} more", "mcp.dim") if len(text) > most else None
    if rest is None and looks_like_markdown(shown):
        return Static(markdown(shown))
    safe = safe_text(shown)
    return Static(safe if rest is None else safe.append_text(rest), markup=False)


def _schema(title: str, schema: Json) -> Iterator[Widget]:
    yield Rule(title)
    lines: list[Padding] = []
    for line in schema_lines(schema):
        # Indented as a whole, so that a long line stays at its depth when it is wrapped.
        depth = len(line.plain) - len(line.plain.lstrip(" "))
        shown = line[depth:]
        shown.no_wrap = False
        lines.append(Padding(shown, (0, 0, 0, depth)))
    yield Static(Group(*lines))


def _facts(item: Item) -> Text:
    text = Text(end="")
    text.append(one_line(item.name, 200), "mcp.title")
    text.append("\n")
    what = item.what
    if what is None:
        text.append(f"invalid: {one_line(item.reason, 200)}\n", "mcp.error")
    elif what.label != item.name:
        text.append(f"{one_line(what.label, 200)}\n")
    for warning in item.warnings:
        text.append(f"! {one_line(warning, 200)}\n", "mcp.warn")
    text.append_text(marks_lines(item))
    if isinstance(what, Tool):
        text.append_text(claims_line(what))
        if what.execution is not None and what.execution.task_support:
            _pair(text, "runs as a task", what.execution.task_support)
    elif isinstance(what, Resource | ResourceTemplate):
        _pair(text, "type", what.mime_type or "not said")
        if isinstance(what, Resource) and what.size is not None:
            _pair(text, "size", f"{size_words(what.size)}, as the server says")
        if what.annotations is not None:
            audience = ", ".join(what.annotations.audience or ())
            if audience:
                _pair(text, "for", audience)
            if what.annotations.priority is not None:
                _pair(text, "priority", f"{what.annotations.priority:g}")
            if what.annotations.last_modified:
                _pair(text, "changed", what.annotations.last_modified)
    elif isinstance(what, Prompt):
        for argument in what.arguments:
            needed = "required" if argument.required else "optional"
            _pair(text, argument.name, f"{needed}  {argument.description or ''}")
    for icon in (what.icons if what is not None else None) or ():
        _pair(text, "icon (never fetched)", icon.src)
    text.rstrip()
    return text


def claims_line(tool: Tool) -> Text:
    """The annotations in words, named as what they are: the server's own claims."""
    said = claims(tool.annotations)
    text = Text(end="")
    if said:
        text.append("the server claims: ", "mcp.faint")
        for place, (word, ink) in enumerate(said):
            text.append(" · " if place else "", "mcp.faint")
            text.append(word, ink)
        text.append("\n")
    return text


def _pair(text: Text, name: str, value: str) -> None:
    text.append(f"{one_line(name, 40)}: ", "mcp.faint")
    text.append(f"{one_line(value, 200)}\n")
