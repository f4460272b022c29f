"""Lists are read page by page, kept with their exact text, and read again when they change."""

import pytest

from inspector.protocol.messages import Json, JsonObject
from inspector.session.catalog import AUTOMATIC_LIMIT, CatalogList
from tests.session.scene import Scene, error, join, notification, ready, result, soon


def page(key: str, *names: str, cursor: Json = None) -> JsonObject:
    """One page of a list."""
    body: JsonObject = {key: [{"name": name} for name in names]}
    if cursor is not None:
        body["nextCursor"] = cursor
    return body


def names(found: CatalogList) -> list[Json]:
    """The names of the items."""
    return [item["name"] for item in found.items if isinstance(item, dict)]


async def answer(s: Scene, method: str, body: Json) -> JsonObject:
    """Answers the next request of ours; its parameters."""
    sent = await s.client()
    assert sent["method"] == method
    assert isinstance(sent["id"], int)
    s.server(result(sent["id"], body))
    params = sent.get("params", {})
    assert isinstance(params, dict)
    return params


async def test_all_pages_are_read_and_cursors_are_sent_back_as_they_came() -> None:
    """2025-11-25 server/utilities/pagination: cursors are opaque."""
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        assert await answer(s, "tools/list", page("tools", "a", cursor="\u00e9 \n")) == {}
        assert await answer(s, "tools/list", page("tools", "b", "c")) == {"cursor": "\u00e9 \n"}
        await join(reading)
        tools = s.session.catalog["tools"]
        assert (tools.state, names(tools), tools.pages) == ("ready", ["a", "b", "c"], 2)
        assert len(tools.entries) == 2
        assert tools.raw[0] == b'{"name":"a"}'


async def test_the_exact_text_of_an_item_is_kept() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await s.client()
        s.server(b'{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name" : "a", "n":1.0e0}, 7]}}')
        await join(reading)
        tools = s.session.catalog["tools"]
        assert tools.raw == (b'{"name" : "a", "n":1.0e0}', b"7")
        assert tools.items == ({"name": "a", "n": 1.0}, 7)
        assert tools.find("name", "a") is not None
        assert tools.find("name", "b") is None


@pytest.mark.parametrize("end", [None, ""])
async def test_null_and_the_empty_cursor_end_a_list_of_the_handshake_era(end: Json) -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("prompts"))
        await answer(s, "prompts/list", {"prompts": [], "nextCursor": end})
        await join(reading)
        assert s.session.catalog["prompts"].state == "ready"
        assert s.quiet()


async def test_a_cursor_that_repeats_ends_the_reading_and_says_so() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await answer(s, "tools/list", page("tools", "a", cursor="x"))
        await answer(s, "tools/list", page("tools", "b", cursor="x"))
        await join(reading)
        tools = s.session.catalog["tools"]
        assert (tools.state, names(tools)) == ("ready", ["a", "b"])
        assert "came twice" in tools.error


async def test_what_was_read_before_a_failure_is_kept() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await answer(s, "tools/list", page("tools", "a", cursor="x"))
        await s.client()
        s.server(error(3, -32602, "bad cursor"))
        await join(reading)
        tools = s.session.catalog["tools"]
        assert (tools.state, names(tools)) == ("failed", ["a"])
        assert tools.error == "the server answered -32602 bad cursor"


@pytest.mark.parametrize("body", [[], {}, {"tools": {}}, None])
async def test_a_page_without_a_list_fails_with_a_reason(body: Json) -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await answer(s, "tools/list", body)
        await join(reading)
        assert s.session.catalog["tools"].state == "failed"
        assert "has no list 'tools'" in s.session.catalog["tools"].error


async def test_undeclared_lists_are_unsupported_and_not_asked_for() -> None:
    """2025-11-25 basic/lifecycle: use only what was negotiated."""
    async with ready({"tools": {}}) as s:
        catalog = s.session.catalog
        assert {kind: found.state for kind, found in catalog.lists.items()} == {
            "tools": "unknown",
            "resources": "unsupported",
            "resourceTemplates": "unsupported",
            "prompts": "unsupported",
        }
        await soon(catalog.refresh("prompts"))
        assert s.quiet()
        reading = s.begin(catalog.refresh("prompts", force=True))
        await answer(s, "prompts/list", page("prompts", "p"))
        await join(reading)
        assert catalog["prompts"].state == "ready"
        forced = s.session.calls[-1]
        assert forced.forced
        s.server(notification("notifications/prompts/list_changed"))
        await answer(s, "prompts/list", page("prompts", "p", "q"))
        await soon(s.changes.until(lambda: len(catalog["prompts"].items) == 2))
        assert s.session.calls[-1].forced


async def test_a_change_is_read_again_only_if_somebody_has_looked() -> None:
    """2025-11-25 server/tools: list changed notification."""
    async with ready() as s:
        s.server(notification("notifications/tools/list_changed"))
        await s.settle()
        assert s.quiet()
        assert s.session.catalog["tools"].state == "unknown"
        looking = s.begin(s.session.catalog.look("tools"))
        await answer(s, "tools/list", page("tools", "a"))
        await join(looking)
        s.server(notification("notifications/tools/list_changed"))
        await answer(s, "tools/list", page("tools", "a", "b"))
        await soon(s.changes.until(lambda: s.session.catalog["tools"].state == "ready"))
        assert names(s.session.catalog["tools"]) == ["a", "b"]


async def test_a_change_while_reading_leads_to_one_more_reading() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await s.client()
        for _ in range(5):
            s.server(notification("notifications/tools/list_changed"))
        s.server(result(2, page("tools", "a")))
        await answer(s, "tools/list", page("tools", "b"))
        await join(reading)
        await soon(s.changes.until(lambda: names(s.session.catalog["tools"]) == ["b"]))
        await s.settle()
        assert s.quiet()


async def test_a_server_that_changes_with_every_answer_does_not_keep_us_reading() -> None:
    async with ready() as s:
        looking = s.begin(s.session.catalog.look("tools"))
        await answer(s, "tools/list", page("tools"))
        await join(looking)
        for _ in range(AUTOMATIC_LIMIT):
            s.server(notification("notifications/tools/list_changed"))
            await answer(s, "tools/list", page("tools"))
            await soon(s.changes.until(lambda: s.session.catalog["tools"].state == "ready"))
        s.server(notification("notifications/tools/list_changed"))
        await s.settle()
        assert s.quiet()
        assert s.session.catalog["tools"].state == "stale"
        assert "faster than they can be read" in s.session.catalog["tools"].error


async def test_two_who_look_at_once_share_one_reading() -> None:
    async with ready() as s:
        first = s.begin(s.session.catalog.look("tools"))
        second = s.begin(s.session.catalog.refresh("tools"))
        await answer(s, "tools/list", page("tools", "a"))
        assert names(await join(first)) == ["a"]
        assert names(await join(second)) == ["a"]
        assert s.quiet()


def deep(levels: int) -> bytes:
    """A schema nested so deep."""
    return b'{"properties":{"a":' * levels + b"{}" + b"}}" * levels


@pytest.mark.parametrize(
    ("bad", "why"),
    [
        (deep(5000), "nested deeper"),
        (b'{"default":NaN}', "NaN is no JSON number"),
        (b'{"title":"\xff"}', "not UTF-8"),
    ],
)
async def test_one_item_that_cannot_be_read_hides_no_others(bad: bytes, why: str) -> None:
    """Its other members are still read, and what is wrong with it is kept with its position."""
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await s.client()
        s.server(
            b'{"jsonrpc":"2.0","id":2,"result":{"nextCursor":"x","tools":[{"name":"a"},'
            b'{"name":"b","inputSchema":' + bad + b'},{"name":"c"}]}}'
        )
        assert await answer(s, "tools/list", page("tools", "d")) == {"cursor": "x"}
        await join(reading)
        tools = s.session.catalog["tools"]
        assert (tools.state, names(tools)) == ("ready", ["a", "b", "c", "d"])
        assert tools.items[1] == {"name": "b"}
        assert tools.raw[1] == b'{"name":"b","inputSchema":' + bad + b"}"
        assert list(tools.broken) == [1]
        assert tools.broken[1].startswith("inputSchema cannot be read: ")
        assert why in tools.broken[1]
        assert "item 2" in tools.error


async def test_an_answer_that_breaks_off_still_shows_the_items_before() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        await s.client()
        s.server(b'{"jsonrpc":"2.0","id":2,"result":{"tools":[{"name":"a"},{"name":"b","ti')
        await join(reading)
        tools = s.session.catalog["tools"]
        assert (tools.state, names(tools)) == ("ready", ["a", "b"])
        assert list(tools.broken) == [1]


async def test_a_change_too_many_is_read_when_the_server_has_calmed_down(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.session.catalog.AUTOMATIC_WINDOW", 0.2)
    async with ready() as s:
        looking = s.begin(s.session.catalog.look("tools"))
        await answer(s, "tools/list", page("tools"))
        await join(looking)
        for _ in range(AUTOMATIC_LIMIT):
            s.server(notification("notifications/tools/list_changed"))
            await answer(s, "tools/list", page("tools"))
            await soon(s.changes.until(lambda: s.session.catalog["tools"].state == "ready"))
        for _ in range(100):
            s.server(notification("notifications/tools/list_changed"))
        await answer(s, "tools/list", page("tools", "last"))
        await soon(s.changes.until(lambda: s.session.catalog["tools"].state == "ready"))
        assert names(s.session.catalog["tools"]) == ["last"]
        await s.settle()
        assert s.quiet()
