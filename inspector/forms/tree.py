"""The field tree of a JSON Schema: which kind of field each part becomes, expanded when asked for.

Decides kinds, labels, options, variants and hints, for any schema and any garbage, in bounded time;
what no field can express becomes a JSON part that says why. Defaults: an optional field with a
default starts filled with it, except for null, which starts left out. What is typed into the
fields is decided by `inspector.forms.values`, whether a value is valid by
`inspector.forms.validate`.
"""

from dataclasses import dataclass, field, replace
from enum import Enum
from itertools import zip_longest
from typing import Final, TypeAlias

from inspector.forms.hints import hint_of
from inspector.forms.jsontext import dump
from inspector.forms.schema import PROPERTY_LIMIT, Flat, Group, Place, Schemas
from inspector.protocol.messages import Json

OPTION_LIMIT: Final = 1000
VARIANT_LIMIT: Final = 100
MULTI_LIMIT: Final = 100


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


@dataclass(frozen=True, slots=True)
class Option:
    """One value of an enum, with the label that its title or `enumNames` gives it."""

    value: Json
    label: str


@dataclass(frozen=True, slots=True, eq=False)
class Field:
    """One part of a form. `name` is its property name ("" for items and variants).

    `hint` is its type and limits in a few words, `why` the reason for a JSON part. `flat` is what
    the schema says there; children come from the form: `properties`, `item`, `variants`, `entry`.
    """

    kind: Kind
    name: str
    title: str
    description: str
    hint: str
    required: bool = False
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

    @property
    def label(self) -> str:
        """What a row shows: the property name, else the title."""
        return self.name or self.title


_Key: TypeAlias = tuple[tuple[int, ...], str, bool, frozenset[int]]


class Form:
    """A schema as fields. Children are made when asked for, and the same part of a schema in the
    same role is the same field, so recursion is a loop in a finite graph."""

    def __init__(self, schema: Json) -> None:
        self.schema = schema
        self._schemas = Schemas(schema)
        self._children: dict[tuple[Field, str], tuple[Field, ...]] = {}
        self._made: dict[_Key, tuple[tuple[Place, ...], Field]] = {}
        self.root: Final = self._make((Place(schema, schema),), required=True)

    def properties(self, parent: Field) -> tuple[Field, ...]:
        """The declared properties of an object field, in the schema's order."""
        known = self._children.get((parent, "properties"))
        if known is None:
            self._schemas.steps = 0
            flat = parent.flat
            undeclared = [name for name in flat.required if name not in flat.properties]
            declared = [
                self._make(tuple(places), name=name, required=name in flat.required)
                for name, places in flat.properties.items()
            ]
            declared += [replace(self.entry(parent, name), required=True) for name in undeclared]
            known = tuple(declared)
            self._children[parent, "properties"] = known
        return known

    def item(self, parent: Field, index: int) -> Field:
        """The field of the item at `index` of a list."""
        prefix = parent.flat.prefix
        places = (prefix[index],) if index < len(prefix) else tuple(parent.flat.items)
        return self._one(parent, f"item {min(index, len(prefix))}", places)

    def entry(self, parent: Field, key: str) -> Field:
        """The field of an entry of an object that is no declared property."""
        found = self._one(parent, "entry", self._entry_places(parent))
        return replace(found, name=key, required=False)

    def variants(self, parent: Field) -> tuple[Field, ...]:
        """The alternatives of a choice, null left out."""
        known = self._children.get((parent, "variants"))
        if known is None:
            self._schemas.steps = 0
            known = tuple(self._variant(parent, place) for place in self._alternatives(parent))
            self._children[parent, "variants"] = known
        return known

    def variant_labels(self, parent: Field) -> tuple[str, ...]:
        """One distinct label per alternative."""
        names = [variant.title or self._variant_name(variant) for variant in self.variants(parent)]
        return tuple(
            f"{name} {names[: index + 1].count(name)}" if names.count(name) > 1 else name
            for index, name in enumerate(names)
        )

    def takes_entries(self, parent: Field) -> bool:
        """Whether the schema speaks of entries beyond the declared properties (a map)."""
        return bool(self._entry_places(parent)) or (
            "properties" not in parent.flat.keywords and not parent.flat.closed
        )

    def _one(self, parent: Field, what: str, places: tuple[Place, ...]) -> Field:
        known = self._children.get((parent, what))
        if known is None:
            self._schemas.steps = 0
            known = (self._make(places, required=True),)
            self._children[parent, what] = known
        return known[0]

    def _entry_places(self, parent: Field) -> tuple[Place, ...]:
        flat = parent.flat
        if flat.additional is not None:
            return (flat.additional,)
        return (flat.patterns[0][1],) if flat.patterns else ()

    def _variant_name(self, variant: Field) -> str:
        if variant.kind is Kind.OBJECT:
            fields = self.properties(variant)
            for one in fields:
                if one.kind is Kind.CONST:
                    return one.options[0].label
            names = ", ".join(one.name for one in fields if one.required) or "object"
            return names if len(names) < 30 else names[:29] + "…"
        if variant.kind is Kind.ARRAY:
            return f"list of {self.item(variant, len(variant.flat.prefix)).kind.value}"
        if variant.kind is Kind.CONST:
            return variant.options[0].label
        return f"{variant.kind.value} {variant.format}".strip()

    def _alternatives(self, parent: Field) -> tuple[Place, ...]:
        if parent.group:
            return parent.group
        types = parent.flat.types or ()
        return tuple(Place({"type": name}, None) for name in types if name != "null")

    def _variant(self, parent: Field, place: Place) -> Field:
        """One alternative; its title and default are its own, not those of the choice."""
        made = self._make((*parent.places, place), required=True, skip=parent.skip)
        own = self._schemas.flatten((place,))
        return replace(
            made,
            title=own.title or own.name,
            description=own.description,
            default=own.default,
            has_default=own.has_default,
            nullable=False,
        )

    def _make(
        self,
        places: tuple[Place, ...],
        *,
        name: str = "",
        required: bool = False,
        skip: frozenset[int] = frozenset(),
    ) -> Field:
        ids = tuple(one for place in places for one in (id(place.schema), id(place.resource)))
        key = (ids, name, required, skip)
        known = self._made.get(key)
        if known is None:  # the places are kept too: their identities are the key
            known = (places, self._make_anew(places, name, required, skip))
            self._made[key] = known
        return known[1]

    def _make_anew(
        self, places: tuple[Place, ...], name: str, required: bool, skip: frozenset[int]
    ) -> Field:
        flat = self._schemas.flatten(places, skip)
        nullable = False
        group: tuple[Place, ...] = ()
        titled: tuple[Option, ...] = ()
        for _ in range(8):  # each turn settles one oneOf/anyOf that is no real choice
            if flat.why or not flat.groups:
                break
            chosen = flat.groups[0]
            if len(chosen.members) > VARIANT_LIMIT:
                titled = self._titled(chosen)
                if not titled:
                    flat = replace(flat, why=f"offers {len(chosen.members)}+ alternatives")
                break
            members = [(place, self._schemas.flatten((place,))) for place in chosen.members]
            real = [place for place, member in members if not _only_null(member)]
            nullable = nullable or len(real) < len(members)
            skip |= {id(chosen.source)}
            if titled := self._titled(chosen):
                break
            if len(real) != 1:
                group = tuple(real)
                if not real:
                    flat = replace(flat, types=("null",))
                break
            places = (*places, real[0])
            flat = self._schemas.flatten(places, skip)
        nullable = nullable or flat.nullable or "null" in (flat.types or ())
        made = Field(
            kind=Kind.JSON,
            name=name,
            title=flat.title,
            description=flat.description,
            hint="",
            required=required,
            nullable=nullable,
            default=flat.default,
            has_default=flat.has_default,
            format=flat.format,
            flat=flat,
            places=places,
            skip=skip,
            group=group,
        )
        return _hinted(self._decide(made, titled))

    def _decide(self, made: Field, titled: tuple[Option, ...]) -> Field:
        flat = made.flat
        if flat.why:
            return replace(made, why=flat.why)
        if flat.has_const:
            return _valued(made, [flat.const], [])
        if flat.enum is not None and len(flat.enum) <= OPTION_LIMIT:
            return _valued(made, flat.enum, flat.enum_names)
        if titled:
            shown = tuple(option for option in titled if option.value is not None)
            return replace(made, kind=Kind.ENUM, options=shown)
        if made.group:
            return replace(made, kind=Kind.CHOICE)
        types = [name for name in flat.types or () if name != "null"]
        if flat.types is None:
            return self._shaped(made, _implied(flat))
        if not types:
            return replace(made, kind=Kind.NULL)
        if set(types) == {"integer", "number"}:
            types = ["number"]
        if len(types) > 1:
            return replace(made, kind=Kind.CHOICE)
        return self._shaped(made, types[0])

    def _shaped(self, made: Field, type_name: str) -> Field:
        flat = made.flat
        match type_name:
            case "object" if len(flat.properties) > PROPERTY_LIMIT:
                return replace(made, why=f"has {len(flat.properties)} properties")
            case "object":
                return replace(made, kind=Kind.OBJECT)
            case "array":
                return self._array(made)
            case "":
                return replace(made, kind=Kind.ANY)
            case _:
                return replace(made, kind=Kind(type_name))

    def _array(self, made: Field) -> Field:
        if len(made.flat.prefix) > PROPERTY_LIMIT:
            return replace(made, why=f"has {len(made.flat.prefix)} places")
        if made.flat.items and not made.flat.prefix:
            options = self._item_options(tuple(made.flat.items))
            if 0 < len(options) <= MULTI_LIMIT:
                return replace(made, kind=Kind.MULTI, options=options)
        return replace(made, kind=Kind.ARRAY)

    def _item_options(self, places: tuple[Place, ...]) -> tuple[Option, ...]:
        flat = self._schemas.flatten(places)
        if flat.why or flat.has_const:
            return ()
        if flat.enum is not None and len(flat.enum) <= MULTI_LIMIT:
            return _options(flat.enum, flat.enum_names)
        return self._titled(flat.groups[0]) if len(flat.groups) == 1 else ()

    def _titled(self, group: Group) -> tuple[Option, ...]:
        """The options of a `oneOf` of constants, which is an enum with titles; else nothing."""
        options: list[Option] = []
        if not isinstance(group.source, list) or len(group.source) > len(group.members):
            return ()
        for place in group.members:
            flat = self._schemas.flatten((place,))
            if _only_null(flat):
                options.append(Option(None, "null"))
                continue
            if flat.why or not flat.has_const or flat.properties:
                return ()
            options.append(Option(flat.const, flat.title or _label(flat.const)))
        return tuple(options) if any(option.value is not None for option in options) else ()


def build_form(schema: Json) -> Form:
    """The form of `schema`; never raises, whatever the schema is."""
    return Form(schema)


def _only_null(flat: Flat) -> bool:
    return flat.types == ("null",) or (flat.has_const and flat.const is None) or flat.enum == [None]


def _implied(flat: Flat) -> str:
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


def _valued(made: Field, values: list[Json], names: list[Json]) -> Field:
    options = _options(values, names)
    nullable = made.nullable or len(options) < len(values)
    if not values:
        return replace(made, why="its enum is empty")
    if not options:
        return replace(made, kind=Kind.NULL, nullable=True)
    kind = Kind.CONST if made.flat.has_const else Kind.ENUM
    return replace(made, kind=kind, options=options, nullable=nullable)


def _options(values: list[Json], names: list[Json]) -> tuple[Option, ...]:
    return tuple(
        Option(value, name if isinstance(name, str) else _label(value))
        for value, name in zip_longest(values, names[: len(values)])
        if value is not None
    )


def _label(value: Json) -> str:
    text = value if isinstance(value, str) and value else dump(value)
    return text if len(text) <= 200 else text[:199] + "…"


def _hinted(made: Field) -> Field:
    """The field with its type and limits in words."""
    match made.kind:
        case Kind.ENUM:
            kind = f"1 of {len(made.options)}"
        case Kind.MULTI:
            kind = f"any of {len(made.options)}"
        case Kind.STRING if made.format:
            kind = made.format
        case _:
            kind = str(made.kind.value)
    nullable = made.nullable and made.kind is not Kind.NULL
    hint = hint_of(kind, made.flat, listed=bool(made.options), nullable=nullable)
    return replace(made, hint=hint)
