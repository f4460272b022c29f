"""A journal asks whoever judges it; nobody does so unasked."""

from inspector.journal.journal import Journal
from inspector.journal.opinions import Opinions
from inspector.lint.judge import Judge


def test_the_judge_is_what_a_journal_expects() -> None:
    assert Journal().opinions is None
    journal = Journal()
    opinions: Opinions = Judge(journal)
    assert journal.opinions is opinions
    assert (opinions.judged, opinions.version, list(opinions.rules_at(1))) == (0, 0, [])
