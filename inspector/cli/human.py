"""Results of headless commands for people: what was negotiated, lists, content, errors.

Reads leniently, straight from the JSON: an item that makes no sense is shown as it is, never left
out. All text of a server passes `inspector.render.safe`; what is a result and where it goes is
decided by `inspector.cli.headless`.
"""

import base64
import binascii
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

import msgspec
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from inspector.cli.output import indented
from inspector.protocol.messages import Json, JsonObject, raw_members
from inspector.render.safe import json_safe, safe_text, suspicious, visible
from inspector.render.values import shown_json
from inspector.session.catalog import CatalogList, ListKind
from inspector.session.pending import Failure
from inspector.session.state import SessionState

if TYPE_CHECKING:
    from rich.console import RenderableType

INDENT: Final = 2
_TITLES: Final[dict[ListKind, str]] = {
    "tools": "tools",
    "resources": "resources",
    "resourceTemplates": "resource templates",
    "prompts": "prompts",
}
_NAME_KEYS: Final[dict[ListKind, str]] = {
    "tools": "name",
    "resources": "uri",
    "resourceTemplates": "uriTemplate",
    "prompts": "name",
}
_HINTS: Final = (
    ("readOnlyHint", "read-only", "writes"),
    ("destructiveHint", "destructive", "not destructive"),
    ("idempotentHint", "idempotent", "not idempotent"),
    ("openWorldHint", "open world", "closed world"),
)


def info(state: SessionState) -> "list[RenderableType]":
    """Who the server is, what was agreed, and what each side can do."""
    facts = state.transport
    where = "" if facts is None else facts.kind + (f", pid {facts.pid}" if facts.pid else "")
    rows: list[tuple[str, Text]] = [("server", _identity(state.server_info))]
    if (about := _text(state.server_info.get("description"))) is not None:
        rows.append(("", safe_text(about)))
    rows += [
        ("protocol", Text(f"{visible(state.revision_text)}  ({visible(state.why)})")),
        ("transport", Text(visible(where))),
        ("server can", _capabilities(state.capabilities)),
        ("we offer", _capabilities(state.client_capabilities)),
    ]
    if state.instructions:
        rows.append(("instructions", safe_text(state.instructions.rstrip())))
    return [_facts(rows)]


def _identity(server_info: JsonObject) -> Text:
    name = _text(server_info.get("title")) or _text(server_info.get("name")) or "unnamed"
    line = safe_text(name, "mcp.title", keep_newlines=False)
    own = _text(server_info.get("name"))
    parts = [own if own != name else None, _text(server_info.get("version"))]
    for part in parts:
        if part:
            line.append_text(safe_text(f"  {part}", keep_newlines=False))
    return line


def _capabilities(capabilities: JsonObject) -> Text:
    """One line for each capability, with the switches inside it."""
    if not capabilities:
        return Text("nothing declared", style="mcp.dim")
    lines: list[Text] = []
    for name, value in capabilities.items():
        line = safe_text(name, keep_newlines=False)
        switches = (
            [key for key, on in value.items() if on not in (False, None)]
            if isinstance(value, dict)
            else []
        )
        if switches:
            line.append_text(safe_text(f"  {', '.join(switches)}", "mcp.dim", keep_newlines=False))
        lines.append(line)
    return Text("\n").join(lines)


def lists(found: Sequence[CatalogList]) -> "list[RenderableType]":
    """The lists one below the other; a single list has no heading."""
    parts: list[RenderableType] = []
    for number, one in enumerate(found):
        if len(found) > 1:
            gap = "\n" if number else ""
            heading = Text(f"{gap}{_TITLES[one.kind]} ({len(one.items)})", style="mcp.title")
            parts.append(heading)
        items = [_item(one.kind, item) for item in one.items]
        if not items:
            parts.append(Text("none", style="mcp.dim"))
        parts += [Padding(item, (0, 0, 0, INDENT)) for item in items] if len(found) > 1 else items
    return parts


def _item(kind: ListKind, item: Json) -> "RenderableType":
    name = _text(item.get(_NAME_KEYS[kind])) if isinstance(item, dict) else None
    if not isinstance(item, dict) or name is None:
        line = Text("invalid  ", style="mcp.error")
        return line.append_text(_compact(item))
    line = safe_text(name, "mcp.title", keep_newlines=False)
    for reason in suspicious(name):
        line.append(f"  [{reason}]", style="mcp.warn")
    for extra in _extras(kind, item):
        line.append_text(safe_text(f"  {extra}", "mcp.dim", keep_newlines=False))
    table = Table.grid(padding=(0, 0))
    table.add_row(line)
    if description := _text(item.get("description")):
        table.add_row(Padding(safe_text(description.strip()), (0, 0, 0, INDENT)))
    if arguments := _arguments(kind, item):
        table.add_row(Padding(arguments, (0, 0, 0, INDENT)))
    return table


def _extras(kind: ListKind, item: JsonObject) -> list[str]:
    extras = [_text(item.get("title")), _text(item.get("name")) if kind != "tools" else None]
    shown = [text for text in extras if text and text != _text(item.get(_NAME_KEYS[kind]))]
    if mime := _text(item.get("mimeType")):
        shown.append(mime)
    annotations = item.get("annotations")
    if isinstance(annotations, dict):
        claims = [
            yes if annotations[key] else no
            for key, yes, no in _HINTS
            if isinstance(annotations.get(key), bool)
        ]
        if claims:
            shown.append(f"says: {', '.join(claims)}")
    return list(dict.fromkeys(shown))


def _arguments(kind: ListKind, item: JsonObject) -> Text | None:
    """The arguments in one line: `a* number, b integer`."""
    if kind == "tools":
        schema = item.get("inputSchema")
        properties = schema.get("properties") if isinstance(schema, dict) else None
        required = schema.get("required") if isinstance(schema, dict) else None
        if not isinstance(properties, dict):
            return None
        must = set(map(str, required)) if isinstance(required, list) else set()
        pairs = [(name, name in must, _type(field)) for name, field in properties.items()]
    elif kind == "prompts":
        arguments = item.get("arguments")
        pairs = [
            (str(one.get("name")), one.get("required") is True, "")
            for one in (arguments if isinstance(arguments, list) else [])
            if isinstance(one, dict)
        ]
    else:
        return None
    line = Text()
    for number, (name, needed, kind_of_value) in enumerate(pairs):
        line.append(", " if number else "")
        line.append_text(safe_text(name + ("*" if needed else ""), "mcp.key", keep_newlines=False))
        line.append_text(
            safe_text(f" {kind_of_value}" if kind_of_value else "", "mcp.dim", keep_newlines=False)
        )
    return line if pairs else None


def _type(field: Json) -> str:
    if not isinstance(field, dict):
        return ""
    if isinstance(kind := field.get("type"), str):
        return kind
    if isinstance(kind, list):
        return "|".join(map(str, kind))
    if isinstance(reference := field.get("$ref"), str):
        return reference.rpartition("/")[2]
    for key in ("anyOf", "oneOf"):
        if isinstance(options := field.get(key), list):
            return "|".join(filter(None, map(_type, options)))
    return "enum" if "enum" in field else ""


def tool_result(result: Json, raw: bytes) -> "list[RenderableType]":
    """The content blocks in order, then structured content that no block says already.

    `raw` is the exact text of `result`, here and below: what is shown as JSON keeps its tokens.
    """
    if not isinstance(result, dict):
        return json_text(result, raw)
    parts: list[RenderableType] = []
    if result.get("isError") is True:
        parts.append(Text("the tool reports an error:", style="mcp.error"))
    content = result.get("content")
    blocks = content if isinstance(content, list) else []
    parts += [_block(block) for block in blocks]
    structured = result.get("structuredContent")
    if structured is not None and not any(_says(block, structured) for block in blocks):
        exact = raw_members(raw).get("structuredContent", raw)
        parts += [Text("structured content:", style="mcp.dim"), *json_text(structured, exact)]
    return parts or json_text(result, raw)


def messages(result: Json, raw: bytes) -> "list[RenderableType]":
    """The messages of a prompt, each under its role."""
    found = result.get("messages") if isinstance(result, dict) else None
    if not isinstance(found, list):
        return json_text(result, raw)
    parts: list[RenderableType] = []
    for message in found:
        role = _text(message.get("role")) if isinstance(message, dict) else None
        if not isinstance(message, dict) or role is None:
            parts.append(_compact(message))
            continue
        parts.append(safe_text(f"{role}:", "mcp.title", keep_newlines=False))
        parts.append(Padding(_block(message.get("content")), (0, 0, 0, INDENT)))
    return parts


def contents(result: Json, raw: bytes) -> "list[RenderableType]":
    """The contents of a resource; a heading tells several apart."""
    found = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(found, list):
        return json_text(result, raw)
    parts: list[RenderableType] = []
    for one in found:
        if len(found) > 1 and isinstance(one, dict):
            parts.append(safe_text(str(one.get("uri")), "mcp.title", keep_newlines=False))
        parts.append(_resource(one))
    return parts


def error(failure: Failure) -> "list[RenderableType]":
    """A JSON-RPC error: its code, message and data."""
    from inspector.protocol.codes import name_of

    name = name_of(failure.code)
    head = Text(f"the server answered with error {failure.code}", style="mcp.error")
    head.append(f" ({name}): " if name else ": ")
    parts: list[RenderableType] = [head.append_text(safe_text(failure.message))]
    if failure.data is None:
        return parts
    data = raw_members(failure.raw).get("data", b"null")
    return [*parts, *json_text(failure.data, data)]


def json_text(_: Json, raw: bytes) -> "list[RenderableType]":
    """Any JSON, indented."""
    return [safe_text(indented(raw).decode("utf-8", "replace"))]


def _block(block: Json) -> Text:
    """One content block; what cannot be shown as text is described."""
    if not isinstance(block, dict):
        return _compact(block)
    match block.get("type"):
        case "text" if isinstance(text := block.get("text"), str):
            return safe_text(text)
        case "image" | "audio" as kind:
            size = _size(block.get("data"))
            return Text(visible(f"[{kind}: {_text(block.get('mimeType')) or '?'}, {size}]"))
        case "resource_link" if isinstance(uri := block.get("uri"), str):
            name = _text(block.get("title")) or _text(block.get("name")) or ""
            return safe_text(f"[link: {uri}  {name}]", keep_newlines=False)
        case "resource":
            return _resource(block.get("resource"))
        case _:
            return _compact(block)


def _resource(resource: Json) -> Text:
    if isinstance(resource, dict):
        if isinstance(text := resource.get("text"), str):
            return safe_text(text)
        if "blob" in resource:
            mime = _text(resource.get("mimeType")) or "?"
            return Text(visible(f"[binary: {mime}, {_size(resource['blob'])}]"))
    return _compact(resource)


def _size(data: Json) -> str:
    if not isinstance(data, str):
        return "no data"
    try:
        count = len(base64.b64decode(data, validate=True))
    except (binascii.Error, ValueError):
        return "not valid base64"
    return f"{count} bytes" if count < 1024 else f"{count / 1024:.1f} KiB"


def _says(block: Json, structured: Json) -> bool:
    """Whether a text block is the same JSON, which servers add for older clients."""
    text = block.get("text") if isinstance(block, dict) else None
    if not isinstance(text, str):
        return False
    try:
        said: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False
    return said == structured or {"result": said} == structured


def _compact(value: Json) -> Text:
    return safe_text(json_safe(shown_json(value)).decode(), keep_newlines=False)


def _facts(rows: Iterable[tuple[str, Text]]) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style="mcp.dim", no_wrap=True)
    table.add_column(overflow="fold")
    for label, value in rows:
        table.add_row(label, value)
    return table


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
