"""The rules of progress and cancellation."""

from pathlib import Path

import pytest

from tests.lint.bench import Case, Step, ask, bad, check, http, ok, play, say, tell

CALL = ask(1, "tools/call", {"progressToken": "t"}, name="a")
DONE = ok(1, content=[])
CANCEL = tell("notifications/cancelled", requestId=1)
LISTEN = ask("s", "subscriptions/listen", notifications={"toolsListChanged": True})


def at(progress: float, token: str = "t", **more: float) -> Step:
    return say("notifications/progress", progressToken=token, progress=progress, **more)


CASES = (
    Case("prog/unknown-token", "D", [CALL, at(1, "u")], [CALL, at(1)]),
    Case("prog/not-increasing", "D", [CALL, at(2), at(2)], [CALL, at(1), at(2)]),
    Case("prog/after-completion", "D", [CALL, DONE, at(1)], [CALL, at(1), DONE]),
    Case("prog/over-total", "D", [CALL, at(3, total=2)], [CALL, at(2, total=2)]),
    Case("cancel/response-after", "D", [CALL, CANCEL, DONE], [CALL, CANCEL]),
    Case(
        "cancel/response-after",
        "D",
        [CALL, CANCEL, bad(1, 0, "Request cancelled")],
        [CALL, CANCEL],
        name="-says-so",
    ),
    Case("cancel/response-after", "E", [CALL, CANCEL, DONE], [CALL, CANCEL], transport="stdio"),
    Case(
        "stdio/message-after-cancel",
        "E",
        [CALL, CANCEL, at(1)],
        [CALL, at(1), CANCEL],
        transport="stdio",
    ),
    Case(
        "cancel/unknown-request",
        "D",
        [tell("notifications/cancelled", requestId=7)],
        [CALL, CANCEL],
    ),
    Case(
        "cancel/server-misuse",
        "E",
        [CALL, say("notifications/cancelled", requestId=1)],
        [LISTEN, say("notifications/cancelled", requestId="s")],
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_the_last_progress_may_be_overtaken_by_the_answer_on_another_stream(
    tmp_path: Path,
) -> None:
    """server-everything sends progress on the stream of the GET."""
    late = say("notifications/progress", progressToken="t", progress=1)
    steps = [
        ask(1, "tools/call", {"progressToken": "t"}, name="a"),
        http(),
        ok(1, content=[]),
        (get := http(200, "text/event-stream", method="GET")),
        late,
    ]
    case = Case("none", "D", steps, (), transport="http")
    assert play(case, steps, tmp_path / "a.jsonl", [get, late]) == []
    again = play(case, steps, tmp_path / "b.jsonl")
    assert {each.rule for each in again} == {"prog/after-completion"}


def test_an_answer_that_crosses_with_its_cancellation_is_no_fault(tmp_path: Path) -> None:
    answer = ok(1, content=[])
    steps = [
        ask(1, "tools/call", name="a"), tell("notifications/cancelled", requestId=1), answer,
    ]  # fmt: skip
    case = Case("none", "D", steps, ())
    assert play(case, steps, tmp_path / "a.jsonl", [answer]) == []
