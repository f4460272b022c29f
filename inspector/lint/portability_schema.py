"""Input schemas that some model APIs are known to refuse: keywords, references, types, names.

Each limit is one that somebody met with an MCP server; the page of its rule says where. One remark
for each tool and limit, at the first place of several. Pure and bounded: of a schema of many
thousand parts the first are looked at.
"""

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.protocol.messages import Json, JsonObject

PARTS: Final = 5000
DEPTH: Final = 64
STRICT_DEPTH: Final = 10
STRICT_PROPERTIES: Final = 5000
STRICT_ENUM: Final = 1000
PROPERTY: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
UNIONS: Final = ("anyOf", "oneOf", "allOf")
ALL: Final = "ABCDE"
GEMINI_FORMATS: Final = frozenset({"enum", "date-time"})

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "host/root-union",
        "An input schema is a union at its root",
        "https://github.com/anthropics/claude-code/issues/45106",
        info=ALL,
    ),
    rule(
        "host/property-name",
        "An argument has a name that the Claude API refuses",
        "https://github.com/ComposioHQ/composio/issues/2330",
        info=ALL,
    ),
    rule(
        "host/array-without-items",
        "An array does not say what its items are",
        "https://github.com/microsoft/vscode/issues/248810",
        info=ALL,
    ),
    rule(
        "host/reference",
        "A schema refers to a part of itself",
        "https://github.com/google-gemini/gemini-cli/issues/13326",
        info=ALL,
    ),
    rule(
        "host/type-list",
        "A schema has a list of types",
        "https://github.com/nanbingxyz/5ire/issues/218",
        info=ALL,
    ),
    rule(
        "host/type-missing",
        "A schema has no type",
        "https://github.com/google-gemini/gemini-cli/issues/4400",
        info=ALL,
    ),
    rule(
        "host/enum-values",
        "An enum has values that are no strings",
        "https://github.com/makenotion/notion-mcp-server/issues/42",
        info=ALL,
    ),
    rule(
        "host/enum-empty",
        "An enum has an empty string",
        "https://github.com/sbroenne/mcp-server-excel/issues/607",
        info=ALL,
    ),
    rule(
        "host/string-format",
        "A string has a format that Gemini does not know",
        "https://github.com/gunpal5/Google_GenerativeAI/issues/61",
        info=ALL,
    ),
    rule(
        "host/keyword",
        "A schema has a keyword that Gemini does not know",
        "https://ai.google.dev/api/caching#Schema",
        info=ALL,
    ),
    rule(
        "host/strict",
        "A tool cannot be used in OpenAI's strict mode",
        "https://platform.openai.com/docs/guides/structured-outputs",
        info=ALL,
    ),
)

REPAIRS: Final = {
    "oneOf": "write it as anyOf",
    "allOf": "write the parts as one schema",
    "not": "say it in the description, and check it in the tool",
    "const": "write it as an enum of one string",
    "if": "say it in the description, and check it in the tool",
    "patternProperties": "take a list of objects with a name and a value",
    "prefixItems": "take an object with a property for each position",
    "dependentRequired": "say it in the description, and check it in the tool",
    "dependentSchemas": "say it in the description, and check it in the tool",
    "exclusiveMinimum": "write it as minimum",
    "exclusiveMaximum": "write it as maximum",
    "multipleOf": "say it in the description, and check it in the tool",
    "uniqueItems": "say it in the description, and check it in the tool",
    "contains": "say it in the description, and check it in the tool",
    "propertyNames": "say it in the description, and check it in the tool",
}
"""Keywords that carry meaning and that Gemini's `Schema` does not have; what to write instead."""
_STRICT_UNKNOWN: Final = ("allOf", "not", "dependentRequired", "dependentSchemas", "if")

Steps = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Remark:
    """What a host makes of the place `steps`: the reason with the hosts' names, and the repair."""

    rule: str
    steps: Steps
    reason: str
    repair: str


@dataclass(frozen=True, slots=True)
class Part:
    """One schema inside of another. `depth` counts the objects and arrays around it."""

    steps: Steps
    schema: JsonObject
    depth: int


def remarks(schema: JsonObject) -> Iterator[Remark]:
    """What hosts are known to make of an input schema."""
    yield from _root(schema)
    parts = list(_parts(schema))
    for look in _LOOKS:
        places = [(part, found) for part in parts if (found := look(part)) is not None]
        kinds: dict[str, list[tuple[Part, Remark]]] = {}
        for part, found in places:
            kinds.setdefault(found.repair, []).append((part, found))
        for same in kinds.values():
            first = same[0][1]
            more = f" ({len(same) - 1} more such places.)" if len(same) > 1 else ""
            yield Remark(first.rule, first.steps, first.reason + more, first.repair)
    yield from _strict(schema, parts)


def _parts(root: JsonObject) -> Iterator[Part]:
    """The schemas inside, outermost first; what is referred to stands where it is defined."""
    waiting: list[Part] = [Part((), root, 0)]
    seen = 0
    while waiting and seen < PARTS:
        part = waiting.pop(0)
        seen += 1
        yield part
        if len(part.steps) < DEPTH * 2:
            waiting += _inside(part)


def _inside(part: Part) -> Iterator[Part]:
    schema = part.schema
    for key in ("properties", "patternProperties", "$defs", "definitions"):
        held = schema.get(key)
        if isinstance(held, dict):
            for name, value in held.items():
                if isinstance(value, dict):
                    yield Part((*part.steps, key, name), value, part.depth + 1)
    for key in ("items", "additionalProperties", "not", "contains"):
        value = schema.get(key)
        if isinstance(value, dict):
            yield Part((*part.steps, key), value, part.depth + 1)
    for key in (*UNIONS, "prefixItems", "items"):
        several = schema.get(key)
        if isinstance(several, list):
            for index, value in enumerate(several):
                if isinstance(value, dict):
                    yield Part((*part.steps, key, index), value, part.depth)


# -- the root --


def _root(schema: JsonObject) -> Iterator[Remark]:
    for key in UNIONS:
        if key in schema:
            yield Remark(
                "host/root-union",
                (key,),
                f"{key} stands at the root of the input schema; the Claude API refuses all tools of"
                " a session for it.",
                "list the arguments in properties, say in the description which go together, and"
                " check that in the tool",
            )
    properties = schema.get("properties")
    for name in properties if isinstance(properties, dict) else ():
        if not PROPERTY.fullmatch(name):
            yield Remark(
                "host/property-name",
                ("properties", name),
                f"The argument {quoted(name)} has a name that the Claude API refuses: it wants 1 to"
                " 64 characters of A-Z, a-z, 0-9, _, . and -.",
                f"call it {quoted(re.sub(r'[^a-zA-Z0-9_.-]+', '_', name)[:64])}",
            )


# -- every part --


def _array(part: Part) -> Remark | None:
    if part.schema.get("type") != "array" or "items" in part.schema:
        return None
    return Remark(
        "host/array-without-items",
        part.steps,
        "The array has no items; VS Code and the OpenAI API refuse the tool.",
        'add "items" with what its items are, or {} for anything',
    )


def _reference(part: Part) -> Remark | None:
    reference = part.schema.get("$ref")
    if not isinstance(reference, str):
        return None
    into = reference.startswith("#") and _leads_back(part, reference)
    repair = (
        "it contains itself: write it out to a fixed depth"
        if into
        else "write the schema out in its place"
    )
    return Remark(
        "host/reference",
        (*part.steps, "$ref"),
        f"The schema refers to {quoted(reference)}; hosts that hand it on to Gemini as it is are"
        " refused.",
        repair,
    )


def _leads_back(part: Part, reference: str) -> bool:
    """Whether the reference leads to a schema that it stands in."""
    here = "#" + pointer(*part.steps)
    return here == reference or here.startswith(reference.rstrip("/") + "/")


def _types(part: Part) -> Remark | None:
    types = part.schema.get("type")
    if not isinstance(types, list):
        return None
    repair = "write it as anyOf with one type each"
    if "null" in types and len(types) == 2:
        repair = "keep the one type, and leave the argument out of required"
    return Remark(
        "host/type-list",
        (*part.steps, "type"),
        f"type is a list ({', '.join(map(str, types))}); Gemini refuses that.",
        repair,
    )


def _untyped(part: Part) -> Remark | None:
    known = ("type", "$ref", *UNIONS)
    if not part.steps or part.steps[-1] == "not" or any(key in part.schema for key in known):
        return None
    if "definitions" in part.steps or "$defs" in part.steps:
        return None
    return Remark(
        "host/type-missing",
        part.steps,
        "The schema has no type; Gemini (Vertex AI) refuses the tool.",
        "add the type",
    )


def _enum(part: Part) -> Remark | None:
    values = part.schema.get("enum")
    if not isinstance(values, list):
        return None
    other = next((value for value in values if not isinstance(value, str)), None)
    if other is None and None not in values:
        return None
    return Remark(
        "host/enum-values",
        (*part.steps, "enum"),
        f"The enum has the value {_spelled(other)}, which is no string; Gemini refuses that.",
        "write the values as strings, and read them in the tool",
    )


def _spelled(value: Json) -> str:
    try:
        return json.dumps(value)[:40]
    except (ValueError, RecursionError):
        return "…"


def _empty(part: Part) -> Remark | None:
    values = part.schema.get("enum")
    if not isinstance(values, list) or "" not in values:
        return None
    return Remark(
        "host/enum-empty",
        (*part.steps, "enum", values.index("")),
        "The enum has an empty string; Gemini refuses that.",
        "leave it out, and the argument out of required",
    )


def _format(part: Part) -> Remark | None:
    named = part.schema.get("format")
    if part.schema.get("type") != "string" or not isinstance(named, str):
        return None
    if named in GEMINI_FORMATS:
        return None
    return Remark(
        "host/string-format",
        (*part.steps, "format"),
        f"The string has the format {quoted(named)}; the Gemini API knows enum and date-time only.",
        "say it in the description, and check it in the tool",
    )


def _keyword(keyword: str) -> Callable[[Part], Remark | None]:
    def look(part: Part) -> Remark | None:
        if keyword not in part.schema or (not part.steps and keyword in UNIONS):
            return None
        return Remark(
            "host/keyword",
            (*part.steps, keyword),
            f"The Gemini API has no {keyword}; hosts drop it, or are refused.",
            REPAIRS[keyword],
        )

    return look


_LOOKS: Final[tuple[Callable[[Part], Remark | None], ...]] = (
    _array,
    _reference,
    _types,
    _untyped,
    _enum,
    _empty,
    _format,
    *(_keyword(name) for name in REPAIRS),
)


# -- OpenAI's strict mode --


def _strict(root: JsonObject, parts: list[Part]) -> Iterator[Remark]:
    """One remark with everything that is in the way of it, at the first place."""
    why: list[tuple[Steps, str]] = []
    open_ones = [each for each in parts if _is_object(each) and not _is_closed(each.schema)]
    optional = [(each, name) for each in parts for name in _optional(each.schema)]
    if open_ones:
        why.append((open_ones[0].steps, "an object lacks additionalProperties: false"))
    if optional:
        names = ", ".join(dict.fromkeys(name for _, name in optional[:4]))
        why.append((optional[0][0].steps, f"not required: {names}"))
    for keyword in _STRICT_UNKNOWN:
        held = next((each for each in parts if keyword in each.schema), None)
        if held is not None:
            why.append(((*held.steps, keyword), f"it has no {keyword}"))
    if any(key in root for key in UNIONS):
        why.append(((), "its root must be no union"))
    if max(each.depth for each in parts) > STRICT_DEPTH:
        why.append(((), f"it is nested more than {STRICT_DEPTH} deep"))
    if sum(len(_properties(each.schema)) for each in parts) > STRICT_PROPERTIES:
        why.append(((), f"it has more than {STRICT_PROPERTIES} properties"))
    if sum(len(_values(each.schema)) for each in parts) > STRICT_ENUM:
        why.append(((), f"its enums have more than {STRICT_ENUM} values"))
    if why:
        yield Remark(
            "host/strict",
            why[0][0],
            f"OpenAI's strict mode refuses it ({'; '.join(words for _, words in why)}); a host can"
            " use the tool with strict off only.",
            "where you want it strict, require every argument, allow null for those that may be"
            " left out, and close each object",
        )


def _is_object(part: Part) -> bool:
    return part.schema.get("type") == "object" or "properties" in part.schema


def _is_closed(schema: JsonObject) -> bool:
    return schema.get("additionalProperties") is False


def _properties(schema: JsonObject) -> JsonObject:
    held = schema.get("properties")
    return held if isinstance(held, dict) else {}


def _values(schema: JsonObject) -> list[Json]:
    held = schema.get("enum")
    return held if isinstance(held, list) else []


def _optional(schema: JsonObject) -> list[str]:
    required = schema.get("required")
    listed = required if isinstance(required, list) else []
    named = {name for name in listed if isinstance(name, str)}
    return [name for name in _properties(schema) if name not in named]
