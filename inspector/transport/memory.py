"""A transport without a wire, for tests: the other side is a callable or the test itself.

It journals like a real one. It decides nothing about messages; a scripted peer is the caller's.
"""

import asyncio
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import Direction
from inspector.protocol.messages import RequestId
from inspector.protocol.versions import Revision
from inspector.transport.base import Closed, Outgoing, Sink, Transport, TransportFacts

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

Respond = Callable[[bytes], Iterable[bytes]]
"""What a scripted peer says to one message of ours: raw frames, in order."""


class MemoryTransport(Transport):
    """Both ends in one process.

    `respond` (optional) is called with every message sent; what it yields arrives after `send`
    has returned. Beside that, a test reads `sent` or awaits `next_sent()`, and speaks for the
    server with `feed`, `fail`, `expire` and `end`.
    """

    kind = "memory"

    def __init__(
        self,
        journal: "Journal",
        connection: int,
        respond: Respond | None = None,
        *,
        label: str = "memory",
    ) -> None:
        self.sent: list[Outgoing] = []
        self.revision: Revision | None = None
        self.abandoned: list[RequestId] = []
        self._journal = journal
        self._connection = connection
        self._respond = respond
        self._label = label
        self._state = "closed"
        self._sink: Sink | None = None
        self._unread: asyncio.Queue[Outgoing] = asyncio.Queue()  # bounded by the test that sends

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(self.kind, self._label, state=self._state)

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        self._state = "open"

    async def send(self, outgoing: Outgoing) -> int:
        if self._sink is None or self._state != "open":
            raise ConnectionFailed("the connection is closed")
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        self.sent.append(outgoing)
        self._unread.put_nowait(outgoing)
        if self._respond is not None:
            loop = asyncio.get_running_loop()
            for raw in self._respond(outgoing.raw):
                loop.call_soon(self._feed_if_open, raw)
        return number

    def negotiated(self, revision: Revision) -> None:
        self.revision = revision

    async def abandon(self, request_id: RequestId) -> None:
        self.abandoned.append(request_id)

    async def close(self) -> None:
        self.end(Closed("closed by us", expected=True))

    async def next_sent(self) -> bytes:
        """The next message sent and not yet taken, in order of sending."""
        return (await self._unread.get()).raw

    def feed(self, raw: bytes, about: RequestId | None = None) -> int:
        """The server says `raw`: journalled, then handed to the sink. Its entry number."""
        if self._sink is None:
            raise ConnectionFailed("the connection was never opened")
        number = self._journal.frame(Direction.RECEIVED, raw, connection=self._connection)
        self._sink.received(number, raw, about)
        return number

    def fail(self, request_id: RequestId, error: InspectorError) -> None:
        """One request is lost, as when its HTTP response was cut off."""
        if self._sink is not None:
            self._sink.failed(request_id, error, None)

    def expire(self) -> None:
        """The server forgets the session."""
        if self._sink is not None:
            self._sink.session_expired()

    def end(self, closed: Closed) -> None:
        """The connection ends; only the first time counts."""
        if self._sink is not None and self._state == "open":
            self._state = "closed"
            self._sink.closed(closed)

    def _feed_if_open(self, raw: bytes) -> None:
        if self._state == "open":
            self.feed(raw)
