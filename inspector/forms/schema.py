"""One schema made flat: references followed, `allOf` merged, keywords sorted by what they say.

Decides what a part of a schema asks for, over all drafts at once and whatever garbage it holds;
bounded in steps, so that no schema can keep it busy. Fetches nothing. Which field is made of it
is decided by `inspector.forms.tree`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urljoin

from inspector.forms.jsontext import dump
from inspector.protocol.messages import Json, JsonObject

MERGE_LIMIT: Final = 256
"""Schemas that may be combined into one field."""
ID_SEARCH_LIMIT: Final = 20_000
"""Places looked at to find an `$id` or an anchor."""
STEP_LIMIT: Final = 20_000
"""Schemas that may be read to lay out one level of a form."""
PROPERTY_LIMIT: Final = 500
ENUM_COMPARE_LIMIT: Final = 10_000
"""Longer enums are not intersected; the shorter one stands."""
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
)  # fmt: skip


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A schema and the resource (the root that `#` means) in which it stands."""

    schema: Json
    resource: Json


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """One `oneOf` or `anyOf`: exactly its list, to tell it from others by identity."""

    keyword: str
    members: tuple[Place, ...]
    source: Json


@dataclass(slots=True, eq=False)
class Flat:
    """What the merged schemas say. `why` is not empty where no field can express it."""

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
    properties: dict[str, list[Place]] = field(default_factory=dict)
    required: dict[str, None] = field(default_factory=dict)
    patterns: list[tuple[str, Place]] = field(default_factory=list)
    additional: Place | None = None
    closed: bool = False
    prefix: tuple[Place, ...] = ()
    items: list[Place] = field(default_factory=list)
    groups: list[Group] = field(default_factory=list)
    format: str = ""
    limits: JsonObject = field(default_factory=dict)
    keywords: set[str] = field(default_factory=set)
    why: str = ""


class Schemas:
    """The whole schema as the server sent it, and where its references lead."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self.steps = 0
        self._flats: dict[
            tuple[tuple[int, ...], frozenset[int]], tuple[tuple[Place, ...], Flat]
        ] = {}
        self._names: dict[str, Json] | None = None

    def flatten(self, places: tuple[Place, ...], skip: frozenset[int] = frozenset()) -> Flat:
        """All of `places` as one; `skip` holds the identities of choices already made.

        What it returns is shared: nobody changes it.
        """
        ids = tuple(one for place in places for one in (id(place.schema), id(place.resource)))
        known = self._flats.get((ids, skip))
        if known is None:  # the places are kept too: their identities are the key
            known = (places, self._flatten(places, skip))
            if self.steps <= STEP_LIMIT:
                self._flats[ids, skip] = known
        return known[1]

    def _flatten(self, places: tuple[Place, ...], skip: frozenset[int]) -> Flat:
        flat = Flat()
        waiting = list(reversed(places))
        seen: set[int] = set()
        while waiting:
            place = waiting.pop()
            schema = place.schema
            if isinstance(schema, bool):
                if not schema:
                    flat.why = flat.why or "the schema allows no value here"
                continue
            if not isinstance(schema, dict):
                flat.why = flat.why or f"this part of the schema is {_kind(schema)}, not a schema"
                continue
            if id(schema) in seen:
                continue
            seen.add(id(schema))
            self.steps += 1
            if len(seen) > MERGE_LIMIT or self.steps > STEP_LIMIT:
                flat.why = "combines too many schemas"
                break
            resource = schema if _own_resource(schema) else place.resource
            _take(flat, schema, resource, skip)
            following = [*_list(schema, "allOf", resource)]
            for keyword in ("$ref", "$dynamicRef", "$recursiveRef"):
                if isinstance(reference := schema.get(keyword), str):
                    target = self.find(reference, resource)
                    if target is None:
                        flat.why = flat.why or f"refers to {reference}, which is not in this schema"
                    else:
                        flat.name = flat.name or _last_name(reference)
                        following.insert(0, target)
            waiting.extend(reversed(following))
        if flat.types is not None and not flat.types and not flat.nullable:
            flat.why = flat.why or "asks for several types at once"
        return flat

    def find(self, reference: str, resource: Json) -> Place | None:
        """What a `$ref` leads to; None when it is not inside this schema."""
        address, _, fragment = reference.partition("#")
        if address and not (isinstance(resource, dict) and address == resource.get("$id")):
            found = self._named().get(address, self._named().get(_joined(resource, address)))
            if found is None:
                return None
            resource = found
        fragment = unquote(fragment)
        if not fragment:
            return Place(resource, resource)
        if fragment.startswith("/"):
            return _follow(resource, fragment)
        named = self._named().get("#" + fragment)
        return None if named is None else Place(named, resource)

    def _named(self) -> dict[str, Json]:
        """Subschemas by their `$id`, and by their anchor as `#name`."""
        if self._names is None:
            names: dict[str, Json] = {}
            waiting: list[Json] = [self.root]
            steps = 0
            while waiting and steps < ID_SEARCH_LIMIT:
                part = waiting.pop()
                steps += 1
                if isinstance(part, list):
                    waiting.extend(part[: ID_SEARCH_LIMIT - steps])
                elif isinstance(part, dict):
                    for key in ("$id", "id"):
                        if isinstance(name := part.get(key), str) and name:
                            names.setdefault(name, part)
                            names.setdefault(name.partition("#")[0] or name, part)
                    for key in ("$anchor", "$dynamicAnchor"):
                        if isinstance(name := part.get(key), str):
                            names.setdefault("#" + name, part)
                    waiting.extend(part.values())
            self._names = names
        return self._names


def _joined(resource: Json, address: str) -> str:
    base = resource.get("$id") if isinstance(resource, dict) else None
    try:
        return urljoin(base, address) if isinstance(base, str) else address
    except ValueError:
        return address


def _own_resource(schema: JsonObject) -> bool:
    name = schema.get("$id")
    return isinstance(name, str) and bool(name) and not name.startswith("#")


def _follow(resource: Json, pointer: str) -> Place | None:
    part: Json = resource
    for token in pointer.split("/")[1:]:
        token = token.replace("~1", "/").replace("~0", "~")
        if isinstance(part, dict) and token in part:
            part = part[token]
        elif isinstance(part, list) and token.isascii() and token.isdigit() and len(token) < 8:
            if int(token) >= len(part):
                return None
            part = part[int(token)]
        else:
            return None
        if isinstance(part, dict) and _own_resource(part):
            resource = part
    return Place(part, resource)


def _take(flat: Flat, schema: JsonObject, resource: Json, skip: frozenset[int]) -> None:
    """Adds what one schema says; the first to speak names and describes the field."""
    flat.keywords |= TELLING & schema.keys()
    for attribute in ("title", "description"):
        if isinstance(text := schema.get(attribute), str) and not getattr(flat, attribute):
            setattr(flat, attribute, text)
    if isinstance(text := schema.get("format"), str) and not flat.format:
        flat.format = text
    if "default" in schema and not flat.has_default:
        flat.default, flat.has_default = schema["default"], True
    if schema.get("nullable") is True:
        flat.nullable = True
    _take_types(flat, schema.get("type"))
    if "const" in schema and not flat.has_const:
        flat.const, flat.has_const = schema["const"], True
    if isinstance(options := schema.get("enum"), list):
        flat.enum = options if flat.enum is None else _common(flat.enum, options)
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
            properties = {}
        for name, part in properties.items():
            flat.properties.setdefault(name, []).append(Place(part, resource))
    if isinstance(required := schema.get("required"), list):
        flat.required |= {key: None for key in required[:PROPERTY_LIMIT] if isinstance(key, str)}
    if isinstance(patterns := schema.get("patternProperties"), dict):
        for key in list(patterns)[:1]:
            flat.patterns.append((key, Place(patterns[key], resource)))
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


def _common(one: list[Json], other: list[Json]) -> list[Json]:
    if max(len(one), len(other)) > ENUM_COMPARE_LIMIT:
        return min(one, other, key=len)
    spelt = {dump(value) for value in other}
    return [value for value in one if dump(value) in spelt]


def _last_name(reference: str) -> str:
    last = unquote(reference).rpartition("/")[2].strip("#")
    return last.replace("~1", "/").replace("~0", "~")


def _kind(value: Json) -> str:
    match value:
        case None:
            return "null"
        case str():
            return "a text"
        case list():
            return "a list"
        case Mapping():
            return "an object"
        case _:
            return "a number"
