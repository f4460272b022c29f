"""A listen stream that broke off is opened again by itself, a bounded number of times."""

import msgspec

from inspector.errors import PeerViolation
from inspector.journal.entries import Kind
from inspector.protocol.messages import JsonObject
from inspector.session.listening import Listening
from tests.session.scene import Scene, error, join, notification, result
from tests.session.test_listening import acknowledged, listening
from tests.session.test_modern import opened
from tests.session.test_rounds import params_of

CUT_OFF = "the stream ended before the response to subscriptions/listen came"


def listener(s: Scene, *pauses: float) -> Listening:
    """The streams of a session, which tries again after so many seconds each."""
    found = s.session.subscriptions.listening
    found.pauses = pauses
    return found


def cut(s: Scene, sent: JsonObject) -> None:
    """The stream of a listen request breaks off."""
    assert isinstance(sent["id"], int)
    s.wire.fail(sent["id"], PeerViolation(CUT_OFF))


def events(s: Scene, name: str) -> list[JsonObject]:
    """The facts of the events of that name."""
    rows = (s.journal.row(number) for number in range(1, len(s.journal) + 1))
    numbers = [row.number for row in rows if row.kind is Kind.EVENT and row.method == name]
    return [msgspec.json.decode(s.journal.body(number)) for number in numbers]


async def test_a_stream_that_broke_off_is_opened_again_with_all_that_was_watched() -> None:
    async with opened() as s:
        streams = listener(s, 0.0, 0.0)
        first = await listening(s, "x://a")
        cut(s, first)
        again = await s.client()
        assert again["method"] == "subscriptions/listen"
        assert again["id"] != first["id"]
        assert params_of(again)["notifications"] == params_of(first)["notifications"]
        s.server(acknowledged(again["id"], toolsListChanged=True))
        await s.settle()
        assert streams.current is not None
        assert streams.again == ""
        assert s.session.subscriptions.find("x://a") is not None  # watched all the while
        assert CUT_OFF in str(events(s, "listening-again"))


async def test_what_was_announced_meanwhile_is_not_known_so_lists_are_read_anew() -> None:
    async with opened() as s:
        listener(s, 0.0)
        reading = s.begin(s.session.catalog.look("tools"))
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(result(asked["id"], {"resultType": "complete", "tools": []}))
        await join(reading)
        cut(s, await listening(s, "x://a"))
        again = await s.client()
        s.server(acknowledged(again["id"], toolsListChanged=True))
        assert (await s.client())["method"] == "tools/list"


async def test_it_is_given_up_after_so_many_tries_in_a_row_and_says_so() -> None:
    async with opened() as s:
        streams = listener(s, 0.0, 0.0)
        cut(s, await listening(s, "x://a"))
        for _ in range(2):
            cut(s, await s.client())
        await s.settle()
        assert s.quiet()
        assert streams.current is None
        assert streams.streams[-1].ended == f"{CUT_OFF}; opened again 2 times in vain"
        assert s.session.subscriptions.items == ()
        # whoever wishes for it anew gets as many tries
        cut(s, await listening(s, "x://b"))
        assert (await s.client())["method"] == "subscriptions/listen"


async def test_a_stream_that_breaks_off_at_once_each_time_is_given_up_too() -> None:
    async with opened() as s:
        streams = listener(s, 0.0, 0.0)
        cut(s, await listening(s, "x://a"))
        for _ in range(2):
            again = await s.client()
            s.server(acknowledged(again["id"], toolsListChanged=True))
            await s.settle()
            cut(s, again)
        await s.settle()
        assert s.quiet()
        assert streams.current is None


async def test_while_it_waits_it_says_when_it_tries_again() -> None:
    async with opened() as s:
        streams = listener(s, 60.0, 60.0)
        cut(s, await listening(s, "x://a"))
        await s.settle()
        assert streams.again == "again in 60 s, try 1 of 2"
        assert s.quiet()
        await listening(s, "x://b")  # somebody is faster
        assert streams.again == ""


async def test_what_the_server_ends_or_refuses_is_not_opened_again() -> None:
    async with opened() as s:
        streams = listener(s, 0.0)
        ended = await listening(s, "x://a")
        s.server(notification("notifications/cancelled", requestId=ended["id"], reason="tired"))
        await s.settle()
        assert s.quiet()
        done = await listening(s, "x://b")
        assert isinstance(done["id"], int)
        s.server(result(done["id"], {"resultType": "complete"}))
        await s.settle()
        assert s.quiet()
        cut(s, await listening(s, "x://c"))
        refused = await s.client()
        assert isinstance(refused["id"], int)
        s.server(error(refused["id"], -32601, "no more"))
        await s.settle()
        assert s.quiet()
        assert "refused" in streams.streams[-1].ended


async def test_a_stream_that_never_stood_is_not_tried_again() -> None:
    async with opened() as s:
        listener(s, 0.0)
        subscribing = s.begin(s.session.subscribe("x://a"))
        cut(s, await s.client())
        await join(subscribing)
        await s.settle()
        assert s.quiet()
        assert s.session.subscriptions.items == ()
