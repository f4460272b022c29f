"""Rules of lists in pages (`server/utilities/pagination`) and of how long they may be kept
(2026-07-28 `server/utilities/caching`)."""

from dataclasses import dataclass, field
from typing import Final

from inspector.journal.recent import Recent
from inspector.lint.look import Look
from inspector.lint.rule import Rule, pointer, quoted, rule
from inspector.lint.state import MODERN
from inspector.protocol.messages import JsonObject

_PAGE: Final = "server/utilities/pagination"
_CACHE: Final = "server/utilities/caching"
ITEMS_JUDGED: Final = 10_000
_LISTS: Final = {
    "resources/list": ("resources", "uri"),
    "resources/templates/list": ("resourceTemplates", "uriTemplate"),
    "prompts/list": ("prompts", "name"),
    "tasks/list": ("tasks", "taskId"),
    "tools/list": ("tools", ""),  # those of one name are told apart by `inspector.lint.tools`
}
_CACHED: Final = frozenset({*_LISTS, "server/discover", "resources/read"} - {"tasks/list"})

RULES: Final[tuple[Rule, ...]] = (
    rule("page/cursor-loop", "A cursor comes again", _PAGE, error="ABCDE"),
    rule("page/null-cursor", "nextCursor is null", _PAGE, warn="ABCDE"),
    rule("page/duplicate-items", "An item comes twice in a list", _PAGE, warn="ABCDE"),
    rule("cache/missing", "A result does not say how long it may be kept", _CACHE, error="E"),
    rule("cache/negative-ttl", "ttlMs is negative", _CACHE, error="E"),
    rule("cache/scope-varies", "The pages of a list have several scopes", _CACHE, error="E"),
    rule("cache/on-input-required", "A question says how long it may be kept", _CACHE, error="E"),
)


@dataclass(slots=True)
class _Walk:
    """One walk through the pages of a list. `following` is the cursor that its last page gave."""

    following: object = None
    cursors: set[str] = field(default_factory=set)
    items: set[str] = field(default_factory=set)
    scope: object = None
    told: bool = False


@dataclass(slots=True)
class _Kept:
    walks: Recent[str, _Walk] = field(default_factory=Recent)


def shape(look: Look) -> None:
    """What the schema of a message would say less well."""
    asked = look.asked
    if asked is None or not look.value.get("result"):
        return
    if asked.method in _LISTS and look.result.get("nextCursor", "") is None:
        look.report(
            "page/null-cursor",
            "nextCursor is null; on the last page it should be left out.",
            "/result/nextCursor",
            asked.number,
        )
    if look.revision is MODERN and look.answers(*_CACHED):
        _cache(look, look.result)


def _cache(look: Look, result: JsonObject) -> None:
    if result.get("resultType") == "input_required":
        for name in ("ttlMs", "cacheScope"):
            if name in result:
                look.report(
                    "cache/on-input-required",
                    f"A result that asks for input must not have {name}: it must not be kept.",
                    pointer("result", name),
                )
        return
    for name in ("ttlMs", "cacheScope"):
        if name not in result:
            look.report(
                "cache/missing",
                f"The result of {look.method} must have {name}.",
                pointer("result", name),
            )
    ttl = result.get("ttlMs")
    if isinstance(ttl, int | float) and ttl < 0:
        look.report(
            "cache/negative-ttl", f"ttlMs is {ttl}; it must not be negative.", "/result/ttlMs"
        )


def check(look: Look) -> None:
    """Judges one page of a list."""
    asked = look.asked
    if asked is None or not look.answers(*_LISTS):
        return
    kept = look.state.held(_Kept)
    walk = kept.walks.get(asked.method)
    if walk is None or "cursor" not in asked.params:
        walk = _Walk()
        kept.walks.put(asked.method, walk)
    cursor = asked.params.get("cursor")
    if cursor is not None and cursor != walk.following:
        return  # a cursor that the walk did not give: its page says nothing of the list
    if isinstance(cursor, str):
        walk.cursors.add(cursor)
    walk.following = following = look.result.get("nextCursor")
    if isinstance(following, str) and following in walk.cursors:
        look.report(
            "page/cursor-loop",
            f"The cursor {quoted(following)} was followed already; the list has no end.",
            "/result/nextCursor",
            asked.number,
        )
        return
    _duplicates(look, walk)
    if look.revision is MODERN:
        scope = look.result.get("cacheScope")
        if walk.scope is not None and scope != walk.scope:
            look.report(
                "cache/scope-varies",
                f"This page's cacheScope is {quoted(scope)}, that of the pages before is"
                f" {quoted(walk.scope)}; all pages of a list must have one.",
                "/result/cacheScope",
            )
        walk.scope = scope


def _duplicates(look: Look, walk: _Walk) -> None:
    member, name = _LISTS[look.method]
    items = look.result.get(member)
    if not name or not isinstance(items, list) or walk.told:
        return
    for index, item in enumerate(items[:ITEMS_JUDGED]):
        key = item.get(name) if isinstance(item, dict) else None
        if not isinstance(key, str) or len(walk.items) >= ITEMS_JUDGED:
            continue
        if key in walk.items:
            walk.told = True
            look.report(
                "page/duplicate-items",
                f"{quoted(key)} was listed already; an item should come once in a list.",
                pointer("result", member, index, name),
            )
            return
        walk.items.add(key)
