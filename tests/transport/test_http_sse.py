"""HTTP+SSE against loopback sockets: honest, rude, and servers of other people."""

from collections.abc import Callable

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.journal.journal import Journal
from inspector.transport.http_sse import HttpSse
from tests.servers.rude_http import rude_http
from tests.transport.wire import Wire, wired


def _sse(url: str, seconds: float = 5.0) -> Callable[[Journal, int], HttpSse]:
    return lambda j, c: HttpSse(Target(url=url), j, c, endpoint_seconds=seconds)


@pytest.mark.parametrize("mode", ["sse-honest", "sse-absolute"])
async def test_messages_go_to_the_endpoint_and_answers_come_on_the_stream(mode: str) -> None:
    async with rude_http(mode, "/sse") as peer, wired(_sse(peer.url)) as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        assert {seen.path for seen in peer.requests("POST")} == {
            "/messages?sessionId=secret-sse-session"
        }
        assert [seen.message["method"] for seen in peer.requests("POST")][:2] == [
            "initialize",
            "notifications/initialized",
        ]
        assert wire.transport.facts.streams == 1


async def test_the_session_in_the_endpoint_is_masked() -> None:
    async with rude_http("sse-honest", "/sse") as peer, wired(_sse(peer.url)) as wire:
        await wire.handshake()
        assert all(b"secret-sse-session" not in entry.body for entry in wire.entries())


@pytest.mark.parametrize(
    ("mode", "words", "told"),
    [
        ("sse-elsewhere", "another origin, http://evil.example/messages", "endpoint-refused"),
        ("sse-silent", "no endpoint event came", "endpoint-missing"),
        ("no-get", "HTTP 405", ""),
    ],
)
async def test_a_stream_without_a_usable_endpoint_cannot_be_opened(
    mode: str, words: str, told: str
) -> None:
    async with rude_http(mode, "/sse") as peer:
        journal = Journal()
        wire = Wire(_sse(peer.url, 0.2)(journal, 1), journal)
        with pytest.raises(ConnectionFailed, match=words):
            await wire.transport.open(wire.sink)
        assert wire.sink.ends == []
        assert peer.requests("POST") == []
        names = ("endpoint-refused", "endpoint-missing")
        assert [name for name in names if wire.events(name)] == ([told] if told else [])
        journal.close()


async def test_losing_the_stream_ends_the_session() -> None:
    async with rude_http("sse-lost", "/sse") as peer, wired(_sse(peer.url)) as wire:
        await wire.handshake()
        await wire.poke()
        end = await wire.end()
        assert not end.expected
        assert "cannot resume" in end.reason
        with pytest.raises(ConnectionFailed, match="closed"):
            await wire.poke()


async def test_a_refused_post_fails_its_call_only() -> None:
    async with rude_http("sse-post-500", "/sse") as peer, wired(_sse(peer.url)) as wire:
        await wire.handshake()
        failure = await wire.failure(await wire.poke())
        assert "HTTP 500" in failure.message
        await wire.answer(await wire.request("ping"))


@pytest.mark.node
async def test_the_real_node_server_answers(everything_sse_url: str) -> None:
    async with wired(_sse(everything_sse_url)) as wire:
        await wire.handshake()
        assert b'"echo"' in await wire.answer(await wire.request("tools/list"))
