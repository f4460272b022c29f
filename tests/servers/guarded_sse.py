"""The protected server of the tests, with the HTTP+SSE transport of 2024-11-05 behind its check."""

import contextlib
from collections.abc import Iterator

from mcp.server.mcpserver import MCPServer
from mcp.server.transport_security import TransportSecuritySettings

from tests.servers.auth_server import AuthServer
from tests.servers.auth_toggles import HONEST, Toggles
from tests.servers.threaded import listening, on_thread


class SseServer(AuthServer):
    """Beside all else that it does, the stream is at /sse and takes messages at /messages."""

    def reset(self, toggles: Toggles) -> None:
        self.url = f"{self.origin}/sse"
        server = MCPServer("protected")

        def add(a: int, b: int) -> int:
            """Adds two numbers."""
            return a + b

        def locked() -> str:
            """Needs the scope of the vault."""
            return "the vault is open"

        server.tool()(add)
        server.tool()(locked)
        unguarded = TransportSecuritySettings(enable_dns_rebinding_protection=False)
        self._app = server.sse_app(transport_security=unguarded)
        super().reset(toggles)

    def _endpoint(self, path: str) -> str:
        found = super()._endpoint(path)
        return "mcp" if found in {"sse", "messages"} else found


@contextlib.contextmanager
def sse_serving() -> Iterator[SseServer]:
    """Runs it on a thread of its own."""
    listener, port = listening()
    server = SseServer(HONEST, {}, f"http://127.0.0.1:{port}")
    with on_thread(server, listener):
        try:
            yield server
        finally:
            server.stop()
