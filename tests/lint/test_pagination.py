"""The rules of pages, and of how long they may be kept."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import Case, Step, ask, check, ok


def page(number: int, cursor: str | None, **members: Json) -> list[Step]:
    asked = (
        ask(number, "resources/list", cursor=cursor) if cursor else ask(number, "resources/list")
    )
    return [asked, ok(number, **{"resources": [], **members})]


ITEM: Json = {"uri": "a:b", "name": "x"}
OTHER: Json = {"uri": "a:c", "name": "x"}
KEPT: JsonObject = {"ttlMs": 0, "cacheScope": "public"}

CASES = (
    Case(
        "page/cursor-loop",
        "D",
        [*page(1, None, nextCursor="a"), *page(2, "a", nextCursor="a")],
        [*page(1, None, nextCursor="a"), *page(2, "a", nextCursor="b"), *page(3, "b")],
    ),
    Case("page/null-cursor", "D", page(1, None, nextCursor=None), page(1, None)),
    Case(
        "page/duplicate-items",
        "D",
        [*page(1, None, resources=[ITEM], nextCursor="a"), *page(2, "a", resources=[ITEM])],
        [
            *page(1, None, resources=[ITEM], nextCursor="a"),
            *page(2, "a", resources=[OTHER]),
            *page(3, None, resources=[ITEM]),
        ],
    ),
    Case("cache/missing", "E", page(1, None), page(1, None, **KEPT)),
    Case(
        "cache/negative-ttl",
        "E",
        page(1, None, ttlMs=-1, cacheScope="public"),
        page(1, None, **KEPT),
    ),
    Case(
        "page/duplicate-items",
        "D",
        [*page(1, None, resources=[ITEM, ITEM])],
        [*page(1, None, resources=[ITEM]), *page(2, "no-cursor-of-yours", resources=[ITEM])],
        name="-cursor of nobody",
    ),
    Case(
        "cache/scope-varies",
        "E",
        [*page(1, None, nextCursor="a", **KEPT), *page(2, "a", ttlMs=0, cacheScope="private")],
        [*page(1, None, nextCursor="a", **KEPT), *page(2, "a", **KEPT)],
    ),
    Case(
        "cache/on-input-required",
        "E",
        [
            ask(1, "resources/read", uri="a:b"),
            ok(1, resultType="input_required", requestState="x", ttlMs=0),
        ],
        [ask(1, "resources/read", uri="a:b"), ok(1, resultType="input_required", requestState="x")],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
