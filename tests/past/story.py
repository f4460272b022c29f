"""A journal with a short story in it: lists, calls, a question, a task; a second a message."""

import json
from collections.abc import Callable

from inspector.journal.entries import Clock, Direction
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject

SENT, RECEIVED = Direction.SENT, Direction.RECEIVED


class Story:
    """Appends messages, a second apart."""

    def __init__(self) -> None:
        self.seconds = 100.0
        tick: Callable[[], float] = lambda: self.seconds  # noqa: E731
        self.journal = Journal(clock=Clock(tick, lambda: self.seconds + 1_700_000_000))
        self.journal.begin_connection({"name": "story", "protocol": "2025-11-25"})

    def frame(self, direction: Direction, message: JsonObject) -> int:
        """A message; its entry."""
        self.seconds += 1.0
        raw = json.dumps({"jsonrpc": "2.0", **message}).encode()
        return self.journal.frame(direction, raw, connection=self.journal.connections)

    def ask(self, number: Json, method: str, **params: Json) -> int:
        """A request of ours."""
        return self.frame(SENT, {"id": number, "method": method, "params": {**params}})

    def answer(self, number: Json, result: JsonObject) -> int:
        """The server's result."""
        return self.frame(RECEIVED, {"id": number, "result": result})

    def open(self, **capabilities: Json) -> int:
        """The handshake."""
        self.ask(
            0,
            "initialize",
            protocolVersion="2025-11-25",
            capabilities={"elicitation": {"form": {}}, "roots": {}},
        )
        self.answer(
            0,
            {
                "protocolVersion": "2025-11-25",
                "capabilities": {**capabilities},
                "serverInfo": {"name": "story"},
                "instructions": "Read me.",
            },
        )
        return self.frame(SENT, {"method": "notifications/initialized"})

    def list_tools(self, number: Json, *names: str) -> int:
        """`tools/list` and its answer; the entry of that."""
        self.ask(number, "tools/list")
        return self.answer(number, {"tools": [{"name": name} for name in names]})
