"""Two JSON Schemas of the same thing: where they differ, and whom that breaks.

A schema of input may come to allow more, a schema of output less; anything else can break whoever
was written for the one before. Decides which keywords allow more or less. What is not known to be
harmless is said to be able to break. Pure.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from inspector.compare.values import canonical, differences
from inspector.protocol.json_pointer import escaped
from inspector.protocol.messages import Json, JsonObject

Effect = Literal["breaks", "may break", "compatible"]
Side = Literal["input", "output"]

DEEPEST: Final = 40
WORDS: Final = frozenset(
    {"title", "description", "examples", "default", "$comment", "deprecated", "$schema", "$id"}
)
"""Keywords that constrain nothing."""
LOWER: Final = frozenset({"minimum", "exclusiveMinimum", "minLength", "minItems", "minProperties"})
UPPER: Final = frozenset({"maximum", "exclusiveMaximum", "maxLength", "maxItems", "maxProperties"})
NARROWING: Final = frozenset({"pattern", "format", "multipleOf", "uniqueItems", "const", "not"})
"""Keywords of which each allows less than none does."""
MAPS: Final = frozenset({"$defs", "definitions", "patternProperties"})
ONE_SCHEMA: Final = frozenset(
    {"items", "contains", "additionalProperties", "propertyNames", "if", "then", "else"}
)
_ABSENT: Final = object()


@dataclass(frozen=True, slots=True)
class Change:
    """One difference: a JSON pointer, what stood there before and stands there now (`missing`
    names the side, "left" or "right", that has nothing), and its effect on who relied on it."""

    pointer: str
    left: Json
    right: Json
    missing: Literal["", "left", "right"]
    effect: Effect


def schema_changes(left: Json, right: Json, side: Side, at: str = "") -> tuple[Change, ...]:
    """The differences of two schemas, in the order of their text."""
    return tuple(_schema(left, right, side, at, 0))


def _schema(left: Json, right: Json, side: Side, at: str, depth: int) -> Iterator[Change]:
    if not isinstance(left, dict) or not isinstance(right, dict) or depth > DEEPEST:
        if canonical(left) != canonical(right):
            yield Change(at, left, right, "", _boolean(left, right, side))
        return
    for key in dict.fromkeys((*left, *right)):
        here = f"{at}/{escaped(key)}"
        one, two = left.get(key, _ABSENT), right.get(key, _ABSENT)
        if key == "properties":
            yield from _properties(left, right, side, here, depth)
        elif key == "required":
            yield from _required(left, right, side, here)
        elif key in MAPS and isinstance(one, dict) and isinstance(two, dict):
            for name in dict.fromkeys((*one, *two)):
                if name in one and name in two:
                    place = f"{here}/{escaped(name)}"
                    yield from _schema(one[name], two[name], side, place, depth + 1)
        elif key in ONE_SCHEMA and isinstance(one, dict) and isinstance(two, dict):
            yield from _schema(one, two, side, here, depth + 1)
        else:
            yield from _keyword(key, one, two, side, here)


def _properties(
    left: JsonObject, right: JsonObject, side: Side, at: str, depth: int
) -> Iterator[Change]:
    before, after = _object(left.get("properties")), _object(right.get("properties"))
    needed = frozenset(_names(left.get("required")))
    for name in dict.fromkeys((*before, *after)):
        here = f"{at}/{escaped(name)}"
        if name not in after:
            closed = right.get("additionalProperties") is False
            relied = side == "output" and name in needed
            effect: Effect = "breaks" if relied or (closed and side == "input") else "may break"
            yield Change(here, before[name], None, "right", effect)
        elif name not in before:
            yield Change(here, None, after[name], "left", "compatible")
        else:
            yield from _schema(before[name], after[name], side, here, depth + 1)


def _required(left: JsonObject, right: JsonObject, side: Side, at: str) -> Iterator[Change]:
    """As a set: its order says nothing."""
    before = dict.fromkeys(_names(left.get("required")))
    after = dict.fromkeys(_names(right.get("required")))
    for name in (*before, *after):
        if name in before and name in after:
            continue
        gone = name in before
        harmless = gone if side == "input" else not gone
        effect: Effect = "compatible" if harmless else "breaks"
        if gone:
            yield Change(at, name, None, "right", effect)
        else:
            yield Change(at, None, name, "left", effect)


def _keyword(key: str, left: object, right: object, side: Side, at: str) -> Iterator[Change]:
    if left is _ABSENT:
        value: Json = right  # type: ignore[assignment]
        yield Change(at, None, value, "left", _effect(key, _ABSENT, value, side))
    elif right is _ABSENT:
        value = left  # type: ignore[assignment]
        yield Change(at, value, None, "right", _effect(key, value, _ABSENT, side))
    else:
        one: Json = left  # type: ignore[assignment]
        two: Json = right  # type: ignore[assignment]
        if canonical(one) != canonical(two):
            yield Change(at, one, two, "", _effect(key, one, two, side))


def _effect(key: str, left: object, right: object, side: Side) -> Effect:
    if key in WORDS:
        return "compatible"
    wider = _widens(key, left, right) if side == "input" else _widens(key, right, left)
    return "may break" if wider is None else "compatible" if wider else "breaks"


def _widens(key: str, left: object, right: object) -> bool | None:
    """Whether all that `left` allows `right` allows too; None where that cannot be told."""
    if key in ("type", "enum"):
        before, after = _options(left), _options(right)
        if after is None:
            return True
        if before is None:
            return False
        if key == "type" and "number" in after:
            after = after | {"integer"}
        return before <= after
    if key in LOWER | UPPER:
        if right is _ABSENT:
            return True
        if left is _ABSENT:
            return False
        if isinstance(left, int | float) and isinstance(right, int | float):
            return right <= left if key in LOWER else right >= left
        return None
    if key in NARROWING:
        return True if right is _ABSENT else False if left is _ABSENT else None
    if key == "additionalProperties":
        if right is _ABSENT or right is True:
            return True
        return False if right is False else None
    return None


def _options(value: object) -> frozenset[str | tuple[str]] | None:
    """The values of `type` or `enum`, texts as they are; None where anything goes."""
    if value is _ABSENT:
        return None
    items: list[Json] = value if isinstance(value, list) else [value]  # type: ignore[list-item]
    return frozenset(item if isinstance(item, str) else (_spelt(item),) for item in items)


def _spelt(value: Json) -> str:
    return str(value) if type(value) is int else canonical(value)


def _boolean(left: Json, right: Json, side: Side) -> Effect:
    """The schemas `true` and `false` allow all and nothing."""
    narrow, wide = (left, right) if side == "input" else (right, left)
    if wide is True or narrow is False:
        return "compatible"
    return "breaks" if wide is False else "may break"


def member_changes(left: JsonObject, right: JsonObject, at: str = "") -> tuple[Change, ...]:
    """Differences that concern no schema: what is new is harmless, words are, the rest may break
    something."""
    found = []
    for one in differences(left, right):
        effect = _of_member(one.pointer, one.missing)
        found.append(Change(at + one.pointer, one.left, one.right, one.missing, effect))
    return tuple(found)


def _of_member(pointer: str, missing: str) -> Effect:
    words = {"title", "description", "icons", "_meta", "annotations", "size"}
    return "compatible" if missing == "left" or words & {*pointer.split("/")} else "may break"


def _names(value: Json) -> tuple[str, ...]:
    return tuple(one for one in value if isinstance(one, str)) if isinstance(value, list) else ()


def _object(value: Json) -> JsonObject:
    return value if isinstance(value, dict) else {}
