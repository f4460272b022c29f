"""Values made from a JSON Schema, and ways to spoil them: the corpus on which two schemas of one
type must agree. It reads only the keywords that schemas of the protocol use."""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from inspector.protocol.messages import Json, JsonObject

DEEPEST = 7
SPOILS_DEPTH = 3
WRONG: tuple[Json, ...] = (None, "wrong", 7, 1.5, -1, True, [], {}, [None], {"x": 1})


@dataclass(frozen=True)
class Sampler:
    """Makes values of the types in `definitions`. `pick` chooses among alternatives, so that a
    few picks reach each of them; `full` says whether optional members are there."""

    definitions: JsonObject
    pick: int
    full: bool

    def value(self, schema: Json, depth: int = 0) -> Json:
        """One value that the schema should accept."""
        if not isinstance(schema, dict):
            return "anything"
        if isinstance(schema.get("$ref"), str):
            name = str(schema["$ref"]).rpartition("/")[2]
            return self.value(self.definitions[name], depth)
        for word in ("anyOf", "oneOf"):
            options = schema.get(word)
            if isinstance(options, list):
                return self.value(self._choose(options, depth), depth)
        parts = schema.get("allOf")
        if isinstance(parts, list):
            merged: JsonObject = {}
            for part in parts:
                made = self.value(part, depth)
                assert isinstance(made, dict)
                merged |= made
            return merged
        if "const" in schema:
            return schema["const"]
        if isinstance(schema.get("enum"), list):
            values = schema["enum"]
            assert isinstance(values, list)
            return values[self.pick % len(values)]
        return self._of_type(schema, depth)

    def _choose(self, options: list[Json], depth: int) -> Json:
        # Deep down the last option is taken: in recursive types that is the plain one.
        return options[-1] if depth > DEEPEST else options[self.pick % len(options)]

    def _of_type(self, schema: JsonObject, depth: int) -> Json:
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = kind[self.pick % len(kind)]
        match kind:
            case "object":
                return self._object(schema, depth)
            case "array":
                count = 2 if self.full and depth < DEEPEST else 0
                return [self.value(schema.get("items", {}), depth + 1) for _ in range(count)]
            case "string":
                return "some text"
            case "integer":
                return 1
            case "number":
                return 0.5
            case "boolean":
                return True
            case "null":
                return None
            case _:
                return {"anything": [1]}

    def _object(self, schema: JsonObject, depth: int) -> JsonObject:
        properties, required = schema.get("properties"), schema.get("required")
        wanted = required if isinstance(required, list) else []
        made: JsonObject = {}
        for name, inner in (properties if isinstance(properties, dict) else {}).items():
            if name in wanted or (self.full and depth < DEEPEST):
                made[name] = self.value(inner, depth + 1)
        extra = schema.get("additionalProperties")
        if isinstance(extra, dict) and self.full and not properties and depth < DEEPEST:
            made["key"] = self.value(extra, depth + 1)
        return made


def samples(schema: Json, definitions: JsonObject, picks: int = 9) -> Iterator[Json]:
    """Different values that the schema should accept, small and full ones."""
    seen: set[str] = set()
    for full in (False, True):
        for pick in range(picks):
            value = Sampler(definitions, pick, full).value(schema)
            key = json.dumps(value, sort_keys=True)
            if key not in seen:
                seen.add(key)
                yield value


def spoiled(value: Json, depth: int = 0) -> Iterator[Json]:
    """Copies of `value`, each with one thing changed: something replaced by what it is not, a
    member dropped, null or of another kind, a member or item added."""
    yield from WRONG
    if depth >= SPOILS_DEPTH:
        return
    if isinstance(value, dict):
        yield {**value, "unheardOf": {"x": [1]}}
        for name, inner in value.items():
            yield {key: member for key, member in value.items() if key != name}
            for other in spoiled(inner, depth + 1):
                yield {**value, name: other}
    elif isinstance(value, list):
        yield [*value, "more"]
        yield [*value, *value[:1] * 200]
        if value:
            for other in spoiled(value[0], depth + 1):
                yield [other, *value[1:]]
