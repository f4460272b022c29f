"""The judge finds what the linter finds, in slices, and by entry."""

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.opinions import Opinions
from inspector.lint.engine import lint
from inspector.lint.judge import Judge
from inspector.lint.rule import Severity


def _faulty() -> Journal:
    journal = Journal()
    connection = journal.begin_connection({"transport": "stdio"})
    journal.frame(Direction.RECEIVED, b'{"jsonrpc":"1.0","method":"x"}', connection=connection)
    journal.frame(Direction.RECEIVED, b"not json", connection=connection)
    for number in range(40):
        raw = b'{"jsonrpc":"2.0","id":%d,"method":"ping"}' % number
        journal.frame(Direction.SENT, raw, connection=connection)
    journal.frame(Direction.RECEIVED, b"again", connection=connection)
    return journal


def test_slices_find_the_same_as_one_pass() -> None:
    journal = _faulty()
    judge = Judge(journal)
    slices = 0
    while judge.behind:
        judge.advance(0)
        slices += 1
    assert slices > 1
    assert list(judge.findings) == lint(journal)
    assert sum(judge.count(severity) for severity in Severity) == len(judge.findings) > 0


def test_findings_are_looked_up_by_each_entry_they_concern() -> None:
    journal = _faulty()
    judge = Judge(journal)
    judge.finish()
    for finding in judge.findings:
        for number in finding.entries:
            assert finding in judge.at(number)
            assert finding.rule in judge.rules_at(number)
    assert judge.worst_at(3) is Severity.ERROR
    assert judge.worst_at(10) is None
    assert judge.at(10) == ()


def test_what_is_new_since_a_look_is_told() -> None:
    journal = _faulty()
    judge = Judge(journal)
    opinions: Opinions | None = journal.opinions
    assert opinions is judge
    judge.finish()
    seen = judge.version
    assert set(judge.entries_since(0)) == {n for f in judge.findings for n in f.entries}
    journal.frame(Direction.RECEIVED, b"once more", connection=1)
    judge.finish()
    assert set(judge.entries_since(seen)) == {len(journal)}
