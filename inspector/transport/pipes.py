"""The ends of a child's pipes as asyncio protocols: bytes as they come, and writing that can wait.

`StreamReader` is avoided on purpose: it limits a line to 64 KiB and costs a task switch per line.
What the bytes are is decided by the transport that owns the pipe.
"""

import asyncio
from collections.abc import Callable


class Reader(asyncio.Protocol):
    """Hands on each chunk; `ended` is set once no more can come."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self.ended = asyncio.Event()
        self._take = take
        self._transport: asyncio.BaseTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._take(data)

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended.set()

    def abandon(self) -> None:
        """Stops reading, whoever still holds the other end."""
        if self._transport is not None:
            self._transport.close()


class Writer(asyncio.BaseProtocol):
    """Writes without waiting; `ready` is clear while the pipe is full.

    `gone` is True once nobody can read what is written; `ready` is set then, so that nobody
    waits for it. `on_resumed` is called when a pipe that was full takes bytes again.
    """

    def __init__(self, on_resumed: Callable[[], None] = lambda: None) -> None:
        self.ready = asyncio.Event()
        self._on_resumed = on_resumed
        self.ready.set()
        self._transport: asyncio.WriteTransport | None = None
        self._lost = False

    @property
    def gone(self) -> bool:
        """Whether writing is over, by either side."""
        return self._lost or self._transport is None or self._transport.is_closing()

    @property
    def buffered(self) -> int:
        """Bytes that were written but not yet taken by the pipe."""
        return self._transport.get_write_buffer_size() if self._transport is not None else 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.WriteTransport):
            self._transport = transport

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        self.ready.set()

    def pause_writing(self) -> None:
        self.ready.clear()

    def resume_writing(self) -> None:
        self.ready.set()
        self._on_resumed()

    def write(self, raw: bytes) -> None:
        """Queues bytes; order is kept."""
        if self._transport is not None:
            self._transport.write(raw)

    def close(self) -> None:
        """Ends the stream once what is queued was taken."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.close()

    def abandon(self) -> None:
        """Ends the stream now."""
        # A stream that is closing with nothing left to write ends by itself; aborted as well, it
        # would end twice, which asyncio takes for a mistake and prints.
        if self._transport is not None and not self._lost and not (self.gone and not self.buffered):
            self._transport.abort()
