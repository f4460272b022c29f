"""An HTTP server that puts hostile texts wherever HTTP has room for them; the path says where.

`/reason`, `/headers`, `/html`, `/json`, `/redirect`, `/sse`, `/unauthorized`, … each answers every
request in its own way; `/as/MODE` is the authorization server that `/protected/MODE` names.
"""

import contextlib
import json
import re
import socketserver
import threading
import zlib
from collections.abc import Iterator
from typing import Any, Final

from tests.hostile import commands_server
from tests.servers.hostile_texts import NONCE, TEXTS

BETWEEN: Final = " ¦ "
LONG: Final = 5 * 1024 * 1024
"""Bytes of the long body."""


_turn = threading.local()
"""Which of the texts comes first: of long answers only the beginning is quoted."""


def every(label: str) -> str:
    texts = [*TEXTS.values()]
    first = getattr(_turn, "first", 0) % len(texts)
    return f"{label}:" + BETWEEN.join(texts[first:] + texts[:first])


def on_wire(text: str) -> bytes:
    """What can stand in a head, as readers of HTTP have it: C1, bidi and all, but no C0."""
    return re.sub(rb"[\x00-\x08\x0a-\x1f\x7f]", b" ", text.encode("utf-8", "surrogatepass"))


def raw(text: str) -> bytes:
    """All but what ends a line."""
    return re.sub(rb"[\r\n]", b" ", text.encode("utf-8", "surrogatepass"))


def quoted(label: str) -> bytes:
    return on_wire(every(label).replace("\\", "/").replace('"', "'"))


def answer(
    status: bytes, body: bytes = b"", kind: bytes = b"application/json", *more: bytes
) -> bytes:
    head = [b"HTTP/1.1 " + status, b"Content-Type: " + kind, b"Content-Length: %d" % len(body)]
    return b"\r\n".join([*head, *more, b"Connection: close", b"", body])


def said(path: str, base: str, message: dict[str, Any]) -> bytes:
    """The answer to a request for `path`."""
    _turn.first = zlib.crc32(path.encode())
    number = message.get("id")
    error = {"code": -32000, "message": every("message"), "data": every("data")}
    failed = json.dumps({"jsonrpc": "2.0", "id": number, "error": error}).encode()
    text = every("body").encode("utf-8", "surrogatepass")
    area, _, mode = path.strip("/").partition("/")
    match area:
        case "mcp":
            if number is None:
                return answer(b"202 Taken")
            found = commands_server.result(
                message.get("method", ""), message.get("params") or {}, ""
            )
            if found is None:
                return answer(b"200 OK", failed)
            said = {"jsonrpc": "2.0", "id": number, "result": found}
            return answer(b"200 OK", json.dumps(said).encode())
        case "reason":
            return answer(b"500 " + on_wire(every("reason")), text, b"text/plain")
        case "headers":
            kind = on_wire(every("type"))
            return answer(b"502 Bad", text, kind, b"X-Odd: " + on_wire(every("value")))
        case "html":
            return answer(b"200 OK", b"<html>" + text, b"text/html")
        case "type":
            return answer(b"200 OK", text, b"text/" + on_wire(NONCE + "\x9b2J\u202e"))
        case "json":
            return answer(b"200 OK", text)
        case "error":
            return answer(b"400 Bad", failed)
        case "refused":
            return answer(b"200 OK", failed)
        case "redirect":
            place = b"https://" + NONCE.encode() + b".example/" + on_wire(every("location"))
            return answer(b"302 Found", text, b"text/plain", b"Location: " + place)
        case "away":
            return answer(b"307 Go", b"", b"text/plain", b"Location: " + on_wire(every("away")))
        case "later":
            after = b"Retry-After: " + on_wire(every("after"))
            return answer(b"503 Later", text, b"text/plain", after)
        case "gone":
            return answer(b"404 " + on_wire(every("gone")), text, b"text/plain")
        case "encoding":
            how = b"Content-Encoding: " + on_wire(NONCE + "\x9b2J")
            return answer(b"200 OK", text, b"application/json", how)
        case "status":
            return b"HTTP/1.1 \x9b2J" + raw(every("status")) + b"\r\n\r\n"
        case "junk":
            return raw(every("junk")) + b"\r\n\r\n"
        case "head":
            return b"HTTP/1.1 200 OK\r\n" + raw(every("no header")) + b"\r\n\r\n"
        case "long":
            return answer(b"500 Long", b"\x9b2J" + NONCE.encode() * (LONG // len(NONCE)))
        case "sse":
            events = b"".join(
                b"id: " + on_wire(one) + b"\nevent: " + on_wire(one) + b"\ndata: " + on_wire(one)
                + b"\n\n: " + on_wire(one) + b"\nretry: " + on_wire(one) + b"\n\n"
                for one in TEXTS.values()
            )  # fmt: skip
            return answer(b"200 OK", events, b"text/event-stream")
        case "unauthorized":
            challenge = b'WWW-Authenticate: Bearer error="%b", error_description="%b", scope="%b"'
            return answer(
                b"401 No", text, b"text/plain",
                challenge % (quoted("error"), quoted("description"), quoted("scope")),
            )  # fmt: skip
        case "challenge":
            return answer(
                b"401 No", text, b"text/plain", b"WWW-Authenticate: " + on_wire(every("challenge"))
            )
        case "forbidden":
            challenge = b'WWW-Authenticate: Bearer error="insufficient_scope", scope="%b"'
            return answer(b"403 No", text, b"text/plain", challenge % quoted("scope"))
        case "protected":
            where = f'WWW-Authenticate: Bearer resource_metadata="{base}/resource/{mode}"'
            return answer(b"401 No", text, b"text/plain", where.encode())
        case ".well-known" if "oauth-protected-resource" in path:
            name = path.rsplit("/", 1)[-1]
            return answer(b"200 OK", json.dumps(resource(name, base)).encode())
        case "resource":
            return answer(b"200 OK", json.dumps(resource(mode, base)).encode())
        case "as" | ".well-known":
            return authorization(path, base)
        case "refusing":
            return answer(b"400 Bad", refusal())
        case _:
            return answer(b"404 Not here", text, b"text/plain")


def refusal() -> bytes:
    return json.dumps(
        {
            "error": every("error"),
            "error_description": every("description"),
            "error_uri": every("https://error.example/"),
        }
    ).encode()


def resource(mode: str, base: str) -> dict[str, Any]:
    """The metadata of the protected resource."""
    servers = [f"{base}/as/{mode}"]
    match mode:
        case "servers":
            servers = [f"https://a.example/{one}" for one in TEXTS.values()] + [every("server")]
        case "several":
            servers = [f"{base}/as/{n}?{one}" for n, one in enumerate(TEXTS.values())]
        case "odd":
            return {every("member"): every("value"), "resource": every("resource")}
    return {
        "resource": every("resource") if mode == "elsewhere" else f"{base}/protected/{mode}",
        "authorization_servers": servers,
        "scopes_supported": [*TEXTS.values()],
        "resource_name": every("resourcename"),
    }


def authorization(path: str, base: str) -> bytes:
    """What the authorization server says, by the last word of the path."""
    mode = path.rsplit("/", 1)[-1]
    issuer = f"{base}/as/{mode}"
    facts: dict[str, Any] = {
        "issuer": issuer,
        "authorization_endpoint": f"{base}/refusing/authorize",
        "token_endpoint": f"{base}/refusing/token",
        "registration_endpoint": f"{base}/refusing/register",
        "code_challenge_methods_supported": ["S256"],
        "response_types_supported": ["code"],
        "scopes_supported": [*TEXTS.values()],
        "service_documentation": every("documentation"),
    }
    match mode:
        case "issuer":
            facts["issuer"] = every("issuer")
        case "endpoints":
            facts["authorization_endpoint"] = every("javascript:")
            facts["token_endpoint"] = every("token")
        case "methods":
            facts["code_challenge_methods_supported"] = [*TEXTS.values()]
        case "text":
            return answer(b"200 OK", every("text").encode("utf-8", "surrogatepass"))
        case "down":
            return answer(b"500 " + on_wire(every("down")), refusal())
    return answer(b"200 OK", json.dumps(facts).encode())


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            line = self.rfile.readline()
            length = 0
            while (header := self.rfile.readline()).strip():
                name, _, value = header.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            body = self.rfile.read(length)
            path = line.split(b" ")[1].decode()
            try:
                message = json.loads(body)
            except ValueError:
                message = {}
            host = f"http://127.0.0.1:{self.connection.getsockname()[1]}"
            self.wfile.write(said(path, host, message if isinstance(message, dict) else {}))


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    allow_reuse_address = True


@contextlib.contextmanager
def serving() -> Iterator[str]:
    """The address of the server."""
    with _Server(("127.0.0.1", 0), _Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}"
        finally:
            server.shutdown()
            thread.join()
