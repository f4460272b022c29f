"""One field of a form: what kind of field it is and what is known about it.

Decides what a flat schema looks like to a user: null, a constant, an object by its keywords, and
its hint. How fields hang together is decided by `inspector.forms.tree`.
"""

from dataclasses import dataclass, field, replace
from enum import Enum

from inspector.forms.hints import hint_of
from inspector.forms.options import Option, options_of
from inspector.forms.references import Place
from inspector.forms.schema import Flat
from inspector.protocol.messages import Json


class Kind(Enum):
    """What a field asks its user for."""

    STRING = "string"
    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    NULL = "null"
    CONST = "const"
    ENUM = "choice of values"
    MULTI = "several of"
    OBJECT = "object"
    ARRAY = "list"
    CHOICE = "one of"
    ANY = "any"
    JSON = "JSON"


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One part of a form. `name` is its property name ("" for items and variants).

    `why` is the reason for a JSON part, `conditional` tells that it is declared only under a
    condition. `flat` is what the schema says there; children come from the form: `properties`,
    `item`, `variants`, `entry`.
    """

    kind: Kind
    name: str
    title: str
    description: str
    required: bool = False
    conditional: bool = False
    nullable: bool = False
    default: Json = None
    has_default: bool = False
    options: tuple[Option, ...] = ()
    format: str = ""
    why: str = ""
    flat: Flat = field(default_factory=Flat)
    places: tuple[Place, ...] = ()
    skip: frozenset[int] = frozenset()
    group: tuple[Place, ...] = ()
    _hint: list[str] = field(default_factory=list, init=False, repr=False)

    @property
    def hint(self) -> str:
        """Its type and limits in a few words."""
        if not self._hint:
            self._hint.append(_hint(self))
        return self._hint[0]

    @property
    def hidden(self) -> bool:
        """Whether nobody may read its text over the user's shoulder."""
        return self.format == "password" or self.flat.limits.get("writeOnly") is True

    @property
    def label(self) -> str:
        """What a row shows: the property name, else the title."""
        return self.name or self.title


def plainly_typed(schema: Json) -> bool:
    """Whether a look is enough to know that it is neither null nor a constant."""
    return (
        isinstance(schema, dict)
        and isinstance(name := schema.get("type"), str)
        and name != "null"
        and not schema.keys() & {"const", "enum", "allOf", "$ref"}
    )


def only_null(flat: Flat) -> bool:
    """Whether nothing but null is allowed."""
    return flat.types == ("null",) or (flat.has_const and flat.const is None) or flat.enum == [None]


def implied_type(flat: Flat) -> str:
    """The type that the keywords are about, "" where there are none."""
    said = flat.keywords
    if flat.patterns or said & {"properties", "additionalProperties", "required"}:
        return "object"
    if said & {"items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains"}:
        return "array"
    if said & {"minLength", "maxLength", "pattern", "format"}:
        return "string"
    if said & {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"}:
        return "number"
    return ""


def valued(made: Field, values: list[Json], names: list[Json]) -> Field:
    """The field as a choice among `values`, null being no choice but a presence."""
    options = options_of(values, names)
    nullable = made.nullable or len(options) < len(values)
    if not values:
        return replace(made, why="its enum is empty")
    if not options:
        return replace(made, kind=Kind.NULL, nullable=True)
    kind = Kind.CONST if made.flat.has_const else Kind.ENUM
    return replace(made, kind=kind, options=options, nullable=nullable)


def _hint(made: Field) -> str:
    match made.kind:
        case Kind.ENUM:
            kind = f"1 of {len(made.options)}"
        case Kind.MULTI:
            kind = f"any of {len(made.options)}"
        case Kind.STRING if made.format:
            kind = made.format[:60]
        case _:
            kind = str(made.kind.value)
    nullable = made.nullable and made.kind is not Kind.NULL
    hint = hint_of(kind, made.flat, listed=bool(made.options), nullable=nullable)
    return f"{hint} · conditional" if made.conditional else hint
