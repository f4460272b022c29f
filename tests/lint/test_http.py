"""The rules of Streamable HTTP."""

from pathlib import Path

import pytest

from tests.lint.bench import Case, ask, back, bad, check, event, http, ok, say, tell

PING = ask(1, "ping")
CALL = ask(1, "tools/call", name="a")
DONE = ok(1, content=[])
STREAM = "text/event-stream"
UNHELD = (("X-Accel-Buffering", "no"),)
SESSION = (("Mcp-Session-Id", "abc"),)
NOTE = tell("notifications/roots/list_changed")

CASES = (
    Case(
        "http/session-weak",
        "D",
        [event("session-id-short", length=4, bits=13)],
        [PING, http(response=SESSION), ok(1)],
        transport="http",
    ),
    Case(
        "http/multi-json",
        "D",
        [PING, http(), ok(1), say("notifications/message", level="info", data=1)],
        [PING, http(200, STREAM), ok(1), say("notifications/message", level="info", data=1)],
        transport="http",
    ),
    Case(
        "http/multi-json",
        "D",
        [PING, http(), back(b'{"jsonrpc":"2.0","id":1,"result":{}}{"jsonrpc":"2.0"}')],
        [PING, http(), ok(1)],
        transport="http",
        name="-in-a-row",
    ),
    Case(
        "http/content-type",
        "D",
        [PING, http(200, "text/html")],
        [PING, http(), ok(1)],
        transport="http",
    ),
    Case(
        "http/notification-not-202",
        "D",
        [NOTE, http(200, "")],
        [NOTE, http(202, "")],
        transport="http",
    ),
    Case(
        "http/notification-not-202",
        "D",
        [NOTE, http(202, "", body=b"ok")],
        [NOTE, http(202, "")],
        transport="http",
        name="-body",
    ),
    Case("http/request-202", "D", [PING, http(202, "")], [PING, http(), ok(1)], transport="http"),
    Case(
        "http/get-not-sse-nor-405",
        "D",
        [http(200, "text/html", method="GET")],
        [http(405, "", method="GET"), http(200, STREAM, method="GET")],
        transport="http",
    ),
    Case(
        "http/get-not-405",
        "E",
        [http(400, "", method="GET")],
        [http(405, "", method="GET")],
        transport="http",
    ),
    Case(
        "http/session-charset",
        "D",
        [event("session-id-unusable")],
        [PING, http(response=SESSION), ok(1)],
        transport="http",
    ),
    Case(
        "http/session-in-modern",
        "E",
        [CALL, http(response=SESSION), DONE],
        [CALL, http(), DONE],
        transport="http",
    ),
    Case(
        "http/session-on-error",
        "D",
        [PING, http(400, response=SESSION), bad(1, -32600)],
        [PING, http(400), bad(1, -32600)],
        transport="http",
    ),
    Case(
        "http/session-unknown-not-404",
        "D",
        [PING, http(400, request=SESSION), bad(1, -32000, "No valid session ID")],
        [PING, http(404, request=SESSION), bad(1, -32001, "Session not found")],
        transport="http",
    ),
    Case(
        "http/modern-error-status",
        "E",
        [CALL, http(200), bad(1, -32020)],
        [CALL, http(400), bad(1, -32020)],
        transport="http",
    ),
    Case(
        "http/modern-error-status",
        "E",
        [ask(1, "x/none"), http(200), bad(1, -32601)],
        [CALL, http(404), bad(1, -32601)],
        transport="http",
        also=frozenset({"schema/unknown-method"}),
        name="-method",
        server={},
    ),
    Case(
        "http/response-on-get",
        "D",
        [PING, http(200, STREAM, method="GET"), ok(1)],
        [PING, http(200, STREAM, method="GET", request=(("Last-Event-ID", "1"),)), ok(1)],
        transport="http",
    ),
    Case(
        "http/no-accel-buffering",
        "E",
        [CALL, http(200, STREAM), DONE],
        [CALL, http(200, STREAM, response=UNHELD), DONE],
        transport="http",
    ),
    Case(
        "http/unrelated-on-stream",
        "D",
        [
            ask(1, "tools/call", {"progressToken": 1}, name="a"),
            http(200, STREAM),
            ask(2, "tools/call", name="a"),
            http(200, STREAM),
            say("notifications/progress", progressToken=1, progress=1),
        ],
        [
            ask(1, "tools/call", {"progressToken": 1}, name="a"),
            http(200, STREAM),
            say("notifications/progress", progressToken=1, progress=1),
        ],
        transport="http",
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
