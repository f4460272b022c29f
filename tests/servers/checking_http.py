"""A small Streamable HTTP server that checks every header it must, but those named in `careless`.

In a test: `async with checking_http({"origin"}) as url`. Careless may be: `origin`, `version`,
`session` (none is missed), `unknown` (an unknown session is no reason), `cursor` (any gives the
first page), `names` (what does not exist is told as a result, or by odd codes), `everywhere` (it
listens on all addresses).
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection

from tests.servers.rude_http import Exchange, Message, _read_request

SESSION = "checking-0123456789abcdef"
VERSIONS = {"2025-03-26", "2025-06-18", "2025-11-25"}
CAPABILITIES: Message = {"tools": {}, "resources": {}, "prompts": {}}
SCHEMA: Message = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOL: Message = {"name": "erase", "description": "d", "inputSchema": SCHEMA}
PROMPT: Message = {"name": "review", "arguments": [{"name": "code", "required": True}]}


class Checking:
    """The server; `called` are the tools, resources and prompts that were asked for."""

    def __init__(self, careless: Collection[str]) -> None:
        self.careless = careless
        self.url = ""
        self.called: list[str] = []
        self.seen: list[tuple[str, str]] = []

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, request after request."""
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while (seen := await _read_request(reader)) is not None:
                exchange = Exchange(seen, writer)
                self.seen.append((seen.method, seen.headers.get("origin", "")))
                if seen.method != "POST":
                    await exchange.send(200 if seen.method == "DELETE" else 405)
                    continue
                status, answer = self.answer(seen.headers, seen.message)
                if answer is None:
                    await exchange.send(status)
                elif seen.message.get("method") == "initialize":
                    await exchange.reply(answer, status, **{"Mcp-Session-Id": SESSION})
                else:
                    await exchange.reply(answer, status)
        writer.close()

    def answer(self, headers: dict[str, str], message: Message) -> tuple[int, Message | None]:
        """The status, and the body where there is one."""
        method = str(message.get("method"))
        if "origin" in headers and "origin" not in self.careless:
            return 403, None
        if method != "initialize":
            session = headers.get("mcp-session-id")
            if session is None and "session" not in self.careless:
                return 400, None
            if session not in (None, SESSION) and "unknown" not in self.careless:
                return 404, None
            if session not in (None, SESSION):
                return 400, _error(message, -32000, "no such session")
            version = headers.get("mcp-protocol-version", "2025-03-26")
            if version not in VERSIONS and "version" not in self.careless:
                return 400, None
        if "id" not in message:
            return 202, None
        return 200, self.result(method, message)

    def result(self, method: str, message: Message) -> Message:
        """The answer to a request that passed."""
        params = message.get("params") or {}
        if method in ("tools/call", "resources/read", "prompts/get"):
            self.called.append(str(params.get("name", params.get("uri"))))
            return self._unknown(method, message)
        if method.endswith("/list"):
            return self._page(method, message, params.get("cursor"))
        result: Message = {}
        if method == "initialize":
            result = {
                "protocolVersion": params["protocolVersion"],
                "capabilities": CAPABILITIES,
                "serverInfo": {"name": "checking", "version": "1"},
            }
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}

    def _unknown(self, method: str, message: Message) -> Message:
        if "names" not in self.careless:
            code = -32002 if method == "resources/read" else -32602
            return _error(message, code, "not found")
        if method == "tools/call":
            failed = {"isError": True, "content": [{"type": "text", "text": "no such tool"}]}
            return {"jsonrpc": "2.0", "id": message["id"], "result": failed}
        return _error(message, -32603, "not found")

    def _page(self, method: str, message: Message, cursor: object) -> Message:
        """The tools come on two pages, everything else on one."""
        if cursor not in (None, "second") and "cursor" not in self.careless:
            return _error(message, -32602, "no such cursor")
        result: Message = {
            "tools/list": {"tools": [{**TOOL, "name": "add"}], "nextCursor": "second"}
            if cursor != "second"
            else {"tools": [TOOL]},
            "resources/list": {"resources": []},
            "resources/templates/list": {"resourceTemplates": []},
            "prompts/list": {"prompts": [PROMPT]},
        }[method]
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}


def _error(message: Message, code: int, text: str) -> Message:
    error = {"code": code, "message": text}
    return {"jsonrpc": "2.0", "id": message.get("id"), "error": error}


@contextlib.asynccontextmanager
async def checking_http(careless: Collection[str] = ()) -> AsyncIterator[Checking]:
    """Runs the server on a free port, of the loopback interface unless it is careless there."""
    peer = Checking(careless)
    host = "0.0.0.0" if "everywhere" in careless else "127.0.0.1"
    tasks: set[asyncio.Task[None]] = set()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(peer.serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, host, 0)
    peer.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/mcp"
    try:
        yield peer
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
