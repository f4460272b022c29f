"""Recordings to compare: a server that is asked things, twice."""

from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject, Sendable
from tests.journal.conversation import Conversation, request, result


class Talk:
    """A session of 2025-11-25 with a server, in a journal with a clock of its own."""

    def __init__(self, version: str = "1.0", capabilities: JsonObject | None = None) -> None:
        self.talk = Conversation()
        self._id = 0
        declared: JsonObject = {"tools": {}} if capabilities is None else capabilities
        self.ask(
            "initialize",
            {"protocolVersion": "2025-11-25", "capabilities": {}},
            {
                "protocolVersion": "2025-11-25",
                "capabilities": declared,
                "serverInfo": {"name": "shop", "version": version},
            },
        )
        self.talk.sent({"jsonrpc": "2.0", "method": "notifications/initialized"})

    @property
    def journal(self) -> Journal:
        """What was said."""
        return self.talk.journal

    def ask(
        self, method: str, params: JsonObject, answer: Sendable | None, *, took: float = 0.01
    ) -> int:
        """A request and its result (or, where the answer has a code, error; None: no answer)."""
        self._id += 1
        number = self.talk.sent(request(self._id, method, **params))
        self.talk.pass_time(took)
        if isinstance(answer, dict) and "code" in answer:
            self.talk.received({"jsonrpc": "2.0", "id": self._id, "error": answer})
        elif isinstance(answer, dict):
            self.talk.received(result(self._id, **answer))
        return number

    def call(
        self, name: str, answer: Sendable | None, *, took: float = 0.01, **arguments: Json
    ) -> int:
        """A tool call."""
        return self.ask("tools/call", {"name": name, "arguments": arguments}, answer, took=took)

    def tools(self, *tools: JsonObject) -> None:
        """The list of tools is read."""
        self.ask("tools/list", {}, {"tools": list(tools)})


def text(words: str, *, failed: bool = False) -> Sendable:
    """The result of a tool."""
    return {"content": [{"type": "text", "text": words}], "isError": failed}


def tool(name: str, **members: Json) -> JsonObject:
    """A tool of a list."""
    return {"name": name, "inputSchema": {"type": "object"}, **members}
