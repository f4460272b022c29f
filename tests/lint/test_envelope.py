"""The rules of the JSON-RPC envelope."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import (
    Case,
    Step,
    Talk,
    ask,
    back,
    bad,
    check,
    event,
    http,
    ok,
    out,
    play,
    tell,
    want,
)

PING = ask(1, "ping")
OPENING = ask(
    1,
    "initialize",
    protocolVersion="2025-11-25",
    capabilities={},
    clientInfo={"name": "c", "version": "1"},
)
PONG = ok(1)


def request(number: Json, **more: Json) -> Json:
    return {"jsonrpc": "2.0", "id": number, "method": "ping", **more}


def answer(**members: Json) -> Step:
    return back({"jsonrpc": "2.0", **members})


bad_without_id = back({"jsonrpc": "2.0", "id": None, "error": {"code": -32600, "message": "no"}})


def timed_out(talk: Talk) -> None:
    facts: JsonObject = {"request": len(talk.journal), "seconds": 2.0}
    talk.journal.event("timed-out", facts, connection=talk.connection)


CASES = (
    Case("rpc/not-json", "D", [back(b'{"a":')], [PING, PONG]),
    Case("rpc/not-json", "D", [back(b'{"a":"\xff"}')], [PING, PONG], name="-utf8"),
    Case(
        "rpc/bad-version",
        "D",
        [PING, back({"jsonrpc": "1.0", "id": 1, "result": {}})],
        [PING, PONG],
    ),
    Case("rpc/bad-version", "A", [PING, back({"id": 1, "result": {}})], [PING, PONG]),
    Case("rpc/id-null", "D", [back(request(None))], [back(request(7))]),
    Case("rpc/id-type", "D", [back(request(1.5))], [back(request("1.5"))]),
    Case("rpc/id-type", "D", [back(request(True))], [back(request(1))], name="-bool"),
    Case("rpc/id-reuse", "D", [PING, PONG, PING, PONG], [PING, PONG, ask(2, "ping"), ok(2)]),
    Case(
        "rpc/id-reuse",
        "D",
        [want(1, "ping"), want(1, "ping")],
        [PING, want(1, "ping")],
        name="-server",
    ),
    Case(
        "rpc/id-reuse",
        "D",
        [PING, PONG, PING, PONG],
        [OPENING, bad(1, -32600), OPENING, bad(1, -32600)],
        name="-initialize",
    ),
    Case(
        "rpc/id-reuse",
        "E",
        [ask(1, "tools/call", name="a"), ask(1, "tools/call", name="a")],
        [ask(1, "tools/call", name="a"), ok(1, content=[]), ask(1, "tools/call", name="a")],
    ),
    Case("rpc/response-unknown-id", "D", [ok(9)], [PING, PONG]),
    Case("rpc/response-duplicate", "D", [PING, PONG, PONG], [PING, PONG]),
    Case("rpc/id-type-mismatch", "D", [PING, ok("1")], [ask("1", "ping"), ok("1")]),
    Case(
        "rpc/id-type-mismatch",
        "D",
        [PING, ok("1"), PONG],
        [ask("1", "ping"), ok("1")],
        name="-and-then-the-right-one",
    ),
    Case(
        "rpc/result-and-error",
        "D",
        [PING, answer(id=1, result={}, error={"code": 1, "message": "x"})],
        [PING, PONG],
    ),
    Case("rpc/neither", "D", [PING, answer(id=1)], [PING, PONG]),
    Case("rpc/neither", "D", [back(b"42")], [PING, PONG], name="-number"),
    Case(
        "rpc/error-shape",
        "D",
        [PING, answer(id=1, error={"code": "1", "message": "x"})],
        [PING, bad(1, 1)],
    ),
    Case(
        "rpc/error-shape",
        "D",
        [PING, answer(id=1, error={"code": 1})],
        [PING, bad(1, 1)],
        name="-message",
    ),
    Case("rpc/error-shape", "D", [PING, answer(id=1, error="no")], [PING, bad(1, 1)], name="-text"),
    Case(
        "rpc/error-id-missing",
        "D",
        [answer(error={"code": -32700, "message": "x"})],
        [PING, bad(1, -32700)],
    ),
    Case(
        "rpc/error-id-missing",
        "D",
        [PING, http(400), bad("server-error", -32600)],
        [PING, http(400), bad(1, -32600)],
        transport="http",
        name="-http",
    ),
    Case(
        "rpc/reserved-code",
        "E",
        [ask(1, "tools/call", name="a"), bad(1, -32050)],
        [ask(1, "tools/call", name="a"), bad(1, -32602)],
    ),
    Case(
        "rpc/reserved-code",
        "E",
        [ask(1, "resources/read", uri="a:b"), bad(1, -32002)],
        [ask(1, "resources/read", uri="a:b"), bad(1, -32602)],
        name="-former",
    ),
    Case(
        "rpc/legacy-code",
        "E",
        [ask(1, "tools/call", name="a"), bad(1, -32001)],
        [ask(1, "tools/call", name="a"), bad(1, -31000)],
    ),
    Case("rpc/batch", "D", [back([request(1)])], [back(request(1))]),
    Case(
        "rpc/batch-initialize",
        "B",
        [
            out(
                [
                    {
                        "jsonrpc": "2.0",
                        "id": 1,
                        "method": "initialize",
                        "params": {
                            "protocolVersion": "2025-03-26",
                            "capabilities": {},
                            "clientInfo": {"name": "c", "version": "1"},
                        },
                    }
                ]
            )
        ],
        [out([request(1), request(2)])],
    ),
    Case(
        "rpc/notification-answered",
        "D",
        [tell("notifications/cancelled", requestId="open"), http(200), ok("x")],
        [tell("notifications/cancelled", requestId="open"), http(202, "")],
        transport="http",
        also=frozenset({"http/notification-not-202"}),
    ),
    Case(
        "rpc/notification-answered",
        "D",
        [back({"jsonrpc": "2.0", "id": None, "result": {}})],
        [PING, PONG],
        transport="stdio",
        name="-without-id",
    ),
    Case(
        "rpc/response-unknown-id",
        "D",
        [PING, back({"jsonrpc": "2.0", "id": None, "result": {}})],
        [PING, PONG],
        name="-null",
    ),
    Case(
        "rpc/error-id-missing",
        "D",
        [PING, http(200), bad_without_id],
        [PING, http(400), bad_without_id],
        transport="http",
        name="-refused",
    ),
    Case(
        "rpc/params-not-object", "D", [back(request(1, params=[1]))], [back(request(1, params={}))]
    ),
    Case(
        "rpc/request-unanswered",
        "D",
        [PING, tell("notifications/cancelled", requestId=1, reason="timed out")],
        [PING, tell("notifications/cancelled", requestId=1, reason="the user stopped it")],
        name="-timed-out",
    ),
    Case(
        "rpc/request-unanswered",
        "E",
        [ask(1, "tools/call", name="a"), timed_out],
        [ask(1, "tools/call", name="a"), ok(1, content=[])],
        name="-timed-out-and-noted",
    ),
    Case(
        "rpc/request-unanswered",
        "D",
        [PING, event("exited", exitCode=1)],
        [PING, PONG, event("exited", exitCode=0)],
        transport="stdio",
    ),
    Case(
        "rpc/server-request-modern",
        "E",
        [want(1, "roots/list")],
        [ask(1, "tools/call", name="a"), ok(1, content=[])],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_a_request_that_timed_out_is_told_once_however_often_it_is_cancelled(
    tmp_path: Path,
) -> None:
    cancel = tell("notifications/cancelled", requestId=1, reason="timed out")
    case = Case("rpc/request-unanswered", "D", [PING, timed_out, cancel, cancel], [PING, PONG])
    found = play(case, case.trip, tmp_path / "told.jsonl")
    assert [each.rule for each in found] == ["rpc/request-unanswered"]
