"""Where a `$ref` leads inside one schema: by pointer, by anchor, by `$id`.

Decides which subschema a reference names, over all drafts, in bounded time. Nothing is fetched: a
reference that leads out of the schema leads nowhere. What the found schema says is decided by
`inspector.forms.schema`.
"""

from dataclasses import dataclass
from itertools import islice
from typing import Final
from urllib.parse import unquote, urljoin

from inspector.protocol.json_pointer import steps_of
from inspector.protocol.messages import Json, JsonObject

ID_SEARCH_LIMIT: Final = 20_000
"""Places looked at to find an `$id` or an anchor."""
REFERENCE_LIMIT: Final = 2000
"""Characters of a reference that leads anywhere."""


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """A schema and the resource (the root that `#` means) in which it stands."""

    schema: Json
    resource: Json


class References:
    """The names that the parts of one schema have."""

    def __init__(self, root: Json) -> None:
        self.root = root
        self._found: dict[str, Json] | None = None
        self._bases: dict[int, str] = {}

    def find(self, reference: str, resource: Json) -> Place | None:
        """What a `$ref` that stands in `resource` leads to; None where that is not in here."""
        if len(reference) > REFERENCE_LIMIT:
            return None
        address, _, fragment = reference.partition("#")
        if address and not (isinstance(resource, dict) and address == resource.get("$id")):
            found = self._named().get(address, self._named().get(self._joined(resource, address)))
            if found is None:
                return None
            resource = found
        fragment = unquote(fragment)
        if not fragment:
            return Place(resource, resource)
        if fragment.startswith("/"):
            return _follow(resource, fragment)
        names = self._named()
        named = names.get(f"{self._base(resource)}#{fragment}", names.get(f"#{fragment}"))
        return None if named is None else Place(named, resource)

    def _base(self, resource: Json) -> str:
        """The absolute address of a resource, as far as its `$id`s tell."""
        self._named()
        return self._bases.get(id(resource), "")

    def _joined(self, resource: Json, address: str) -> str:
        return _join(self._base(resource), address)

    def _named(self) -> dict[str, Json]:
        """Subschemas by their `$id` as spelt and as resolved, by anchor as `base#name`."""
        if self._found is None:
            names: dict[str, Json] = {}
            waiting: list[tuple[Json, str]] = [(self.root, "")]
            steps = 0
            while waiting and steps < ID_SEARCH_LIMIT:
                part, base = waiting.pop()
                steps += 1
                if isinstance(part, list):
                    waiting.extend((one, base) for one in part[: ID_SEARCH_LIMIT - steps])
                elif isinstance(part, dict):
                    base = self._name(part, base, names)
                    left = islice(part.values(), ID_SEARCH_LIMIT - steps)
                    waiting.extend((one, base) for one in left)
            self._found = names
        return self._found

    def _name(self, part: JsonObject, base: str, names: dict[str, Json]) -> str:
        """Notes the names of one part; returns the address that its own parts start from."""
        for key in ("$id", "id"):
            name = part.get(key)
            if not isinstance(name, str) or not 0 < len(name) <= REFERENCE_LIMIT:
                continue
            names.setdefault(name, part)
            address = name.partition("#")[0]
            if not address:  # an anchor as drafts before 2019-09 spelt it
                names.setdefault(f"{base}{name}", part)
                continue
            absolute = _join(base, address)
            names.setdefault(address, part)
            names.setdefault(absolute, part)
            if key == "$id" or part is self.root:
                base = self._bases[id(part)] = absolute
        for key in ("$anchor", "$dynamicAnchor"):
            if isinstance(name := part.get(key), str):
                names.setdefault(f"{base}#{name}", part)
                names.setdefault(f"#{name}", part)
        return base


def own_resource(schema: JsonObject) -> bool:
    """Whether `#` means this schema inside of it."""
    name = schema.get("$id")
    return isinstance(name, str) and bool(name) and not name.startswith("#")


def _join(base: str, address: str) -> str:
    try:
        return urljoin(base, address) if base else address
    except ValueError:
        return address


def _follow(resource: Json, pointer: str) -> Place | None:
    part: Json = resource
    for token in steps_of(pointer):
        if isinstance(part, dict) and token in part:
            part = part[token]
        elif isinstance(part, list) and token.isascii() and token.isdigit() and len(token) < 8:
            if int(token) >= len(part):
                return None
            part = part[int(token)]
        else:
            return None
        if isinstance(part, dict) and own_resource(part):
            resource = part
    return Place(part, resource)
