"""A server that is the same over Streamable HTTP of either era and over HTTP+SSE, and rude where a
test says so.

`Host(place, poke)` is honest but for the tool `poke`, which does what the test gives it; `good` is
always honest. What `poke` says (`Host.say`) travels as each place has it: in the body of the answer
or on a stream of its own (H), on the one stream beside a 202 (E). What it does to HTTP itself is
done to the POST. `other` answers what is no call before the honest answers do. Raw sockets, on the
plumbing of `rude_http`.
"""

import asyncio
import contextlib
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field

from tests.servers.rude_http import Exchange, Message, Peer, Seen, event, rude_http

Act = Callable[["Host", Exchange, Message], Awaitable[None]]
Raw = bytes | Message
MODERN = "2026-07-28"
_TOOLS = [{"name": name, "inputSchema": {"type": "object"}} for name in ("poke", "good")]
_ABOUT_LIST = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private"}


async def honest(host: "Host", x: Exchange, m: Message) -> None:
    """What `poke` does where nobody says otherwise."""
    await host.say(x, result(m))


def result(m: Message, text: str = "ok") -> Message:
    """An honest answer to a tool call, of any revision."""
    body = {"content": [{"type": "text", "text": text}], "resultType": "complete"}
    return {"jsonrpc": "2.0", "id": m.get("id"), "result": body}


def note(text: str = "note") -> Message:
    """A notification that says `text`."""
    params = {"level": "info", "data": text}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


def raw_of(message: Raw) -> bytes:
    """Bytes as they stand, or a message as JSON."""
    return message if isinstance(message, bytes) else json.dumps(message).encode()


@dataclass
class Host:
    """The running server. `said` is what `poke` put on the wire, `calls` what was called."""

    place: str
    poke: Act = honest
    other: Callable[["Host", Exchange, Message], Awaitable[bool]] | None = None
    said: list[bytes] = field(default_factory=list)
    calls: list[str] = field(default_factory=list)
    sessions: int = 0
    notes: dict[str, object] = field(default_factory=dict)
    down: Exchange | None = None
    """The stream of HTTP+SSE."""
    over: asyncio.Event = field(default_factory=asyncio.Event)
    """Ends that stream."""
    peer: Peer = field(default_factory=lambda: Peer("places"))

    @property
    def url(self) -> str:
        """Where to connect to."""
        return self.peer.url

    @property
    def seen(self) -> list[Seen]:
        """Every request, in order."""
        return self.peer.seen

    def sent(self, method: str) -> list[Seen]:
        """The POSTs with this JSON-RPC method."""
        return [seen for seen in self.seen if seen.message.get("method") == method]

    async def say(self, x: Exchange, *messages: Raw) -> None:
        """Messages in answer to the POST: one as its body, several as a stream of its own."""
        raws = [raw_of(message) for message in messages]
        self.said += raws
        if self.place == "E":
            await x.send(202, b"Accepted", "text/plain")
            assert self.down is not None
            for raw in raws:
                await self.down.write(b"data: " + raw + b"\n\n")
        elif len(raws) == 1:
            await x.send(200, raws[0], "application/json")
        else:
            await x.stream(*(b"data: " + raw + b"\n\n" for raw in raws))

    async def stream(self, x: Exchange, *pieces: bytes) -> Exchange:
        """Pieces of an event stream as they stand; where it goes on."""
        if self.place == "E":
            await x.send(202, b"Accepted", "text/plain")
            assert self.down is not None
            to = self.down
        else:
            await x.stream()
            to = x
        for piece in pieces:
            await to.write(piece)
        return to

    async def respond(self, _: Peer, x: Exchange) -> None:
        """Answers one HTTP request."""
        m = x.seen.message
        if self.other is not None and await self.other(self, x, m):
            return
        if x.seen.method == "GET":
            await self._get(x)
        elif x.seen.method == "DELETE":
            await x.send(200)
        elif m.get("method") == "tools/call":
            name = m["params"]["name"]
            self.calls.append(name)
            await (self.poke if name == "poke" else honest)(self, x, m)
            self.said = self.said if name == "poke" else self.said[:-1]
        elif "id" not in m or "method" not in m:
            await x.send(202)
        elif self.place == "E":
            await self.say(x, self._answer(m))
            self.said.pop()
        else:
            named: dict[str, str] = {}
            if m["method"] == "initialize":
                self.sessions += 1
                named = {"Mcp-Session-Id": f"a-session-of-a-test-{self.sessions:08}"}
            await x.reply(self._answer(m), 200, **named)

    async def _get(self, x: Exchange) -> None:
        if self.place != "E":
            await x.send(405)
            return
        self.over.clear()
        await x.stream(event("/messages?sessionId=a-session-of-a-test", name="endpoint"))
        self.down = x
        await self.over.wait()

    def _answer(self, m: Message) -> Message:
        about = {"name": "rude", "version": "1"}
        body: Message = {}
        match m["method"]:
            case "initialize":
                offered = m["params"]["protocolVersion"]
                body = {"protocolVersion": offered, "capabilities": {"tools": {}, "logging": {}}}
                body["serverInfo"] = about
            case "server/discover":
                body = {"supportedVersions": [MODERN], "capabilities": {"tools": {}}}
                body |= {"serverInfo": about, **_ABOUT_LIST}
            case "tools/list":
                body = {"tools": _TOOLS, **_ABOUT_LIST}
        return {"jsonrpc": "2.0", "id": m["id"], "result": body}


@contextlib.asynccontextmanager
async def hosting(host: Host, tls: ssl.SSLContext | None = None) -> AsyncIterator[Host]:
    """Runs it on a free port of the loopback interface."""
    path = "/sse" if host.place == "E" else "/mcp"
    async with rude_http("places", path, tls=tls, respond=host.respond) as peer:
        host.peer = peer
        try:
            yield host
        finally:
            host.over.set()
