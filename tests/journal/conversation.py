"""A journal to talk into, with clocks that stand still until told otherwise."""

from pathlib import Path

from inspector.journal.entries import NO_FLAGS, Clock, Direction, Flag
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.protocol.messages import Sendable, encode_json

MODERN: Sendable = {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}
"""The `_meta` of a request of the modern era."""


class Conversation:
    """One journal with one connection; entry 1 is its "connection" event."""

    def __init__(self, *, file: RecordingFile | None = None) -> None:
        self.now = 100.0
        self.wall = 1_800_000_000.0
        self.journal = Journal(file=file, clock=Clock(lambda: self.now, lambda: self.wall))
        self.exchanges = Exchanges(self.journal)
        self.connection = self.journal.begin_connection({"transport": "memory"})

    def pass_time(self, seconds: float) -> None:
        self.now += seconds
        self.wall += seconds

    def frame(
        self,
        direction: Direction,
        message: Sendable | bytes,
        *,
        http: int | None = None,
        flags: Flag = NO_FLAGS,
    ) -> int:
        raw = message if isinstance(message, bytes) else encode_json(message)
        return self.journal.frame(
            direction, raw, connection=self.connection, http=http, flags=flags
        )

    def sent(self, message: Sendable | bytes, *, http: int | None = None) -> int:
        return self.frame(Direction.SENT, message, http=http)

    def received(self, message: Sendable | bytes, *, http: int | None = None) -> int:
        return self.frame(Direction.RECEIVED, message, http=http)

    def flags(self, number: int) -> Flag:
        return self.journal.row(number).flags


def request(request_id: int | str, method: str = "tools/call", **params: Sendable) -> Sendable:
    return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}


def notification(method: str, **params: Sendable) -> Sendable:
    return {"jsonrpc": "2.0", "method": method, "params": params}


def result(request_id: int | str, **members: Sendable) -> Sendable:
    return {"jsonrpc": "2.0", "id": request_id, "result": members}


def error(request_id: int | str | None, code: int = -32603) -> Sendable:
    return {"jsonrpc": "2.0", "id": request_id, "error": {"code": code, "message": "no"}}


def recorded(path: Path, frames: int) -> Conversation:
    """A conversation written to a file, everything flushed."""
    talk = Conversation(file=RecordingFile.create(path))
    for number in range(frames):
        talk.pass_time(0.01)
        if number % 2 == 0:
            talk.sent(request(number, name=f"tool-{number}"))
        else:
            talk.received(result(number - 1, text="ä" * (number % 5)))
    talk.journal.tick()
    return talk
