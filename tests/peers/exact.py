"""JSON compared token for token: numbers by their text, members by order, repeats included.

Shares nothing with the inspector, so that it can be its judge.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Number:
    """A number as it is written: `1.10` is not `1.1`."""

    text: str


@dataclass(frozen=True, slots=True)
class Object:
    """Members in the order in which they are written."""

    members: tuple[tuple[str, object], ...]

    def __getitem__(self, key: str) -> object:
        found = [value for name, value in self.members if name == key]
        assert len(found) == 1, f"{key!r} is there {len(found)} times"
        return found[0]

    def get(self, key: str) -> object:
        return self[key] if self.has(key) else None

    def has(self, key: str) -> bool:
        return any(name == key for name, _ in self.members)


def exact(raw: bytes | str) -> object:
    """The value of a JSON text, spelling of numbers and repeated members kept."""
    value: object = json.loads(
        raw,
        parse_int=Number,
        parse_float=Number,
        parse_constant=Number,
        object_pairs_hook=lambda pairs: Object(tuple(pairs)),
    )
    return value


def exact_object(raw: bytes | str) -> Object:
    """The same for a text that is an object."""
    value = exact(raw)
    assert isinstance(value, Object), raw[:200]
    return value


def result_of(raw: bytes | str) -> Object:
    """The result inside one answer."""
    result = exact_object(raw)["result"]
    assert isinstance(result, Object), raw[:200]
    return result


def items_of(pages: Iterable[Object], key: str) -> list[object]:
    """The items of all pages of a list, in order."""
    found: list[object] = []
    for page in pages:
        items = page[key]
        assert isinstance(items, list)
        found.extend(items)
    return found
