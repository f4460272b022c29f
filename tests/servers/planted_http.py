"""Faults of servers over Streamable HTTP, each with the findings that it must bring.

`respond_to(fault)` is an honest server of any revision but for the tools in `CALLS`, each of which
commits its own fault, and for one fault of the whole session. `wanted` has by rule the severity in
2025-03-26, 2025-06-18, 2025-11-25 and 2026-07-28: E, W, I, or - for none.
"""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from tests.servers.rude_http import Exchange, Message, Peer, event

SESSION: Final = "7b1c2a9e4f8d4d6fa0b3c5d7e9f10213"
PREFIX: Final = "io.modelcontextprotocol/"
UNHELD: Final = {"X_Accel_Buffering": "no"}
CHANGED: Final[Message] = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
LOG: Final[Message] = {
    "jsonrpc": "2.0", "method": "notifications/message", "params": {"level": "info", "data": "x"},
}  # fmt: skip
COMMENT: Final = b": still here\n\n"

Answer = Callable[[Peer, Exchange, Message], Awaitable[None]]


def modern(m: Message) -> bool:
    """Whether a request is of 2026-07-28."""
    return PREFIX + "protocolVersion" in (m.get("params") or {}).get("_meta", {})


def result_of(m: Message, **members: object) -> Message:
    """The answer to a request, as its revision has it."""
    told: Message = dict(members) or {"content": [{"type": "text", "text": "ok"}]}
    if modern(m):
        server = {"name": "planted", "version": "1"}
        told = {"resultType": "complete", "_meta": {PREFIX + "serverInfo": server}, **told}
    return {"jsonrpc": "2.0", "id": m.get("id"), "result": told}


def error_of(m: Message, code: int, message: str = "no", **data: object) -> Message:
    """An error."""
    told: Message = {"code": code, "message": message}
    return {"jsonrpc": "2.0", "id": m.get("id"), "error": {**told, "data": data} if data else told}


async def honest(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(result_of(m))


async def streamed(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(COMMENT, event(result_of(m)), **UNHELD)


async def plain_text(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(200, json.dumps(result_of(m)).encode(), "text/plain")


async def two_messages(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(200, json.dumps(result_of(m)).encode() * 2, "application/json")


async def accepted(peer: Peer, x: Exchange, m: Message) -> None:
    await x.send(202)


async def ended_early(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(COMMENT, **UNHELD)


async def ended_to_be_resumed(peer: Peer, x: Exchange, m: Message) -> None:
    peer.notes["pending"] = m["id"]
    await x.stream(event("", "n0"), **UNHELD)


async def resumed_in_order(peer: Peer, x: Exchange, m: Message) -> None:
    peer.notes["pending"] = m["id"]
    await x.stream(event("", "r0", 10), **UNHELD)


async def one_id_twice(peer: Peer, x: Exchange, m: Message) -> None:
    first = {**LOG, "params": {"level": "info", "data": 1}}
    await x.stream(event(first, "same"), event(result_of(m), "same"), **UNHELD)


async def with_ids(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(result_of(m), "id-1"), **UNHELD)


async def on_the_get_stream(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(COMMENT, **UNHELD)
    assert peer.sse is not None
    await peer.sse.write(event(result_of(m)))


async def on_both(peer: Peer, x: Exchange, m: Message) -> None:
    assert peer.sse is not None
    await peer.sse.write(event(LOG))
    await x.stream(event(LOG), event(result_of(m)), **UNHELD)


async def asks_on_both(peer: Peer, x: Exchange, m: Message) -> None:
    asked = {"jsonrpc": "2.0", "id": "both", "method": "ping"}
    assert peer.sse is not None
    await peer.sse.write(event(asked))
    await x.stream(event(asked), event(result_of(m)), **UNHELD)


async def session_on_error(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(error_of(m, -32602), 400, Mcp_Session_Id=SESSION[::-1])


async def session_unknown(peer: Peer, x: Exchange, m: Message) -> None:
    told = error_of({}, -32000, "Bad Request: No valid session ID provided")
    await x.reply(told, 400)


async def error_without_id(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(error_of({}, -1))


async def left_open(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(result_of(m)), **UNHELD)
    await x.forever()


async def held_back(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(result_of(m)))


async def with_session(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(result_of(m), Mcp_Session_Id=SESSION)


async def unknown_method_as_200(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(error_of(m, -32601, "Method not found: prompts/list"))


async def capability_as_200(peer: Peer, x: Exchange, m: Message) -> None:
    await x.reply(error_of(m, -32021, requiredCapabilities={"sampling": {}}))


async def change_on_a_call(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(CHANGED), event(result_of(m)), **UNHELD)


async def log_on_a_call(peer: Peer, x: Exchange, m: Message) -> None:
    await x.stream(event(LOG), event(result_of(m)), **UNHELD)


@dataclass(frozen=True)
class HttpFault:
    """What a tool does. `again`: its call is answered on another stream; `ends`: something is
    told of it later."""

    name: str
    answer: Answer
    wanted: Mapping[str, str] = field(default_factory=dict)
    only: str = "BCDE"
    tells: str = ""

    def __str__(self) -> str:
        return self.name


CALLS: Final = (
    HttpFault("honest", honest),
    HttpFault("streamed", streamed),
    HttpFault("plain-text", plain_text, {"http/content-type": "EEEE"}),
    HttpFault("two-messages", two_messages, {"http/multi-json": "-EEE", "rpc/not-json": "E---"}),
    HttpFault("accepted", accepted, {"http/request-202": "EEEE"}),
    HttpFault("ended-early", ended_early, {"http/stream-ended-early": "WWWI"}),
    HttpFault("to-be-resumed", ended_to_be_resumed,
              {"http/stream-ended-early": "WW-", "http/no-retry-before-close": "--W"}, "BCD"),
    HttpFault("resumed", resumed_in_order, {"http/stream-ended-early": "WW-"}, "BCD"),
    HttpFault("one-id-twice", one_id_twice, {"http/event-id-duplicate": "EEE"}, "BCD"),
    HttpFault("on-the-get-stream", on_the_get_stream, {"http/response-on-get": "EEE"}, "BCD"),
    HttpFault("on-both", on_both, {"http/broadcast": "EEE"}, "BCD"),
    HttpFault("asks-on-both", asks_on_both, {"http/broadcast": "EEE"}, "BCD"),
    HttpFault("session-on-error", session_on_error, {"http/session-on-error": "III"}, "BCD"),
    HttpFault("session-unknown", session_unknown,
              {"http/session-unknown-not-404": "EEE"}, "BCD"),
    HttpFault("error-without-id", error_without_id, {"rpc/error-id-missing": "IIII"}),
    HttpFault("change-on-a-call", change_on_a_call, {"sub/id-missing": "---E"}),
    HttpFault("log-on-a-call", log_on_a_call,
              {"log/unsolicited": "---E", "dep/feature": "---I"}),
    HttpFault("held-back", held_back, {"http/no-accel-buffering": "W"}, "E"),
    HttpFault("with-session", with_session, {"http/session-in-modern": "W"}, "E"),
    HttpFault("with-ids", with_ids, {"http/sse-ids-in-modern": "I"}, "E"),
    HttpFault("method-as-200", unknown_method_as_200, {"http/modern-error-status": "E"}, "E"),
    HttpFault("capability-as-200", capability_as_200, {"http/modern-error-status": "E"}, "E"),
    HttpFault("left-open", left_open, {"http/stream-left-open": "WW"}, "DE",
              "stream-left-open"),
)  # fmt: skip

STANDING: Final[Mapping[str, Mapping[str, str]]] = {
    "honest": {},
    "notification-200": {"http/notification-not-202": "EEEE"},
    "notification-204": {"http/notification-not-202": "EEEE"},
    "notification-answered": {"http/notification-not-202": "EEEE",
                              "rpc/notification-answered": "EEEE"},
    "get-html": {"http/get-not-sse-nor-405": "EEE-"},
    "get-501": {"http/get-not-sse-nor-405": "EEE-"},
    "get-primed": {"http/no-retry-before-close": "--W-"},
    "session-charset": {"http/session-charset": "EEE-"},
    "session-weak": {"http/session-weak": "III-"},
}  # fmt: skip
"""Faults of a whole session."""


def respond_to(fault: str, letter: str) -> Callable[[Peer, Exchange], Awaitable[None]]:
    """A server that answers so."""
    calls = {call.name: call.answer for call in CALLS if letter in call.only}

    async def respond(peer: Peer, x: Exchange) -> None:
        if x.seen.method == "GET":
            await _get(peer, x, fault)
        elif x.seen.method == "DELETE":
            await x.send(200)
        elif "id" not in x.seen.message or "method" not in x.seen.message:
            await _notified(x, fault)
        else:
            await _asked(peer, x, fault, calls)

    return respond


async def _get(peer: Peer, x: Exchange, fault: str) -> None:
    if x.seen.headers.get("last-event-id") in ("n0", "r0"):
        pending = {"jsonrpc": "2.0", "id": peer.notes["pending"]}
        await x.stream(event({**pending, "result": {"content": []}}), **UNHELD)
    elif fault == "get-html":
        await x.send(200, b"<html>hello</html>", "text/html")
    elif fault == "get-501":
        await x.send(501)
    elif fault == "get-primed" and "get" not in peer.notes:
        peer.notes["get"] = 1
        await x.stream(event("", "g0"))
    else:
        await x.stream(COMMENT)
        peer.sse = x
        await x.forever()


async def _notified(x: Exchange, fault: str) -> None:
    if fault == "notification-200":
        await x.send(200)
    elif fault == "notification-204":
        await x.send(204)
    elif fault == "notification-answered":
        await x.reply({"jsonrpc": "2.0", "id": None, "result": {}})
    else:
        await x.send(202)


async def _asked(peer: Peer, x: Exchange, fault: str, calls: Mapping[str, Answer]) -> None:
    m = x.seen.message
    kept: Message = {"ttlMs": 0, "cacheScope": "private"} if modern(m) else {}
    match m["method"]:
        case "initialize":
            told = result_of(
                m, protocolVersion=m["params"]["protocolVersion"], serverInfo=_SERVER,
                capabilities={"tools": {"listChanged": True}, "logging": {}},
            )  # fmt: skip
            session = {"session-charset": "café 1", "session-weak": "7"}.get(fault, SESSION)
            await x.reply(told, Mcp_Session_Id=session)
        case "server/discover":
            versions = [m["params"]["_meta"][PREFIX + "protocolVersion"]]
            declared: Message = {"tools": {}, "logging": {}}
            told = result_of(m, supportedVersions=versions, capabilities=declared, **kept)
            await x.reply(told)
        case "tools/list":
            tools = [{"name": name, "description": "Does.", "inputSchema": _SCHEMA}
                     for name in calls]  # fmt: skip
            await x.reply(result_of(m, tools=tools, **kept))
        case "tools/call":
            await calls[m["params"]["name"]](peer, x, m)
        case _:
            await x.reply(error_of(m, -32601), 404 if modern(m) else 200)


_SERVER: Final = {"name": "planted", "version": "1"}
_SCHEMA: Final = {"type": "object", "properties": {}, "additionalProperties": False}
