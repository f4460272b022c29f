"""What the rude HTTP server does in each of its modes: one function a mode, on `tools/call`.

Modes that are rude elsewhere: `no-get`, `get-*` (the GET stream), `init-*` (the answer to
`initialize`), `sse-*` (the HTTP+SSE transport of 2024-11-05).
"""

import asyncio
import gzip
import json
from collections.abc import Awaitable, Callable

from tests.servers.rude_http import SESSION, Exchange, Message, Peer, event, result_of

HTML = b"<html><body><h1>Internal Server Error</h1></body></html>"
Call = Callable[[Peer, Exchange, Message], Awaitable[None]]


def note(number: int) -> Message:
    """A logging notification."""
    params = {"level": "info", "data": f"note {number}"}
    return {"jsonrpc": "2.0", "method": "notifications/message", "params": params}


async def honest(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(result_of(m))


async def stream(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event("", "p0"), event(note(1), "p1"), event(result_of(m), "p2"))


async def close_then_resume(peer: Peer, x: Exchange, m: Message) -> None:
    peer.notes["pending"] = m["id"]
    await x.stream(event("", "e0", 40), event(note(1), "e1"))


async def close_mid_chunk(peer: Peer, x: Exchange, m: Message) -> None:
    peer.notes["pending"] = m["id"]
    x.closing = True
    await x.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked"})
    part = event("", "e0", 40) + event(note(1), "e1")
    await x.write(b"%x\r\n" % len(part) + part + b"\r\n40\r\nid: torn\ndata: {")
    x.reset()


async def close_without_id(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(note(1)))


async def never_resumes(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event("", "e0", 10))


async def left_open(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(result_of(m)))
    await x.forever()


async def comments_only(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(b": still here\n\n" * 50)
    await x.forever()


async def asks_patiently(peer: Peer, x: Exchange, m: Message) -> None:
    """Asks, and keeps its stream alive with comments and pings until it has its answer."""
    form = {"message": "Well?", "requestedSchema": {"type": "object", "properties": {}}}
    asked = {"jsonrpc": "2.0", "id": "ask", "method": "elicitation/create", "params": form}
    await x.stream(event(asked))
    pings = 0
    while not any(seen.message.get("id") == "ask" for seen in peer.seen):
        await x.write(b": still here\n\n")
        if pings == 0 or any(seen.message.get("id") == f"p{pings}" for seen in peer.seen):
            pings += 1
            await x.write(event({"jsonrpc": "2.0", "id": f"p{pings}", "method": "ping"}))
        await asyncio.sleep(0.01)
    await x.write(event(result_of(m)))


async def never_ending_event(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(b"data: ")
    chunk = b"x" * 1_000_000
    while True:
        await x.write(chunk)


async def drip(peer: Peer, x: Exchange, m: Message) -> None:
    body = json.dumps(result_of(m)).encode()
    await x.head(200, {"Content-Type": "application/json", "Content-Length": str(len(body))})
    for byte in body:
        await x.write(bytes([byte]))
        await asyncio.sleep(0)


async def reset_mid_body(peer: Peer, x: Exchange, m: Message) -> None:
    await x.head(200, {"Content-Type": "application/json", "Content-Length": "5000"})
    await x.write(b'{"jsonrpc":"2.0","id":')
    x.reset()


async def reset_before_head(peer: Peer, x: Exchange, m: Message) -> None:
    x.reset()


async def huge_header(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(200, b"{}", "application/json", X_Big="y" * 200_000)


async def html_500(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(500, HTML, "text/html")


async def html_200(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(200, HTML, "text/html")


async def accepted(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(202)


async def empty(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(200, b"", "application/json")


async def error_without_id(peer: Peer, x: Exchange, m: Message) -> None:
    error = {"code": -32600, "message": "Bad Request"}
    await x.reply({"jsonrpc": "2.0", "error": error, "id": None}, 400)


async def error_foreign_id(peer: Peer, x: Exchange, m: Message) -> None:
    error = {"code": -32600, "message": "Bad Request"}
    await x.reply({"jsonrpc": "2.0", "error": error, "id": "server-error"}, 400)


async def wrong_id(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply({**result_of(m), "id": 987654})


async def batch(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply([note(1), result_of(m)])


async def several_lines(peer: Peer, x: Exchange, m: Message) -> None:
    body = json.dumps(note(1)).encode() + b"\n" + json.dumps(result_of(m)).encode()
    await x.send(200, body, "application/json")


async def gzip_bomb(peer: Peer, x: Exchange, m: Message) -> None:
    member = gzip.compress(b" " * 16_000_000, 9)
    await x.send(200, member * 16, "application/json", Content_Encoding="gzip")


async def gzipped(peer: Peer, x: Exchange, m: Message) -> None:
    body = gzip.compress(json.dumps(result_of(m)).encode())
    await x.send(200, body, "application/json", Content_Encoding="gzip")


async def endless_json(peer: Peer, x: Exchange, m: Message) -> None:
    x.closing = True
    await x.head(200, {"Content-Type": "application/json", "Connection": "close"})
    chunk = b" " * 1_000_000
    while True:
        await x.write(chunk)


async def busy(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(503, b"later", "text/plain", Retry_After="7")


async def unauthorized(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(401, WWW_Authenticate='Bearer resource_metadata="https://as.example/prm"')


async def session_unknown(peer: Peer, x: Exchange, m: Message) -> None:
    error = {"code": -32000, "message": "Bad Request: No valid session ID provided"}
    await x.reply({"jsonrpc": "2.0", "error": error, "id": None}, 400)


async def repeats_secrets(peer: Peer, x: Exchange, m: Message) -> None:
    said = f"{x.seen.path} and canary-cookie-1234"
    await x.send(500, said.encode(), "text/plain", Set_Cookie="sid=canary-cookie-1234; Path=/")


async def session_gone(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(404, b"no such session", "text/plain")


async def never(peer: Peer, x: Exchange, m: Message) -> None:
    await x.forever()


def redirect(status: int, where: Callable[[Peer, Exchange], str]) -> Call:
    """A redirect to a place; what arrives at the right path is answered."""

    async def act(peer: Peer, x: Exchange, m: Message) -> None:
        if x.seen.path != peer.path and "loop" not in peer.mode:
            await x.reply(result_of(m, f"{x.seen.method} {x.seen.path}"))
        else:
            await x.send(status, Location=where(peer, x))

    return act


def _elsewhere(peer: Peer, x: Exchange) -> str:
    return peer.other.url if peer.other is not None else "http://evil.example/mcp"


CALLS: dict[str, Call] = {
    "honest": honest,
    "stream": stream,
    "close-then-resume": close_then_resume,
    "close-mid-chunk": close_mid_chunk,
    "close-without-id": close_without_id,
    "never-resumes": never_resumes,
    "left-open": left_open,
    "comments-only": comments_only,
    "asks-patiently": asks_patiently,
    "never-ending-event": never_ending_event,
    "drip": drip,
    "reset-mid-body": reset_mid_body,
    "reset-before-head": reset_before_head,
    "huge-header": huge_header,
    "html-500": html_500,
    "html-200": html_200,
    "accepted": accepted,
    "empty": empty,
    "error-without-id": error_without_id,
    "error-foreign-id": error_foreign_id,
    "wrong-id": wrong_id,
    "batch": batch,
    "several-lines": several_lines,
    "gzip-bomb": gzip_bomb,
    "gzipped": gzipped,
    "endless-json": endless_json,
    "busy": busy,
    "unauthorized": unauthorized,
    "session-gone": session_gone,
    "session-unknown": session_unknown,
    "repeats-secrets": repeats_secrets,
    "never": never,
    "redirect-307": redirect(307, lambda peer, x: peer.path + "/"),
    "redirect-308": redirect(308, lambda peer, x: peer.origin + peer.path + "/"),
    "redirect-302": redirect(302, lambda peer, x: peer.path + "/"),
    "redirect-elsewhere": redirect(307, _elsewhere),
    "redirect-loop": redirect(307, lambda peer, x: "/b" if x.seen.path != "/b" else peer.path),
    "redirect-userinfo": redirect(
        307, lambda peer, x: f"http://user:secret@127.0.0.1:{peer.port}/x"
    ),
}


async def respond(peer: Peer, x: Exchange) -> None:
    """Answers one HTTP request as the mode wants it."""
    if peer.mode == "breaks-at-delete" and len(peer.requests("DELETE")) > 0:
        await x.send(500, b"Internal Server Error", "text/plain")
    elif peer.mode.startswith("sse-"):
        await respond_sse(peer, x)
    elif x.seen.method == "GET":
        await respond_get(peer, x)
    elif x.seen.method == "DELETE":
        await x.send(405 if peer.mode == "no-get" else 200)
    else:
        await respond_post(peer, x)


async def respond_post(peer: Peer, x: Exchange) -> None:
    """A message of the client."""
    message = x.seen.message
    method = message.get("method")
    if method == "initialize":
        await respond_initialize(peer, x, message)
    elif "id" not in message or method is None:
        await x.send(202)
    elif method == "tools/list":
        tools = [{"name": "poke", "inputSchema": {"type": "object"}}]
        await x.reply({"jsonrpc": "2.0", "id": message["id"], "result": {"tools": tools}})
    elif method == "tools/call":
        await CALLS.get(peer.mode, honest)(peer, x, message)
    else:
        await x.reply({"jsonrpc": "2.0", "id": message["id"], "result": {}})


async def respond_initialize(peer: Peer, x: Exchange, message: Message) -> None:
    """`initialize`, with a session id."""
    if peer.mode.startswith("init-"):
        if peer.mode == "init-modern-error":
            error = {"code": -32022, "message": "Unsupported", "data": {"supported": []}}
            await x.reply({"jsonrpc": "2.0", "id": None, "error": error}, 400)
        else:
            await x.send(int(peer.mode.removeprefix("init-")), HTML, "text/html")
        return
    result = {
        "protocolVersion": message["params"]["protocolVersion"],
        "capabilities": {"tools": {}},
        "serverInfo": {"name": f"rude-{peer.mode}", "version": "1"},
    }
    answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
    await x.reply(answer, Mcp_Session_Id=SESSION)


async def respond_get(peer: Peer, x: Exchange) -> None:
    """The stream of the server's own messages, or the resumption of another."""
    resumed = x.seen.headers.get("last-event-id")
    if peer.mode in ("close-then-resume", "close-mid-chunk") and resumed == "e1":
        # A server that replays too much, and then goes on.
        done = result_of({"id": peer.notes["pending"]})
        await x.stream(event(note(1), "e1"), event(note(2), "e2"), event(done, "e3"))
    elif peer.mode == "never-resumes" and resumed:
        await x.stream()
    elif peer.mode == "get-stream":
        if resumed is None:
            await x.stream(event(note(1), "g1", 20))
        else:
            await x.stream(event(note(2), "g2"))
            await x.forever()
    elif peer.mode == "get-silent":
        await x.forever()
    elif peer.mode == "get-500":
        await x.send(500, HTML, "text/html")
    else:
        await x.send(405)


async def respond_sse(peer: Peer, x: Exchange) -> None:
    """HTTP+SSE: the stream at the path, the endpoint beside it."""
    if x.seen.method == "GET":
        endpoint = {
            "sse-absolute": f"{peer.origin}/messages?sessionId=secret-sse-session",
            "sse-elsewhere": "http://evil.example/messages",
        }.get(peer.mode, "/messages?sessionId=secret-sse-session")
        if peer.mode == "sse-silent":
            await x.stream(b": nothing\n\n")
        else:
            await x.stream(event(endpoint, name="endpoint"))
        peer.sse = x
        await peer.lost.wait()
        return
    if not x.seen.path.startswith("/messages"):
        await x.send(405, b"Method Not Allowed", "text/plain")
        return
    message = x.seen.message
    method = message.get("method")
    if peer.mode == "sse-post-500" and method == "tools/call":
        await x.send(500, HTML, "text/html")
        return
    await x.send(202, b"Accepted", "text/plain")
    if peer.mode == "sse-lost" and method == "tools/call":
        peer.lost.set()
        return
    if "id" in message and method is not None and peer.sse is not None:
        result: Message = {}
        if method == "initialize":
            result = {"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {}}
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        await peer.sse.write(event(answer, name="message"))
