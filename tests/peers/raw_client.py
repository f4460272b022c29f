"""The smallest MCP client there can be, over each transport: what a server sends, as bytes.

Shares nothing with the inspector, so that it can be its judge. Answers nothing that it is asked.
"""

import contextlib
import http.client
import json
import queue
import socket
import subprocess
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from urllib.parse import urljoin, urlsplit

from tests.peers.exact import Object, result_of

LIMIT = 30.0
CLIENT = {"name": "raw", "version": "0"}
CAPABILITIES: dict[str, object] = {
    "roots": {"listChanged": True},
    "sampling": {},
    "elicitation": {"form": {}, "url": {}},
}
"""The same as the inspector's: some servers offer other tools to other clients."""


class RawClient(ABC):
    """One session. `opened` is the result of `initialize`."""

    opened: Object

    def __init__(self) -> None:
        self._count = 0

    @abstractmethod
    def exchange(self, message: dict[str, object]) -> bytes:
        """Sends a message; the answer where it is a request, else nothing."""

    def open(self, revision: str = "2025-11-25") -> None:
        params: dict[str, object] = {"protocolVersion": revision, "clientInfo": CLIENT}
        params["capabilities"] = CAPABILITIES
        self.opened = result_of(self.ask("initialize", params))
        self.exchange({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def ask(self, method: str, params: dict[str, object] | None = None) -> bytes:
        """One request; its answer as it came."""
        self._count += 1
        message: dict[str, object] = {"jsonrpc": "2.0", "id": self._count, "method": method}
        if params is not None:
            message["params"] = params
        return self.exchange(message)

    def pages(self, method: str) -> list[Object]:
        """All pages of a list."""
        found = [result_of(self.ask(method, {}))]
        while found[-1].has("nextCursor"):
            found.append(result_of(self.ask(method, {"cursor": found[-1]["nextCursor"]})))
        return found

    def answers(self, raw: bytes) -> bool:
        """Whether these bytes answer the last request."""
        message = json.loads(raw)
        return message.get("id") == self._count and "method" not in message


class StdioClient(RawClient):
    """Lines through pipes."""

    def __init__(self, process: "subprocess.Popen[bytes]") -> None:
        super().__init__()
        assert process.stdin is not None
        assert process.stdout is not None
        self._to, self._from = process.stdin, process.stdout

    def exchange(self, message: dict[str, object]) -> bytes:
        self._to.write(json.dumps(message).encode() + b"\n")
        self._to.flush()
        if "id" not in message:
            return b""
        while line := self._from.readline():
            if self.answers(line):
                return line
        raise AssertionError("the server is gone")


class HttpClient(RawClient):
    """A POST for each message; the answer is a body or the last event of a stream."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self._url = url
        self._more: dict[str, str] = {}

    def exchange(self, message: dict[str, object]) -> bytes:
        headers = {"Accept": "application/json, text/event-stream", **self._more}
        with post(self._url, message, headers) as response:
            assert response.status in (200, 202), response.read()
            if (session := response.headers.get("Mcp-Session-Id")) is not None:
                self._more["Mcp-Session-Id"] = session
            if "id" not in message:
                return b""
            if response.headers.get_content_type() == "application/json":
                return response.read()
            for _, data in events(response):
                if data and self.answers(data):
                    return data
        raise AssertionError("the stream ended without the answer")


class SseClient(RawClient):
    """A stream of events that a thread reads, and POSTs beside it."""

    def __init__(self, url: str, stream: http.client.HTTPResponse) -> None:
        super().__init__()
        self._arrived: queue.Queue[tuple[str, bytes]] = queue.Queue()
        threading.Thread(target=self._read, args=(stream,), daemon=True).start()
        name, endpoint = self._arrived.get(timeout=LIMIT)
        assert name == "endpoint"
        self._url = urljoin(url, endpoint.decode())

    def _read(self, stream: http.client.HTTPResponse) -> None:
        with contextlib.suppress(OSError, ValueError, AttributeError, http.client.HTTPException):
            for event in events(stream):
                self._arrived.put(event)

    def exchange(self, message: dict[str, object]) -> bytes:
        with post(self._url, message, {}) as response:
            assert response.status in (200, 202), response.read()
        if "id" not in message:
            return b""
        while True:
            _, data = self._arrived.get(timeout=LIMIT)
            if self.answers(data):
                return data


@contextlib.contextmanager
def post(
    url: str, message: dict[str, object], headers: dict[str, str]
) -> Iterator[http.client.HTTPResponse]:
    """One POST on a connection of its own."""
    everything = {"Content-Type": "application/json", **headers}
    with _request("POST", url, json.dumps(message).encode(), everything) as response:
        yield response


@contextlib.contextmanager
def _request(
    method: str, url: str, body: bytes | None, headers: dict[str, str]
) -> Iterator[http.client.HTTPResponse]:
    parts = urlsplit(url)
    assert parts.hostname is not None
    connection = http.client.HTTPConnection(parts.hostname, parts.port, timeout=LIMIT)
    connection.connect()
    sock = connection.sock
    try:
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        if response.status in (307, 308):
            target = urljoin(url, response.headers["Location"])
            with _request(method, target, body, headers) as redirected:
                yield redirected
        else:
            yield response
    finally:
        with contextlib.suppress(OSError):  # wakes the thread that reads
            sock.shutdown(socket.SHUT_RDWR)
        connection.close()


def events(stream: http.client.HTTPResponse) -> Iterator[tuple[str, bytes]]:
    """Server-sent events: name and data."""
    name, data = "", b""
    while line := stream.readline():
        field, _, value = line.rstrip(b"\r\n").partition(b":")
        value = value.removeprefix(b" ")
        if field == b"event":
            name = value.decode()
        elif field == b"data":
            data += value
        elif not line.strip():
            if data or name:
                yield name, data
            name, data = "", b""


@contextlib.contextmanager
def connected(kind: str, where: str | Sequence[str], revision: str) -> Iterator[RawClient]:
    """An open session with a server: `where` is a command for stdio, else a URL."""
    if kind == "stdio":
        assert not isinstance(where, str)
        with subprocess.Popen(
            where, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as process:
            client = StdioClient(process)
            try:
                client.open(revision)
                yield client
            finally:
                process.kill()
        return
    assert isinstance(where, str)
    if kind == "http":
        over_http = HttpClient(where)
        over_http.open(revision)
        yield over_http
        return
    with _request("GET", where, None, {"Accept": "text/event-stream"}) as stream:
        over_sse = SseClient(where, stream)
        over_sse.open(revision)
        yield over_sse
