"""Random values made from a JSON Schema and random ways to spoil them, once or twice: near misses
that a person would not think of. Deterministic for one seed."""

import random
from typing import Final

from inspector.protocol.messages import Json, JsonObject

STRINGS: Final = (
    *("", "text", "image", "audio", "resource", "resource_link", "tool_use", "tool_result", "é"),
    *("2.0", "1.0", "object", "string", "accept", "user", "http://x/y", "no uri %", "\0", "0"),
    *("private", "public", "complete", "input_required", "task", "debug", "form", "url", "null"),
    *("ref/prompt", "ref/resource", "roots/list", "ping", "true", "2025-06-18"),
)
NUMBERS: Final = (
    *(0, 1, -1, 2, 0.0, 1.0, -0.0, 1.5, -0.5, 0.1, 1.0000001, -1e-9, 100, 101, -32042, -32042.0),
    *(2**31, 2**53 + 1, 2**63, -(2**63), 2**70, 1e15, 1e19, 1e22, 1e300, 1e-300, -32600, 10**30),
)
NAMES: Final = ("", "x", "type", "_meta", "name", "text", "a/b", "~", "$ref", "icons", "task")
KEYWORDS_DEPTH: Final = 6


class Values:
    """Makes values for the types in `definitions`; `chance` decides everything."""

    def __init__(self, definitions: JsonObject, chance: random.Random) -> None:
        self._definitions = definitions
        self._chance = chance
        self._members = sorted(
            {
                name
                for schema in definitions.values()
                if isinstance(schema, dict) and isinstance(schema.get("properties"), dict)
                for name in _object(schema["properties"])
            }
        )

    def anything(self, depth: int = 0) -> Json:
        """Any value at all."""
        chance = self._chance
        if depth > 2 or chance.random() < 0.6:
            plain: list[Json] = [None, True, False, chance.choice(NUMBERS), chance.choice(STRINGS)]
            return chance.choice([*plain, [], {}])
        count = chance.randint(0, 3)
        if chance.random() < 0.5:
            return [self.anything(depth + 1) for _ in range(count)]
        return {chance.choice(NAMES): self.anything(depth + 1) for _ in range(count)}

    def near(self) -> Json:
        """A value of some type, mostly not the one that is wanted."""
        return self.value(self._chance.choice(list(self._definitions.values())), 4)

    def value(self, schema: Json, depth: int = 0) -> Json:
        """One value that `schema` should accept."""
        chance = self._chance
        if not isinstance(schema, dict):
            return self.anything()
        if isinstance(reference := schema.get("$ref"), str):
            return self.value(self._definitions[reference.rpartition("/")[2]], depth)
        for word in ("anyOf", "oneOf"):
            if isinstance(options := schema.get(word), list):
                return self.value(chance.choice(options), depth)
        if isinstance(parts := schema.get("allOf"), list):
            merged: JsonObject = {}
            for part in parts:
                merged |= _object(self.value(part, depth))
            return merged
        if "const" in schema:
            return schema["const"]
        if isinstance(values := schema.get("enum"), list):
            return chance.choice(values)
        kind = schema.get("type")
        kind = chance.choice(kind) if isinstance(kind, list) else kind
        if kind == "object":
            return self._object(schema, depth)
        if kind == "array":
            return self._array(schema, depth)
        if kind in ("integer", "number"):
            return self._number(schema, whole=kind == "integer")
        simple: dict[Json, Json] = {
            "string": chance.choice(STRINGS),
            "boolean": chance.random() < 0.5,
            "null": None,
        }
        return simple[kind] if kind in simple else self.anything(depth)

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        chance, made = self._chance, JsonObject()
        required, properties = schema.get("required"), _object(schema.get("properties", {}))
        share = chance.choice([0.0, 0.2, 0.5, 1.0]) if depth < KEYWORDS_DEPTH else 0.0
        for name, inner in properties.items():
            if (isinstance(required, list) and name in required) or chance.random() < share:
                made[name] = self.value(inner, depth + 1)
        extra = schema.get("additionalProperties")
        if depth < KEYWORDS_DEPTH and chance.random() < (0.6 if extra else 0.15):
            name = chance.choice(NAMES)
            if name not in properties:
                made[name] = self.value(extra, depth + 1) if extra else self.anything()
        return made

    def _array(self, schema: JsonObject, depth: int) -> Json:
        count = self._chance.choice([0, 1, 1, 2, 3]) if depth < KEYWORDS_DEPTH else 0
        most = schema.get("maxItems")
        if isinstance(most, int) and self._chance.random() < 0.3:
            count = self._chance.choice([most - 1, most, most + 1])
        return [self.value(schema.get("items", {}), depth + 1) for _ in range(count)]

    def _number(self, schema: JsonObject, *, whole: bool) -> Json:
        low, high = schema.get("minimum"), schema.get("maximum")
        fitting = [
            number
            for number in NUMBERS
            if (isinstance(number, int) or not whole)
            and (not isinstance(low, int) or number >= low)
            and (not isinstance(high, int) or number <= high)
        ]
        return self._chance.choice(fitting)

    # -- spoiling --

    def spoiled(self, value: Json) -> Json:
        """A copy of `value` with one thing changed somewhere inside it."""
        places = list(_places(value))
        place = self._chance.choice(places)
        return _put(value, place, self._changed(_at(value, place)))

    def _changed(self, value: Json) -> Json:
        chance = self._chance
        general: list[Json] = [None, self.anything(), self.near(), self.near()]
        match value:
            case bool():
                return chance.choice([*general, int(value), float(value), str(value).lower()])
            case int() | float():
                others: list[Json] = [-value, value + 0.5, value + 1, str(value), bool(value)]
                whole = float(value) if abs(value) < 1e300 else 0.0
                return chance.choice([*general, *others, whole, chance.choice(NUMBERS)])
            case str():
                texts: list[Json] = [value + " ", value.upper(), value[:-1], chance.choice(STRINGS)]
                return chance.choice([*general, *texts, *texts, 5])
            case list():
                longer: list[Json] = [[*value, self.anything()], [self.near(), *value], [], [value]]
                return chance.choice([*general, *longer, value * 101 if len(value) < 3 else value])
            case dict():
                return self._changed_members(value, general)
            case _:
                return chance.choice(general)

    def _changed_members(self, value: JsonObject, general: list[Json]) -> Json:
        chance = self._chance
        meta: JsonObject = {
            "progressToken": self.anything(),
            "io.modelcontextprotocol/subscriptionId": self.anything(),
            "io.modelcontextprotocol/serverInfo": self.near(),
        }
        named = chance.choice(list(meta))
        added = chance.choice([self.anything(), self.near()])
        options: list[Json] = [
            {**value, chance.choice(self._members): added},
            {**value, "_meta": chance.choice([self.anything(), {named: meta[named]}])},
            {},
            [value],
        ]
        if value:
            name = chance.choice(list(value))
            rest: JsonObject = {key: member for key, member in value.items() if key != name}
            other = chance.choice([name.upper(), name + "x", "_" + name])
            options += [rest, rest, rest, {**rest, other: value[name]}]
        return chance.choice([*general[:2], *options])


def _object(value: Json) -> JsonObject:
    assert isinstance(value, dict)
    return value


Place = tuple[str | int, ...]


def _places(value: Json, here: Place = ()) -> list[Place]:
    found = [here]
    if isinstance(value, dict):
        for name, member in value.items():
            found += _places(member, (*here, name))
    elif isinstance(value, list):
        for position, item in enumerate(value[:4]):
            found += _places(item, (*here, position))
    return found


def _at(value: Json, place: Place) -> Json:
    for step in place:
        match value:
            case dict():
                value = value[str(step)]
            case list():
                value = value[int(step)]
    return value


def _put(value: Json, place: Place, new: Json) -> Json:
    if not place:
        return new
    step, rest = place[0], place[1:]
    if isinstance(value, dict) and isinstance(step, str):
        return {**value, step: _put(value[step], rest, new)}
    if isinstance(value, list) and isinstance(step, int):
        return [*value[:step], _put(value[step], rest, new), *value[step + 1 :]]
    return value
