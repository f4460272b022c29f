"""Why it hangs: each cause is named, by its entry, and outweighs what is merely odd."""

import pytest

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.hanging import Diagnosis, diagnose
from inspector.protocol.messages import Sendable
from tests.journal.conversation import (
    MODERN,
    Conversation,
    error,
    notification,
    request,
    result,
)


def told(talk: Conversation, **more: int) -> Diagnosis:
    return diagnose(talk.journal, talk.now, **more)  # type: ignore[arg-type]


def stdio() -> Conversation:
    talk = Conversation()
    talk.connection = talk.journal.begin_connection({"transport": "stdio"})
    return talk


def event(talk: Conversation, name: str, **facts: int | str) -> int:
    return talk.journal.event(name, dict(facts), connection=talk.connection)


def test_nothing_is_guessed_where_everything_was_answered() -> None:
    talk = Conversation()
    talk.sent(request(1))
    talk.received(result(1))
    told_now = told(talk)
    assert told_now.verdict.text == "Nothing is waited for: every request has its answer."
    assert told_now.waiting == ()


def test_a_server_that_never_answers_is_named_with_the_call_and_its_age() -> None:
    talk = stdio()
    asked = talk.sent(request(1, name="poke"))
    talk.pass_time(12)
    verdict = told(talk).verdict
    assert f"tools/call poke #{asked} waits for 12 s" in verdict.text
    assert "has not said a byte" in verdict.text
    assert verdict.entry == asked


def test_one_call_that_hangs_is_told_from_a_server_that_does() -> None:
    talk = stdio()
    slow = talk.sent(request(1, name="slow"))
    talk.sent(request(2, "ping"))
    answer = talk.received(result(2))
    assert told(talk).verdict.text.startswith(f"Only this call hangs: tools/call slow #{slow}")
    assert f"#{answer} last" in told(talk).verdict.text
    deaf = stdio()
    deaf.received(notification("notifications/message", level="info", data="up"))
    deaf.sent(request(1, name="slow"))
    deaf.sent(request(2, "ping"))
    assert "nor 1 later request: all of it hangs" in told(deaf).verdict.text


def test_a_reply_whose_id_changed_its_type_is_the_reason() -> None:
    talk = stdio()
    asked = talk.sent(request(7))
    wrong = talk.received(result("7"))
    verdict = told(talk).verdict
    assert f'A reply with the id "7" came while 7 is awaited (tools/call #{asked})' in verdict.text
    assert verdict.entry == wrong


def test_a_reply_to_an_id_that_nobody_asked_is_the_reason() -> None:
    talk = stdio()
    talk.sent(request(7))
    wrong = talk.received(result(987654))
    verdict = told(talk).verdict
    assert "the id 987654 came, which no request has" in verdict.text
    assert "waits for 7" in verdict.text
    assert verdict.entry == wrong


def test_a_second_reply_to_one_while_another_waits_is_the_reason() -> None:
    talk = stdio()
    talk.sent(request(1))
    talk.sent(request(2))
    talk.received(result(1))
    twice = talk.received(result(1))
    assert told(talk).verdict.entry == twice
    assert "A second reply to the id 1 came" in told(talk).verdict.text


def test_a_question_that_waits_for_us_comes_first() -> None:
    talk = stdio()
    call = talk.sent(request(1, name="ask"))
    talk.received(result(99))
    question = talk.received(request("a", "elicitation/create"))
    talk.pass_time(30)
    found = told(talk)
    assert found.verdict.text == (
        f"The server waits for your answer to elicitation/create #{question}, for 30 s;"
        f" tools/call ask #{call} cannot go on before (Asks tab)."
    )
    assert [one.on_us for one in found.waiting] == [False, True]


def test_a_question_inside_an_answer_waits_until_a_request_goes_on_with_it() -> None:
    talk = stdio()
    talk.sent(request(1, name="ask", _meta=MODERN))
    asks = talk.received(
        result(1, resultType="input_required", inputRequests={"a": {"method": "roots/list"}})
    )
    assert told(talk).verdict.entry == asks
    assert diagnose(talk.journal, talk.now, asks=[asks]).verdict.entry == asks
    assert "Nothing is waited for" in diagnose(talk.journal, talk.now, asks=[]).verdict.text
    answers: Sendable = {"a": {"roots": []}}
    talk.sent(request(2, name="ask", _meta=MODERN, inputResponses=answers))
    assert all(one.entry != asks for one in told(talk).reasons)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"Server listening...", "a print to stdout?): Server listening..."),
        (b'{"jsonrpc": "2.0", "result": {', "looks like an answer but is no message"),
    ],
)
def test_a_line_on_stdout_that_is_no_message_is_named(line: bytes, words: str) -> None:
    talk = stdio()
    talk.sent(request(1))
    number = talk.frame(Direction.RECEIVED, line, flags=Flag.STRAY)
    verdict = told(talk).verdict
    assert words in verdict.text
    assert verdict.entry == number


def test_what_was_printed_before_the_call_is_only_worth_knowing() -> None:
    talk = stdio()
    number = talk.frame(Direction.RECEIVED, b"Server listening...", flags=Flag.STRAY)
    asked = talk.sent(request(1))
    found = told(talk)
    assert found.verdict.entry == asked
    assert [one.weight for one in found.reasons if one.entry == number] == [0]


def test_a_malformed_message_where_an_answer_was_due_is_the_reason() -> None:
    talk = stdio()
    talk.sent(request(1))
    number = talk.received(b'{"jsonrpc":"2.0","result":{}}')
    assert told(talk).verdict.entry == number


def test_an_answer_that_is_broken_is_told_though_nobody_waits_any_more() -> None:
    talk = stdio()
    asked = talk.sent(request(1))
    number = talk.received(b'{"jsonrpc": "2.0", "id": 1, "resu')
    verdict = told(talk).verdict
    assert verdict.text.startswith(f"tools/call #{asked} was answered by what is no valid message")
    assert verdict.entry == number


def test_half_a_line_is_told_live_and_after_the_end() -> None:
    talk = stdio()
    talk.sent(request(1))
    talk.received(notification("notifications/message", level="info", data="x"))
    assert told(talk, unfinished=40).verdict.text.startswith("40 bytes came on stdout without a")
    cut = event(talk, "line-cut", bytes=40)
    assert told(talk).verdict.entry == cut


def test_a_server_that_does_not_read_is_named_until_it_reads_again() -> None:
    talk = stdio()
    talk.sent(request(1))
    stalled = event(talk, "write-stalled", buffered=1)
    assert told(talk).verdict.entry == stalled
    assert any("not reading" in one.text for one in told(talk).state)
    event(talk, "write-resumed")
    assert told(talk).verdict.entry != stalled


@pytest.mark.parametrize(
    ("name", "facts", "words"),
    [
        ("exited", {"exitCode": 3}, "The process has ended with exit code 3"),
        ("exited", {"signal": "SIGSEGV"}, "The process has ended by signal SIGSEGV"),
        ("stdout-closed", {"pid": 1}, "The server closed its stdout"),
        ("spawn-failed", {"reason": "no such file"}, "could not be started: no such file"),
        ("session-expired", {}, "The server has ended the session (404"),
        ("stream-lost", {"reason": "cut"}, "The stream on which the server answers is lost: cut"),
    ],
)
def test_the_end_of_a_connection_outweighs_everything(
    name: str, facts: dict[str, int | str], words: str
) -> None:
    talk = stdio()
    asked = talk.sent(request(1))
    talk.received(result("1"))
    number = event(talk, name, **facts)
    verdict = told(talk).verdict
    assert words in verdict.text
    assert f"tools/call #{asked} was not answered" in verdict.text
    assert verdict.entry == number


def test_our_own_closing_is_not_called_a_fault() -> None:
    talk = stdio()
    event(talk, "stdin-closed")
    event(talk, "exited", exitCode=0)
    assert told(talk).verdict.text == (
        "The connection was closed by us; the process ended with exit code 0."
    )


def test_fresh_progress_says_that_it_works_and_stale_progress_that_it_stopped() -> None:
    talk = stdio()
    talk.sent(request(1, _meta={"progressToken": 5}, name="long"))
    report = talk.received(
        notification("notifications/progress", progressToken=5, progress=3, total=10, message="c")
    )
    talk.pass_time(2)
    found = told(talk)
    assert found.verdict.text.startswith("The server is at work on tools/call long")
    assert 'progress 3 of 10 "c", 2.0 s ago' in found.verdict.text
    assert found.waiting[0].progress is not None
    assert found.waiting[0].progress.entry == report
    talk.pass_time(60)
    assert told(talk).verdict.text.startswith("The server has stopped reporting on")


def carried(talk: Conversation, asked: int, status: int | None, media: str = "") -> int:
    headers = (("Content-Type", media),) if media else ()
    facts = HttpFacts("POST", "http://h/mcp", status=status, response_headers=headers, error="cut")
    return talk.journal.http(facts, connection=talk.connection, frame=asked)


def http_talk() -> tuple[Conversation, int]:
    talk = Conversation()
    talk.connection = talk.journal.begin_connection({"transport": "http"})
    opened = talk.sent(request(1, "initialize"))
    carried(talk, opened, 200, "application/json")
    talk.received(result(1))
    return talk, talk.sent(request(2))


def test_accepted_without_a_stream_is_the_reason() -> None:
    talk, asked = http_talk()
    number = carried(talk, asked, 202)
    assert "HTTP 202 for tools/call" in told(talk).verdict.text
    assert "there was no GET" in told(talk).verdict.text
    assert told(talk).verdict.entry == number
    refused = HttpFacts("GET", "http://h/mcp", status=405)
    talk.journal.http(refused, connection=talk.connection)
    assert "its GET was answered 405" in told(talk).verdict.text
    assert any("not open (HTTP 405)" in one.text for one in told(talk).state)
    talk.journal.http(HttpFacts("GET", "http://h/mcp", status=200), connection=talk.connection)
    assert "has to come on the stream" in told(talk).verdict.text


@pytest.mark.parametrize(
    ("status", "media", "words"),
    [
        (401, "", "needs an authorization (F9)"),
        (500, "", "HTTP 500"),
        (None, "", "failed: cut"),
        (200, "text/event-stream", "the stream for tools/call"),
    ],
)
def test_the_http_exchange_of_the_call_tells_its_fate(
    status: int | None, media: str, words: str
) -> None:
    talk, asked = http_talk()
    carried(talk, asked, status, media)
    assert words in told(talk).verdict.text


def test_no_status_line_is_told_too() -> None:
    talk, asked = http_talk()
    assert f"No HTTP answer yet to tools/call #{asked}" in told(talk).verdict.text


def test_every_sentence_names_an_entry_that_there_is() -> None:
    talk = stdio()
    talk.sent(request(1))
    talk.received(error(5))
    talk.journal.stderr(b"about to fall over", connection=talk.connection)
    found = told(talk)
    for one in (*found.reasons, *found.state, *found.stderr):
        assert 1 <= one.entry <= len(talk.journal)
    assert [one.text for one in found.stderr] == ["about to fall over"]


def test_without_a_connection_there_is_nothing_to_tell() -> None:
    talk = Conversation()
    talk.journal.correlator.settle(10)
    assert diagnose(type(talk.journal)(), 0.0).verdict.text == "Nothing was connected yet."


def test_a_call_that_was_given_up_is_told_until_the_server_answers_again() -> None:
    talk = stdio()
    asked = talk.sent(request(1))
    talk.journal.flag(asked, Flag.TIMED_OUT)
    assert told(talk).verdict.text == f"tools/call #{asked} ran out of time on our side."
    lost = talk.sent(request(2, name="x"))
    talk.journal.flag(lost, Flag.PENDING, on=False)
    assert told(talk).verdict.text.startswith(f"tools/call x #{lost} has failed: no answer came")
    talk.sent(request(3))
    talk.received(result(3))
    assert told(talk).verdict.text.startswith("Nothing is waited for")
