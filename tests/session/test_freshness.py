"""What a server says of the life of its answers is read, and never acted upon."""

import pytest

from inspector.protocol.messages import Json
from inspector.session.freshness import Freshness, freshness_of, freshness_of_call, together
from tests.session.scene import join, ready, result, soon
from tests.session.test_modern import opened


@pytest.mark.parametrize(
    ("ttl", "read"),
    [(5000, 5000), (0, 0), (-7, 0), (1.0, 1), (10**40, 10**15), (float("inf"), 10**15)],
)
def test_a_ttl_is_whole_milliseconds_and_never_negative(ttl: Json, read: int) -> None:
    found = freshness_of({"ttlMs": ttl, "cacheScope": "public"}, 3.0)
    assert found == Freshness(read, "public", 3.0)


@pytest.mark.parametrize("body", [None, [], {}, {"ttlMs": "9"}, {"ttlMs": True}, {"ttlMs": None}])
def test_what_names_no_ttl_says_nothing_of_its_life(body: Json) -> None:
    assert freshness_of(body, 1.0) is None


def test_a_scope_that_nobody_defined_is_no_scope() -> None:
    for scope in ("shared", 7, None):
        found = freshness_of({"ttlMs": 1, "cacheScope": scope}, 1.0)
        assert found is not None
        assert found.scope == ""


def test_an_answer_grows_stale_when_its_time_is_over() -> None:
    fresh = Freshness(2000, "private", 10.0)
    assert fresh.left(11.0) == 1.0
    assert not fresh.stale(11.9)
    assert fresh.stale(12.0)
    assert fresh.left(99.0) == 0.0
    assert Freshness(0, "", 10.0).stale(10.0)


def test_a_list_is_stale_with_its_first_page_and_private_with_any() -> None:
    long, short = Freshness(9000, "public", 1.0), Freshness(1000, "private", 2.0)
    assert together(long, short) == Freshness(1000, "private", 2.0)
    assert together(short, long) == Freshness(1000, "private", 2.0)
    assert together(long, Freshness(9000, "", 0.0)) == Freshness(9000, "", 0.0)
    assert together(long, None) is None


async def test_discover_lists_and_reads_carry_their_hints() -> None:
    async with opened(ttlMs=60_000, cacheScope="public") as s:
        known = s.session.state.discover_freshness
        assert known is not None
        assert (known.ttl_ms, known.scope) == (60_000, "public")
        assert (
            known.received_at == s.journal.row(3).monotonic
        )  # after the beginning and the request
        reading = s.begin(s.session.catalog.refresh("tools"))
        for cursor, ttl in (("more", 500), (None, 90)):
            asked = await s.client()
            body: dict[str, Json] = {"resultType": "complete", "tools": [], "ttlMs": ttl}
            if cursor:
                body["nextCursor"] = cursor
            s.server(result(int(str(asked["id"])), body))
        listed = await join(reading)
        assert listed.freshness is not None
        assert listed.freshness.ttl_ms == 90
        call = await soon(s.session.read_resource("memo://x"))
        await s.client()
        await s.answer(call, {"contents": [], "ttlMs": 7, "cacheScope": "private"})
        read = freshness_of_call(call, 4.0)
        assert read == Freshness(7, "private", 4.0)


async def test_what_came_for_somebodys_input_is_not_to_be_kept() -> None:
    async with opened() as s:
        call = await soon(s.session.read_resource("memo://x"))
        await s.client()
        s.server(result(call.id, {"resultType": "input_required", "requestState": "s"}))
        again = await s.client()
        s.server(result(int(str(again["id"])), {"contents": [], "ttlMs": 7}))
        await soon(call.wait())
        assert call.rounds == 1
        assert freshness_of_call(call, 4.0) is None


async def test_a_list_of_the_handshake_era_has_no_hints() -> None:
    async with ready() as s:
        reading = s.begin(s.session.catalog.refresh("tools"))
        asked = await s.client()
        s.server(result(int(str(asked["id"])), {"tools": [], "ttlMs": 90}))
        assert (await join(reading)).freshness is None
