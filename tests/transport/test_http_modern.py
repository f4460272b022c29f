"""Streamable HTTP of 2026-07-28 against real loopback sockets, honest and rude."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Direction, Kind
from inspector.protocol.messages import MessageKind, encode_request
from inspector.transport.base import Outgoing
from inspector.transport.http_modern import LOST, ModernHttp
from tests.servers.rude_http import Peer, rude_http
from tests.transport.wire import Wire, wired


@asynccontextmanager
async def talking(mode: str = "honest") -> AsyncIterator[tuple[Wire, Peer]]:
    """A wire to a rude server; no handshake in this era."""
    async with rude_http(mode) as peer:
        target = Target(url=peer.url)
        async with wired(lambda j, c: ModernHttp(target, j, c, left_open=0.1)) as wire:
            yield wire, peer


async def test_a_request_is_a_post_with_its_own_headers_and_nothing_else() -> None:
    async with talking() as (wire, peer):
        raw = encode_request(1, "tools/call", {"name": "poke"})
        headers = (("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", "tools/call"))
        await wire.transport.send(
            Outgoing(raw, MessageKind.REQUEST, 1, "tools/call", headers=headers)
        )
        assert b"ok" in await wire.answer(1)
    (post,) = peer.seen
    assert post.method == "POST"
    assert post.headers["accept"] == "application/json, text/event-stream"
    assert post.headers["mcp-protocol-version"] == "2026-07-28"
    assert post.headers["mcp-method"] == "tools/call"
    assert "mcp-session-id" not in post.headers


async def test_a_stream_brings_what_belongs_to_the_request_and_then_its_response() -> None:
    async with talking("stream") as (wire, _):
        number = await wire.poke()
        await wire.answer(number)
        assert {message.about for message in wire.sink.messages} == {number}


async def test_a_stream_that_ends_before_the_response_loses_the_request() -> None:
    """2026-07-28 basic/transports/streamable-http: no resumption, whatever ids came."""
    for mode in ("close-without-id", "close-then-resume"):
        async with talking(mode) as (wire, peer):
            error = await wire.failure(await wire.poke())
            assert isinstance(error, PeerViolation)
            assert error.hint.endswith(LOST)
            assert "event id" not in error.hint, "there is no resumption that an id would serve"
        assert [seen.method for seen in peer.seen] == ["POST"]


async def test_to_abandon_a_request_closes_its_stream() -> None:
    """2026-07-28 basic/patterns/cancellation."""
    async with talking("comments-only") as (wire, peer):
        assert wire.transport.closing_cancels
        number = await wire.poke()
        await peer.wait_for("POST")
        await wire.until(lambda: bool(wire.entries(Kind.HTTP)))
        assert wire.transport.facts.streams == 1
        await wire.transport.abandon(number)
        await wire.event("stream-closed")
        await wire.transport.close()
        assert wire.transport.facts.streams == 0
        assert wire.sink.failures == {}
        assert [seen.method for seen in peer.seen] == ["POST"]


@pytest.mark.parametrize("mode", ["html-500", "html-200", "accepted", "empty", "wrong-id"])
async def test_what_is_no_answer_fails_its_request_alone(mode: str) -> None:
    async with talking(mode) as (wire, _):
        error = await wire.failure(await wire.poke())
        assert error.message
        again = await wire.request("tools/list")
        assert await wire.answer(again)


async def test_an_error_body_reaches_the_request_that_it_answers() -> None:
    async with talking("error-without-id") as (wire, _):
        number = await wire.poke()
        await wire.until(lambda: bool(wire.sink.messages))
        assert wire.sink.messages[0].about == number


async def test_what_came_of_an_answer_that_broke_off_is_kept() -> None:
    async with talking("reset-mid-body") as (wire, _):
        error = await wire.failure(await wire.poke())
        assert error.hint == LOST
        assert any(wire.frames(Direction.RECEIVED)), "the beginning of the body"


async def test_a_body_that_answers_another_request_is_named_as_that() -> None:
    async with talking("wrong-id") as (wire, _):
        error = await wire.failure(await wire.poke())
        assert "it answers the id" in error.message


async def test_what_is_not_open_takes_nothing() -> None:
    async with talking() as (wire, _):
        await wire.transport.close()
        with pytest.raises(ConnectionFailed):
            await wire.poke()
        assert len(wire.sink.ends) == 1


async def test_one_that_was_replaced_closes_without_a_word() -> None:
    async with talking() as (wire, _):
        assert isinstance(wire.transport, ModernHttp)
        wire.transport.hand_over()
        await wire.transport.close()
        assert wire.sink.ends == []
