"""What is said about an outcome, in one line and in blocks."""

from rich.text import Text

from inspector.errors import RequestTimeout
from inspector.protocol.messages import Json
from inspector.render.content import Block, result_blocks
from inspector.session.pending import Failure, Lost, Outcome, Progress, Success
from inspector.transport.http_modern import LOST
from inspector.tui.widgets.result_lines import AGAIN, outcome_blocks, progress_line, say_outcome
from tests.tui.test_history import call_of


def said(outcome: Outcome | None, verdict: str = "") -> str:
    head = Text(end="")
    say_outcome(head, call_of(1, None, outcome), Text(verdict))
    return head.plain


def test_the_tools_error_the_servers_refusal_and_silence_differ() -> None:
    assert said(Success({}, b"{}", 1), "structured: valid").startswith("✓ ok")
    assert said(Success({}, b"{}", 1), "structured: valid").endswith("structured: valid")
    assert said(Success({"isError": True}, b"{}", 1)).startswith("✗ the tool failed (isError)")
    refused = said(Failure(-32602, "no", None, b"{}", 1))
    assert refused.startswith("✗ JSON-RPC error -32602 invalid params")
    assert said(Lost(RequestTimeout("late"))).startswith("✗ no answer: timeout")
    assert said(None).startswith("● running")


def test_a_result_that_is_no_object_is_not_called_ok() -> None:
    results: list[Json] = [[1, 2], "hi", None, 7]
    for result in results:
        shown = said(Success(result, b"x", 3))
        assert "ok" not in shown
        assert "a result is an object" in shown


def test_a_refusal_shows_message_and_exact_data() -> None:
    raw = b'{"code":1,"message":"no","data":{"n":1.10}}'
    blocks = outcome_blocks(Failure(1, "no", {"n": 1.1}, raw, 1), result_blocks)
    assert [(block.kind, block.payload) for block in blocks] == [
        ("message", b"no"),
        ("data", b'{"n":1.10}'),
    ]


def test_a_refusal_shows_what_helps_against_it() -> None:
    blocks = outcome_blocks(Failure(-32021, "no", None, b"{}", 1, "switch on x"), result_blocks)
    assert [block.payload for block in blocks] == [b"no", b"switch on x"]


def test_a_lost_answer_says_whose_fault_it_is_and_what_next() -> None:
    (block,) = outcome_blocks(Lost(RequestTimeout("late", hint="wait longer")), result_blocks)
    assert block.text == "late\nwait longer\nOn the server's side."


def test_a_lost_request_that_has_to_be_sent_anew_names_the_keys_for_it() -> None:
    """HM-09: no stream is resumed in 2026-07-28."""
    (block,) = outcome_blocks(Lost(RequestTimeout("late", hint=LOST)), result_blocks)
    assert block.text == f"late\n{LOST}\n{AGAIN}\nOn the server's side."


def test_results_are_read_by_who_knows_them() -> None:
    mine = [Block("x", "text")]
    assert outcome_blocks(Success({}, b"{}", 1), lambda *_: mine) == mine
    assert outcome_blocks(None, lambda *_: mine) == []


def test_progress_has_a_bar_and_the_servers_words() -> None:
    call = call_of(1, None)
    assert "no progress" in progress_line(call, 60).plain
    call.progress = Progress(2, 4, "half\x1b[m", 5, 1)
    line = progress_line(call, 60).plain
    assert "50 %" in line
    assert "half␛[m" in line
    call.progress = Progress(7, None, "", 5, 1)
    assert "7 so far" in progress_line(call, 60).plain
    call.progress = Progress(9, 3, "", 5, 1)
    assert "100 %" in progress_line(call, 60).plain
