"""The ends of a child's pipes as asyncio protocols: bytes as they come, and writing that can wait.

`StreamReader` is avoided on purpose: it limits a line to 64 KiB and costs a task switch per line.
What the bytes are is decided by the transport that owns the pipe.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Final

FEW_LINES: Final = 256
"""Lines in one chunk that are taken in at once."""
PIECE: Final = 2048
"""Bytes of a chunk of more lines that are taken in between two looks at the clock."""
TURN: Final = 0.01
"""Seconds after which others on the loop have their turn."""


class Reader(asyncio.Protocol):
    """Hands on what comes, in order; `ended` is set once no more can come.

    One read may bring 65,000 empty lines: such a chunk is handed on in pieces, others on the loop
    have their turn in between, and nothing more is read until it is done.
    """

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self.ended = asyncio.Event()
        self._take = take
        self._transport: asyncio.ReadTransport | None = None
        self._left = b""
        self._lost = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        if isinstance(transport, asyncio.ReadTransport):
            self._transport = transport

    def data_received(self, data: bytes) -> None:
        if not self._left and data.count(b"\n") <= FEW_LINES:
            self._take(data)
            return
        waits = bool(self._left)
        self._left += data
        if not waits:
            self._go_on()

    def connection_lost(self, exc: Exception | None) -> None:
        self._lost = True
        if not self._left:
            self.ended.set()

    def abandon(self) -> None:
        """Stops reading, whoever still holds the other end."""
        self.drain()
        if self._transport is not None and not self._lost:
            self._transport.close()

    def drain(self) -> None:
        """Hands on at once what was read already."""
        left, self._left = self._left, b""
        if left:
            self._take(left)
        if self._lost:
            self.ended.set()

    def _go_on(self) -> None:
        end = time.monotonic() + TURN
        while self._left:
            piece, self._left = self._left[:PIECE], self._left[PIECE:]
            self._take(piece)
            if time.monotonic() >= end:
                break
        transport = self._transport
        if self._left:
            if transport is not None and not self._lost and transport.is_reading():
                transport.pause_reading()
            asyncio.get_running_loop().call_soon(self._go_on)
        elif self._lost:
            self.ended.set()
        elif transport is not None and not transport.is_closing() and not transport.is_reading():
            transport.resume_reading()


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
