"""HTTP servers that are rude on the wire itself: statuses, heads, events, sessions, timing.

In a test: `async with rude_web(mode) as peer: ... peer.url`. `peer.said` keeps bodies that were put
on the wire, so that a test can look for them in the journal. Modes that begin with "sse-" speak
HTTP+SSE (2024-11-05), all others Streamable HTTP; the tool `poke` is rude (`rude_web_pokes`) and
`good` is honest. Raw sockets, on the plumbing of `rude_http`.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator

from tests.servers.rude_http import Exchange, Message, _read_request, event
from tests.servers.rude_web_pokes import (
    HTML,
    JSON,
    POKES,
    Act,
    Web,
    body,
    data,
    dumps,
    fixed,
    hang,
    note,
    reset,
    result,
    status,
    stream,
)

EVERYWHERE = (
    "initialize-html", "initialize-hangs", "initialize-empty", "initialize-202", "initialize-reset",
    "initialize-error", "initialize-junk-stream", "initialize-wrong-id", "initialized-500",
    "initialized-hangs", "initialized-404", "initialized-answered", "list-hangs", "list-500",
    "list-404", "get-500", "get-hangs", "get-html", "get-200-json", "get-404", "get-reset",
    "get-ends", "get-answers-nothing", "delete-hangs", "delete-500", "delete-404", "delete-reset",
    "session-odd", "session-huge", "session-none", "with-initialize", "forgets-subscribers",
)  # fmt: skip
SSE_MODES = (
    "sse-honest", "sse-no-endpoint", "sse-relative", "sse-absolute", "sse-other-origin",
    "sse-endpoint-twice", "sse-endpoint-junk", "sse-endpoint-javascript", "sse-html", "sse-404",
    "sse-hangs", "sse-lost-in-call", "sse-lost-at-once", "sse-reset-in-call", "sse-post-500",
    "sse-post-hangs", "sse-post-404", "sse-answer-in-post", "sse-crlf", "sse-twice", "sse-junk",
    "sse-flood", "sse-5m", "sse-our-id", "sse-wrong-id", "sse-never", "sse-message-first",
)  # fmt: skip
MODES = (*POKES, *EVERYWHERE, *SSE_MODES)


def opened(web: Web, m: Message) -> Message:
    """An honest answer to `initialize`."""
    info = {"name": f"rude-{web.mode}", "version": "1"}
    offered = m["params"]["protocolVersion"]
    capabilities = {"tools": {"listChanged": True}, "logging": {}, "resources": {"subscribe": True}}
    body = {"protocolVersion": offered, "capabilities": capabilities, "serverInfo": info}
    return {"jsonrpc": "2.0", "id": m["id"], "result": body}


def listed(m: Message) -> Message:
    """An honest answer to `tools/list`."""
    tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("poke", "good")]
    return {"jsonrpc": "2.0", "id": m["id"], "result": {"tools": tools}}


def honest(web: Web, m: Message) -> Message:
    """An honest answer to any request."""
    match m.get("method"):
        case "initialize":
            return opened(web, m)
        case "tools/list":
            return listed(m)
        case _:
            return result(m, "good")


async def respond(web: Web, x: Exchange) -> None:
    """Answers one HTTP request."""
    if web.mode.startswith("sse-") and web.mode not in POKES:
        await respond_sse(web, x)
        return
    if x.seen.method == "GET":
        await respond_get(web, x)
    elif x.seen.method == "DELETE":
        await respond_delete(web, x)
    else:
        await respond_post(web, x)


async def respond_post(web: Web, x: Exchange) -> None:
    m = x.seen.message
    method = m.get("method", "")
    stage, _, how = web.mode.partition("-")
    names = {"initialize": "initialize", "notifications/initialized": "initialized",
             "tools/list": "list"}  # fmt: skip
    if names.get(method) == stage and how:
        acts: dict[str, Act] = {
            "html": status(200, HTML, "text/html"),
            "hangs": hang,
            "empty": status(200, b"", JSON),
            "202": status(202),
            "reset": reset,
            "error": body(lambda m: dumps({"jsonrpc": "2.0", "id": m["id"],
                                           "error": {"code": -32603, "message": "not today"}})),
            "junk-stream": stream(fixed(b"junk\n\ndata: [\n\n")),
            "wrong-id": body(lambda m: dumps({**opened(web, m), "id": 4711})),
            "500": status(500, HTML, "text/html"),
            "404": status(404, b"no", "text/plain"),
            "answered": status(200, b'{"jsonrpc":"2.0","id":null,"result":{}}', JSON),
        }  # fmt: skip
        await acts[how](web, x, m)
    elif method == "initialize":
        web.sessions += 1
        session = f"session-number-{web.sessions}"
        session = {"session-odd": "sp ace\x7fé", "session-huge": "s" * 20_000}.get(
            web.mode, session
        )
        named = {} if web.mode == "session-none" else {"Mcp-Session-Id": session}
        if web.mode == "with-initialize":
            asked = {"jsonrpc": "2.0", "id": "r1", "method": "roots/list"}
            lines = [f"{name}: {value}\r\n" for name, value in named.items()]
            both = event(opened(web, m)) + event(asked)
            await stream(fixed(both), more="".join(lines))(web, x, m)
        else:
            raw = dumps(opened(web, m))
            length = str(len(raw))
            await x.head(200, {"Content-Type": JSON, "Content-Length": length, **named})
            await x.write(raw)
    elif "id" not in m or not method:
        await x.send(202)
    elif web.mode == "forgets-subscribers" and len(web.bodies("resources/subscribe")) > 1:
        await x.send(404, b"who?", "text/plain")
    elif method == "tools/call" and m["params"]["name"] == "poke":
        web.pokes += 1
        await POKES.get(web.mode, POKES["honest"])(web, x, m)
    else:
        await x.reply(honest(web, m))


async def respond_get(web: Web, x: Exchange) -> None:
    stage, _, how = web.mode.partition("-")
    if x.seen.headers.get("last-event-id") == "e1":
        if web.mode == "events-resumed":
            await x.stream(event(result({"id": web.pending}, "resumed"), "e2"))
        else:
            await x.send(404, b"cannot resume", "text/plain")
    elif stage == "get":
        acts: dict[str, Act] = {
            "500": status(500, HTML, "text/html"),
            "hangs": hang,
            "html": status(200, HTML, "text/html"),
            "200-json": status(200, b'{"jsonrpc":"2.0","id":1,"result":{}}', JSON),
            "404": status(404),
            "reset": reset,
            "ends": stream(data(lambda m: note("hello"))),
            "answers-nothing": stream(data(lambda m: result({"id": 4711})), end="hang"),
        }
        await acts[how](web, x, {})
    elif web.mode in ("answer-elsewhere", "answer-twice"):
        await x.stream(b": ready\n\n")
        web.stream = x
        await web.hang_up.wait()
    else:
        await x.send(405)


async def respond_delete(web: Web, x: Exchange) -> None:
    acts = {
        "delete-hangs": hang,
        "delete-500": status(500, HTML, "text/html"),
        "delete-404": status(404),
        "delete-reset": reset,
    }
    await acts.get(web.mode, status(200))(web, x, {})


async def respond_sse(web: Web, x: Exchange) -> None:
    if x.seen.method == "GET":
        await open_sse(web, x)
        return
    m = x.seen.message
    if not x.seen.path.startswith("/messages"):
        await x.send(405, b"GET only", "text/plain")
        return
    method = m.get("method", "")
    poked = method == "tools/call" and m["params"]["name"] == "poke"
    how = web.mode.removeprefix("sse-")
    if poked and how in ("post-500", "post-404"):
        await x.send(int(how[-3:]), HTML, "text/html")
        return
    if poked and how == "post-hangs":
        await x.forever()
    if poked and how == "answer-in-post":
        web.said.append(dumps(result(m, "in the POST")))
        await x.reply(result(m, "in the POST"))
        return
    await x.send(202, b"Accepted", "text/plain")
    if "id" not in m or not method or web.stream is None:
        return
    say = web.stream.write
    answer = event(honest(web, m))
    if not poked:
        await say(answer)
    elif how in ("lost-in-call", "reset-in-call"):
        web.hang_up.set()
    elif how == "crlf":
        await say(answer.replace(b"\n", b"\r\n"))
    elif how == "twice":
        await say(answer + event(result(m, "again")))
    elif how == "junk":
        await say(b"hello\n\ndata: nonsense\n\nevent: odd\ndata: 1\n\n" + answer)
    elif how == "flood":
        for _ in range(20):
            await say(event(note("x")) * 1000)
        await say(answer)
    elif how == "5m":
        await say(event(result(m, "x" * 5_000_000)))
    elif how == "our-id":
        await say(event({"jsonrpc": "2.0", "id": m["id"], "method": "roots/list"}) + answer)
    elif how == "wrong-id":
        await say(event({**result(m), "id": 4711}))
    elif how != "never":
        await say(answer)


async def open_sse(web: Web, x: Exchange) -> None:
    how = web.mode.removeprefix("sse-")
    endpoints = {
        "relative": "messages?s=1",
        "absolute": f"http://127.0.0.1:{web.port}/messages?s=1",
        "other-origin": f"http://localhost:{web.port}/messages",
        "endpoint-junk": "http://[::bad",
        "endpoint-javascript": "javascript:alert(1)",
    }
    if how == "html":
        await x.send(200, HTML, "text/html")
        return
    if how == "404":
        await x.send(404, HTML, "text/html")
        return
    if how == "hangs":
        await x.forever()
    first = event(endpoints.get(how, "/messages?s=1"), name="endpoint")
    if how == "no-endpoint":
        first = event(note("no endpoint here"))
    if how == "endpoint-twice":
        first += event("/elsewhere", name="endpoint")
    if how == "message-first":
        first = event(note("before the endpoint")) + first
    await x.stream(first.replace(b"\n", b"\r\n") if how == "crlf" else first)
    if how == "lost-at-once":
        return
    web.stream = x
    await web.hang_up.wait()
    if how == "reset-in-call":
        x.reset()


@contextlib.asynccontextmanager
async def rude_web(mode: str) -> AsyncIterator[Web]:
    """Runs the server on a free port of the loopback interface."""
    web = Web(mode)
    tasks: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            while (seen := await _read_request(reader)) is not None:
                web.seen.append(seen)
                exchange = Exchange(seen, writer)
                await respond(web, exchange)
                if exchange.closing:
                    break
        writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(serve(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, limit=2**20)
    web.port = server.sockets[0].getsockname()[1]
    try:
        yield web
    finally:
        web.hang_up.set()
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
