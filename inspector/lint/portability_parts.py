"""The parts of an input schema, and what is remarked of one.

Decides which schemas inside of a schema are looked at, and how many: of one with many thousand
parts the first. What a host makes of a part is decided by the modules beside this one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from inspector.protocol.messages import JsonObject

PARTS: Final = 5000
DEPTH: Final = 64
UNIONS: Final = ("anyOf", "oneOf", "allOf")

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


def parts_of(root: JsonObject) -> Iterator[Part]:
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
