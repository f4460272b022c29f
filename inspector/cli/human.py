"""Results of headless commands for people: lists, content, errors.

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

from inspector.cli.output import LONGEST, Paragraph, indented
from inspector.errors import excerpt
from inspector.protocol.header_params import header_params
from inspector.protocol.headers import PARAM_PREFIX
from inspector.protocol.messages import Json, JsonObject, raw_members
from inspector.render.lifetime import BYPASSED, lifetime
from inspector.render.safe import json_safe, safe_text, suspicious, visible
from inspector.render.values import shown_json
from inspector.session.catalog import CatalogList, ListKind
from inspector.session.marks import MarksRule
from inspector.session.pending import Failure

if TYPE_CHECKING:
    from inspector.cli.output import Part

INDENT: Final = 2
LONGEST_DATA: Final = 64 * 1024
"""Bytes of an error's data that are shown to people."""
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


def lists(found: Sequence[CatalogList], marks: MarksRule = "ignored") -> "list[Part]":
    """The lists one below the other; a single list has no heading. `marks` says what header marks
    of tools mean in this session."""
    parts: list[Part] = []
    several = len(found) > 1
    for number, one in enumerate(found):
        if several:
            gap = "\n" if number else ""
            count = _UNREAD.get(one.state, str(len(one.items))) if not one.pages else len(one.items)
            heading = Text(f"{gap}{_TITLES[one.kind]} ({count})", style="mcp.title")
            if one.freshness is not None:
                heading.append(f"  {lifetime(one.freshness)}", style="mcp.dim")
            parts.append(heading)
        for item in one.items:
            parts += _item(one.kind, item, INDENT if several else 0, marks)
        if not several and not one.items:
            parts.append(Text("none", style="mcp.dim"))
        if not several and one.freshness is not None:
            parts.append(Text(f"{lifetime(one.freshness)}; {BYPASSED}", style="mcp.dim"))
    if several and any(one.freshness is not None for one in found):
        parts.append(Text(f"\n{BYPASSED}", style="mcp.dim"))
    return parts


def _item(kind: ListKind, item: Json, indent: int, marks: MarksRule) -> "Iterable[Part]":
    """The name in a line of its own, and what there is to say of it below."""
    name = text_of(item.get(_NAME_KEYS[kind])) if isinstance(item, dict) else None
    if not isinstance(item, dict) or name is None:
        line = Text("invalid  ", style="mcp.error")
        yield Paragraph(line.append_text(compact(item)), indent)
        return
    line = safe_text(name, "mcp.title", keep_newlines=False)
    for reason in suspicious(name):
        line.append(f"  [{reason}]", style="mcp.warn")
    for extra in _extras(kind, item):
        line.append_text(safe_text(f"  {extra}", "mcp.dim", keep_newlines=False))
    yield Paragraph(line, indent)
    below = indent + INDENT
    if description := text_of(item.get("description")):
        yield Paragraph(safe_text(description.strip()), below)
    if arguments := _arguments(kind, item):
        yield Paragraph(arguments, below)
    if kind == "tools" and (told := _marks(item.get("inputSchema"), marks)):
        yield Paragraph(told, below)
    if claims := _claims(item.get("annotations")):
        yield Paragraph(Text(f"says: {claims}", style="mcp.dim"), below)


def _marks(schema: Json, rule: MarksRule) -> Text | None:
    """That a tool is rejected for its header marks, or which arguments go out as headers too."""
    if rule == "ignored":
        return None
    found = header_params(schema)
    if found.problem:
        words = "rejected" if rule == "in force" else "over HTTP it would be rejected"
        ink = "mcp.error" if rule == "in force" else "mcp.warn"
        return safe_text(f"{words}: {found.problem}", ink, keep_newlines=False)
    if rule == "noted" or not found.params:
        return None
    pairs = (f"{'.'.join(one.path)} as {PARAM_PREFIX}{one.name}" for one in found.params)
    return safe_text(f"also headers: {', '.join(pairs)}", "mcp.dim", keep_newlines=False)


def _extras(kind: ListKind, item: JsonObject) -> list[str]:
    """The title, the name beside a URI, the MIME type, the size."""
    own = text_of(item.get(_NAME_KEYS[kind]))
    shown = [text_of(item.get("title")), text_of(item.get("name")), text_of(item.get("mimeType"))]
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
        role = text_of(message.get("role")) if isinstance(message, dict) else None
        if not isinstance(message, dict) or role is None:
            parts.append(compact(message))
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
    message = safe_text(excerpt(failure.message, LONGEST))
    parts: list[Part] = [Paragraph(message, INDENT, head)]
    if failure.data is not None:
        data = raw_members(failure.raw).get("data", b"null")
        if len(data) > LONGEST_DATA:
            parts.append(Text(f"its data is {len(data):,} bytes long: --json has it", "mcp.dim"))
        else:
            parts += json_text(failure.data, data)
    return [*parts, safe_text(failure.hint)] if failure.hint else parts


def json_text(_: Json, raw: bytes) -> "list[Part]":
    """Any JSON, indented."""
    return [safe_text(indented(raw).decode("utf-8", "replace"))]


def _block(block: Json) -> Text:
    """One content block; what cannot be shown as text is described."""
    if not isinstance(block, dict):
        return compact(block)
    match block.get("type"):
        case "text" if isinstance(text := block.get("text"), str):
            return safe_text(text)
        case "image" | "audio" as kind:
            size = _size(block.get("data"))
            return Text(visible(f"[{kind}: {text_of(block.get('mimeType')) or '?'}, {size}]"))
        case "resource_link" if isinstance(uri := block.get("uri"), str):
            name = text_of(block.get("title")) or text_of(block.get("name")) or ""
            return safe_text(f"[link: {uri}  {name}]", keep_newlines=False)
        case "resource":
            return _resource(block.get("resource"))
        case _:
            return compact(block)


def _resource(resource: Json) -> Text:
    if isinstance(resource, dict):
        if isinstance(text := resource.get("text"), str):
            return safe_text(text)
        if "blob" in resource:
            mime = text_of(resource.get("mimeType")) or "?"
            return Text(visible(f"[binary: {mime}, {_size(resource['blob'])}]"))
    return compact(resource)


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


def compact(value: Json) -> Text:
    """Any JSON on one line."""
    return safe_text(json_safe(shown_json(value)).decode(), keep_newlines=False)


def text_of(value: Json) -> str | None:
    """A string, None for anything else."""
    return value if isinstance(value, str) else None
