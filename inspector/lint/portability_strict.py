"""OpenAI's strict mode, in which a model must keep to a tool's schema: what keeps a tool out of it.

One remark for each tool with everything that is in the way. Limits are those of OpenAI's guide to
structured outputs. What else hosts make of schemas is `inspector.lint.portability_schema`.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.lint.portability_parts import UNIONS, Part, Remark, Steps
from inspector.lint.rule import Rule, rule
from inspector.protocol.messages import Json, JsonObject

STRICT_DEPTH: Final = 10
STRICT_PROPERTIES: Final = 5000
STRICT_ENUM: Final = 1000
UNKNOWN: Final = ("allOf", "not", "dependentRequired", "dependentSchemas", "if")

RULES: Final[tuple[Rule, ...]] = (
    rule(
        "host/strict",
        "A tool cannot be used in OpenAI's strict mode",
        "https://platform.openai.com/docs/guides/structured-outputs",
        info="ABCDE",
    ),
)


def strict(root: JsonObject, parts: Sequence[Part]) -> Iterator[Remark]:
    """One remark with everything that is in the way of it, at the first place."""
    why: list[tuple[Steps, str]] = []
    open_ones = [each for each in parts if _is_object(each) and not _is_closed(each.schema)]
    optional = [(each, name) for each in parts for name in _optional(each.schema)]
    if open_ones:
        why.append((open_ones[0].steps, "an object lacks additionalProperties: false"))
    if optional:
        names = ", ".join(dict.fromkeys(name for _, name in optional[:4]))
        why.append((optional[0][0].steps, f"not required: {names}"))
    for keyword in UNKNOWN:
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
