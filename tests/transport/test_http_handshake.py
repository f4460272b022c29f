"""Streamable HTTP against real loopback sockets: honest, rude, and servers of other people."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Direction, Flag, Kind
from inspector.protocol.messages import Sendable, read_envelope
from inspector.transport.http_handshake import StreamableHttp
from tests.servers.rude_http import SESSION, Peer, rude_http
from tests.transport.wire import HELLO, Wire, wired

HEADERS = (("Authorization", "Bearer canary-token-456"), ("X-Tenant", "blue"))


@asynccontextmanager
async def talking(mode: str = "honest") -> AsyncIterator[tuple[Wire, Peer]]:
    """A wire to a rude server, past the handshake."""
    async with rude_http(mode) as peer:
        target = Target(url=peer.url, headers=HEADERS)
        async with wired(
            lambda j, c: StreamableHttp(target, j, c, retry=0.02, left_open=0.1)
        ) as wire:
            await wire.handshake()
            yield wire, peer


async def test_every_message_is_a_post_with_the_headers_of_the_revision() -> None:
    async with talking() as (wire, peer):
        await wire.answer(await wire.poke())
        await peer.wait_for("GET")
        first, initialized, call = peer.requests("POST")
        assert first.headers["accept"] == "application/json, text/event-stream"
        assert first.headers["content-type"] == "application/json"
        assert "mcp-session-id" not in first.headers
        assert "mcp-protocol-version" not in first.headers
        for later in (initialized, call, peer.requests("GET")[0]):
            assert later.headers["mcp-session-id"] == SESSION
            assert later.headers["mcp-protocol-version"] == "2025-11-25"
            assert later.headers["x-tenant"] == "blue"
        assert peer.requests("GET")[0].headers["accept"] == "text/event-stream"
        assert (await wire.event("no-event-stream"))["reason"]
    (deleted,) = peer.requests("DELETE")
    assert deleted.headers["mcp-session-id"] == SESSION
    assert deleted.headers["mcp-protocol-version"] == "2025-11-25"


async def test_an_initialize_sent_again_by_hand_leaves_the_version_on_what_follows() -> None:
    """2025-06-18 basic/transports: the header on all requests after initialize."""
    async with talking() as (wire, peer):
        await wire.answer(await wire.request("initialize", HELLO))
        await wire.answer(await wire.poke())
        again, call = peer.requests("POST")[-2:]
        assert "mcp-protocol-version" not in again.headers
        assert "mcp-session-id" not in again.headers
        assert call.headers["mcp-protocol-version"] == "2025-11-25"
        assert call.headers["mcp-session-id"] == SESSION


@pytest.mark.parametrize("mode", ["honest", "get-stream", "get-silent"])
async def test_the_servers_own_stream_is_there_before_the_first_call(mode: str) -> None:
    """SDK servers drop what they send on that stream while it is not there, asks included."""
    async with talking(mode) as (wire, peer):
        await wire.answer(await wire.poke())
        assert [seen.method for seen in peer.seen][:4] == ["POST", "POST", "GET", "POST"]


async def test_session_id_and_credentials_never_reach_the_journal() -> None:
    async with talking() as (wire, _):
        await wire.answer(await wire.poke())
        for entry in wire.entries():
            assert SESSION.encode() not in entry.body
            assert b"canary-token-456" not in entry.body
        assert wire.transport.facts.session


async def test_the_frame_and_its_http_exchange_know_each_other() -> None:
    async with talking() as (wire, _):
        await wire.answer(await wire.poke())
        answered = wire.sink.messages[-1]
        row = wire.journal.row(answered.number)
        assert row.status == 200
        assert row.http is not None
        assert wire.journal.row(row.http).kind is Kind.HTTP
        assert answered.about == 2


async def test_initialized_arrives_before_anything_sent_after_it() -> None:
    async with talking() as (wire, peer):
        await asyncio.gather(*(wire.request("ping") for _ in range(5)))
        await wire.answer(wire.last_id)
        methods = [seen.message["method"] for seen in peer.requests("POST")]
        assert methods[:2] == ["initialize", "notifications/initialized"]


@pytest.mark.parametrize(
    "mode", ["honest", "stream", "drip", "gzipped", "batch", "several-lines", "left-open"]
)
async def test_every_legal_shape_of_an_answer_is_read(mode: str) -> None:
    async with talking(mode) as (wire, _):
        poke = await wire.poke()
        if mode == "batch":
            await wire.until(lambda: wire.sink.texts[-1].startswith(b"["))
        else:
            await wire.answer(poke)
        if mode == "left-open":
            assert (await wire.event("stream-left-open"))["about"] == poke
        assert wire.sink.failures == {}


async def test_a_stream_is_resumed_where_it_broke_after_the_time_the_server_asked_for() -> None:
    async with talking("close-then-resume") as (wire, peer):
        await wire.answer(await wire.poke())
        resumed = [seen for seen in peer.requests("GET") if "last-event-id" in seen.headers]
        assert [seen.headers["last-event-id"] for seen in resumed] == ["e1"]
        assert resumed[0].headers["mcp-session-id"] == SESSION
        assert wire.events("stream-waits")[-1]["seconds"] == 0.04
        notes = [raw for raw in wire.sink.texts if b"note" in raw]
        assert len(notes) == 2
        replayed = [e for e in wire.entries() if Flag.DUPLICATE in e.row.flags]
        assert len(replayed) == 1
        assert wire.sink.messages[-1].about == wire.last_id


async def test_a_connection_that_breaks_in_mid_chunk_is_resumed_too() -> None:
    async with talking("close-mid-chunk") as (wire, _):
        await wire.answer(await wire.poke())
        assert wire.events("http-broken")


async def test_priming_events_are_never_taken_for_messages() -> None:
    async with talking("stream") as (wire, _):
        await wire.answer(await wire.poke())
        assert (await wire.event("sse-priming"))["id"] == "p0"
        assert all(e.row.kind is not Kind.MALFORMED for e in wire.entries())


async def test_the_servers_own_stream_is_read_and_resumed() -> None:
    async with talking("get-stream") as (wire, peer):
        await wire.until(lambda: sum(b"note" in raw for raw in wire.sink.texts) == 2)
        assert peer.requests("GET")[1].headers["last-event-id"] == "g1"
        assert wire.sink.messages[-1].about is None


@pytest.mark.parametrize(
    ("mode", "kind", "words"),
    [
        ("close-without-id", PeerViolation, "ended before the response to tools/call"),
        ("never-resumes", PeerViolation, "brought no response"),
        ("reset-mid-body", ConnectionFailed, "reset|cut the answer off"),
        ("reset-before-head", ConnectionFailed, "reset|closed the connection"),
        ("huge-header", ConnectionFailed, "headers of more than 100 KiB"),
        ("html-500", ConnectionFailed, "HTTP 500 .*Internal Server Error"),
        ("html-200", PeerViolation, "content type text/html, which is neither"),
        ("accepted", PeerViolation, "HTTP 202 without a body"),
        ("empty", PeerViolation, "empty body"),
        ("busy", ConnectionFailed, "HTTP 503 .*Retry-After: 7"),
        ("unauthorized", ConnectionFailed, "WWW-Authenticate: Bearer resource_metadata="),
        ("wrong-id", PeerViolation, "holds no response"),
        ("gzip-bomb", PeerViolation, "larger than 67108864 bytes"),
        ("endless-json", PeerViolation, "larger than 67108864 bytes"),
        ("never-ending-event", PeerViolation, "larger than 67108864 bytes"),
        ("redirect-302", ConnectionFailed, "only 307 and 308"),
        ("redirect-loop", ConnectionFailed, "in a circle"),
        ("redirect-userinfo", ConnectionFailed, "another origin"),
    ],
)
async def test_a_fault_fails_its_own_call_and_the_session_survives(
    mode: str, kind: type[Exception], words: str
) -> None:
    async with talking(mode) as (wire, _):
        failure = await wire.failure(await wire.poke())
        assert isinstance(failure, kind)
        with pytest.raises(kind, match=f"(?s){words}"):
            raise failure
        await wire.answer(await wire.request("ping"))
        assert wire.sink.ends == []


async def test_the_body_of_a_failure_stands_in_the_http_entry() -> None:
    async with talking("html-500") as (wire, _):
        poke = await wire.poke()
        await wire.failure(poke)
        number = wire.sink.failures[poke][1]
        assert number is not None
        assert wire.journal.row(number).status == 500
        assert b"<h1>Internal Server Error" in wire.journal.body(number)


@pytest.mark.parametrize("mode", ["error-without-id", "error-foreign-id"])
async def test_an_error_without_a_usable_id_is_tied_to_its_exchange(mode: str) -> None:
    async with talking(mode) as (wire, _):
        poke = await wire.poke()
        failure = await wire.failure(poke)
        assert "HTTP 400" in failure.message
        assert "Bad Request (-32600, invalid request)" in failure.message
        assert wire.sink.messages[-1].about == poke
        assert wire.journal.row(wire.sink.messages[-1].number).kind is Kind.ERROR


async def test_a_refused_authorization_names_itself() -> None:
    async with talking("unauthorized") as (wire, _):
        failure = await wire.failure(await wire.poke())
        assert failure.kind == "auth"


async def test_404_to_our_session_ends_the_session_once_and_initialize_starts_anew() -> None:
    async with talking("session-gone") as (wire, peer):
        failure = await wire.failure(await wire.poke())
        assert failure.kind == "session"
        await wire.until(lambda: wire.sink.expired == 1)
        assert not wire.transport.facts.session
        await wire.handshake()
        again = [s for s in peer.requests("POST") if s.message.get("method") == "initialize"][1]
        assert "mcp-session-id" not in again.headers
        assert "mcp-protocol-version" not in again.headers


async def test_400_to_our_session_says_that_a_reconnect_is_needed() -> None:
    """The everything server and the Python SDK up to 1.25 answer so instead of 404."""
    async with talking("session-unknown") as (wire, _):
        before = len(wire.sink.messages)
        failure = await wire.failure(await wire.poke())
        assert failure.kind == "session"
        assert "No valid session ID" in failure.message
        assert "reconnect" in failure.hint
        assert len(wire.sink.messages) == before
        assert wire.sink.expired == 0
        assert b"No valid session ID" in wire.journal.body(len(wire.journal))


@pytest.mark.parametrize("mode", ["redirect-307", "redirect-308"])
async def test_a_redirect_on_the_same_origin_keeps_method_body_and_headers(mode: str) -> None:
    async with talking(mode) as (wire, peer):
        answer = json.loads(await wire.answer(await wire.poke()))
        assert answer["result"]["content"][0]["text"] == "POST /mcp/"
        moved = peer.requests("POST")[-1]
        assert moved.headers["authorization"] == "Bearer canary-token-456"
        assert moved.message["method"] == "tools/call"
        await wire.answer(await wire.poke())
        paths = [s.path for s in peer.requests("POST") if s.message["method"] == "tools/call"]
        assert paths[2:] == (["/mcp", "/mcp/"] if mode == "redirect-307" else ["/mcp/"])


async def test_a_redirect_to_another_origin_gets_nothing() -> None:
    async with rude_http("honest") as other, talking("redirect-elsewhere") as (wire, peer):
        peer.other = other
        failure = await wire.failure(await wire.poke())
        assert failure.kind == "redirect"
        assert other.url in failure.message
        assert other.seen == []


async def test_a_call_that_is_never_answered_can_be_left_at_once() -> None:
    async with talking("never") as (wire, _):
        await wire.poke()
        await wire.transport.abandon(wire.last_id)
        async with asyncio.timeout(60):
            await wire.transport.close()
    assert wire.sink.failures == {}
    assert [end.expected for end in wire.sink.ends] == [True]


async def test_comments_keep_a_stream_alive_and_bring_no_message() -> None:
    async with talking("comments-only") as (wire, _):
        before = len(wire.sink.messages)
        await wire.poke()
        await wire.until(lambda: wire.transport.facts.streams == 1 and len(wire.http()) > 3)
        await wire.answer(await wire.request("ping"))
        assert len(wire.sink.messages) == before + 1


async def test_a_refused_notification_is_an_event() -> None:
    async with rude_http("init-500") as peer:
        async with wired(lambda j, c: StreamableHttp(Target(url=peer.url), j, c)) as wire:
            await wire.failure(await wire.request("initialize"))
        port_is_free = peer.url
    async with wired(lambda j, c: StreamableHttp(Target(url=port_is_free), j, c)) as wire:
        await wire.notify("notifications/cancelled", {"requestId": 1})
        event = await wire.event("not-delivered")
        assert "connection refused" in str(event["reason"])


async def test_sending_after_close_is_refused() -> None:
    async with talking() as (wire, _):
        await wire.transport.close()
        await wire.transport.close()
        with pytest.raises(ConnectionFailed, match="closed"):
            await wire.poke()
    assert len(wire.sink.ends) == 1


ECHO: Sendable = {"name": "echo", "arguments": {"message": "hello"}}
ADD: Sendable = {"name": "add", "arguments": {"a": 2, "b": 40}}


@pytest.mark.peer
async def test_real_python_servers_answer(python_http_url: str) -> None:
    target = Target(url=python_http_url)
    async with wired(lambda j, c: StreamableHttp(target, j, c)) as wire:
        await wire.handshake()
        answer = json.loads(await wire.answer(await wire.request("tools/call", ADD)))
        assert answer["result"]["structuredContent"] == {"result": 42}
        assert wire.transport.facts.session


@pytest.mark.node
async def test_the_real_node_server_answers_and_its_stream_is_read(
    everything_http_url: str,
) -> None:
    target = Target(url=everything_http_url)
    async with wired(lambda j, c: StreamableHttp(target, j, c)) as wire:
        await wire.handshake()
        answer = json.loads(await wire.answer(await wire.request("tools/call", ECHO)))
        assert "hello" in answer["result"]["content"][0]["text"]
        await wire.until(lambda: wire.transport.facts.streams > 0)
        assert [read_envelope(raw).method for raw in wire.frames(Direction.SENT)][:2] == [
            "initialize",
            "notifications/initialized",
        ]
        await wire.transport.close()
        assert [exchange["status"] for exchange in wire.http("DELETE")] == [200]


@pytest.mark.parametrize(
    ("session", "short"), [("1042", True), ("0d0f7d9c1f8a4f1e9a3e6f3a", False)]
)
async def test_that_a_session_id_is_short_is_a_fact_and_the_id_is_none(
    session: str, short: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tests.servers.rude_http_modes.SESSION", session)
    async with talking() as (wire, _):
        await wire.answer(await wire.request("initialize", HELLO))
        found = wire.events("session-id-short")[-1:]
        assert [facts["length"] for facts in found] == ([len(session)] if short else [])
