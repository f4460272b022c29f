"""What the tool `poke` of `rude_web` may do: answers over HTTP that are wrong in one way each.

`POKES` maps a mode to it; the builders below make answers of bytes, so that anything can be cut in
two, left out or said twice.
"""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from tests.servers.rude_http import Exchange, Message, Seen, event

JSON = "application/json"
EVENTS = "text/event-stream"
HTML = b"<html><body><h1>It works!</h1></body></html>"


@dataclass
class Web:
    """The running server."""

    mode: str
    port: int = 0
    seen: list[Seen] = field(default_factory=list)
    said: list[bytes] = field(default_factory=list)
    sessions: int = 0
    pokes: int = 0
    stream: Exchange | None = None
    hang_up: asyncio.Event = field(default_factory=asyncio.Event)
    pending: object = None

    @property
    def url(self) -> str:
        """The MCP endpoint, or the stream."""
        return f"http://127.0.0.1:{self.port}/mcp"

    def bodies(self, method: str) -> list[Message]:
        """The messages with this JSON-RPC method that came in."""
        return [seen.message for seen in self.seen if seen.message.get("method") == method]


Act = Callable[[Web, Exchange, Message], Awaitable[None]]


def result(message: Message, text: str = "ok") -> Message:
    """An honest answer to a tool call."""
    content = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": content}


def note(text: str) -> Message:
    """A logging notification."""
    params = {"level": "info", "data": text}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def dumps(message: object) -> bytes:
    """JSON as bytes."""
    return json.dumps(message).encode()


def body(make: Callable[[Message], bytes], status: int = 200, media: str = JSON) -> Act:
    """One whole answer with that body."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        raw = make(m)
        web.said.append(raw)
        await x.send(status, raw, media)

    return act


def status(code: int, raw: bytes = b"", media: str = "", **headers: str) -> Act:
    """One whole answer that does not depend on the request."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        web.said.append(raw)
        await x.send(code, raw, media, **headers)

    return act


def head_then(head: bytes, *pieces: Callable[[Message], bytes], end: str = "close") -> Act:
    """A head as it stands, pieces of a body, and "close", "reset" or "hang"."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        x.closing = True
        await x.write(head)
        for make in pieces:
            web.said.append(make(m))
            await x.write(make(m))
            await asyncio.sleep(0)
        if end == "hang":
            await x.forever()
        if end == "reset":
            x.reset()

    return act


def stream(*pieces: Callable[[Message], bytes], end: str = "close", more: str = "") -> Act:
    """An event stream made of pieces, which may cut anything in two."""
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {EVENTS}\r\nConnection: close\r\n{more}\r\n"
    return head_then(head.encode(), *pieces, end=end)


def data(make: Callable[[Message], object]) -> Callable[[Message], bytes]:
    """One event with that message."""
    return lambda m: b"data: " + dumps(make(m)) + b"\n\n"


def fixed(raw: bytes) -> Callable[[Message], bytes]:
    """Bytes that do not depend on the request."""
    return lambda _: raw


def bytewise(make: Callable[[Message], bytes]) -> Act:
    """An event stream, byte by byte, each in a chunk of its own."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        x.closing = True
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {EVENTS}\r\nTransfer-Encoding: chunked\r\n\r\n"
        await x.write(head.encode())
        for byte in make(m):
            await x.write(b"1\r\n" + bytes([byte]) + b"\r\n")
        await x.write(b"0\r\n\r\n")

    return act


def flood(count: int) -> Act:
    """An event stream with many notifications before the answer."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        block = (b"data: " + dumps(note("x")) + b"\n\n") * 1000
        await x.stream()
        for _ in range(count // 1000):
            await x.write(block)
        await x.write(b"data: " + dumps(result(m)) + b"\n\n")

    return act


async def slow_head(web: Web, x: Exchange, m: Message) -> None:
    """A head that never ends."""
    x.closing = True
    for byte in b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nX-Slow: ":
        await x.write(bytes([byte]))
        await asyncio.sleep(0)
    await x.forever()


async def hang(web: Web, x: Exchange, m: Message) -> None:
    await x.forever()


async def reset(web: Web, x: Exchange, m: Message) -> None:
    x.reset()


async def new_session_midway(web: Web, x: Exchange, m: Message) -> None:
    web.sessions += 1
    await x.reply(result(m), Mcp_Session_Id=f"session-number-{web.sessions}")


async def forgets_once(web: Web, x: Exchange, m: Message) -> None:
    """404 to the first session."""
    if x.seen.headers.get("mcp-session-id") == "session-number-1":
        await x.send(404, b"gone", "text/plain")
    else:
        await x.reply(result(m))


async def asks_with_our_id(web: Web, x: Exchange, m: Message) -> None:
    asked = {"jsonrpc": "2.0", "id": m["id"], "method": "roots/list"}
    await x.stream(event(asked), event(result(m)))


async def answer_elsewhere(web: Web, x: Exchange, m: Message) -> None:
    """202 to the request; the answer on the GET stream."""
    await x.send(202)
    if web.stream is not None:
        await web.stream.write(event(result(m, "on the other stream")))


async def twice_everywhere(web: Web, x: Exchange, m: Message) -> None:
    """The answer on the GET stream and in the POST, with different contents."""
    if web.stream is not None:
        await web.stream.write(event(result(m, "first")))
    await x.stream(event(result(m, "second")), event(result(m, "third")))


async def redirect_loop(web: Web, x: Exchange, m: Message) -> None:
    await x.send(307, Location="/mcp?again=1" if "again" not in x.seen.path else "/mcp")


def closes_then(answer: bool, *, ids: bool = True) -> Act:
    """The stream ends before the answer; it is resumed with or without it."""

    async def act(web: Web, x: Exchange, m: Message) -> None:
        web.pending = m["id"] if answer else None
        await x.stream(event(note("one"), "e1" if ids else "", 10))

    return act


SNOW = "☃ \U0001f40d é"
OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
POKES: dict[str, Act] = {
    "honest": body(lambda m: dumps(result(m))),
    "html-200": body(lambda m: HTML, media="text/html"),
    "html-as-json": body(lambda m: HTML),
    "json-as-text": body(lambda m: dumps(result(m)), media="text/plain"),
    "json-as-nothing": body(lambda m: dumps(result(m)), media=""),
    "json-as-octets": body(lambda m: dumps(result(m)), media="application/octet-stream"),
    "json-with-charset": body(
        lambda m: dumps(result(m)), media="Application/JSON; charset=latin-1"
    ),
    "json-bom": body(lambda m: b"\xef\xbb\xbf" + dumps(result(m))),
    "json-utf-16": body(lambda m: json.dumps(result(m)).encode("utf-16")),
    "json-pretty": body(lambda m: json.dumps(result(m), indent=2).encode()),
    "json-two": body(lambda m: dumps(note("a")) + dumps(result(m))),
    "json-number": body(lambda m: b"7"),
    "json-wrong-id": body(lambda m: dumps({**result(m), "id": 4711})),
    "json-id-text": body(lambda m: dumps({**result(m), "id": str(m["id"])})),
    "json-id-null": body(lambda m: dumps({**result(m), "id": None})),
    "json-both": body(lambda m: dumps({**result(m), "error": {"code": 1, "message": "x"}})),
    "json-error-text": body(lambda m: dumps({"jsonrpc": "2.0", "id": m["id"], "error": "no"})),
    "json-request": body(lambda m: dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"})),
    "json-deep": body(lambda m: b'{"jsonrpc":"2.0","id":%d,"result":%s}' % (m["id"], b"[" * 10**5)),
    "error-500-json": body(
        lambda m: dumps({"jsonrpc": "2.0", "id": m["id"], "error": {"code": -5, "message": "db"}}),
        500,
    ),
    "result-500": body(lambda m: dumps(result(m)), 500),
    "result-202": body(lambda m: dumps(result(m)), 202),
    "result-201": body(lambda m: dumps(result(m)), 201),
    "204": status(204),
    "401": status(401, b"who are you?", "text/plain"),
    "402-json": status(402, b'{"detail": "pay"}', JSON),
    "418": status(418, b"I'm a teapot \x1b[31mred\x1b[0m", "text/plain"),
    "502": status(502, HTML, "text/html"),
    "redirect-loop": redirect_loop,
    "redirect-nowhere": status(307),
    "redirect-javascript": status(307, Location="javascript:alert(1)"),
    "length-too-long": head_then(
        f"{OK}Content-Length: 5000\r\n\r\n".encode(), lambda m: dumps(result(m))
    ),
    "length-too-short": head_then(
        f"{OK}Content-Length: 10\r\n\r\n".encode(), lambda m: dumps(result(m))
    ),
    "length-text": head_then(f"{OK}Content-Length: many\r\n\r\n".encode(), lambda m: b"{}"),
    "chunk-reset": head_then(
        f"{OK}Transfer-Encoding: chunked\r\n\r\n".encode(), fixed(b'8\r\n{"jsonrp'), end="reset"
    ),
    "chunk-junk": head_then(
        f"{OK}Transfer-Encoding: chunked\r\n\r\n".encode(), fixed(b"zz\r\nhello\r\n")
    ),
    "no-http": head_then(b"\x15\x03\x01 this is not HTTP at all\r\n\r\n"),
    "http-0.9": head_then(b'{"jsonrpc":"2.0"}\r\n\r\n'),
    "empty-head": head_then(b""),
    "slow-head": slow_head,
    "interim": head_then(
        b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n"
        + f"{OK}Connection: close\r\n\r\n".encode(),
        lambda m: dumps(result(m)),
    ),
    "hangs": hang,
    "resets": reset,
    "gzip-broken": head_then(
        f"{OK}Content-Encoding: gzip\r\nConnection: close\r\n\r\n".encode(),
        lambda m: gzip.compress(dumps(result(m)))[:-12],
    ),
    "gzip-lie": head_then(
        f"{OK}Content-Encoding: gzip\r\nConnection: close\r\n\r\n".encode(),
        lambda m: dumps(result(m)),
    ),
    "brotli": status(200, b"\x0b\x02\x80", JSON, Content_Encoding="br"),
    "gzip-stream": stream(
        lambda m: gzip.compress(b"data: " + dumps(result(m)) + b"\n\n"),
        more="Content-Encoding: gzip\r\n",
    ),
    # event streams
    "sse-names": stream(
        lambda m: event(note("named"), name="notification"),
        lambda m: event(result(m), name="response"),
    ),
    "events-crlf": stream(lambda m: b"data: " + dumps(result(m)) + b"\r\n\r\n"),
    "events-cr": stream(lambda m: b"data: " + dumps(result(m)) + b"\r\r"),
    "events-bom": stream(fixed(b"\xef\xbb\xbf"), data(result)),
    "events-split-utf8": bytewise(
        lambda m: b"data: " + json.dumps(result(m, SNOW), ensure_ascii=False).encode() + b"\n\n"
    ),
    "events-many-data": stream(
        lambda m: (
            b"".join(
                b"data: " + part + b"\n"
                for part in json.dumps(result(m), indent=1).encode().split(b"\n")
            )
            + b"\n"
        )
    ),
    "events-no-blank-line": stream(lambda m: b"data: " + dumps(result(m)) + b"\n"),
    "events-no-newline": stream(lambda m: b"data: " + dumps(result(m))),
    "events-no-space": stream(lambda m: b"data:" + dumps(result(m)) + b"\n\n"),
    "events-junk": stream(fixed(b"hello\nworld: 1\n\ndata: not json\n\n"), data(result)),
    "events-json-lines": stream(lambda m: dumps(result(m)) + b"\n"),
    "events-two-json": stream(lambda m: b"data: " + dumps(note("a")) + dumps(result(m)) + b"\n\n"),
    "events-batch": stream(data(lambda m: [note("in batch"), result(m)])),
    "events-twice": stream(data(result), data(lambda m: result(m, "again"))),
    "events-wrong-id": stream(data(lambda m: {**result(m), "id": 4711})),
    "events-empty": stream(),
    "events-comments": stream(fixed(b": one\n\n: two\n\n")),
    "events-after": stream(data(result), data(lambda m: note("after the end"))),
    "events-retry": stream(fixed(b"retry: 99999999999999\n\nretry: x\n\n"), data(result)),
    "events-hang": stream(data(lambda m: note("soon")), end="hang"),
    "events-reset": stream(data(lambda m: note("soon")), fixed(b"data: {"), end="reset"),
    "events-closed": closes_then(False, ids=False),
    "events-resumed": closes_then(True),
    "events-resumed-404": closes_then(False),
    "events-flood": flood(20_000),
    "events-5m": stream(data(lambda m: result(m, "x" * 5_000_000))),
    "json-5m": body(lambda m: dumps(result(m, "x" * 5_000_000))),
    # sessions and the other stream
    "session-changes": new_session_midway,
    "session-forgotten": forgets_once,
    "our-id": asks_with_our_id,
    "answer-elsewhere": answer_elsewhere,
    "answer-twice": twice_everywhere,
}
