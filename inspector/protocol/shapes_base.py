"""The words in which the shape table is written: shapes, fields, and the revisions they live in.

The types themselves stand in the other `shapes_*` modules; schemas are made of them in
`inspector.protocol.shapes`. Objects are always open: a member that no field names is allowed, as
the specification has it.
"""

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from inspector.protocol.versions import REVISIONS, Revision

A, B, C, D, E = REVISIONS
"""The revisions by their letters, oldest first, as they are written all over the table."""


@dataclass(frozen=True, slots=True)
class Basic:
    """A JSON value of one of the named JSON Schema types (none: any value), within bounds."""

    types: tuple[str, ...] = ()
    format: str = ""
    minimum: int | None = None
    maximum: int | None = None


@dataclass(frozen=True, slots=True)
class Const:
    """Exactly this value."""

    value: str | int


@dataclass(frozen=True, slots=True)
class Choice:
    """One of these strings."""

    values: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """The type of that name."""

    name: str


@dataclass(frozen=True, slots=True)
class ListOf:
    """An array; `at_most` items since revision `capped_since`."""

    item: "Shape"
    at_most: int | None = None
    capped_since: Revision = A


@dataclass(frozen=True, slots=True)
class MapOf:
    """An object whose members all have one shape."""

    value: "Shape"


@dataclass(frozen=True, slots=True)
class Gated:
    """An option of `AnyOf` that only some revisions have."""

    shape: "Shape"
    since: Revision = A
    until: Revision = E


@dataclass(frozen=True, slots=True)
class AnyOf:
    """At least one of the options."""

    options: "tuple[Shape | Gated, ...]"


@dataclass(frozen=True, slots=True)
class AllOf:
    """All of the shapes at once."""

    parts: "tuple[Shape, ...]"


@dataclass(frozen=True, slots=True)
class Record:
    """An object with these fields; `bases` names types whose fields it has too."""

    fields: "tuple[Field, ...]"
    bases: tuple[str, ...] = ()


Shape: TypeAlias = Basic | Const | Choice | Ref | ListOf | MapOf | AnyOf | AllOf | Record


@dataclass(frozen=True, slots=True)
class Field:
    """One member of an object, in the revisions `since` to `until`. A name may stand in several
    fields of one record whose revisions do not overlap."""

    name: str
    shape: Shape
    required: bool = False
    since: Revision = A
    until: Revision = E

    def lives_in(self, revision: Revision) -> bool:
        """Whether `revision` has the field."""
        return self.since <= revision <= self.until


@dataclass(frozen=True, slots=True)
class Type:
    """A named type and its shape in the revisions `since` to `until`.

    The table may hold several rows of one name whose revisions do not overlap. `named_since` is
    the first revision whose official schema names the type, instead of writing it out where it
    is used; None for types of an extension, which it does not have at all.
    """

    name: str
    shape: Shape
    since: Revision = A
    until: Revision = E
    named_since: Revision | None = A


STR: Final = Basic(("string",))
URI: Final = Basic(("string",), format="uri")
URI_TEMPLATE: Final = Basic(("string",), format="uri-template")
BASE64: Final = Basic(("string",), format="byte")
INT: Final = Basic(("integer",))
COUNT: Final = Basic(("integer",), minimum=0)
NUM: Final = Basic(("number",))
SHARE: Final = Basic(("number",), minimum=0, maximum=1)
BOOL: Final = Basic(("boolean",))
OBJ: Final = Basic(("object",))
ANY: Final = Basic()
ID: Final = Ref("RequestId")
JSONRPC: Final = Const("2.0")


def may(name: str, shape: Shape, since: Revision = A, until: Revision = E) -> Field:
    """An optional field."""
    return Field(name, shape, False, since, until)


def need(name: str, shape: Shape, since: Revision = A, until: Revision = E) -> Field:
    """A required field."""
    return Field(name, shape, True, since, until)


def inline(*fields: Field) -> Record:
    """An object without a name of its own."""
    return Record(fields)


def any_of(*options: Shape | Gated) -> AnyOf:
    """At least one of `options`."""
    return AnyOf(options)


def refs(*names: str) -> AnyOf:
    """At least one of the named types."""
    return AnyOf(tuple(Ref(name) for name in names))


def record(
    name: str,
    *fields: Field,
    bases: tuple[str, ...] = (),
    since: Revision = A,
    until: Revision = E,
    named_since: Revision | None = A,
) -> Type:
    """A named object type."""
    return Type(name, Record(fields, bases), since, until, named_since)


def alias(name: str, shape: Shape, since: Revision = A, until: Revision = E) -> Type:
    """A name for a shape that is not an object with fields of its own."""
    return Type(name, shape, since, until)


def request(
    stem: str,
    method: str,
    params: str,
    *,
    params_required: Literal["always", "modern", "never"] = "always",
    since: Revision = A,
    until: Revision = E,
    embedded: bool = False,
    named_since: Revision | None = A,
) -> Type:
    """The type of a request. `embedded`: in the modern era it is no message but stands inside a
    result, without `jsonrpc` and `id`."""
    last = D if embedded else E
    shape = Ref(params)
    by_need = {
        "always": (need("params", shape),),
        "modern": (may("params", shape, until=D), need("params", shape, since=E)),
        "never": (may("params", shape),),
    }
    # The schemas up to 2025-06-18 leave the envelope to JSONRPCRequest.
    return record(
        f"{stem}Request",
        need("jsonrpc", JSONRPC, since=D, until=last),
        need("id", ID, since=D, until=last),
        need("method", Const(method)),
        *by_need[params_required],
        since=since,
        until=until,
        named_since=named_since,
    )


def notification(
    stem: str,
    method: str,
    params: str = "NotificationParams",
    *,
    since: Revision = A,
    until: Revision = E,
    named_since: Revision | None = A,
) -> Type:
    """The type of a notification; `params` may be absent where it has no fields of its own."""
    optional = params == "NotificationParams"
    return record(
        f"{stem}Notification",
        need("jsonrpc", JSONRPC, since=D),
        need("method", Const(method)),
        may("params", Ref(params)) if optional else need("params", Ref(params)),
        since=since,
        until=until,
        named_since=named_since,
    )


def response(result: str, *, input_required: bool = False) -> Type:
    """2026-07-28: the type of a whole response, envelope included."""
    shape: Shape = refs("InputRequiredResult", result) if input_required else Ref(result)
    return record(
        f"{result}Response",
        need("jsonrpc", JSONRPC),
        need("id", ID),
        need("result", shape),
        since=E,
    )
