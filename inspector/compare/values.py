"""Two JSON values: whether they are the same, and where they differ.

Decides what counts as the same (the order of members does not matter, 1.0 is 1), what of a result
belongs to the era that carried it (`_meta`, `resultType`, caching hints, an `isError` that is
false), and which items of two lists are taken for each other. Pure.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

import msgspec

from inspector.protocol.json_pointer import escaped
from inspector.protocol.messages import Json, JsonObject

OF_THE_ERA: Final = frozenset({"_meta", "resultType", "ttlMs", "cacheScope"})
"""Members of a result that one revision has and another cannot have."""
MOST: Final = 50
"""Differences that are named; a list of ten thousand items may differ in each."""
ALIGNED: Final = 400
"""Lists up to this length are matched item by item, longer ones place by place."""
DEEPEST: Final = 100
"""What differs below this level is one difference there."""
_ABSENT: Final = object()
_EXACT: Final = 2.0**53


def is_error(result: Json) -> bool:
    """Whether a result says that the tool failed."""
    return isinstance(result, dict) and result.get("isError") is True


def without_era(result: Json) -> Json:
    """A result less what belongs to the era that carried it."""
    if not isinstance(result, dict):
        return result
    kept: JsonObject = {}
    for key, value in result.items():
        if key in OF_THE_ERA or (key == "isError" and value is False):
            continue
        kept[key] = value if key == "structuredContent" else _without_meta(value)
    return kept


def _without_meta(value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _without_meta(item) for key, item in value.items() if key != "_meta"}
    if isinstance(value, list):
        return [_without_meta(item) for item in value]
    return value


def canonical(value: Json) -> str:
    """One text for one value: members sorted, whole numbers without a point (they keep it where a
    value is nested as deep as hardly any is)."""
    try:
        return json.dumps(_plain(value), ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    except RecursionError:
        return msgspec.json.encode(value, order="sorted").decode()


def _plain(value: Json) -> Json:
    if isinstance(value, float) and value.is_integer() and abs(value) < _EXACT:
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value


@dataclass(frozen=True, slots=True)
class Difference:
    """A place where two values differ, as JSON pointer. `missing` names the side that has nothing
    there."""

    pointer: str
    left: Json
    right: Json
    missing: Literal["", "left", "right"] = ""


def differences(left: Json, right: Json, most: int = MOST) -> tuple[Difference, ...]:
    """Where `left` and `right` differ, in the order of their text; at most `most`.

    Items of lists of different length are matched first, so that one that was put in or taken out
    is one difference. A pointer leads into the side that has something there, else into `right`.
    """
    found: list[Difference] = []
    _differ("", left, right, found, most, 0)
    return tuple(found)


def _differ(
    at: str, left: Json, right: Json, found: list[Difference], most: int, depth: int
) -> None:
    if len(found) >= most:
        return
    inside = depth < DEEPEST
    if inside and isinstance(left, dict) and isinstance(right, dict):
        for key in dict.fromkeys((*left, *right)):
            here, there = left.get(key, _ABSENT), right.get(key, _ABSENT)
            _members(f"{at}/{escaped(key)}", here, there, found, most, depth)
    elif inside and isinstance(left, list) and isinstance(right, list):
        for one, two in _pairs(left, right):
            place = two if two is not None else one
            _members(
                f"{at}/{place}",
                _ABSENT if one is None else left[one],
                _ABSENT if two is None else right[two],
                found,
                most,
                depth,
            )
            if len(found) >= most:
                return
    elif canonical(left) != canonical(right):
        found.append(Difference(at, left, right))


def _pairs(left: Sequence[Json], right: Sequence[Json]) -> list[tuple[int | None, int | None]]:
    """Which items of two lists are compared, by place; None where there is no counterpart."""
    if len(left) == len(right) or max(len(left), len(right)) > ALIGNED:
        return [
            (place if place < len(left) else None, place if place < len(right) else None)
            for place in range(max(len(left), len(right)))
        ]
    matcher = SequenceMatcher(None, [*map(canonical, left)], [*map(canonical, right)], False)
    pairs: list[tuple[int | None, int | None]] = []
    for _, one, one_end, two, two_end in matcher.get_opcodes():
        for step in range(max(one_end - one, two_end - two)):
            here, there = one + step, two + step
            pairs.append((here if here < one_end else None, there if there < two_end else None))
    return pairs


def _members(
    at: str, left: object, right: object, found: list[Difference], most: int, depth: int
) -> None:
    if len(found) >= most:
        return
    if left is _ABSENT:
        found.append(Difference(at, None, right, "left"))  # type: ignore[arg-type]
    elif right is _ABSENT:
        found.append(Difference(at, left, None, "right"))  # type: ignore[arg-type]
    else:
        _differ(at, left, right, found, most, depth + 1)  # type: ignore[arg-type]
