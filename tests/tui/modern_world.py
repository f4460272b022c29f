"""A scripted server that speaks both eras, or one of them, for tests of the interface."""

import json
from collections.abc import Iterator

from inspector.protocol.messages import Json, JsonObject
from tests.tui.world import Server, encode

META = "io.modelcontextprotocol/"
DECLARED: JsonObject = {
    "tools": {"listChanged": True},
    "resources": {"subscribe": True, "listChanged": True},
    "logging": {},
    "extensions": {"com.example/sparkles": {"colour": "gold"}},
}
TOOLS: list[Json] = [
    {
        "name": "where",
        "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
        },
    },
    {
        "name": "broken",
        "inputSchema": {
            "type": "object",
            "properties": {"region": {"type": "string", "x-mcp-header": "not a token"}},
        },
    },
]


class ModernServer(Server):
    """Speaks `eras`. A listen stream is acknowledged with what `refuses` leaves of its filter, and
    stays open; `listens` are the ids of these streams."""

    def __init__(
        self,
        *eras: str,
        capabilities: JsonObject | None = None,
        refuses: tuple[str, ...] = (),
        tools: list[Json] | None = None,
    ) -> None:
        super().__init__(tools=TOOLS if tools is None else tools)
        self.eras = eras or ("handshake", "modern")
        self.capabilities = DECLARED if capabilities is None else capabilities
        self.refuses = refuses
        self.info: JsonObject = {"name": "dual", "version": "1"}
        self.asked: list[JsonObject] = []
        self.listens: list[Json] = []

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """An acknowledgement for a listen stream, errors for the era that is not spoken."""
        message = json.loads(raw)
        self.asked.append(message)
        method, request_id = message.get("method", ""), message.get("id")
        if method == "subscriptions/listen":
            self.seen.append(method)
            self.listens.append(request_id)
            wanted = message["params"]["notifications"]
            granted = {key: value for key, value in wanted.items() if key not in self.refuses}
            about = {f"{META}subscriptionId": request_id}
            yield encode(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/subscriptions/acknowledged",
                    "params": {"_meta": about, "notifications": granted},
                }
            )
            return
        if method == "initialize" and "handshake" not in self.eras:
            self.seen.append(method)
            supported: JsonObject = {"supported": ["2026-07-28"], "requested": "2025-11-25"}
            error: JsonObject = {"code": -32022, "message": "Unsupported", "data": supported}
            yield encode({"jsonrpc": "2.0", "id": request_id, "error": error})
            return
        yield from super().respond(raw)

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        """Results of both eras."""
        match method:
            case "initialize":
                named = params["protocolVersion"]
                return {
                    "protocolVersion": named,
                    "capabilities": self.capabilities,
                    "serverInfo": self.info,
                }
            case "server/discover" if "modern" in self.eras:
                return {
                    "resultType": "complete",
                    "supportedVersions": ["2025-11-25", "2026-07-28"],
                    "capabilities": self.capabilities,
                    "ttlMs": 60_000,
                    "cacheScope": "public",
                    "_meta": {f"{META}serverInfo": self.info},
                }
            case "tools/call" if params["name"] == "asks" and "requestState" not in params:
                question: JsonObject = {"here": {"method": "roots/list"}}
                return {
                    "resultType": "input_required",
                    "inputRequests": question,
                    "requestState": "s",
                }
            case "tools/list":
                return {"tools": self.tools, "ttlMs": 300_000, "cacheScope": "private"}
            case "resources/list":
                memo: JsonObject = {"uri": "memo://x", "name": "memo"}
                return {"resources": [memo], "ttlMs": 0, "cacheScope": "public"}
            case "resources/templates/list":
                return {"resourceTemplates": [], "ttlMs": 0, "cacheScope": "public"}
            case "resources/read":
                text: JsonObject = {"uri": "memo://x", "text": "hello"}
                return {"contents": [text], "ttlMs": 5000, "cacheScope": "private"}
            case "resources/subscribe" | "resources/unsubscribe" | "logging/setLevel":
                return {}
            case _:
                return super().result(method, params)
