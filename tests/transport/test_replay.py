"""A server played from a recording."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from inspector.errors import ConnectionFailed
from inspector.journal.entries import Direction, HttpFacts, Kind
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    MessageKind,
    Sendable,
    encode_notification,
    encode_request,
    encode_result,
    raw_members,
)
from inspector.transport.base import Outgoing
from inspector.transport.replay import ReplayTransport
from inspector.transport.stdio import StdioTransport
from tests.servers import real
from tests.transport.test_replay_script import call, progress, recorded
from tests.transport.test_stdio import HASTY
from tests.transport.wire import HELLO, Wire, wired


@asynccontextmanager
async def playing(recording: Journal) -> AsyncIterator[Wire]:
    async with wired(lambda j, c: ReplayTransport(recording, j, c)) as wire:
        yield wire
    recording.close()


async def test_an_answer_comes_with_the_new_id_and_its_text_untouched() -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":{"n":1.10}}'
    async with playing(recorded((">", call(1)), ("<", raw))) as wire:
        wire.last_id = 40
        await wire.request("tools/call", {"name": "t"})
        assert raw_members(await wire.answer(41))["result"] == b'{"n":1.10}'


async def test_what_followed_an_answer_of_ours_waits_for_it() -> None:
    ask = encode_request("s1", "roots/list")
    recording = recorded(
        (">", call(1)),
        ("<", ask),
        (">", encode_result("s1", {"roots": []})),
        ("<", encode_result(1, {})),
    )
    async with playing(recording) as wire:
        poke = await wire.request("tools/call", {"name": "t"})
        await wire.until(lambda: wire.sink.texts == [ask])
        await wire.answer(await wire.request("ping"))
        reply = encode_result("s1", {"roots": ["other"]})
        await wire.transport.send(Outgoing(reply, MessageKind.RESULT, "s1"))
        await wire.answer(poke)


async def test_progress_carries_the_token_of_the_new_request() -> None:
    recording = recorded((">", call(1, "old")), ("<", progress("old")), ("<", encode_result(1, {})))
    async with playing(recording) as wire:
        params: Sendable = {"name": "t", "_meta": {"progressToken": "new"}}
        await wire.answer(await wire.request("tools/call", params))
        assert wire.sink.texts[0] == progress("new")


async def test_notifications_of_ours_bring_what_followed_them() -> None:
    changed = encode_notification("notifications/tools/list_changed")
    recording = recorded(
        ("2", b"listening"),
        (">", encode_request(1, "initialize", {"clientInfo": {"name": "somebody"}})),
        ("<", encode_result(1, {})),
        (">", encode_notification("notifications/initialized")),
        ("<", changed),
    )
    async with playing(recording) as wire:
        await wire.answer(await wire.request("initialize", HELLO))
        assert len(wire.entries(Kind.STDERR)) == 1
        await wire.notify("notifications/initialized")
        await wire.until(lambda: changed in wire.sink.texts)


async def test_what_was_not_recorded_is_said_so_and_ping_is_answered() -> None:
    async with playing(recorded()) as wire:
        answer = json.loads(await wire.answer(await wire.request("tools/list")))
        assert "holds no answer to tools/list" in answer["error"]["message"]
        assert json.loads(await wire.answer(await wire.request("ping")))["result"] == {}


async def test_recorded_http_exchanges_come_back_with_the_frames_that_they_carried() -> None:
    recording = Journal()
    connection = recording.begin_connection({})
    sent = recording.frame(Direction.SENT, call(1), connection=connection)
    facts = HttpFacts("POST", "http://127.0.0.1/mcp", status=200)
    http = recording.http(facts, connection=connection, frame=sent)
    recording.frame(Direction.RECEIVED, encode_result(1, {}), connection=connection, http=http)
    async with playing(recording) as wire:
        await wire.answer(await wire.request("tools/call", {"name": "t"}))
        row = wire.journal.row(wire.sink.messages[0].number)
        assert row.status == 200
        assert row.http is not None
        assert wire.sink.messages[0].about == 1


async def test_the_same_requests_give_the_same_traffic() -> None:
    target = real.rude_stdio("junk")
    async with wired(lambda j, c: StdioTransport(target, j, c, patience=HASTY)) as live:
        await live.handshake()
        await live.answer(await live.request("tools/list"))
        await live.answer(await live.poke())
        for _ in range(2):
            async with wired(lambda j, c: ReplayTransport(live.journal, j, c)) as wire:
                await wire.handshake()
                await wire.answer(await wire.request("tools/list"))
                await wire.answer(await wire.poke())
                assert wire.sink.texts == live.sink.texts
                for direction in (Direction.SENT, Direction.RECEIVED):
                    assert wire.frames(direction) == live.frames(direction)


async def test_a_closed_replay_takes_nothing() -> None:
    async with playing(recorded()) as wire:
        await wire.transport.close()
        with pytest.raises(ConnectionFailed):
            await wire.request("ping")
    assert len(wire.sink.ends) == 1
