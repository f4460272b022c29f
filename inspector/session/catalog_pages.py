"""A list of the server, and how the pages that its answers bring become one.

The catalog of a live session adds pages as they come; whoever looks at the past adds those that
the journal has. An item is kept as it came, next to its exact text. Pure.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from inspector.protocol.json_text import (
    NotJsonError,
    parse_json,
    read_string,
    scan_items,
    scan_members,
)
from inspector.protocol.messages import Json, raw_items, raw_members
from inspector.session.freshness import Freshness, freshness_of, together
from inspector.session.pending import Success

ListKind = Literal["tools", "resources", "resourceTemplates", "prompts"]
ListState = Literal["unknown", "unsupported", "loading", "ready", "failed", "stale"]


@dataclass(frozen=True, slots=True)
class CatalogList:
    """One list as far as it was read.

    `items` and `raw` go in parallel: the parsed item and its exact text. `entries` are the journal
    entries of the pages. `error` says why the list is incomplete or failed ("" if it is whole).
    `freshness` is how long the whole list stays fresh, as the server says (None: it does not).
    `broken` says by position what of an item cannot be read; the item is what is left of it.
    """

    kind: ListKind
    state: ListState = "unknown"
    items: tuple[Json, ...] = ()
    raw: tuple[bytes, ...] = ()
    pages: int = 0
    error: str = ""
    entries: tuple[int, ...] = ()
    broken: Mapping[int, str] = field(default_factory=dict)
    freshness: Freshness | None = None

    def find(self, key: str, value: str) -> Json:
        """The first item whose member `key` is `value`, None where there is none."""
        for item in self.items:
            if isinstance(item, dict) and item.get(key) == value:
                return item
        return None


@dataclass(frozen=True, slots=True)
class Salvage:
    """A page out of an answer that is no message."""

    entry: int
    items: tuple[Json, ...]
    raw: tuple[bytes, ...]
    broken: Mapping[int, str]
    cursor: bytes | None

    def added_to(self, so_far: CatalogList) -> CatalogList:
        """The list with this page."""
        before = len(so_far.items)
        broken = {before + position: why for position, why in self.broken.items()}
        first = next(iter(broken.items()), None)
        error = so_far.error
        if first is not None and not error:
            more = f"; and {len(broken) - 1} more" if len(broken) > 1 else ""
            error = f"item {first[0] + 1}: {first[1]}{more}"
        return replace(
            so_far,
            items=(*so_far.items, *self.items),
            raw=(*so_far.raw, *self.raw),
            pages=so_far.pages + 1,
            entries=(*so_far.entries, self.entry),
            broken={**so_far.broken, **broken},
            freshness=None,
            error=error or f"entry {self.entry} cannot be read whole",
        )


def salvage(kind: ListKind, entry: int, body: bytes) -> Salvage | None:
    """The page in `body`, entry `entry`, which is no message; None where there is no list."""
    result = scan_members(scan_members(body).get("result", b""))
    if not result.get(kind, b"").lstrip().startswith(b"["):
        return None
    raw = scan_items(result[kind])
    items: list[Json] = []
    broken: dict[int, str] = {}
    for position, text in enumerate(raw):
        try:
            items.append(parse_json(text))
        except NotJsonError as error:
            item, why = _remains(text)
            items.append(item)
            broken[position] = why or f"the item cannot be read: {error}"
    cursor = result.get("nextCursor")
    if cursor in (b"null", b'""') or (cursor and read_string(cursor) is None):
        cursor = None
    return Salvage(entry, tuple(items), tuple(raw), broken, cursor)


def _remains(raw: bytes) -> tuple[Json, str]:
    """The members of an item that can be read, and what is wrong with the first other one."""
    members: dict[str, Json] = {}
    why = ""
    for key, text in scan_members(raw).items():
        try:
            members[key] = parse_json(text)
        except NotJsonError as error:
            why = why or f"{key} cannot be read: {error}"
    return members or None, why


def with_page(so_far: CatalogList, page: Success) -> tuple[CatalogList, str]:
    """`so_far` with one page more, and what is wrong with the page ("" if nothing)."""
    items = page.result.get(so_far.kind) if isinstance(page.result, dict) else None
    if not isinstance(items, list):
        return so_far, f"the answer (entry {page.entry}) has no list {so_far.kind!r}"
    texts = raw_items(raw_members(page.raw).get(so_far.kind, b""))
    if len(texts) != len(items):  # a repeated key: the parsed items are of the other one
        return so_far, f"the answer (entry {page.entry}) has {so_far.kind!r} twice"
    return (
        replace(
            so_far,
            items=(*so_far.items, *items),
            raw=(*so_far.raw, *texts),
            pages=so_far.pages + 1,
            entries=(*so_far.entries, page.entry),
        ),
        "",
    )


def with_freshness(so_far: CatalogList, result: Json, received_at: float) -> CatalogList:
    """`so_far` with what its last page says of its own life; that came at `received_at`, monotonic
    seconds."""
    said = freshness_of(result, received_at)
    return replace(
        so_far, freshness=said if so_far.pages <= 1 else together(so_far.freshness, said)
    )


def read_page(
    so_far: CatalogList, entry: int, body: bytes, received_at: float | None
) -> CatalogList:
    """`so_far` with the page that the answer in `body`, entry `entry`, brings; with nothing more
    where it brings none. `received_at` where the page may say how long it lives (None: it may
    not)."""
    raw = raw_members(body).get("result", b"")
    try:
        result = parse_json(raw)
    except NotJsonError:
        page = salvage(so_far.kind, entry, body)
        return so_far if page is None else page.added_to(so_far)
    longer, problem = with_page(so_far, Success(result, raw, entry))
    if problem:
        page = salvage(so_far.kind, entry, body) if not raw else None
        return so_far if page is None else page.added_to(so_far)
    return longer if received_at is None else with_freshness(longer, result, received_at)
