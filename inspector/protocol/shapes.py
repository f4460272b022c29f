"""THE other table: every type and field with its revisions, and the strict schemas made of it.

Answers what a revision says about a type (`schema_for`), since when a field exists (`introduced`)
and which type a message is of (`type_of_message`). The rows stand in `shapes_core`,
`shapes_lifecycle`, `shapes_server`, `shapes_client`, `shapes_content`, `shapes_tasks` and
`shapes_messages`; judging a value against them is `inspector.protocol.shape_check`.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Final, assert_never

from inspector.protocol import (
    shapes_client,
    shapes_content,
    shapes_core,
    shapes_lifecycle,
    shapes_messages,
    shapes_server,
    shapes_tasks,
)
from inspector.protocol.messages import Json, JsonObject, MessageKind
from inspector.protocol.shapes_base import (
    AllOf,
    AnyOf,
    Basic,
    C,
    Choice,
    Const,
    Field,
    Gated,
    ListOf,
    MapOf,
    Record,
    Ref,
    Shape,
    Type,
)
from inspector.protocol.versions import REVISIONS, Revision

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"


def _table() -> dict[str, tuple[Type, ...]]:
    table: dict[str, tuple[Type, ...]] = {}
    rooms = (
        shapes_core,
        shapes_lifecycle,
        shapes_content,
        shapes_server,
        shapes_client,
        shapes_tasks,
        shapes_messages,
    )
    for room in rooms:
        for row in room.TYPES:
            table[row.name] = (*table.get(row.name, ()), row)
    return table


TYPES: Final[Mapping[str, tuple[Type, ...]]] = MappingProxyType(_table())
"""Every type by name; several rows where its kind of shape changed between revisions."""


def type_in(name: str, revision: Revision) -> Type | None:
    """The row of type `name` in `revision`, None where that revision has no such type."""
    return next((row for row in TYPES.get(name, ()) if row.since <= revision <= row.until), None)


def fields_of(name: str, revision: Revision) -> tuple[Field, ...]:
    """The fields of the object type `name` in `revision`, inherited ones first; empty for what
    is no object type or does not exist there."""
    row = type_in(name, revision)
    return tuple(_fields(row.shape, revision)) if row and isinstance(row.shape, Record) else ()


def _fields(shape: Record, revision: Revision) -> Iterator[Field]:
    for base in shape.bases:
        yield from fields_of(base, revision)
    yield from (field for field in shape.fields if field.lives_in(revision))


def introduced(type_name: str, field: str | None = None) -> Revision | None:
    """The first revision that has the type, or the field of it; None where none has."""
    if field is None:
        return min((row.since for row in TYPES.get(type_name, ())), default=None)
    return next(
        (r for r in REVISIONS if any(f.name == field for f in fields_of(type_name, r))), None
    )


def type_of_message(kind: MessageKind, method: str, revision: Revision) -> str | None:
    """The type that describes a message of `kind`; None where the table has none for it.

    For a request or notification the type is of the whole message, for a result of its `result`
    member (`method` is the method it answers), for an error of the whole reply; whether a batch
    may be at all is said by the type of any message.
    """
    name: str | None = None
    if kind is MessageKind.BATCH:
        name = "JSONRPCMessage"
    elif kind is MessageKind.ERROR:
        name = "JSONRPCError" if revision <= C else "JSONRPCErrorResponse"
    elif types := shapes_messages.types_of(method, revision):
        if kind is MessageKind.RESULT:
            name = types.result
        elif kind in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
            name = types.message
    return name if name and type_in(name, revision) else None


def params_type(method: str, revision: Revision) -> str | None:
    """The type of the `params` of `method`; None where the table has none for it."""
    types = shapes_messages.types_of(method, revision)
    for field in fields_of(types.message, revision) if types else ():
        if field.name == "params" and isinstance(field.shape, Ref):
            return field.shape.name
    return None


@lru_cache(maxsize=1024)
def schema_for(type_name: str, revision: Revision) -> JsonObject:
    """The strict JSON Schema (2020-12) of a type in a revision, with all it refers to.

    Raises KeyError where the revision has no such type. The schema is shared: treat it as
    read-only.
    """
    return schema_of(Ref(type_name), revision)


def schema_of(shape: Shape, revision: Revision) -> JsonObject:
    """The strict JSON Schema of any shape; raises KeyError for a reference to a type that the
    revision does not have."""
    definitions: JsonObject = {}
    waiting: list[str] = []

    def referred(name: str) -> str:
        if name not in definitions:
            definitions[name] = True  # holds the place until its turn
            waiting.append(name)
        return f"#/$defs/{name}"

    schema = _Writer(revision, referred).write(shape)
    while waiting:
        name = waiting.pop()
        row = type_in(name, revision)
        if row is None:
            raise KeyError(f"{revision} has no type {name}")
        definitions[name] = _Writer(revision, referred).write(row.shape)
    return {"$schema": DIALECT, **schema, "$defs": definitions}


class _Writer:
    """Writes shapes as JSON Schema for one revision."""

    def __init__(self, revision: Revision, referred: Callable[[str], str]) -> None:
        self._revision = revision
        self._referred = referred

    def write(self, shape: Shape) -> JsonObject:
        match shape:
            case Basic():
                return _basic(shape)
            case Const(value):
                return {"const": value}
            case Choice(values):
                return {"type": "string", "enum": list(values)}
            case Ref(name):
                return {"$ref": self._referred(name)}
            case ListOf(item, at_most, capped_since):
                schema: JsonObject = {"type": "array", "items": self.write(item)}
                if at_most is not None and self._revision >= capped_since:
                    schema["maxItems"] = at_most
                return schema
            case MapOf(value):
                return {"type": "object", "additionalProperties": self.write(value)}
            case AnyOf(options):
                return {"anyOf": list(self._options(options))}
            case AllOf(parts):
                return {"allOf": list[Json](map(self.write, parts))}
            case Record():
                return self._object(shape)
            case _:
                assert_never(shape)

    def _options(self, options: tuple[Shape | Gated, ...]) -> Iterator[Json]:
        for option in options:
            if not isinstance(option, Gated):
                yield self.write(option)
            elif option.since <= self._revision <= option.until:
                yield self.write(option.shape)

    def _object(self, shape: Record) -> JsonObject:
        schema: JsonObject = {"type": "object"}
        # A later field of the same name narrows an inherited one.
        fields = {field.name: field for field in _fields(shape, self._revision)}
        if fields:
            schema["properties"] = {name: self.write(f.shape) for name, f in fields.items()}
        if required := [name for name, field in fields.items() if field.required]:
            schema["required"] = list[Json](required)
        return schema


def _basic(shape: Basic) -> JsonObject:
    schema: JsonObject = {}
    if shape.types:
        schema["type"] = shape.types[0] if len(shape.types) == 1 else list[Json](shape.types)
    if shape.format:
        schema["format"] = shape.format
    if shape.minimum is not None:
        schema["minimum"] = shape.minimum
    if shape.maximum is not None:
        schema["maximum"] = shape.maximum
    return schema
