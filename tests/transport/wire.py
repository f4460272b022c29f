"""The other end of a transport in tests: a sink that remembers, and words for common messages."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from inspector.errors import InspectorError
from inspector.journal.entries import Direction, Entry, Kind
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    JsonObject,
    MessageKind,
    RequestId,
    Sendable,
    encode_notification,
    encode_request,
    read_envelope,
)
from inspector.protocol.versions import Revision
from inspector.transport.base import Closed, Outgoing, Transport

PATIENCE = 60.0
Happened = Callable[[], bool]
HELLO: Sendable = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@dataclass
class Received:
    """One thing that a transport handed over."""

    number: int
    raw: bytes
    about: RequestId | None


@dataclass
class RememberingSink:
    """Keeps what it is told, in order, and wakes whoever waits for it."""

    messages: list[Received] = field(default_factory=list)
    failures: dict[RequestId, tuple[InspectorError, int | None]] = field(default_factory=dict)
    remarks: dict[RequestId, str] = field(default_factory=dict)
    ends: list[Closed] = field(default_factory=list)
    expired: int = 0
    authorized: list[tuple[RequestId | None, bool]] = field(default_factory=list)
    counts: list[tuple[RequestId | None, int]] = field(default_factory=list)
    news: asyncio.Event = field(default_factory=asyncio.Event)

    def received(self, number: int, raw: bytes, about: RequestId | None) -> None:
        self.messages.append(Received(number, raw, about))
        self.news.set()

    def failed(self, request_id: RequestId, error: InspectorError, number: int | None) -> None:
        self.failures.setdefault(request_id, (error, number))
        self.news.set()

    def remark(self, request_id: RequestId, words: str) -> None:
        self.remarks.setdefault(request_id, words)
        self.news.set()

    def arriving(self, request_id: RequestId | None, count: int) -> None:
        self.counts.append((request_id, count))

    def authorizing(self, request_id: RequestId | None, on: bool) -> None:
        self.authorized.append((request_id, on))
        self.news.set()

    def closed(self, closed: Closed) -> None:
        self.ends.append(closed)
        self.news.set()

    def session_expired(self) -> None:
        self.expired += 1
        self.news.set()

    @property
    def texts(self) -> list[bytes]:
        """What was received, as bytes."""
        return [message.raw for message in self.messages]


@dataclass
class Wire:
    """An open transport, what it journals and what it reports."""

    transport: Transport
    journal: Journal
    sink: RememberingSink = field(default_factory=RememberingSink)
    last_id: int = 0

    async def request(self, method: str, params: Sendable = None) -> int:
        """Sends a request; its id."""
        self.last_id += 1
        raw = encode_request(self.last_id, method, params)
        outgoing = Outgoing(raw, MessageKind.REQUEST, self.last_id, method)
        await self.transport.send(outgoing)
        return self.last_id

    async def notify(self, method: str, params: Sendable = None) -> int:
        """Sends a notification; its entry."""
        raw = encode_notification(method, params)
        return await self.transport.send(Outgoing(raw, MessageKind.NOTIFICATION, None, method))

    async def poke(self) -> int:
        """Calls the tool that makes rude servers rude; the id."""
        return await self.request("tools/call", {"name": "poke", "arguments": {}})

    async def handshake(self) -> None:
        """`initialize` and `initialized`."""
        await self.answer(await self.request("initialize", HELLO))
        self.transport.negotiated(Revision.V2025_11_25)
        await self.notify("notifications/initialized")

    async def answer(self, request_id: RequestId) -> bytes:
        """The response to a request; fails where it failed."""

        def found() -> bytes | None:
            assert request_id not in self.sink.failures, self.sink.failures[request_id][0].message
            for message in self.sink.messages:
                envelope = read_envelope(message.raw)
                if envelope.id == request_id and not envelope.method:
                    return message.raw
            return None

        await self.until(lambda: found() is not None)
        return found() or b""

    async def failure(self, request_id: RequestId) -> InspectorError:
        """Why a request failed."""
        await self.until(lambda: request_id in self.sink.failures)
        return self.sink.failures[request_id][0]

    async def end(self) -> Closed:
        """How the transport ended."""
        await self.until(lambda: bool(self.sink.ends))
        return self.sink.ends[0]

    async def event(self, name: str) -> JsonObject:
        """The facts of an event, once it is journalled."""
        await self.until(lambda: bool(self.events(name)))
        return self.events(name)[0]

    async def until(self, happened: Happened) -> None:
        """Waits until the sink was told enough or the journal says so."""
        stop = self.journal.subscribe(lambda number: self.sink.news.set())
        try:
            async with asyncio.timeout(PATIENCE):
                while not happened():
                    self.sink.news.clear()
                    await self.sink.news.wait()
        finally:
            stop()

    def entries(self, *kinds: Kind) -> list[Entry]:
        """The journal's entries, all or of some kinds."""
        found = [self.journal.entry(number) for number in range(1, len(self.journal) + 1)]
        return [entry for entry in found if not kinds or entry.row.kind in kinds]

    def events(self, name: str) -> list[JsonObject]:
        """The facts of all events of one name."""
        return [decode_facts(e.body) for e in self.entries(Kind.EVENT) if e.row.method == name]

    def http(self, method: str = "") -> list[JsonObject]:
        """The facts of all HTTP exchanges, or of those with one method."""
        return [
            decode_facts(entry.body)
            for entry in self.entries(Kind.HTTP)
            if not method or entry.row.method == method
        ]

    def frames(self, direction: Direction) -> list[bytes]:
        """The frames that went one way."""
        return [
            e.body for e in self.entries() if e.row.kind.is_frame and e.row.direction is direction
        ]


@asynccontextmanager
async def wired(make: Callable[[Journal, int], Transport]) -> AsyncIterator[Wire]:
    """An open transport with a journal of its own; both are closed afterwards."""
    journal = Journal()
    wire = Wire(make(journal, journal.begin_connection({})), journal)
    try:
        await wire.transport.open(wire.sink)
        yield wire
    finally:
        await wire.transport.close()
        journal.close()
