"""The findings that there were as of an entry."""

from inspector.lint.judge import Judge
from inspector.lint.kept import LIMIT
from inspector.lint.rule import Severity
from inspector.past.judge import JudgeAsOf
from tests.past.story import RECEIVED, Story


def test_of_a_rule_that_is_broken_very_often_only_what_was_by_then_is_counted() -> None:
    story = Story()
    story.open(tools={})
    numbers = [story.frame(RECEIVED, {"id": 99 + n, "result": {}}) for n in range(LIMIT + 200)]
    judge = Judge(story.journal)
    judge.finish()
    rule = judge.at(numbers[0])[0].rule
    early, late = (JudgeAsOf(judge, numbers[at]) for at in (9, LIMIT + 49))
    whole = JudgeAsOf(judge, len(story.journal))
    assert early.more == {}
    assert late.more == {rule: 50}
    assert whole.more == judge.more
    for seen in (early, late, whole):
        assert sum(seen.count(severity) for severity in Severity) == seen.version
    assert late.version == early.version + LIMIT + 40
    assert whole.version == judge.version


def test_a_finding_is_there_from_the_last_entry_that_it_concerns() -> None:
    story = Story()
    fine = story.open(tools={})
    wrong = story.frame(RECEIVED, {"id": 99, "result": {}})  # answers nothing
    judge = Judge(story.journal)
    judge.finish()
    assert judge.at(wrong)
    before, after = JudgeAsOf(judge, fine), JudgeAsOf(judge, wrong)
    assert [one for one in before.findings if wrong in one.entries] == []
    assert before.at(wrong) == ()
    assert list(after.at(wrong)) == list(judge.at(wrong))
    assert after.worst_at(wrong) == judge.worst_at(wrong)
    assert after.version == len(after.findings) > before.version
    assert sum(after.count(severity) for severity in Severity) == after.version
    assert (before.judged, before.behind) == (fine, 0)
    assert story.journal.opinions is judge
