"""What counts as the same outcome under two revisions, and how a difference is named."""

import json

import pytest

from inspector.compare.values import without_era
from inspector.era_compare import (
    Asked,
    Run,
    comparable,
    compare,
    gist,
    said,
)
from inspector.errors import ConnectionFailed, RequestCancelled, RequestTimeout
from inspector.protocol.messages import Json
from inspector.protocol.versions import Revision
from inspector.session.pending import Failure, Lost, Outcome, Success

OLD, MIDDLE, NEW = Revision.V2024_11_05, Revision.V2025_06_18, Revision.V2026_07_28
TEXT: Json = {"content": [{"type": "text", "text": "5"}]}


def success(result: Json) -> Success:
    return Success(result, json.dumps(result).encode(), 1)


def failure(code: int, message: str, data: Json = None) -> Failure:
    return Failure(code, message, data, b"{}", 1)


def run(revision: Revision, outcome: Outcome | None, *asked: Asked) -> Run:
    return Run(revision, "done", outcome=outcome, asked=asked, unsent="" if outcome else "no")


def asked(how: str = "request", message: str = "Sure?") -> Asked:
    return Asked("elicitation/create", message, how, {"action": "accept"}, "")  # type: ignore[arg-type]


def test_what_belongs_to_the_era_is_no_difference() -> None:
    modern: Json = {
        "content": [{"type": "text", "text": "5", "_meta": {"x": 1}}],
        "resultType": "complete",
        "_meta": {"server": 1},
        "ttlMs": 0,
        "cacheScope": "private",
        "isError": False,
    }
    assert compare([run(OLD, success(TEXT)), run(NEW, success(modern))]).agree


def test_what_a_tool_itself_names_meta_is_compared() -> None:
    left: Json = {"structuredContent": {"_meta": 1}}
    right: Json = {"structuredContent": {"_meta": 2}}
    found = compare([run(OLD, success(left)), run(NEW, success(right))])
    assert [one.pointer for one in found.differing[OLD]] == ["/result/structuredContent/_meta"]


def test_equal_outcomes_share_a_letter_and_the_newest_has_the_first() -> None:
    runs = [
        run(OLD, failure(-32601, "none")),
        run(MIDDLE, success(TEXT)),
        Run(Revision.V2025_11_25, "refused"),
        run(NEW, success(TEXT)),
    ]
    found = compare(runs)
    assert found.base is NEW
    assert found.groups == ((MIDDLE, NEW), (OLD,))
    assert [found.letter(one.revision) for one in runs] == ["B", "A", "", "A"]
    assert [one.pointer for one in found.differing[OLD]] == ["/result", "/error"]
    assert found.differing[MIDDLE] == ()
    assert not found.agree


def test_how_it_was_asked_is_no_difference_but_what_was_asked_is() -> None:
    same = compare(
        [
            run(OLD, success(TEXT), asked("request")),
            run(NEW, success(TEXT), asked("input_required")),
        ]
    )
    assert same.agree
    other = compare([run(OLD, success(TEXT)), run(NEW, success(TEXT), asked())])
    assert [(one.pointer, one.missing) for one in other.differing[OLD]] == [("/asked", "right")]


@pytest.mark.parametrize(
    ("outcome", "word", "words"),
    [
        (success(TEXT), "result", "5"),
        (success({"isError": True, "content": []}), "isError", '{"content":[],"isError":true}'),
        (success({"contents": [{"uri": "a:b", "text": "hello"}]}), "result", "hello"),
        (success({"messages": [{"role": "user", "content": {"text": "Hi"}}]}), "result", "Hi"),
        (success([1]), "result", "[1]"),
        (failure(-32602, "bad"), "error -32602", "bad"),
        (Lost(RequestTimeout("late")), "timeout", "late"),
        (Lost(RequestCancelled("declined")), "not gone on with", "declined"),
        (Lost(ConnectionFailed("it exited", kind="exited")), "no answer", "it exited"),
        (None, "not sent", "no"),
    ],
)
def test_an_outcome_has_a_word_and_its_gist(outcome: Outcome | None, word: str, words: str) -> None:
    assert (said(run(NEW, outcome)), gist(run(NEW, outcome))) == (word, words)


def test_a_run_that_is_not_done_says_how_far_it_is() -> None:
    assert said(Run(NEW)) == "…"
    assert said(Run(NEW, "connecting")) == "connecting"
    refused = Run(NEW, "refused", why="it speaks 2025-06-18")
    assert (said(refused), gist(refused)) == ("refused", "it speaks 2025-06-18")


@pytest.mark.parametrize(
    ("one", "accepted"),
    [
        (Run(NEW), None),
        (Run(NEW, "connecting"), None),
        (Run(NEW, "calling"), True),
        (Run(NEW, "refused"), False),
        (Run(NEW, "failed"), False),
        (Run(NEW, "stopped"), None),
        (Run(NEW, "stopped", connection=2, why="agreed"), True),
    ],
)
def test_whether_a_revision_is_accepted_is_known_once_it_is_agreed_on(
    one: Run, accepted: bool | None
) -> None:
    assert one.accepted is accepted


def test_errors_and_losses_are_compared_by_what_they_say() -> None:
    assert comparable(run(NEW, failure(1, "m", {"a": 1}))) == {
        "error": {"code": 1, "message": "m", "data": {"a": 1}}
    }
    assert comparable(run(NEW, Lost(RequestTimeout("after 3.1 s")))) == {"lost": "timeout"}
    assert comparable(run(NEW, None)) == {"unsent": "no"}
    assert without_era([1]) == [1]
    assert compare([Run(OLD), Run(NEW, "refused")]).groups == ()
