"""The field tree of a JSON Schema: which kind of field each part becomes, expanded when asked for.

Decides kinds, labels, options, variants and hints, for any schema and any garbage, in bounded time;
what no field can express becomes a JSON part that says why. Defaults: an optional field with a
default starts filled with it, except for null, which starts left out. What is typed into the
fields is decided by `inspector.forms.values`, whether a value is valid by
`inspector.forms.validate`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Final, TypeAlias

from inspector.forms.fields import (
    Field,
    Kind,
    implied_type,
    only_null,
    plainly_typed,
    valued,
)
from inspector.forms.options import LABEL_LIMIT, Option, label_of, options_of
from inspector.forms.patterns import key_matches
from inspector.forms.references import Place
from inspector.forms.schema import PROPERTY_LIMIT, SPENT, Flat, Group, Schemas
from inspector.protocol.messages import Json

OPTION_LIMIT: Final = 20_000
NESTED_OPTION_LIMIT: Final = 1000
VARIANT_LIMIT: Final = 100
MULTI_LIMIT: Final = 100


_Key: TypeAlias = tuple[tuple[int, ...], str, bool, frozenset[int]]


class Form:
    """A schema as fields. Children are made when asked for, and the same part of a schema in the
    same role is the same field, so recursion is a loop in a finite graph."""

    def __init__(self, schema: Json) -> None:
        self.schema = schema
        self._schemas = Schemas(schema)
        self._children: dict[tuple[Field, str], tuple[Field, ...]] = {}
        self._made: dict[_Key, tuple[tuple[Place, ...], Field]] = {}
        self._labels: dict[Field, tuple[str, ...]] = {}
        root = self._make((Place(schema, schema),), required=True)
        if root.kind is Kind.ANY:  # what a form sends as a whole is an object, said or not
            root = self._make((Place(schema, schema), Place({"type": "object"}, None)))
        self.root: Final = root

    def renew(self) -> None:
        """To be called before each thing that a user does: what it may cost begins anew."""
        self._schemas.steps = 0

    @property
    def spent(self) -> bool:
        """Whether what one action may cost is spent: fields made now are only JSON parts."""
        return self._schemas.spent

    def properties(self, parent: Field) -> tuple[Field, ...]:
        """The properties that an object field names, in the schema's order.

        Those that are required without being declared follow, then those that only a condition
        or a list of allowed names speaks of.
        """
        known = self._children.get((parent, "properties"))
        if known is None:
            known = self._keep(parent, "properties", tuple(self._properties(parent)))
        return known

    def _properties(self, parent: Field) -> Iterator[Field]:
        flat = parent.flat
        declared, required = flat.properties, flat.required
        for name, places in declared.items():
            yield self._make(tuple(places), name=name, required=name in required)
        undeclared = {name: None for name in required if name not in declared}
        conditional = flat.maybe()
        for name in undeclared:
            told = conditional.get(name)
            found = _either(told) if told else self._entry_places(parent, name)
            yield self._make(found, name=name, required=True)
        others = dict.fromkeys((*conditional, *self._allowed_names(flat)))
        for name in [*others][:PROPERTY_LIMIT]:
            if name in declared or name in undeclared:
                continue
            if name in conditional:
                made = self._make(_either(conditional[name]), name=name)
                yield replace(made, conditional=True)
            else:
                yield self._make(self._entry_places(parent, name), name=name)

    def _allowed_names(self, flat: Flat) -> list[str]:
        """The keys that `propertyNames` lists, where it lists a few."""
        if flat.names is None:
            return []
        names = self._schemas.flatten((flat.names,))
        allowed = [names.const] if names.has_const else names.enum or []
        few = not names.why and len(allowed) <= MULTI_LIMIT
        return [name for name in allowed if isinstance(name, str)] if few else []

    def item(self, parent: Field, index: int) -> Field:
        """The field of the item at `index` of a list."""
        prefix = parent.flat.prefix
        places = (prefix[index],) if index < len(prefix) else tuple(parent.flat.items)
        return self._one(parent, f"item {min(index, len(prefix))}", places)

    def entry(self, parent: Field, key: str) -> Field:
        """The field of an entry of an object that is no declared property."""
        places = self._entry_places(parent, key)
        kind = ",".join(str(id(place.schema)) for place in places)
        found = self._one(parent, f"entry {kind}", places)
        return replace(found, name=key, required=False)

    def variants(self, parent: Field) -> tuple[Field, ...]:
        """The alternatives of a choice, null left out."""
        known = self._children.get((parent, "variants"))
        if known is None:
            made = tuple(self._variant(parent, place) for place in self._alternatives(parent))
            known = self._keep(parent, "variants", made)
        return known

    def variant_labels(self, parent: Field) -> tuple[str, ...]:
        """One distinct label per alternative."""
        known = self._labels.get(parent)
        if known is None:
            names = [
                (variant.title or self._variant_name(variant))[:LABEL_LIMIT]
                for variant in self.variants(parent)
            ]
            known = tuple(
                f"{name} {names[: index + 1].count(name)}" if names.count(name) > 1 else name
                for index, name in enumerate(names)
            )
            if not self.spent:
                self._labels[parent] = known
        return known

    def takes_entries(self, parent: Field) -> bool:
        """Whether the schema speaks of entries beyond the declared properties (a map)."""
        flat = parent.flat
        return bool(flat.additional or flat.patterns) or (
            "properties" not in flat.keywords and not flat.closed
        )

    def _keep(self, parent: Field, what: str, made: tuple[Field, ...]) -> tuple[Field, ...]:
        """What was made in a hurry is not kept: next time there is more to it."""
        if not self.spent:
            self._children[parent, what] = made
        return made

    def _one(self, parent: Field, what: str, places: tuple[Place, ...]) -> Field:
        known = self._children.get((parent, what))
        if known is None:
            known = self._keep(parent, what, (self._make(places, required=True),))
        return known[0]

    def _entry_places(self, parent: Field, key: str) -> tuple[Place, ...]:
        """What is said about a key: by the patterns that it matches, else by the rest rule."""
        flat = parent.flat
        told = [(key_matches(pattern, key), place) for pattern, place in flat.patterns]
        if sure := tuple(place for matches, place in told if matches):
            return sure
        unsure = tuple(place for matches, place in told if matches is None)
        if flat.additional is not None:
            return (flat.additional,) if not unsure else ()
        return unsure if len(unsure) == 1 else ()

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
        if self.spent:
            return Field(Kind.JSON, name, "", "", required, why=SPENT)
        ids = tuple(one for place in places for one in (id(place.schema), id(place.resource)))
        key = (ids, name, required, skip)
        known = self._made.get(key)
        if known is None:  # the places are kept too: their identities are the key
            self._schemas.steps += 1
            known = (places, self._make_anew(places, name, required, skip))
            if not self.spent:
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
            self._schemas.steps += len(chosen.members) // 4
            real = [place for place in chosen.members if not self._is_null(place)]
            nullable = nullable or len(real) < len(chosen.members)
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
        return self._decide(made, titled)

    def _decide(self, made: Field, titled: tuple[Option, ...]) -> Field:
        flat = made.flat
        if flat.why:
            return replace(made, why=flat.why)
        if flat.has_const:
            return valued(made, [flat.const], [])
        if flat.enum is not None and _can_be_listed(flat.enum):
            return valued(made, flat.enum, flat.enum_names)
        if titled:
            shown = tuple(option for option in titled if option.value is not None)
            return replace(made, kind=Kind.ENUM, options=shown)
        if made.group:
            return replace(made, kind=Kind.CHOICE)
        types = [name for name in flat.types or () if name != "null"]
        if flat.types is None:
            return self._shaped(made, implied_type(flat))
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
            case "object" if flat.property_bound > 2 * PROPERTY_LIMIT:
                return replace(made, why=f"has up to {flat.property_bound} properties")
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
            return options_of(flat.enum, flat.enum_names)
        return self._titled(flat.groups[0]) if len(flat.groups) == 1 else ()

    def _titled(self, group: Group) -> tuple[Option, ...]:
        """The options of a `oneOf` of constants, which is an enum with titles; else nothing."""
        options: list[Option] = []
        if not isinstance(group.source, list) or len(group.source) > len(group.members):
            return ()
        for place in group.members:
            if plainly_typed(place.schema):
                return ()
            flat = self._schemas.flatten((place,))
            if only_null(flat):
                options.append(Option(None, "null"))
                continue
            if flat.why or not flat.has_const or flat.declared:
                return ()
            options.append(Option(flat.const, flat.title[:LABEL_LIMIT] or label_of(flat.const)))
        return tuple(options) if any(option.value is not None for option in options) else ()

    def _is_null(self, place: Place) -> bool:
        return not plainly_typed(place.schema) and only_null(self._schemas.flatten((place,)))


def build_form(schema: Json) -> Form:
    """The form of `schema`; never raises, whatever the schema is."""
    return Form(schema)


def _can_be_listed(values: list[Json]) -> bool:
    """Whether there are few enough; objects and lists have labels that cost more."""
    if len(values) <= NESTED_OPTION_LIMIT:
        return True
    return len(values) <= OPTION_LIMIT and not any(isinstance(one, dict | list) for one in values)


def _either(places: list[Place]) -> tuple[Place, ...]:
    """One schema for what several conditions say about the same property."""
    if len(places) == 1 or any(place.resource is not places[0].resource for place in places):
        return (places[0],)
    return (Place({"anyOf": [place.schema for place in places]}, places[0].resource),)
