"""Findings in an export."""

import pytest

from inspector.export import judged
from inspector.export.source import Source
from inspector.lint.judge import Judge
from tests.journal.conversation import Conversation, result


def _orphans() -> Conversation:
    talk = Conversation()
    talk.received(result(7, content=[]))
    talk.received(result(8, content=[]))
    return talk


def test_a_journal_that_nobody_judged_is_judged() -> None:
    talk = _orphans()
    found = judged.found_in(Source(talk.journal, range(1, 4)))
    assert {one.entries[0] for one in found} >= {2, 3}


def test_only_findings_on_chosen_entries_are_told() -> None:
    talk = _orphans()
    found = judged.found_in(Source(talk.journal, (3,)))
    assert found
    assert all(3 in one.entries for one in found)


def test_the_judge_of_somebody_else_is_not_driven_on() -> None:
    talk = _orphans()
    judge = Judge(talk.journal)
    source = Source(talk.journal, range(1, 4))
    assert judged.found_in(source) == []
    assert judge.judged == 0
    assert source.told == ["3 entries are not judged yet"]


def test_a_very_long_recording_is_not_judged_in_passing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged, "JUDGED_UP_TO", 2)
    source = Source(_orphans().journal, range(1, 4))
    assert judged.found_in(source) == ()
    assert "more than 2 entries" in source.told[0]
