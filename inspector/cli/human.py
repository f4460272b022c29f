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
from rich.text import Text

from inspector.cli.output import Paragraph, indented
from inspector.protocol.messages import Json, JsonObject, encode_json, raw_members
from inspector.render.safe import json_safe, safe_text, suspicious, visible
from inspector.render.values import shown_json
from inspector.session.catalog import CatalogList, ListKind
from inspector.session.pending import Failure
from inspector.session.state import SessionState

if TYPE_CHECKING:
    from inspector.cli.output import Part

INDENT: Final = 2
LABEL_WIDTH: Final = 14
SERVER_CAPABILITIES: Final = ("tools", "resources", "prompts", "logging", "completions")
"""What a server may declare in every revision spoken here (completions since 2025-03-26)."""
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
_UNREAD: Final = {"unsupported": "not offered", "failed": "not read", "unknown": "not read"}
_HINTS: Final = (
    ("readOnlyHint", "read-only", "writes"),
    ("destructiveHint", "destructive", "not destructive"),
    ("idempotentHint", "idempotent", "not idempotent"),
    ("openWorldHint", "open world", "closed world"),
)


def info(state: SessionState) -> "list[Part]":
    """Who the server is, what was agreed and why, what each side can do, the instructions."""
    facts = state.transport
    where = "" if facts is None else facts.kind + (f", pid {facts.pid}" if facts.pid else "")
    rows: list[tuple[str, Text]] = [("server", _identity(state.server_info))]
    for key in ("description", "websiteUrl"):
        if (about := _text(state.server_info.get(key))) is not None:
            rows.append(("", safe_text(about)))
    rows += [
        ("revision", Text(visible(state.revision_text))),
        ("why", Text(visible(state.why))),
        ("transport", Text(visible(where))),
        *_capabilities("server can", state.capabilities, SERVER_CAPABILITIES),
        *_capabilities("we offer", state.client_capabilities, ()),
    ]
    if state.instructions:
        rows.append(("instructions", safe_text(state.instructions.rstrip())))
    return [_row(label, value) for label, value in rows]


def _row(label: str, value: Text) -> Paragraph:
    return Paragraph(value, LABEL_WIDTH, Text(label, style="mcp.dim"))


def _identity(server_info: JsonObject) -> Text:
    name = _text(server_info.get("title")) or _text(server_info.get("name")) or "unnamed"
    line = safe_text(name, "mcp.title", keep_newlines=False)
    own = _text(server_info.get("name"))
    parts = [own if own != name else None, _text(server_info.get("version"))]
    for part in parts:
        if part:
            line.append_text(safe_text(f"  {part}", keep_newlines=False))
    return line


def _capabilities(
    label: str, declared: JsonObject, known: Sequence[str]
) -> Iterable[tuple[str, Text]]:
    """One row for each capability, the `known` ones that are not declared included."""
    names = [*declared, *(name for name in known if name not in declared)]
    width = min(max((len(visible(name)) for name in names), default=0), LABEL_WIDTH + 2)
    for number, name in enumerate(names):
        line = safe_text(name, "" if name in declared else "mcp.dim", keep_newlines=False)
        line.append(" " * (width - line.cell_len + 2))
        if name not in declared:
            line.append("no", style="mcp.dim")
        else:
            switches = ", ".join(_switches(declared[name])) or "yes"
            line.append_text(safe_text(switches, keep_newlines=False))
        yield label if number == 0 else "", line
    if not names:
        yield label, Text("nothing declared", style="mcp.dim")


def _switches(value: Json, path: str = "") -> list[str]:
    """What a capability switches on: `listChanged`, `requests.tools.call`."""
    if not isinstance(value, dict):
        return [path or encode_json(value).decode()] if value not in (False, None) else []
    inner = [
        name
        for key, one in value.items()
        for name in _switches(one, f"{path}.{key}" if path else key)
    ]
    return inner if inner or not path else [path]


def lists(found: Sequence[CatalogList]) -> "list[Part]":
    """The lists one below the other; a single list has no heading."""
    parts: list[Part] = []
    several = len(found) > 1
    for number, one in enumerate(found):
        if several:
            gap = "\n" if number else ""
            count = _UNREAD.get(one.state, str(len(one.items))) if not one.pages else len(one.items)
            parts.append(Text(f"{gap}{_TITLES[one.kind]} ({count})", style="mcp.title"))
        for item in one.items:
            parts += _item(one.kind, item, INDENT if several else 0)
        if not several and not one.items:
            parts.append(Text("none", style="mcp.dim"))
    return parts


def _item(kind: ListKind, item: Json, indent: int) -> "Iterable[Part]":
    """The name in a line of its own, and what there is to say of it below."""
    name = _text(item.get(_NAME_KEYS[kind])) if isinstance(item, dict) else None
    if not isinstance(item, dict) or name is None:
        line = Text("invalid  ", style="mcp.error")
        yield Paragraph(line.append_text(_compact(item)), indent)
        return
    line = safe_text(name, "mcp.title", keep_newlines=False)
    for reason in suspicious(name):
        line.append(f"  [{reason}]", style="mcp.warn")
    for extra in _extras(kind, item):
        line.append_text(safe_text(f"  {extra}", "mcp.dim", keep_newlines=False))
    yield Paragraph(line, indent)
    below = indent + INDENT
    if description := _text(item.get("description")):
        yield Paragraph(safe_text(description.strip()), below)
    if arguments := _arguments(kind, item):
        yield Paragraph(arguments, below)
    if claims := _claims(item.get("annotations")):
        yield Paragraph(Text(f"says: {claims}", style="mcp.dim"), below)


def _extras(kind: ListKind, item: JsonObject) -> list[str]:
    """The title, the name beside a URI, the MIME type, the size."""
    own = _text(item.get(_NAME_KEYS[kind]))
    shown = [_text(item.get("title")), _text(item.get("name")), _text(item.get("mimeType"))]
    if isinstance(size := item.get("size"), int):
        shown.append(f"{size} bytes")
    return list(dict.fromkeys(text for text in shown if text and text != own))


def _claims(annotations: Json) -> str:
    """What the server says of a tool; nobody has proved it."""
    if not isinstance(annotations, dict):
        return ""
    return ", ".join(
        yes if annotations[key] else no
        for key, yes, no in _HINTS
        if isinstance(annotations.get(key), bool)
    )


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


def tool_result(result: Json, raw: bytes) -> "list[Part]":
    """The content blocks in order, then structured content that no block says already.

    `raw` is the exact text of `result`, here and below: what is shown as JSON keeps its tokens.
    """
    if not isinstance(result, dict):
        return json_text(result, raw)
    parts: list[Part] = []
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


def messages(result: Json, raw: bytes) -> "list[Part]":
    """The messages of a prompt, each under its role."""
    found = result.get("messages") if isinstance(result, dict) else None
    if not isinstance(found, list):
        return json_text(result, raw)
    parts: list[Part] = []
    for message in found:
        role = _text(message.get("role")) if isinstance(message, dict) else None
        if not isinstance(message, dict) or role is None:
            parts.append(_compact(message))
            continue
        parts.append(safe_text(f"{role}:", "mcp.title", keep_newlines=False))
        content = message.get("content")
        for block in content if isinstance(content, list) else [content]:
            parts.append(Paragraph(_block(block), INDENT))
    return parts or json_text(result, raw)


def contents(result: Json, raw: bytes) -> "list[Part]":
    """The contents of a resource; a heading tells several apart."""
    found = result.get("contents") if isinstance(result, dict) else None
    if not isinstance(found, list):
        return json_text(result, raw)
    parts: list[Part] = []
    for one in found:
        if len(found) > 1 and isinstance(one, dict):
            parts.append(safe_text(str(one.get("uri")), "mcp.title", keep_newlines=False))
        parts.append(_resource(one))
    return parts or json_text(result, raw)


def error(failure: Failure) -> "list[Part]":
    """A JSON-RPC error: its code, message and data."""
    from inspector.protocol.codes import name_of

    name = name_of(failure.code)
    head = Text(f"the server answered with error {failure.code}", style="mcp.error")
    head.append(f" ({name}): " if name else ": ")
    parts: list[Part] = [head.append_text(safe_text(failure.message))]
    if failure.data is None:
        return parts
    data = raw_members(failure.raw).get("data", b"null")
    return [*parts, *json_text(failure.data, data)]


def json_text(_: Json, raw: bytes) -> "list[Part]":
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
    if structured == {"result": text}:
        return True
    try:
        said: Json = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError):
        return False
    return said == structured or {"result": said} == structured


def _compact(value: Json) -> Text:
    return safe_text(json_safe(shown_json(value)).decode(), keep_newlines=False)


def _text(value: Json) -> str | None:
    return value if isinstance(value, str) else None
