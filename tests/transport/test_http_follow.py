"""Following one logical stream over several connections, with connections made of memory."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest

from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Kind, SseFacts
from inspector.journal.journal import Journal
from inspector.protocol.messages import RequestId
from inspector.protocol.sse import SseParser
from inspector.transport import http_follow, http_stream
from inspector.transport.http_client import Answer
from inspector.transport.http_follow import REFUSED_STREAM, Follower
from inspector.transport.http_stream import EventStream

DONE = b'{"jsonrpc":"2.0","id":1,"result":{}}'


class Legs:
    """Connections that bring what they are told to, and a record of what was handed on."""

    def __init__(self, *legs: bytes | Exception) -> None:
        self.journal = Journal()
        self.legs = list(legs)
        self.asked: list[str] = []
        self.delivered: list[tuple[bytes, RequestId | None, str]] = []
        self.beside: list[SseFacts | None] = []
        self.counts: list[tuple[RequestId | None, int]] = []
        self.read = asyncio.Event()
        self.follower = Follower(self.journal, 1, self.connect, self, left_open=5)

    async def connect(self, stream: EventStream) -> Answer:
        self.asked.append(stream.last_event_id)
        return self.answer()

    def answer(self, *, stays: bool = False) -> Answer:
        leg = self.legs.pop(0)
        if isinstance(leg, Exception):
            raise leg

        async def body() -> AsyncIterator[bytes]:
            for start in range(0, len(leg), 7):
                yield leg[start : start + 7]
            if stays:
                self.read.set()
                await asyncio.Event().wait()

        headers = {"Content-Type": "text/event-stream"}
        request = httpx.Request("GET", "http://127.0.0.1/")
        response = httpx.Response(200, headers=headers, content=body(), request=request)
        return Answer(response, self.journal, 1)

    def deliver(
        self,
        raw: bytes,
        about: RequestId | None,
        http: int,
        stream: str,
        event: SseFacts | None = None,
    ) -> None:
        self.delivered.append((raw, about, stream))
        self.beside.append(event)

    def arriving(self, about: RequestId | None, count: int) -> None:
        self.counts.append((about, count))

    async def follow(self, about: RequestId | None = 1) -> Exception | None:
        stream = EventStream(about, "POST", retry=0.0)
        return await self.follower.follow(stream, self.answer(), "tools/call")

    def events(self) -> list[str]:
        rows = [self.journal.row(number) for number in range(1, len(self.journal) + 1)]
        return [row.method for row in rows if row.kind is Kind.EVENT]


async def test_an_answer_on_the_first_connection_ends_it() -> None:
    legs = Legs(b"data: " + DONE + b"\n\n")
    assert await legs.follow() is None
    assert legs.delivered == [(DONE, 1, "POST")]
    assert legs.follower.open_streams == 0


async def test_a_stream_polls_on_as_long_as_each_connection_brings_an_event() -> None:
    polls = [b"id: %d\ndata:\n\n" % number for number in range(20)]
    legs = Legs(*polls, b"data: " + DONE + b"\n\n")
    assert await legs.follow() is None
    assert legs.asked == [str(number) for number in range(20)]


async def test_an_event_that_is_cut_off_is_kept_as_a_fact_and_asked_for_again() -> None:
    legs = Legs(b"id: a\ndata:\n\nid: b\ndata: {", b"id: b\ndata: " + DONE + b"\n\n")
    assert await legs.follow() is None
    assert legs.asked == ["a"]
    assert "stream-cut" in legs.events()


async def test_connections_that_bring_nothing_are_given_up() -> None:
    legs = Legs(b"id: a\ndata:\n\n", *[b""] * 10)
    failure = await legs.follow()
    assert isinstance(failure, PeerViolation)
    assert "brought no response" in failure.message
    assert len(legs.asked) == 6


async def test_connections_that_lasted_may_bring_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_stream, "LONG_LIVED", 0.0)
    legs = Legs(b"id: a\ndata:\n\n", *[b""] * 10, b"data: " + DONE + b"\n\n")
    assert await legs.follow() is None


@pytest.mark.parametrize("kind", [REFUSED_STREAM, "auth", "redirect"])
async def test_a_refusal_to_resume_ends_it_at_once(kind: str) -> None:
    refusal = ConnectionFailed("no", kind=kind)
    legs = Legs(b"id: a\ndata:\n\n", refusal, b"")
    assert await legs.follow() is refusal
    assert len(legs.asked) == 1


async def test_a_connection_that_cannot_be_made_is_tried_again() -> None:
    legs = Legs(
        b"id: a\ndata:\n\n", ConnectionFailed("later", kind="refused"), b"data: " + DONE + b"\n\n"
    )
    assert await legs.follow() is None


async def test_what_of_an_event_has_come_is_told_before_it_ends() -> None:
    legs = Legs(b"data: {" + b"x" * 100)
    await legs.follow()
    assert legs.counts[0] < legs.counts[-1] == (1, 107)


async def test_events_of_unknown_names_are_facts_and_no_messages() -> None:
    legs = Legs(b"event: ping\ndata: now\n\ndata: " + DONE + b"\n\n")
    assert await legs.follow() is None
    assert legs.events() == ["sse-unknown"]
    assert len(legs.delivered) == 1


async def test_what_stood_beside_a_message_is_handed_on_with_it() -> None:
    legs = Legs(b"id: e1\nretry: 250\ndata: " + DONE + b"\n\n")
    await legs.follow()
    assert legs.beside == [SseFacts("e1", 250)]


async def test_the_end_of_a_stream_before_its_response_is_a_fact() -> None:
    legs = Legs(b": nothing\n\n")
    assert await legs.follow() is not None
    assert legs.events()[-1] == "stream-ended"


async def test_a_stream_that_answered_or_answers_nothing_ends_without_a_word() -> None:
    legs = Legs(b"data: " + DONE + b"\n\n")
    await legs.follow()
    assert "stream-ended" not in legs.events()


@pytest.mark.parametrize(("least", "told"), [(0.0, True), (3600.0, False)])
async def test_a_stream_that_stayed_open_after_its_response_is_told_as_we_leave(
    monkeypatch: pytest.MonkeyPatch, least: float, told: bool
) -> None:
    monkeypatch.setattr(http_follow, "LONG_SECONDS", least)
    legs = Legs(b"data: " + DONE + b"\n\n")
    following = asyncio.ensure_future(
        legs.follower.follow(EventStream(1, "POST"), legs.answer(stays=True), "tools/call")
    )
    async with asyncio.timeout(10):
        await legs.read.wait()
    following.cancel()
    with suppress(asyncio.CancelledError):
        await following
    assert ("stream-left-open" in legs.events()) is told


async def test_a_stream_that_we_leave_before_its_response_was_not_left_open(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(http_follow, "LONG_SECONDS", 0.0)
    legs = Legs(b": still here\n\n")
    following = asyncio.ensure_future(
        legs.follower.follow(EventStream(1, "POST"), legs.answer(stays=True), "tools/call")
    )
    async with asyncio.timeout(10):
        await legs.read.wait()
    following.cancel()
    with suppress(asyncio.CancelledError):
        await following
    assert "stream-left-open" not in legs.events()


async def test_others_have_their_turn_between_many_events_and_leaving_loses_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """One chunk may bring thousands of events; what was read is in the recording."""
    monkeypatch.setattr(http_follow, "TURN", 0.0)
    legs = Legs(b"")
    came = SseParser().feed(b"".join(b'data: {"n":%d}\n\n' % count for count in range(50)))
    taking = asyncio.create_task(
        legs.follower._take_all(EventStream(1, "POST"), came, legs.answer())
    )
    await asyncio.sleep(0)
    assert 0 < len(legs.delivered) < 50
    taking.cancel()
    with suppress(asyncio.CancelledError):
        await taking
    assert [raw for raw, _, _ in legs.delivered] == [b'{"n":%d}' % count for count in range(50)]
