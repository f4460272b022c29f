"""Findings in bounded memory."""

import tracemalloc

import pytest

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.lint.judge import Judge
from inspector.lint.kept import LIMIT, Kept
from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import Revision

D = Revision.V2025_11_25


def _finding(*entries: int, rule: str = "rpc/not-json") -> Finding:
    return Finding(rule, Severity.ERROR, D, "It is none.", entries, "", "basic")


def _many(count: int) -> Kept:
    kept = Kept()
    for number in range(1, count + 1):
        kept.add(_finding(number, number + count))
    return kept


def test_of_a_rule_that_is_broken_often_only_the_first_findings_are_whole() -> None:
    kept = _many(3 * LIMIT)
    kept.add(_finding(7, rule="rpc/neither"))
    assert len(kept.findings) == LIMIT + 1
    assert kept.more == {"rpc/not-json": 2 * LIMIT}
    assert kept.counts[Severity.ERROR] == kept.version == 3 * LIMIT + 1


@pytest.mark.parametrize("number", [1, LIMIT, LIMIT + 1, 3 * LIMIT])
def test_each_guilty_entry_is_known(number: int) -> None:
    kept = _many(3 * LIMIT)
    assert kept.rules_at(number) == ["rpc/not-json"]
    assert kept.worst_at(number) is Severity.ERROR
    (found,) = kept.at(number)
    assert (found.rule, found.entries[0], found.page) == ("rpc/not-json", number, "basic")
    assert found.message.endswith(".")


def test_entries_that_are_only_concerned_are_known_and_not_guilty() -> None:
    kept = _many(3 * LIMIT)
    number = 3 * LIMIT + 2 * LIMIT
    assert kept.rules_at(number) == ["rpc/not-json"]
    assert kept.worst_at(number) is None
    assert kept.at(7 * LIMIT) == []


def test_the_order_of_the_entries_does_not_matter() -> None:
    kept = _many(LIMIT)
    for number in (9000, 8000, 9500, 8000):
        kept.add(_finding(number))
    assert [bool(kept.rules_at(number)) for number in (8000, 8500, 9000, 9500)] == [
        True, False, True, True,
    ]  # fmt: skip


def test_what_is_new_since_a_look_is_told_of_findings_that_are_not_whole_too() -> None:
    kept = _many(2 * LIMIT)
    seen = kept.version
    kept.add(_finding(9, 8))
    assert list(kept.entries_since(seen)) == [9, 8]
    assert len(kept.entries_since(0)) == 2 * (2 * LIMIT) + 2


def test_a_flood_of_lines_that_are_no_messages_takes_little_memory() -> None:
    journal = Journal()
    connection = journal.begin_connection({"transport": "stdio"})
    judge = Judge(journal)

    def flood(count: int) -> None:
        for _ in range(count):
            journal.frame(Direction.RECEIVED, b"log line", connection=connection)
        judge.finish()

    flood(2 * LIMIT)
    tracemalloc.start()
    try:
        columns = journal.columns.memory()
        flood(20_000)
        taken = tracemalloc.get_traced_memory()[0] - (journal.columns.memory() - columns)
    finally:
        tracemalloc.stop()
        journal.close()
    assert judge.count(Severity.ERROR) == 2 * LIMIT + 20_000
    assert judge.more == {"stdio/stdout-pollution": LIMIT + 20_000}
    assert judge.rules_at(len(journal)) == ["stdio/stdout-pollution"]
    assert taken < 64 * 20_000
