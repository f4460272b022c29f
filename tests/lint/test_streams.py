"""The rules of event streams."""

from pathlib import Path

import pytest

from tests.lint.bench import (
    Case,
    Step,
    ask,
    beside,
    check,
    event,
    http,
    ok,
    play,
    say,
    tell,
    told_of_stream,
    want,
)  # fmt: skip

STREAM = "text/event-stream"
UNHELD = (("X-Accel-Buffering", "no"),)
PING, PONG = ask(1, "ping"), ok(1)
ASKED = want(7, "ping")
CALL, DONE = ask(1, "tools/call", name="a"), ok(1, content=[])
LISTEN = ask("s", "subscriptions/listen", notifications={"toolsListChanged": True})
OPEN = http(200, STREAM)
MODERN = http(200, STREAM, response=UNHELD)
GET = http(200, STREAM, method="GET")
RESUMED = http(200, STREAM, method="GET", request=(("Last-Event-ID", "e1"),))
REPORT = say("notifications/progress", progressToken="t", progress=1)
TRACKED = ask(1, "tools/call", {"progressToken": "t"}, name="a")
LOG = say("notifications/message", level="info", data=1)
NEXT = say("notifications/message", level="info", data=2)
WAITS = told_of_stream("stream-waits", about=1, lastEventId="e1")
ENDS = told_of_stream("stream-ended", about=1)
PRIMED = told_of_stream("sse-priming", id="e1", text="")

CASES = (
    Case(
        "http/broadcast",
        "D",
        [PING, OPEN, ASKED, GET, ASKED],
        [PING, OPEN, ASKED, GET, want(8, "ping")],
        transport="http",
    ),
    Case(
        "http/broadcast",
        "D",
        [TRACKED, OPEN, REPORT, GET, REPORT],
        [TRACKED, OPEN, REPORT, GET],
        transport="http",
        name="-progress",
    ),
    Case(
        "http/no-retry-before-close",
        "D",
        [GET, PRIMED, told_of_stream("stream-waits", about=None, lastEventId="e1")],
        [GET, beside(LOG, "e1"), told_of_stream("stream-waits", about=None, lastEventId="e1")],
        transport="http",
        name="-get",
    ),
    Case(
        "http/stream-ended-early",
        "C",
        [PING, OPEN, WAITS],
        [PING, OPEN, PONG, WAITS],
        transport="http",
    ),
    Case("http/stream-ended-early", "D", [PING, OPEN, ENDS], [GET, ENDS], transport="http"),
    Case(
        "http/stream-ended-early",
        "E",
        [CALL, MODERN, told_of_stream("http-broken"), ENDS],
        [CALL, MODERN, DONE, told_of_stream("http-broken")],
        transport="http",
    ),
    Case(
        "sub/abrupt-end",
        "E",
        [LISTEN, MODERN, told_of_stream("stream-ended", about="s")],
        [LISTEN, MODERN],
        transport="http",
        name="-http",
    ),
    Case(
        "http/stream-left-open",
        "D",
        [event("stream-left-open", about=1, http=2)],
        [event("stream-waits", about=None)],
        transport="http",
    ),
    Case(
        "http/no-retry-before-close",
        "D",
        [PING, OPEN, PRIMED, WAITS],
        [PING, OPEN, told_of_stream("sse-priming", id="e1", retry=100, text=""), WAITS],
        transport="http",
    ),
    Case(
        "http/no-retry-before-close",
        "D",
        [CALL, OPEN, beside(LOG, "e1"), WAITS],
        [CALL, OPEN, beside(LOG, "e1", 100), WAITS, RESUMED, PRIMED, WAITS],
        transport="http",
        name="-message",
    ),
    Case(
        "http/event-id-duplicate",
        "D",
        [CALL, OPEN, beside(LOG, "e1"), beside(NEXT, "e1")],
        [CALL, OPEN, beside(LOG, "e1"), beside(NEXT, "e2")],
        transport="http",
    ),
    Case(
        "http/event-id-duplicate",
        "B",
        [CALL, OPEN, beside(LOG, "e1"), GET, beside(NEXT, "e1")],
        [CALL, OPEN, beside(LOG, "e1"), RESUMED, PRIMED, beside(LOG, "e1"), beside(NEXT, "e2")],
        transport="http",
        name="-streams",
    ),
    Case(
        "http/sse-ids-in-modern",
        "E",
        [CALL, MODERN, told_of_stream("sse-priming", id="1")],
        [CALL, MODERN, told_of_stream("sse-priming", id=None)],
        transport="http",
    ),
    Case(
        "http/sse-ids-in-modern",
        "E",
        [CALL, MODERN, beside(DONE, "1")],
        [CALL, MODERN, DONE],
        transport="http",
        name="-message",
    ),
    Case(
        "sse/no-endpoint-event",
        "A",
        [GET, told_of_stream("endpoint-missing", reason="10 s have passed")],
        [GET, event("endpoint", uri="/messages")],
        transport="sse",
        opened=False,
    ),
    Case(
        "sse/endpoint-cross-origin",
        "A",
        [GET, told_of_stream("endpoint-refused", uri="http://b.example/messages")],
        [GET, event("endpoint", uri="/messages")],
        transport="sse",
        opened=False,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def _found(letter: str, steps: list[Step], folder: Path) -> set[str]:
    case = Case("none", letter, steps, (), transport="http")
    return {each.rule for each in play(case, steps, folder / "a.jsonl")}


def test_a_stream_that_broke_of_the_network_owes_no_word_on_when_to_come_again(
    tmp_path: Path,
) -> None:
    steps = [CALL, OPEN, PRIMED, told_of_stream("http-broken"), WAITS]
    assert _found("D", steps, tmp_path) == set()


def test_the_end_of_the_stream_of_a_cancelled_request_is_no_fault(tmp_path: Path) -> None:
    steps = [CALL, OPEN, tell("notifications/cancelled", requestId=1), http(202, ""), ENDS]
    assert _found("C", steps, tmp_path) == set()


def test_a_new_session_may_use_event_ids_anew(tmp_path: Path) -> None:
    begin = ask(
        "again", "initialize", protocolVersion="2025-11-25", capabilities={},
        clientInfo={"name": "c", "version": "1"},
    )  # fmt: skip
    begun = ok(
        "again", protocolVersion="2025-11-25", capabilities={"logging": {}},
        serverInfo={"name": "s", "version": "1"},
    )  # fmt: skip
    steps = [CALL, OPEN, beside(LOG, "e1"), DONE, begin, http(), begun, OPEN, beside(NEXT, "e1")]
    assert _found("D", steps, tmp_path) == set()


def test_a_stream_without_an_endpoint_says_nothing_of_a_server_that_is_of_another_transport(
    tmp_path: Path,
) -> None:
    steps = [GET, told_of_stream("endpoint-missing", reason="the stream ended")]
    assert _found("D", steps, tmp_path) == set()


def test_one_notification_on_the_get_stream_and_on_that_of_a_request_at_once_is_broadcast(
    tmp_path: Path,
) -> None:
    case = Case("http/broadcast", "D", [], [], transport="http")
    again = say("notifications/message", level="info", data=1)
    later = [GET, LOG, CALL, OPEN, again]
    assert {each.rule for each in play(case, later, tmp_path / "a.jsonl")} == set()
    at_once = [CALL, OPEN, again]
    found = play(case, later, tmp_path / "b.jsonl", at_once)
    assert [each.rule for each in found] == ["http/broadcast"]
    calls = [CALL, OPEN, LOG, ask(2, "tools/call", name="a"), OPEN, again]
    found = play(case, calls, tmp_path / "c.jsonl", calls)
    assert {each.rule for each in found} == set()
    two = [CALL, GET, LOG, OPEN, again, GET, LOG]
    found = play(case, two, tmp_path / "d.jsonl", two)
    assert [each.rule for each in found] == ["http/broadcast"]
