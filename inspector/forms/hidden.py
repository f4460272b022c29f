"""Which texts of a value are secret by its schema: those of fields for passwords, and those that a
schema says are only ever written.

Follows the schema beside the value, in bounded time. What becomes of the texts is up to who holds
the value. Pure.
"""

from typing import Final

from inspector.forms.references import Place, References
from inspector.protocol.messages import Json

MOST_STEPS: Final = 20_000
"""Schemas that are looked at: hostile ones multiply."""
DEEPEST: Final = 60
_EITHER: Final = ("anyOf", "oneOf", "allOf")


def hidden_texts(schema: Json, value: Json) -> list[str]:
    """The texts in `value` whose schema has `"format": "password"` or `"writeOnly": true`."""
    search = _Search(schema)
    search.look(Place(schema, schema), value, DEEPEST)
    return search.found


class _Search:
    def __init__(self, root: Json) -> None:
        self.found: list[str] = []
        self._references = References(root)
        self._left = MOST_STEPS

    def look(self, place: Place | None, value: Json, depth: int) -> None:
        """Goes through what one schema says of one value."""
        schema = place.schema if place is not None else None
        self._left -= 1
        if place is None or not isinstance(schema, dict) or not depth or self._left < 0:
            return
        if schema.get("format") == "password" or schema.get("writeOnly") is True:
            self._take(value, depth)
            return
        if isinstance(reference := schema.get("$ref"), str):
            self.look(self._references.find(reference, place.resource), value, depth - 1)
        for key in _EITHER:
            parts = schema.get(key)
            for part in parts if isinstance(parts, list) else []:
                self.look(Place(part, place.resource), value, depth - 1)
        if isinstance(value, list):
            for item in value:
                self.look(Place(schema.get("items"), place.resource), item, depth - 1)
        elif isinstance(value, dict):
            named, others = schema.get("properties"), schema.get("additionalProperties")
            for name, member in value.items():
                known = named.get(name, others) if isinstance(named, dict) else others
                self.look(Place(known, place.resource), member, depth - 1)

    def _take(self, value: Json, depth: int) -> None:
        if isinstance(value, str):
            self.found.append(value)
        elif depth and isinstance(value, list | dict):
            for item in value.values() if isinstance(value, dict) else value:
                self._take(item, depth - 1)
