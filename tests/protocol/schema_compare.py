"""Whether two JSON Schemas say the same, however they are written: references are followed, words
for people dropped, `allOf` of objects merged. It reads only what schemas of the protocol use and
fails on anything else, so that a new keyword cannot slip through."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from inspector.protocol.messages import Json, JsonObject

SILENT: Final = frozenset({"$schema", "$defs", "definitions", "title", "description", "default"})
LIMITS: Final = ("format", "minimum", "maximum", "minItems", "maxItems", "minLength", "maxLength")
EVERY_TYPE: Final = frozenset({"null", "boolean", "integer", "number", "string", "array", "object"})


@dataclass(frozen=True)
class Alternative:
    """One way to be valid. `types` None: any; `values` as JSON text, None: any."""

    types: frozenset[str] | None = None
    values: frozenset[str] | None = None
    limits: tuple[tuple[str, str], ...] = ()
    items: Json = True
    properties: JsonObject = field(default_factory=dict)
    required: frozenset[str] = frozenset()
    others: Json = True


def alternatives(schema: Json, definitions: JsonObject) -> list[Alternative]:
    """The ways in which a value may be valid."""
    if schema is True:
        return [Alternative()]
    assert isinstance(schema, dict), schema
    words = {key: value for key, value in schema.items() if key not in SILENT}
    if isinstance(reference := words.get("$ref"), str):
        assert len(words) == 1, schema
        return alternatives(definitions[reference.rpartition("/")[2]], definitions)
    for word in ("anyOf", "oneOf"):
        if isinstance(options := words.pop(word, None), list):
            assert words in ({}, {"type": "object"}), schema
            return _merged_types(
                each for option in options for each in alternatives(option, definitions)
            )
    if isinstance(parts := words.pop("allOf", None), list):
        assert not words, schema
        return [_together([one for part in parts for one in alternatives(part, definitions)])]
    return [_plain(words)]


def _plain(words: JsonObject) -> Alternative:
    kind = words.pop("type", None)
    types = frozenset(kind if isinstance(kind, list) else [kind]) if kind is not None else None
    types = None if types == EVERY_TYPE else _with_integers(types)
    values = words.pop("enum", [words.pop("const")] if "const" in words else None)
    limits = tuple((word, json.dumps(words.pop(word))) for word in LIMITS if word in words)
    items, others = words.pop("items", True), words.pop("additionalProperties", True)
    properties, required = words.pop("properties", {}), words.pop("required", [])
    assert not words, words
    assert isinstance(properties, dict)
    assert isinstance(required, list)
    if isinstance(values, list):
        return Alternative(values=frozenset(map(json.dumps, values)))
    return Alternative(
        frozenset(map(str, types)) if types is not None else None,
        None,
        limits,
        True if items == {} else items,
        properties,
        frozenset(map(str, required)),
        True if others == {} else others,
    )


def _with_integers(types: frozenset[Json] | None) -> frozenset[Json] | None:
    return types | {"integer"} if types is not None and "number" in types else types


def _merged_types(options: Iterator[Alternative]) -> list[Alternative]:
    """Options that only name types are one option."""
    types: frozenset[str] = frozenset()
    others: list[Alternative] = []
    for option in options:
        if option.types is not None and option == Alternative(option.types):
            types |= option.types
        elif option not in others:
            others.append(option)
    return [*others, *([Alternative(types)] if types else [])]


def _together(parts: list[Alternative]) -> Alternative:
    """Objects at once. A later member of the same name narrows an earlier one, as the schemas of
    errors write it; that it does is not proved here."""
    properties: JsonObject = {}
    required: frozenset[str] = frozenset()
    for part in parts:
        assert part.types == frozenset({"object"}), part
        assert part.others is True, part
        properties |= part.properties
        required |= part.required
    return Alternative(frozenset({"object"}), properties=properties, required=required)


class Comparison:
    """Compares schemas of two sets of definitions; a pair that is being compared counts as the
    same meanwhile, since types refer to each other in circles."""

    def __init__(self, one: JsonObject, other: JsonObject) -> None:
        self._one = one
        self._other = other
        self._assumed: set[tuple[str, str]] = set()

    def differences(self, one: Json, other: Json, where: str = "") -> list[str]:
        """What the two say differently, each with its place; empty where they say the same."""
        pair = (json.dumps(one, sort_keys=True), json.dumps(other, sort_keys=True))
        if pair in self._assumed:
            return []
        self._assumed.add(pair)
        left, right = alternatives(one, self._one), alternatives(other, self._other)
        if len(left) == 1 and len(right) == 1:
            found = self._between(left[0], right[0], where)
        else:
            found = [
                f"{where}: {side} alone has {option}"
                for side, options, against in (("one", left, right), ("other", right, left))
                for option in options
                if not any(self._same(option, each, options is left) for each in against)
            ]
        if found:
            self._assumed.discard(pair)
        return found

    def _same(self, option: Alternative, each: Alternative, in_order: bool) -> bool:
        pair = (option, each) if in_order else (each, option)
        return not self._between(*pair, "")

    def _between(self, one: Alternative, other: Alternative, where: str) -> list[str]:
        found = [
            f"{where}: {name} {left} / {right}"
            for name, left, right in (
                ("types", one.types, other.types),
                ("values", one.values, other.values),
                ("limits", one.limits, other.limits),
                ("required", one.required, other.required),
            )
            if left != right
        ]
        if found:
            return found
        found += self.differences(one.items, other.items, f"{where}/[]")
        found += self.differences(one.others, other.others, f"{where}/*")
        for name in sorted(one.properties.keys() | other.properties.keys()):
            found += self.differences(
                one.properties.get(name, True), other.properties.get(name, True), f"{where}/{name}"
            )
        return found
