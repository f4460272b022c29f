"""The transport without a wire."""

import pytest

from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Direction
from inspector.protocol.messages import encode_result
from inspector.protocol.versions import Revision
from inspector.transport.base import Closed
from inspector.transport.memory import MemoryTransport
from tests.transport.wire import wired


async def test_a_scripted_peer_answers_after_send_has_returned() -> None:
    async with wired(
        lambda j, c: MemoryTransport(j, c, respond=lambda raw: [encode_result(1, {})])
    ) as wire:
        await wire.request("ping")
        assert wire.sink.messages == []
        assert await wire.answer(1) == encode_result(1, {})
        assert wire.frames(Direction.RECEIVED) == [encode_result(1, {})]


async def test_a_test_speaks_for_the_server() -> None:
    async with wired(MemoryTransport) as wire:
        transport = wire.transport
        assert isinstance(transport, MemoryTransport)
        await wire.request("ping")
        assert b'"ping"' in await transport.next_sent()
        transport.feed(b"junk", about=1)
        assert wire.sink.messages[0].about == 1
        transport.fail(1, PeerViolation("no"))
        assert wire.sink.failures[1][0].message == "no"
        transport.expire()
        assert wire.sink.expired == 1
        transport.negotiated(Revision.V2025_06_18)
        assert transport.revision is Revision.V2025_06_18
        await transport.abandon(1)
        assert transport.abandoned == [1]
        transport.end(Closed("died", exit_code=1))
        transport.end(Closed("again"))
        assert wire.sink.ends == [Closed("died", exit_code=1)]
        with pytest.raises(ConnectionFailed):
            await wire.request("ping")
    assert len(wire.sink.ends) == 1
