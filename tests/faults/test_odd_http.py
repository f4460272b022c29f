"""HTTP, event streams, session ids and endpoints that are odd: each is understood or named in a
sentence of bounded length, and what comes after it works."""

import gzip
import json
from collections.abc import Callable

import pytest

from inspector.session.pending import Lost, Success
from tests.faults.rows_web_http import HEAD
from tests.faults.web import eras, met
from tests.servers.rude_http import Exchange, Message, event
from tests.servers.rude_places import Host, note, raw_of, result
from tests.session.scene import soon

LONGEST = 1500
"""Characters of a sentence of ours, whatever the server said."""
EVENTS = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
Make = Callable[[Message], bytes]


def body(head: bytes = HEAD, more: bytes = b"") -> Make:
    """A right answer under an odd head."""

    def make(m: Message) -> bytes:
        raw = raw_of(result(m))
        return head + b"Content-Length: %d\r\n%s\r\n" % (len(raw), more) + raw

    return make


def chunked(trailer: bytes = b"", size: bytes = b"") -> Make:
    """A right answer in one chunk."""

    def make(m: Message) -> bytes:
        raw = raw_of(result(m))
        count = size or b"%x" % len(raw)
        return HEAD + b"Transfer-Encoding: chunked\r\n\r\n%s\r\n%s\r\n0\r\n%s\r\n" % (
            *(count, raw, trailer),
        )

    return make


def fixed(raw: bytes) -> Make:
    """The same whatever was asked."""
    return lambda _: raw


OK = ""
BAD = "does not speak HTTP properly"
ODD: dict[str, tuple[Make, str]] = {
    "folded header": (body(more=b"X-A: b\r\n folded\r\n"), OK),
    "folded content type": (
        body(b"HTTP/1.1 200 OK\r\nContent-Type:\r\n application/json\r\n"), OK),
    "length twice": (
        lambda m: body(more=b"Content-Length: %d\r\n" % len(raw_of(result(m))))(m), OK),
    "two lengths": (body(more=b"Content-Length: 5\r\n"), "conflicting Content-Length"),
    "negative length": (body(HEAD + b"Content-Length: -5\r\n"), BAD),
    "length of 20 digits": (fixed(HEAD + b"Content-Length: 99999999999999999999\r\n\r\n{"), "cut"),
    "trailers": (chunked(b"Authorization: x\r\n"), OK),
    "endless trailers": (chunked(b"X-T: 1\r\n" * 50_000), "more than 100 KiB"),
    "negative chunk": (chunked(size=b"-5"), "illegal chunk header"),
    "huge chunk": (chunked(size=b"ffffffffffffffff"), "cut the answer off"),
    "other coding": (body(more=b"Transfer-Encoding: br\r\n"), "Only Transfer-Encoding: chunked"),
    "1,000 interim": (lambda m: b"HTTP/1.1 103 Hi\r\n\r\n" * 1000 + body()(m), OK),
    "switching": (lambda m: b"HTTP/1.1 101 Go\r\nUpgrade: x\r\n\r\n" + body()(m), BAD),
    "garbage first": (lambda m: b"\r\n\r\ngarbage\r\n" + body()(m), BAD),
    "HTTP/0.9": (lambda m: raw_of(result(m)) + b"\r\n\r\n", BAD),
    "HTTP/2": (fixed(b"\x00\x00\x12\x04\x00\x00\x00\x00\x00"), BAD),
    "HTTP/9.9": (body(HEAD.replace(b"1.1", b"9.9")), OK),
    "status 000": (body(HEAD.replace(b"200", b"000")), BAD),
    "status 999": (body(HEAD.replace(b"200", b"999")), "HTTP 999"),
    "status 2000": (body(HEAD.replace(b"200", b"2000")), "illegal status line"),
    "long reason": (fixed(b"HTTP/1.1 500 " + b"r" * 50_000 + b"\r\n\r\n"), "HTTP 500 rrr"),
    "100,000 headers": (body(HEAD + b"A: b\r\n" * 100_000), "more than 100 KiB"),
    "NUL in a header": (body(HEAD + b"A: b\x00c\r\n"), "illegal header line"),
    "no colon": (body(HEAD + b"nonsense\r\n"), "illegal header line"),
    "bytes in a header": (body(HEAD + b"A: \xff\xfe\x1b[31m\r\n"), OK),
    "two content types": (body(HEAD + b"Content-Type: text/html\r\n"), "neither application/json"),
    "JSON called a stream": (lambda m: EVENTS + raw_of(result(m)), "the stream ended before"),
    "a stream called JSON": (
        lambda m: HEAD + b"Connection: close\r\n\r\ndata: " + raw_of(result(m)) + b"\n\n",
        "it is not JSON"),
    "charset utf-16": (body(HEAD.replace(b"json", b"json; charset=utf-16")), OK),
    "10,000 challenges": (
        fixed(b"HTTP/1.1 401 no\r\nWWW-Authenticate: " + b'A b="c", ' * 10_000 + b"\r\n\r\n"),
        "authorization"),
    "a long challenge": (
        fixed(b"HTTP/1.1 401 no\r\nWWW-Authenticate: Bearer " + b'a="\\"' * 15_000 + b"\r\n\r\n"),
        "authorization"),
    "long Retry-After": (
        fixed(b"HTTP/1.1 503 no\r\nRetry-After: " + b"9" * 90_000 + b"\r\n\r\n"),
        "Retry-After: 999"),
    "long Location": (
        fixed(b"HTTP/1.1 307 no\r\nLocation: http://e.example/" + b"9" * 60_000 + b"\r\n\r\n"),
        "another origin"),
    "20,000 gzip members": (
        fixed(HEAD + b"Content-Encoding: gzip\r\n\r\n" + gzip.compress(b"") * 20_000),
        "an empty body"),
    "coded twice": (
        lambda m: HEAD + b"Content-Encoding: gzip, gzip\r\n\r\n"
        + gzip.compress(gzip.compress(raw_of(result(m)))), "was not asked for"),
    "id of a megabyte": (
        lambda m: HEAD + b"\r\n" + raw_of({**result(m), "id": "x" * 1_000_000}),
        "it answers the id"),
    "method of a megabyte": (
        fixed(HEAD + b"\r\n" + raw_of({"jsonrpc": "2.0", "method": "x" * 1_000_000})),
        "a message of the server's own"),
    "event name of a megabyte": (
        fixed(EVENTS + b"event: " + b"n" * 1_000_000 + b"\ndata: x\n\n"),
        "the stream ended before"),
    "id that is no header": (fixed(EVENTS + b"id: a\x1bb\ndata:\n\n"), "the stream ended before"),
    "id with NUL": (fixed(EVENTS + b"id: a\0b\ndata:\n\n"), "the stream ended before"),
    "retry in words": (
        lambda m: EVENTS + b"retry: -1\nretry: soon\nretry: 1e9\n" + event(result(m)),
        OK),
    "10,000 events at once": (
        lambda m: EVENTS + event(note()) * 10_000 + event(result(m)), OK),
}  # fmt: skip


@pytest.mark.parametrize("era", eras("H"))
async def test_odd_http_is_understood_or_named_and_the_session_goes_on(era: str) -> None:
    turn: list[Make] = []

    async def odd(host: Host, x: Exchange, m: Message) -> None:
        x.closing = True
        await x.write(turn[-1](m))

    async with met("H", odd, era=era) as here:
        for name, (make, words) in ODD.items():
            turn.append(make)
            outcome = await here.call()
            if words:
                assert isinstance(outcome, Lost), name
                assert words in outcome.error.message, name
                assert len(outcome.error.message) < LONGEST, name
                assert len(outcome.error.hint) < LONGEST, name
            else:
                assert isinstance(outcome, Success), (name, outcome)
            await here.good()


ENDPOINTS = {
    "elsewhere": ("http://evil.example/messages", "another origin"),
    "without a scheme": ("//evil.example/x", "another origin"),
    "javascript": ("javascript:alert(1)", "another origin"),
    "file": ("file:///etc/passwd", "another origin"),
    "with a password": ("http://u:p@127.0.0.1:{port}/messages", "another origin"),
    "by another name": ("http://localhost:{port}/messages", "another origin"),
    "with TLS": ("https://127.0.0.1:{port}/messages", "another origin"),
    "a port as user": ("http://127.0.0.1:{port}@evil.example/m", "another origin"),
    "a control character": ("/mess\x1bages", "holds no URL"),
    "two lines": ("/messages\ndata: http://evil.example", "holds no URL"),
    "of 100 KB": ("/" + "m" * 100_000, "holds no URL"),
    "of 60 KB elsewhere": ("http://evil.example/" + "m" * 60_000, "another origin"),
    "backslashes": ("\\\\evil.example\\messages", ""),  # a path of ours, as it is read here
    "relative": ("messages?s=1", ""),
}


@pytest.mark.parametrize("name", ENDPOINTS)
async def test_messages_are_posted_to_the_origin_of_the_stream_only(name: str) -> None:
    text, words = ENDPOINTS[name]

    async def odd(host: Host, x: Exchange, m: Message) -> bool:
        if x.seen.method != "GET":
            return False
        await x.stream(event(text.replace("{port}", str(host.peer.port)), name="endpoint"))
        host.down = x
        await host.over.wait()
        return True

    async with met("E", host=Host("E", other=odd), connect=False) as here:
        state = await soon(here.bench.connect())
        if not words:
            assert state.ready
            await here.good()
            return
        assert state.error is not None
        assert words in state.error.message
        assert len(state.error.message) < LONGEST
        assert [seen.method for seen in here.host.seen] == ["GET"]


async def test_an_endpoint_is_not_changed_in_mid_session() -> None:
    async with met("E") as here:
        assert here.host.down is not None
        for text in ("http://evil.example/x", "/elsewhere"):
            await here.host.down.write(event(text, name="endpoint"))
        await here.good()
        assert here.host.seen[-1].path == "/messages?sessionId=a-session-of-a-test"
        assert len(here.events("sse-unknown")) == 2


SESSIONS = {
    "control": ["a\x01b"], "not ASCII": ["s\xe9"], "blank inside": ["a, b"], "blank": [" "],
    "twice": ["a" * 20, "b" * 20],
}  # fmt: skip


@pytest.mark.parametrize("name", SESSIONS)
async def test_a_session_id_that_is_none_is_never_sent_back(name: str) -> None:
    async def odd(host: Host, x: Exchange, m: Message) -> bool:
        if m.get("method") != "initialize":
            return False
        about = {"name": "odd", "version": "1"}
        answer: Message = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}}}
        raw = json.dumps(
            {"jsonrpc": "2.0", "id": m["id"], "result": {**answer, "serverInfo": about}}
        )
        lines = "".join(f"Mcp-Session-Id: {one}\r\n" for one in SESSIONS[name])
        head = HEAD.decode() + f"{lines}Content-Length: {len(raw)}\r\n\r\n"
        await x.write((head + raw).encode("latin-1"))
        return True

    async with met("H", host=Host("H", other=odd)) as here:
        await here.good()
        assert not [seen for seen in here.host.seen if "mcp-session-id" in seen.headers]


async def test_a_server_that_closes_every_connection_is_as_good_as_another() -> None:
    async def closing(host: Host, x: Exchange, m: Message) -> bool:
        x.closing = True
        return False

    for era in eras("H"):
        async with met("H", host=Host("H", other=closing), era=era) as here:
            for _ in range(3):
                await here.good()
