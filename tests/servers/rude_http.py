"""A small HTTP server that can be honest, or rude in one chosen way, on raw asyncio sockets.

In a test: `async with rude_http(mode) as peer: ... peer.url, peer.seen`. By hand: `python -m
tests.servers.rude_http MODE`. Honest is Streamable HTTP with a session and JSON answers; the
rudeness comes with `tools/call` unless the mode says otherwise. Modes are in
`tests.servers.rude_http_modes`.
"""

import asyncio
import contextlib
import json
import socket
import ssl
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]
SESSION = "rude-session-0123456789"


@dataclass
class Seen:
    """One request as it came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def message(self) -> Message:
        """The body as a message; empty where it is none."""
        try:
            found = json.loads(self.body)
        except ValueError:
            return {}
        return found if isinstance(found, dict) else {}


@dataclass
class Exchange:
    """One request and the means to answer it, byte by byte."""

    seen: Seen
    writer: asyncio.StreamWriter
    closing: bool = False

    async def write(self, raw: bytes) -> None:
        """Bytes as they are."""
        self.writer.write(raw)
        await self.writer.drain()

    async def head(self, status: int, headers: dict[str, str], reason: str = "Whatever") -> None:
        """The status line and headers."""
        lines = [f"HTTP/1.1 {status} {reason}", *(f"{k}: {v}" for k, v in headers.items())]
        await self.write("\r\n".join([*lines, "", ""]).encode("latin-1"))

    async def send(self, status: int, body: bytes = b"", media: str = "", **headers: str) -> None:
        """A whole answer."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        if media:
            named["Content-Type"] = media
        await self.head(status, {"Content-Length": str(len(body)), **named})
        await self.write(body)

    async def reply(self, message: object, status: int = 200, **headers: str) -> None:
        """A JSON answer."""
        await self.send(status, json.dumps(message).encode(), "application/json", **headers)

    async def stream(self, *events: bytes, **headers: str) -> None:
        """Begins an event stream that ends when the connection does."""
        self.closing = True
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        await self.head(200, {"Content-Type": "text/event-stream", "Connection": "close", **named})
        for event in events:
            await self.write(event)

    def reset(self) -> None:
        """Cuts the connection without a word: the client sees ECONNRESET."""
        self.closing = True
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.writer.transport.abort()

    async def forever(self) -> None:
        """Says nothing more, until the server is stopped."""
        await asyncio.Event().wait()


def event(message: object, event_id: str = "", retry: int | None = None, name: str = "") -> bytes:
    """One server-sent event; a message of "" makes a priming event."""
    lines = []
    if name:
        lines.append(f"event: {name}")
    if event_id:
        lines.append(f"id: {event_id}")
    if retry is not None:
        lines.append(f"retry: {retry}")
    lines.append("data: " + (message if isinstance(message, str) else json.dumps(message)))
    return ("\n".join(lines) + "\n\n").encode()


def result_of(message: Message, text: str = "ok") -> Message:
    """An honest answer to a tool call."""
    result = {"content": [{"type": "text", "text": text}]}
    return {"jsonrpc": "2.0", "id": message.get("id"), "result": result}


@dataclass
class Peer:
    """The running server: where it is, what it saw, and how it behaves."""

    mode: str
    port: int = 0
    path: str = "/mcp"
    seen: list[Seen] = field(default_factory=list)
    other: "Peer | None" = None
    arrived: asyncio.Condition = field(default_factory=asyncio.Condition)
    notes: dict[str, int] = field(default_factory=dict)
    lost: asyncio.Event = field(default_factory=asyncio.Event)
    sse: Exchange | None = None
    respond: "Callable[[Peer, Exchange], Awaitable[None]] | None" = None
    """What answers instead of the modes."""

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        """The MCP endpoint."""
        return self.origin + self.path

    def requests(self, method: str) -> list[Seen]:
        """What came in with this HTTP method."""
        return [seen for seen in self.seen if seen.method == method]

    async def wait_for(self, method: str, count: int = 1) -> list[Seen]:
        """Waits until that many requests came in."""
        async with self.arrived, asyncio.timeout(60):
            await self.arrived.wait_for(lambda: len(self.requests(method)) >= count)
        return self.requests(method)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        from tests.servers.rude_http_modes import respond

        try:
            while (seen := await _read_request(reader)) is not None:
                async with self.arrived:
                    self.seen.append(seen)
                    self.arrived.notify_all()
                exchange = Exchange(seen, writer)
                await (self.respond or respond)(self, exchange)
                if exchange.closing:
                    break
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()


async def _read_request(reader: asyncio.StreamReader) -> Seen | None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, ConnectionError):
        return None
    first, *lines = head.split("\r\n")
    method, path, _ = first.split(" ", 2)
    headers = {
        name.strip().lower(): value.strip()
        for name, _, value in (line.partition(":") for line in lines if line)
    }
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    return Seen(method, path, headers, body)


@contextlib.asynccontextmanager
async def rude_http(
    mode: str = "honest",
    path: str = "/mcp",
    port: int = 0,
    tls: ssl.SSLContext | None = None,
    respond: "Callable[[Peer, Exchange], Awaitable[None]] | None" = None,
) -> AsyncIterator[Peer]:
    """Runs the server on a free port of the loopback interface; `respond` answers instead of the
    modes."""
    peer = Peer(mode, path=path, respond=respond)
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(peer.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", port, limit=2**20, ssl=tls)
    peer.port = server.sockets[0].getsockname()[1]
    try:
        yield peer
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _main(mode: str) -> None:
    async with rude_http(mode, "/sse" if mode.startswith("sse-") else "/mcp") as peer:
        print(peer.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(_main(sys.argv[1] if len(sys.argv) > 1 else "honest"))
