"""Input schemas that some model APIs are known to refuse: keywords, references, types, names.

Each limit is one that somebody met with an MCP server; the page of its rule says where. One remark
for each tool, limit and repair, at the first place of several. Pure.
"""

import json
import re
from collections.abc import Callable, Iterator
from typing import Final

from inspector.lint.portability_parts import UNIONS, Part, Remark, parts_of
from inspector.lint.portability_strict import RULES as STRICT_RULES
from inspector.lint.portability_strict import strict
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.protocol.messages import Json, JsonObject

PROPERTY: Final = re.compile(r"[a-zA-Z0-9_.-]{1,64}")
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
    *STRICT_RULES,
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


def remarks(schema: JsonObject) -> Iterator[Remark]:
    """What hosts are known to make of an input schema."""
    yield from _root(schema)
    parts = list(parts_of(schema))
    for look in _LOOKS:
        places = [(part, found) for part in parts if (found := look(part)) is not None]
        kinds: dict[str, list[tuple[Part, Remark]]] = {}
        for part, found in places:
            kinds.setdefault(found.repair, []).append((part, found))
        for same in kinds.values():
            first = same[0][1]
            more = f" ({len(same) - 1} more such places.)" if len(same) > 1 else ""
            yield Remark(first.rule, first.steps, first.reason + more, first.repair)
    yield from strict(schema, parts)


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
