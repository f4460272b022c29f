"""The items of the lists of tools, resources and prompts: read leniently, drawn on one line.

An item that cannot be read is an item too: it is shown with the reason and its raw JSON.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeAlias, TypeVar

from rich.text import Text

from inspector.errors import UsageError
from inspector.protocol.header_params import header_params
from inspector.protocol.headers import PARAM_PREFIX
from inspector.protocol.messages import Json
from inspector.protocol.models import (
    Invalid,
    Prompt,
    Resource,
    ResourceTemplate,
    Tool,
    ToolAnnotations,
    read_prompt,
    read_resource,
    read_template,
    read_tool,
)
from inspector.render.safe import one_line, safe_text, suspicious, suspicious_title
from inspector.session.catalog import CatalogList
from inspector.session.marks import MarksRule

Described: TypeAlias = Tool | Resource | ResourceTemplate | Prompt
M = TypeVar("M", bound=Described)
_STATE_INKS: Final = (("failed", "mcp.error"), ("loading", "mcp.accent"), ("stale", "mcp.warn"))


@dataclass(frozen=True, slots=True)
class Item:
    """One line of a list. `key` is unique in the list, `name` is what requests say; `what` is
    None where the item cannot be read, then `reason` says why. `raw` is its exact text. `unnamed`
    where the server gave no name, so that `name` is ours and no request may say it. `rejected` says
    why a tool must not be called (""): its header marks are invalid; `travels` are the arguments
    that go out as headers too, with the names of these."""

    key: str
    name: str
    what: Described | None
    reason: str
    raw: bytes
    warnings: tuple[str, ...] = ()
    unnamed: bool = False
    rejected: str = ""
    travels: tuple[tuple[str, str], ...] = ()

    @property
    def said(self) -> str:
        """The name that requests say. UsageError where the server gave none."""
        if self.unnamed:
            raise UsageError(
                "the server gave this item no name that a request could say",
                hint="write such a request yourself: R on one like it in the traffic pane",
            )
        return self.name

    @property
    def label(self) -> str:
        """The name for people."""
        return self.what.label if self.what is not None else self.name

    @property
    def searched(self) -> str:
        """What the filter looks in."""
        what = self.what
        if what is None:
            return f"{self.name} invalid {self.reason}"
        rejected = "rejected" if self.rejected else ""
        return " ".join((self.name, what.label, what.name, what.description or "", rejected))


def read_items(listed: CatalogList, marks: MarksRule = "ignored") -> list[Item]:
    """The items of a list as they came, each with a key of its own."""
    match listed.kind:
        case "tools":
            tools = _read(listed, read_tool, lambda tool: tool.name)
            return tools if marks == "ignored" else [_with_marks(item, marks) for item in tools]
        case "resources":
            return _read(listed, read_resource, lambda resource: resource.uri)
        case "resourceTemplates":
            return _read(listed, read_template, lambda template: template.uri_template)
        case "prompts":
            return _read(listed, read_prompt, lambda prompt: prompt.name)


def _read(
    listed: CatalogList, read: Callable[[Json], M | Invalid], name_of: Callable[[M], str]
) -> list[Item]:
    items: list[Item] = []
    counts: dict[str, int] = {}
    for position, (value, raw) in enumerate(zip(listed.items, listed.raw, strict=True)):
        found = read(value)
        broken = listed.broken.get(position, "")
        if isinstance(found, Invalid):
            named = value.get("name") if isinstance(value, dict) else None
            given = named if isinstance(named, str) else None
            name = f"item {position + 1}" if given is None else given
            key, reason = f"{listed.kind}!{position}", broken or found.reason
            items.append(Item(key, name, None, reason, raw, unnamed=given is None))
            continue
        name = name_of(found)
        again = counts[name] = counts.get(name, 0) + 1
        warnings = [broken] if broken else []
        warnings.extend(_warnings(found, name))
        if isinstance(found, Tool) and not broken:
            warnings.extend(_schema_warnings(found))
        if again > 1:
            warnings.append("this name was listed before")
        key = f"{listed.kind}:{name}" + (f"#{again}" if again > 1 else "")
        items.append(Item(key, name, found, "", raw, tuple(warnings)))
    return items


def _with_marks(item: Item, rule: MarksRule) -> Item:
    """2026-07-28 basic/transports/streamable-http: a tool with invalid marks is not called."""
    if not isinstance(item.what, Tool):
        return item
    marks = header_params(item.what.input_schema)
    if marks.problem and rule == "noted":
        told = f"over HTTP it would be rejected: {marks.problem}"
        return replace(item, warnings=(*item.warnings, told))
    if rule == "noted":
        return item
    travels = tuple((".".join(one.path), PARAM_PREFIX + one.name) for one in marks.params)
    return replace(item, rejected=marks.problem, travels=travels)


def _warnings(what: Described, name: str) -> Sequence[str]:
    shown = [name] if isinstance(what, Tool | Prompt) else [what.name]
    warnings = [f"the name {why}" for text in shown for why in suspicious(text)]
    if what.label not in shown:
        warnings += [f"the name {why}" for why in suspicious_title(what.label)]
    warnings.extend(what.odd)
    return warnings


def _schema_warnings(tool: Tool) -> Sequence[str]:
    """What the schema of a tool is not, though it has to be (2025-11-25 schema.ts, `Tool`)."""
    if "inputSchema" not in tool.raw:
        return ("inputSchema is missing",)
    schema = tool.input_schema
    if not isinstance(schema, dict):
        return ("inputSchema is not an object",)
    if schema.get("type") != "object":
        return ('inputSchema does not say "type": "object"',)
    return ()


def claims(annotations: ToolAnnotations | None) -> list[tuple[str, str]]:
    """What the server claims a tool does, as words and inks; nobody has checked it."""
    if annotations is None:
        return []
    words: list[tuple[str, str]] = []
    if annotations.read_only_hint is True:
        words.append(("read-only", "mcp.ok"))
    elif annotations.read_only_hint is False:
        words.append(("writes", "mcp.accent"))
    if annotations.destructive_hint is True and annotations.read_only_hint is not True:
        words.append(("destructive", "mcp.error"))
    elif annotations.destructive_hint is False:
        words.append(("not destructive", "mcp.dim"))
    if annotations.idempotent_hint is not None:
        words.append(("idempotent" if annotations.idempotent_hint else "not idempotent", "mcp.dim"))
    if annotations.open_world_hint is not None:
        words.append(("open world" if annotations.open_world_hint else "closed world", "mcp.dim"))
    return words


def draw_item(item: Item, width: int) -> Text:
    """One line of a list: the name, and signs at its right."""
    line = Text(" ", no_wrap=True, end="")
    signs: list[tuple[str, str]] = []
    if item.what is None:
        signs.append(("invalid", "mcp.error"))
    if item.rejected:
        signs.append(("rejected", "mcp.error"))
    if item.warnings:
        signs.append(("!", "mcp.warn"))
    if isinstance(item.what, Tool):
        if ("destructive", "mcp.error") in claims(item.what.annotations):
            signs.append(("▲", "mcp.error"))
        execution = item.what.execution
        if execution is not None and execution.task_support in ("required", "optional"):
            signs.append(("task", "mcp.dim"))
    if isinstance(item.what, ResourceTemplate):
        signs.append(("{ }", "mcp.accent"))
    tail = sum(len(sign) + 1 for sign, _ in signs)
    shown = item.name
    if isinstance(item.what, Resource | ResourceTemplate):
        shown = item.what.label
    ink = "mcp.dim" if item.what is None or not shown else ""
    line.append(one_line(shown or "(empty)", max(4, width - tail - 2)), ink)
    if signs:
        line.append(" " * max(1, width - line.cell_len - tail))
        for sign, ink in signs:
            line.append(sign, ink)
            line.append(" ")
    return line


def marks_lines(item: Item) -> Text:
    """That a tool is rejected and why, and which arguments go out as headers too."""
    text = Text(end="")
    if item.rejected:
        text.append_text(safe_text(f"rejected: {item.rejected[:300]}\n", "mcp.error"))
        text.append("Its header marks are invalid: it is sent only if you agree.\n", "mcp.dim")
    for argument, header in item.travels:
        text.append(one_line(argument, 40), "mcp.key")
        text.append(f" goes out as the header {one_line(header, 60)} too\n", "mcp.dim")
    return text


def list_facts(lists: Sequence[CatalogList], shown: int, items: int, now: float) -> Text:
    """How the lists stand, for their heading; `now` is monotonic."""
    facts = Text(end="")
    for state, ink in _STATE_INKS:
        if any(one.state == state for one in lists):
            facts.append(state, ink)
            facts.append(" ")
    if any(one.error and one.state == "ready" for one in lists):
        facts.append("incomplete ", "mcp.warn")
    hints = [one.freshness for one in lists if one.freshness is not None]
    if hints and not any(hint.stale(now) for hint in hints):
        facts.append("fresh ", "mcp.dim")
    count = sum(len(one.items) for one in lists)
    if shown and shown != items:
        facts.append(f"{shown}/")
    facts.append(str(count))
    return facts


def list_words(listed: CatalogList, what: str, *, past: bool = False) -> str:
    """What to say in place of an empty list; in the `past` nothing can be read any more."""
    match listed.state:
        case "unsupported" if past:
            return f" The server declares no {what}"
        case "unknown" if past:
            return " Not read by then"
        case "loading" if past:
            return " Being read then"
        case "unsupported":
            return f" The server declares no {what}; r asks anyway"
        case "unknown":
            return " Not read yet; r reads it"
        case "loading":
            return " Reading…"
        case "failed":
            return f" Could not be read: {one_line(listed.error, 500)}"
        case _:
            return f" The server has no {what}"
