"""Two recordings as a whole: what makes them differ, and what is only told."""

from pathlib import Path

import pytest

from inspector.compare.recordings import compare_recordings
from inspector.journal.loading import load_recording
from inspector.lint.judge import Judge
from tests.compare.talk import Talk, text, tool

RECORDINGS = Path(__file__).parent.parent / "recordings"


@pytest.mark.parametrize("name", ["demo", "demo-modern", "everything-http"])
def test_a_recording_equals_itself(name: str) -> None:
    path = RECORDINGS / f"{name}.jsonl"
    compared = compare_recordings(load_recording(path), load_recording(path))
    assert compared.same
    assert compared.calls.matched > 0
    assert compared.calls.only_left == compared.calls.only_right == {}
    assert compared.rules == ()


def test_a_rule_that_is_newly_broken_is_a_difference() -> None:
    one, two = Talk(), Talk()
    assert compare_recordings(one.journal, two.journal).same
    two.talk.received(b"not json")
    compared = compare_recordings(one.journal, two.journal)
    assert [(rule.rule, rule.left, rule.right) for rule in compared.rules or ()] == [
        ("rpc/not-json", 0, 1)
    ]
    assert not compared.same
    unjudged = compare_recordings(one.journal, two.journal, judged=False)
    assert unjudged.rules is None
    assert unjudged.same


def test_a_judge_at_work_is_left_alone() -> None:
    one, two = Talk(), Talk()
    judge = Judge(two.journal)
    compare_recordings(one.journal, two.journal)
    assert two.journal.opinions is judge
    assert judge.judged == 0


def test_latency_and_a_new_version_are_told_and_no_difference() -> None:
    one, two = Talk("1.0"), Talk("2.0")
    for number in range(10):
        one.call("add", text("3"), a=number, took=0.010)
        two.call("add", text("3"), a=number, took=0.050)
    compared = compare_recordings(one.journal, two.journal)
    ((operation, moved),) = compared.shifts
    assert operation.name == "add"
    assert (round(moved.left, 3), round(moved.right, 3)) == (0.01, 0.05)
    assert [one.name for one in compared.offers] == ["serverInfo"]
    assert compared.same


def test_only_what_is_wanted_is_compared() -> None:
    one, two = Talk(), Talk()
    one.tools(tool("add"))
    one.call("add", text("3"))
    two.call("add", text("4"))
    nothing = compare_recordings(
        one.journal, two.journal, wanted=((lambda _: False), (lambda _: False))
    )
    assert nothing.calls.matched == 0
    assert nothing.unread == (("tools", "right"),)
