"""A JSON Schema as a tree of lines: names, types, limits and descriptions.

For reading only, and forgiving: what it does not know it leaves to the raw JSON shown beside it.
Local references are followed, recursion is marked, size and depth are bounded.
"""

from collections.abc import Iterator
from typing import Final

from rich.text import Text

from inspector.protocol.header_params import MARK
from inspector.protocol.headers import PARAM_PREFIX
from inspector.protocol.json_pointer import steps_of
from inspector.protocol.messages import Json, JsonObject, encode_json
from inspector.render.safe import one_line

DEPTH: Final = 8
LINES: Final = 400
NAME_WIDTH: Final = 40
DESCRIPTION_WIDTH: Final = 100

_LIMITS: Final = (
    ("minimum", "≥ {}"),
    ("exclusiveMinimum", "> {}"),
    ("maximum", "≤ {}"),
    ("exclusiveMaximum", "< {}"),
    ("multipleOf", "multiple of {}"),
    ("minLength", "at least {} characters"),
    ("maxLength", "at most {} characters"),
    ("pattern", "/{}/"),
    ("format", "{}"),
    ("minItems", "at least {} items"),
    ("maxItems", "at most {} items"),
    ("default", "default {}"),
    ("const", "always {}"),
)
_CHOICES: Final = ("oneOf", "anyOf", "allOf")


def schema_lines(schema: Json) -> list[Text]:
    """The tree of a schema, at most 400 lines."""
    lines: list[Text] = []
    for line in _walk("", schema, schema, 0, (), required=False):
        if len(lines) >= LINES:
            lines.append(Text("… more: see the raw JSON", "mcp.dim", end=""))
            break
        lines.append(line)
    return lines


def _walk(
    name: str, schema: Json, root: Json, depth: int, seen: tuple[str, ...], *, required: bool
) -> Iterator[Text]:
    reference = ""
    while isinstance(schema, dict) and isinstance(target := schema.get("$ref"), str):
        if target in seen:
            yield _line(name, f"↻ {target.rpartition('/')[2]}", schema, depth, required)
            return
        seen, reference = (*seen, target), target.rpartition("/")[2]
        found = _follow(root, target)
        if found is None:
            yield _line(name, f"{target}, which is not there", schema, depth, required)
            return
        schema = found
    if not isinstance(schema, dict):
        words = {True: "anything", False: "nothing"}
        word = words[schema] if isinstance(schema, bool) else "no schema"
        yield _line(name, word, {}, depth, required)
        return
    yield _line(name, _type(schema, reference), schema, depth, required)
    if depth >= DEPTH:
        return
    yield from _members(schema, root, depth + 1, seen)


def _members(schema: JsonObject, root: Json, depth: int, seen: tuple[str, ...]) -> Iterator[Text]:
    needed = schema.get("required")
    needed = needed if isinstance(needed, list) else []
    properties = schema.get("properties")
    if isinstance(properties, dict):
        for name, inner in properties.items():
            yield from _walk(name, inner, root, depth, seen, required=name in needed)
    for member in needed:
        if isinstance(member, str) and not (isinstance(properties, dict) and member in properties):
            yield _line(member, "required, not described", {}, depth, True)
    if isinstance(extra := schema.get("additionalProperties"), dict):
        yield from _walk("(any name)", extra, root, depth, seen, required=False)
    for keyword in ("items", "prefixItems"):
        items = schema.get(keyword)
        for item in items if isinstance(items, list) else [items]:
            if isinstance(item, dict) and not _plain_type(item):
                yield from _walk("[ ]", item, root, depth, seen, required=False)
    for keyword in _CHOICES:
        options = schema.get(keyword)
        for place, option in enumerate(options if isinstance(options, list) else []):
            mark = "&" if keyword == "allOf" else f"{place + 1}:"
            yield from _walk(mark, option, root, depth, seen, required=False)


def _plain_type(schema: JsonObject) -> bool:
    return isinstance(schema.get("type"), str) and not ({"properties", "items"} & schema.keys())


def _follow(root: Json, target: str) -> Json:
    if not target.startswith("#"):
        return None
    here: Json = root
    for key in steps_of(target[1:]):
        if not isinstance(here, dict) or key not in here:
            return None
        here = here[key]
    return here


def _type(schema: JsonObject, reference: str) -> str:
    kind = schema.get("type")
    if isinstance(kind, list):
        word = " | ".join(str(one) for one in kind)
    elif isinstance(kind, str):
        word = kind
    else:
        named = [keyword for keyword in _CHOICES if keyword in schema]
        word = {"oneOf": "one of", "anyOf": "any of", "allOf": "all of"}[named[0]] if named else ""
    items = schema.get("items")
    if kind == "array" and isinstance(items, dict) and isinstance(items.get("type"), str):
        word = f"array of {items['type']}"
    if isinstance(choices := schema.get("enum"), list):
        shown = " | ".join(_value(one) for one in choices[:12])
        word = f"{word}: {shown}" if word else shown
        if len(choices) > 12:
            word += f" | … {len(choices)} in all"
    return f"{reference} {word}".strip() or "anything"


def _value(value: Json) -> str:
    try:
        return encode_json(value).decode()[:80]
    except ValueError:
        return "?"


def _line(name: str, kind: str, schema: JsonObject, depth: int, required: bool) -> Text:
    line = Text("  " * depth, no_wrap=True, end="")
    if name:
        line.append(one_line(name, NAME_WIDTH), "mcp.key")
        line.append("* " if required else "  ", "mcp.warn")
    line.append(one_line(kind, DESCRIPTION_WIDTH), "mcp.literal")
    for keyword, words in _LIMITS:
        if keyword in schema:
            value = schema[keyword]
            shown = value if isinstance(value, str) and keyword != "const" else _value(value)
            line.append(f"  {one_line(words.format(shown), NAME_WIDTH)}", "mcp.number")
    if isinstance(mark := schema.get(MARK), str):
        line.append(f"  also the header {PARAM_PREFIX}{one_line(mark, NAME_WIDTH)}", "mcp.accent")
    if schema.get("deprecated") is True:
        line.append("  deprecated", "mcp.warn")
    described = schema.get("description") or schema.get("title")
    if isinstance(described, str):
        first = described.strip().partition("\n")[0]
        line.append(f"  {one_line(first, DESCRIPTION_WIDTH)}", "mcp.dim")
    return line
