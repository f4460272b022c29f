from collections.abc import Collection, Sequence

from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.lint.judge import Judge
from tests.journal.conversation import Conversation, request, result


class Says:
    """Opinions that a test writes down."""

    def __init__(self) -> None:
        self.judged = 0
        self._found: list[tuple[str, int]] = []

    def add(self, rule: str, *entries: int) -> None:
        self._found += [(rule, entry) for entry in entries]

    @property
    def version(self) -> int:
        return len(self._found)

    def rules_at(self, number: int) -> Collection[str]:
        return [rule for rule, entry in self._found if entry == number]

    def entries_since(self, version: int) -> Sequence[int]:
        return [entry for _, entry in self._found[version:]]


def _found(journal: Journal, text: str) -> list[int]:
    wanted, stop = compile_filter(text), len(journal) + 1
    each = [number for number in range(1, stop) if wanted.matches(journal, number)]
    assert list(wanted.select(journal, 1, stop)) == each
    return each


def _talk() -> Conversation:
    talk = Conversation()
    for number in range(1, 6):
        talk.sent(request(number))
    return talk


def test_findings_are_found_by_their_rule() -> None:
    talk, says = _talk(), Says()
    talk.journal.opinions = says
    says.add("rpc/result-and-error", 2, 3)
    says.add("http/session-id", 5)
    assert _found(talk.journal, "is:lint") == [2, 3, 5]
    assert _found(talk.journal, "rule:rpc/*") == [2, 3]
    assert _found(talk.journal, "rule:RPC/result-and-error") == [2, 3]
    assert _found(talk.journal, 'rule:"http/*"|none') == [5]
    assert _found(talk.journal, "-is:lint n>1") == [4, 6]
    assert _found(talk.journal, "rule:nothing/*") == []


def test_where_nobody_has_judged_nothing_is_found_and_the_filter_says_what_it_needs() -> None:
    talk = _talk()
    assert _found(talk.journal, "is:lint | rule:*") == []
    for text in ("is:lint", "rule:rpc/*", "add | -is:lint"):
        assert compile_filter(text).reads_findings
    assert not compile_filter("is:error rule").reads_findings


def test_later_findings_are_found_by_a_filter_that_is_in_use() -> None:
    talk, says = _talk(), Says()
    talk.journal.opinions = says
    wanted = compile_filter("is:lint")
    says.add("a", 4)
    assert list(wanted.select(talk.journal, 1, 7)) == [4]
    new = talk.sent(request(9))
    says.add("a", new, 2)
    assert list(wanted.select(talk.journal, 1, new + 1)) == [2, 4, new]
    other = _talk()
    assert not wanted.select(other.journal, 1, 7)


def test_what_the_judge_of_the_product_finds_is_found() -> None:
    talk = Conversation()
    talk.sent(request(1, "initialize"))
    strange = talk.received(result(42))
    judge = Judge(talk.journal)
    judge.finish()
    rules = judge.rules_at(strange)
    assert rules
    assert strange in _found(talk.journal, "is:lint")
    assert strange in _found(talk.journal, f"rule:{next(iter(rules))}")


def test_entries_with_a_note_are_noted_also_when_it_comes_later() -> None:
    talk = _talk()
    wanted = compile_filter("is:noted")
    assert not wanted.select(talk.journal, 1, 7)
    talk.journal.note(3, "look")
    assert list(wanted.select(talk.journal, 1, 8)) == [3]
    assert _found(talk.journal, "is:noted") == [3]
    assert not wanted.matches(_talk().journal, 3)
