"""What workbenches are tested on: transports in memory that are remembered by who made them."""

from collections.abc import Iterable

from inspector.config.targets import Target
from inspector.journal.entries import Kind
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    Request,
    decode,
    encode_result,
)
from inspector.transport.base import Transport
from inspector.transport.memory import MemoryTransport
from inspector.workbench import Options, Workbench
from tests.session.scene import initialized

TARGET = Target(command=("server",), name="test")
QUIET = Options(no_record=True)


def agree(raw: bytes) -> Iterable[bytes]:
    """A server that opens sessions of both eras and answers pings, and nothing else."""
    message = decode(raw)
    if isinstance(message, Request) and message.method == "initialize":
        yield encode_result(message.id, initialized())
    elif isinstance(message, Request) and message.method == "ping":
        yield encode_result(message.id, {})
    elif isinstance(message, Request) and message.method == "server/discover":
        yield encode_result(message.id, {"supportedVersions": ["2026-07-28"], "capabilities": {}})


class Wires:
    """A transport factory that remembers what it made."""

    def __init__(self, *, silent: bool = False) -> None:
        self.made: list[MemoryTransport] = []
        self.targets: list[Target] = []
        self.silent = silent
        self.closed = 0

    def __call__(self, target: Target, journal: Journal, connection: int) -> Transport:
        wire = Remembered(self, journal, connection)
        self.made.append(wire)
        self.targets.append(target)
        return wire


class Remembered(MemoryTransport):
    """A transport that tells the factory when it is closed."""

    def __init__(self, wires: Wires, journal: Journal, connection: int) -> None:
        super().__init__(journal, connection, None if wires.silent else agree)
        self._wires = wires

    async def close(self) -> None:
        self._wires.closed += 1
        await super().close()


def events(bench: Workbench) -> list[str]:
    """The names of the journal's events."""
    rows = [bench.journal.row(number) for number in range(1, len(bench.journal) + 1)]
    return [row.method for row in rows if row.kind is Kind.EVENT]
