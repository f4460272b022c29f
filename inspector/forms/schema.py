"""One schema made flat: references followed, `allOf` merged, keywords sorted by what they say.

Decides what a part of a schema asks for, over all drafts at once and whatever garbage it holds;
bounded in steps, so that no schema can keep it busy. Fetches nothing. Which field is made of it
is decided by `inspector.forms.tree`.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final
from urllib.parse import unquote

from inspector.forms.jsontext import dump
from inspector.forms.references import Place, References, own_resource
from inspector.protocol.json_pointer import unescaped
from inspector.protocol.messages import Json, JsonObject

MERGE_LIMIT: Final = 256
"""Schemas that may be combined into one field."""
STEP_LIMIT: Final = 4000
"""Schemas that may be read, and fields made, for one thing that a user does."""
SPENT: Final = "is more of a schema than a form can take in at once"
PROPERTY_LIMIT: Final = 500
PATTERN_LIMIT: Final = 20
ENUM_COMPARE_LIMIT: Final = 10_000
"""Values that are compared to intersect enums; after that the shorter enum stands."""
TYPES: Final = ("string", "integer", "number", "boolean", "object", "array", "null")
TELLING: Final = {
    "properties", "additionalProperties", "required",
    "items", "prefixItems", "minItems", "maxItems", "uniqueItems", "contains",
    "minLength", "maxLength", "pattern", "format",
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
}  # fmt: skip
"""Keywords that tell the type where no `type` does."""
LIMITS: Final = (
    "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf",
    "minLength", "maxLength", "pattern", "minItems", "maxItems", "uniqueItems",
    "minProperties", "maxProperties", "contentEncoding", "contentMediaType",
    "deprecated", "readOnly", "writeOnly",
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One `oneOf` or `anyOf`: exactly its list, to tell it from others by identity."""

    keyword: str
    members: tuple[Place, ...]
    source: Json


@dataclass(frozen=True, slots=True, eq=False)
class Declared:
    """The `properties` of one of the merged schemas, and the resource they stand in."""

    properties: JsonObject
    resource: Json


@dataclass(slots=True, eq=False)
class Flat:
    """What the merged schemas say. `why` is not empty where no field can express it.

    `declared` is merged by `properties` when somebody asks; `conditional` holds what stands below
    `then`, `else` and the like, which may apply or not. `names` is the schema of property names.
    """

    types: tuple[str, ...] | None = None
    title: str = ""
    description: str = ""
    name: str = ""
    default: Json = None
    has_default: bool = False
    nullable: bool = False
    enum: list[Json] | None = None
    enum_names: list[Json] = field(default_factory=list)
    const: Json = None
    has_const: bool = False
    declared: list[Declared] = field(default_factory=list)
    conditional: list[Declared] = field(default_factory=list)
    demanded: list[list[Json]] = field(default_factory=list)
    names: Place | None = None
    patterns: list[tuple[str, Place]] = field(default_factory=list)
    additional: Place | None = None
    closed: bool = False
    prefix: tuple[Place, ...] = ()
    items: list[Place] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    format: str = ""
    examples: list[Json] = field(default_factory=list)
    limits: JsonObject = field(default_factory=dict)
    keywords: set[str] = field(default_factory=set)
    compared: int = 0
    why: str = ""

    @property
    def properties(self) -> dict[str, list[Place]]:
        """All that is said about each declared property, in the order of the schemas."""
        return _by_name(self.declared)

    @property
    def required(self) -> dict[str, None]:
        """The names of required properties, as an ordered set."""
        return {
            key: None
            for keys in self.demanded
            for key in keys[:PROPERTY_LIMIT]
            if isinstance(key, str)
        }

    @property
    def property_bound(self) -> int:
        """How many properties are declared at most: one may be declared twice."""
        return sum(len(one.properties) for one in self.declared)

    def maybe(self) -> dict[str, list[Place]]:
        """The properties that are declared only under a condition."""
        known = {name for one in self.declared for name in one.properties}
        found = _by_name(self.conditional)
        return {name: places for name, places in found.items() if name not in known}


def _by_name(declared: list[Declared]) -> dict[str, list[Place]]:
    merged: dict[str, list[Place]] = {}
    for one in declared:
        for name, part in one.properties.items():
            merged.setdefault(name, []).append(Place(part, one.resource))
    return merged


class Schemas:
    """The whole schema as the server sent it, and where its references lead."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self.steps = 0
        self._flats: dict[
            tuple[tuple[int, ...], frozenset[int]], tuple[tuple[Place, ...], Flat]
        ] = {}
        self._references = References(root)

    @property
    def spent(self) -> bool:
        """Whether what may be done at once is done; what is made now is not to be kept."""
        return self.steps > STEP_LIMIT

    def flatten(self, places: tuple[Place, ...], skip: frozenset[int] = frozenset()) -> Flat:
        """All of `places` as one; `skip` holds the identities of choices already made.

        What it returns is shared: nobody changes it.
        """
        ids = tuple(one for place in places for one in (id(place.schema), id(place.resource)))
        known = self._flats.get((ids, skip))
        if known is None:  # the places are kept too: their identities are the key
            known = (places, self._flatten(places, skip))
            if not self.spent:
                self._flats[ids, skip] = known
        return known[1]

    def _flatten(self, places: tuple[Place, ...], skip: frozenset[int]) -> Flat:
        if self.spent:
            return Flat(why=SPENT)
        flat = Flat()
        waiting = [(place, True) for place in reversed(places)]
        seen: set[tuple[int, bool]] = set()
        while waiting:
            place, certain = waiting.pop()
            schema = place.schema
            if not isinstance(schema, dict):
                if certain and schema is not True:
                    flat.why = flat.why or _no_schema(schema)
                continue
            if (id(schema), certain) in seen:
                continue
            seen.add((id(schema), certain))
            self.steps += 1
            if len(seen) > MERGE_LIMIT or self.spent:
                flat.why = SPENT if self.spent else "combines too many schemas"
                break
            resource = schema if own_resource(schema) else place.resource
            if certain:
                _take(flat, schema, resource, skip)
            elif isinstance(properties := schema.get("properties"), dict):
                flat.conditional.append(Declared(properties, resource))
            following = [(one, certain) for one in _list(schema, "allOf", resource)]
            following += [(one, False) for one in _conditional(schema, resource)]
            for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
                if isinstance(reference := schema.get(keyword), str):
                    target = self._references.find(reference, resource)
                    if target is not None:
                        flat.name = flat.name or _last_name(reference)
                        following.insert(0, (target, certain))
                    elif certain:
                        shown = f"{reference[:200]}…" if len(reference) > 200 else reference
                        flat.why = flat.why or f"refers to {shown}, which is not in this schema"
            waiting.extend(reversed(following))
        if flat.types is not None and not flat.types and not flat.nullable:
            flat.why = flat.why or "asks for several types at once"
        return flat


def _take(flat: Flat, schema: JsonObject, resource: Json, skip: frozenset[int]) -> None:
    """Adds what one schema says; the first to speak names and describes the field."""
    flat.keywords |= TELLING & schema.keys()
    for attribute in ("title", "description"):
        if isinstance(text := schema.get(attribute), str) and not getattr(flat, attribute):
            setattr(flat, attribute, text)
    if isinstance(text := schema.get("format"), str) and not flat.format:
        flat.format = text
    if isinstance(examples := schema.get("examples"), list) and examples and not flat.examples:
        flat.examples = examples
    elif "example" in schema and not flat.examples:
        flat.examples = [schema["example"]]
    if "default" in schema and not flat.has_default:
        flat.default, flat.has_default = schema["default"], True
    if schema.get("nullable") is True:
        flat.nullable = True
    _take_types(flat, schema.get("type"))
    if "const" in schema and not flat.has_const:
        flat.const, flat.has_const = schema["const"], True
    if isinstance(options := schema.get("enum"), list):
        flat.enum = options if flat.enum is None else _common(flat, flat.enum, options)
        if isinstance(names := schema.get("enumNames"), list):
            flat.enum_names = names
    for keyword in LIMITS:
        if keyword in schema:
            flat.limits.setdefault(keyword, schema[keyword])
    _take_object(flat, schema, resource)
    _take_array(flat, schema, resource)
    for keyword in ("oneOf", "anyOf"):
        source = schema.get(keyword)
        if isinstance(source, list) and source and id(source) not in skip:
            members = tuple(_list(schema, keyword, resource))
            flat.groups.append(Group(keyword, members, source))


def _take_types(flat: Flat, wanted: Json) -> None:
    names = wanted[:20] if isinstance(wanted, list) else [wanted]
    known = [name for name in names if isinstance(name, str) and name in TYPES]
    if not known:
        return
    before = flat.types
    if before is None:
        flat.types = tuple(dict.fromkeys(known))
        return
    kept = [name for name in before if name in known]
    narrowed = ("integer" in known and "number" in before) or (
        "number" in known and "integer" in before
    )
    if narrowed and "integer" not in kept:
        kept.append("integer")
    flat.types = tuple(kept)


def _take_object(flat: Flat, schema: JsonObject, resource: Json) -> None:
    if isinstance(properties := schema.get("properties"), dict):
        if len(properties) > PROPERTY_LIMIT:
            flat.why = flat.why or f"has {len(properties)} properties"
        else:
            flat.declared.append(Declared(properties, resource))
    if isinstance(required := schema.get("required"), list):
        flat.demanded.append(required)
    if isinstance(patterns := schema.get("patternProperties"), dict):
        for key, part in islice(patterns.items(), PATTERN_LIMIT - len(flat.patterns)):
            flat.patterns.append((key, Place(part, resource)))
    if isinstance(names := schema.get("propertyNames"), dict) and flat.names is None:
        flat.names = Place(names, resource)
    additional = schema.get("additionalProperties", schema.get("unevaluatedProperties"))
    if additional is False:
        flat.closed = True
    elif isinstance(additional, dict) and flat.additional is None:
        flat.additional = Place(additional, resource)


def _take_array(flat: Flat, schema: JsonObject, resource: Json) -> None:
    prefix = schema.get("prefixItems")
    rest = schema.get("items")
    if isinstance(rest, list):  # a tuple as drafts before 2020-12 spelt it
        prefix, rest = rest, schema.get("additionalItems")
    if isinstance(prefix, list) and not flat.prefix:
        flat.prefix = tuple(Place(part, resource) for part in prefix)
    if rest is not None and rest is not True:
        flat.items.append(Place(rest, resource))


def _list(schema: JsonObject, keyword: str, resource: Json) -> Iterator[Place]:
    members = schema.get(keyword)
    if isinstance(members, list):
        for member in members[: MERGE_LIMIT + 1]:
            yield Place(member, resource)


def _conditional(schema: JsonObject, resource: Json) -> Iterator[Place]:
    """The schemas that apply to the same value, but only where something else holds."""
    if "if" in schema:
        for keyword in ("then", "else"):
            if isinstance(part := schema.get(keyword), dict):
                yield Place(part, resource)
    for keyword in ("dependentSchemas", "dependencies"):
        if isinstance(parts := schema.get(keyword), dict):
            for part in islice(parts.values(), PATTERN_LIMIT):
                if isinstance(part, dict):
                    yield Place(part, resource)


def _common(flat: Flat, one: list[Json], other: list[Json]) -> list[Json]:
    flat.compared += len(one) + len(other)
    if flat.compared > ENUM_COMPARE_LIMIT:
        return min(one, other, key=len)
    spelt = {dump(value) for value in other}
    return [value for value in one if dump(value) in spelt]


def _last_name(reference: str) -> str:
    last = unquote(reference).rpartition("/")[2].strip("#")
    return unescaped(last)


def _no_schema(value: Json) -> str:
    match value:
        case False:
            return "the schema allows no value here"
        case None:
            kind = "null"
        case str():
            kind = "a text"
        case list():
            kind = "a list"
        case _:
            kind = "a number"
    return f"this part of the schema is {kind}, not a schema"
