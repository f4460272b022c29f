"""Which entries the list shows: incremental, filtered, in order."""

from array import array
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import NO_FLAGS, Direction, Flag, HttpFacts, Kind, Row
from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.journal.query_nodes import Reads
from inspector.lint.judge import Judge
from inspector.tui import traffic_index
from inspector.tui.traffic_index import SLICE, TrafficIndex, is_carrier

REQUEST = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add"}}'
NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'


def journal_with(count: int, raw: bytes = NOTE) -> Journal:
    journal = Journal()
    connection = journal.begin_connection({})
    for _ in range(count):
        journal.frame(Direction.RECEIVED, raw, connection=connection)
    return journal


def row(
    kind: Kind, *, flags: Flag = NO_FLAGS, status: int | None = None, partner: int | None = None
) -> Row:
    return Row(1, kind, Direction.RECEIVED, 1, 0.0, 0.0, "", 0, partner, None, None, flags, status)


def test_every_entry_is_shown_once_and_in_order() -> None:
    journal = journal_with(3 * SLICE)
    index = TrafficIndex(journal)
    while index.behind:
        index.advance(0)
    assert list(index) == list(range(1, len(journal) + 1))


def test_new_entries_are_added_and_old_ones_not_looked_at_again() -> None:
    journal = journal_with(10)
    index = TrafficIndex(journal)
    index.advance(1)
    assert not index.advance(1)
    journal.frame(Direction.SENT, REQUEST, connection=1)
    assert index.advance(1)
    assert index[len(index) - 1] == len(journal)


def test_a_filter_hides_what_does_not_match() -> None:
    journal = journal_with(5)
    number = journal.frame(Direction.SENT, REQUEST, connection=1)
    index = TrafficIndex(journal)
    index.reset(compile_filter("method:tools/*"), carriers=False)
    index.advance(1)
    assert list(index) == [number]
    assert index.line_of(number) == 0
    assert index.line_of(number - 1) is None


def test_http_that_merely_carried_a_message_is_hidden_until_asked_for() -> None:
    journal = Journal()
    connection = journal.begin_connection({})
    sent = journal.frame(Direction.SENT, REQUEST, connection=connection)
    carrier = journal.http(
        HttpFacts("POST", "http://x", status=200), connection=connection, frame=sent
    )
    failed = journal.http(
        HttpFacts("POST", "http://x", status=500), connection=connection, frame=sent
    )
    index = TrafficIndex(journal)
    index.advance(1)
    assert carrier not in list(index)
    assert failed in list(index)
    index.reset(None, carriers=True)
    index.advance(1)
    assert carrier in list(index)


def test_one_number_per_entry_is_all_that_is_kept() -> None:
    index = TrafficIndex(journal_with(100))
    index.advance(1)
    assert isinstance(index._numbers, array)
    assert index._numbers.itemsize == 4


def test_only_a_good_answer_that_carried_a_message_is_a_carrier() -> None:
    assert is_carrier(row(Kind.HTTP, status=200, partner=1))
    assert not is_carrier(row(Kind.HTTP, status=200))
    assert not is_carrier(row(Kind.HTTP, status=404, partner=1))
    assert not is_carrier(row(Kind.HTTP, partner=1))
    assert not is_carrier(row(Kind.RESULT, partner=1))


def settled(index: TrafficIndex) -> list[int]:
    """What is shown when everything has been looked at."""
    before: list[int] | None = None
    while index.behind or before != list(index):
        before = list(index)
        index.advance(1)
    return before


def filtered(journal: Journal, text: str) -> TrafficIndex:
    index = TrafficIndex(journal)
    index.reset(compile_filter(text), carriers=False)
    settled(index)
    return index


def ask(journal: Journal, number: int) -> int:
    raw = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add"}}' % number
    return journal.frame(Direction.SENT, raw, connection=1)


def answer(journal: Journal, number: int) -> int:
    raw = b'{"jsonrpc":"2.0","id":%d,"result":{}}' % number
    return journal.frame(Direction.RECEIVED, raw, connection=1)


def test_a_request_goes_when_it_is_pending_no_longer() -> None:
    journal = journal_with(3)
    one, two, three = (ask(journal, number) for number in (1, 2, 3))
    index = filtered(journal, "is:pending")
    assert list(index) == [one, two, three]
    answer(journal, 2)
    assert index.advance(1)
    assert list(index) == [one, three]
    journal.flag(three, Flag.CANCELLED)
    assert index.advance(1)
    assert list(index) == [one]
    journal.begin_connection({})
    assert index.advance(1)
    assert list(index) == []
    assert not index.advance(1)


def test_marks_and_notes_bring_a_line_and_take_it_away() -> None:
    journal = journal_with(2 * SLICE)
    index = filtered(journal, "is:marked | is:noted")
    for number in (900, 7):
        journal.flag(number, Flag.MARKED)
        index.advance(1)
    journal.note(500, "odd")
    index.advance(1)
    assert list(index) == [7, 500, 900]
    journal.flag(7, Flag.MARKED, False)
    index.advance(1)
    assert list(index) == [500, 900]


def test_a_message_comes_when_its_exchange_is_refused() -> None:
    journal = journal_with(1)
    sent = ask(journal, 1)
    index = filtered(journal, "status:401")
    assert list(index) == []
    http = journal.http(HttpFacts("POST", "http://x", status=401), connection=1, frame=sent)
    assert index.advance(1)
    assert list(index) == [sent, http]


def test_a_filter_for_findings_waits_for_the_judge_and_takes_in_what_it_finds_later() -> None:
    journal = journal_with(1)
    index = filtered(journal, "is:lint")
    stray = answer(journal, 42)
    assert settled(index) == []
    judge = Judge(journal)
    index.advance(1)
    assert (index.scanned, index.behind, index.unjudged) == (0, 0, len(journal))
    judge.finish()
    assert stray in settled(index)
    assert (index.behind, index.unjudged) == (0, 0)
    assert settled(index) == settled(filtered(journal, "is:lint"))


def test_a_finding_about_an_earlier_entry_brings_its_line() -> None:
    class Says:
        judged, version = 4, 0
        rules: dict[int, list[str]] = {}

        def rules_at(self, number: int) -> list[str]:
            return self.rules.get(number, [])

        def entries_since(self, version: int) -> list[int]:
            return list(self.rules) * (version < self.version)

    journal = journal_with(9)
    journal.opinions = says = Says()
    index = filtered(journal, "rule:rpc/*")
    assert (list(index), index.scanned) == ([], 4)
    says.rules, says.version = {3: ["rpc/x"], 4: ["http/x"], 7: ["rpc/x"]}, 1
    assert index.advance(1)
    assert list(index) == [3]
    says.judged = 10
    assert index.advance(1)
    assert list(index) == [3, 7]


def test_nothing_is_kept_of_flags_where_the_filter_does_not_look_at_them() -> None:
    journal = journal_with(10)
    assert not filtered(journal, "kind:notification x")._flags
    assert len(filtered(journal, "is:error")._flags) == 2 * len(journal)


def test_a_slow_filter_is_given_little_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]

    class Slow:
        reads_bodies, reads = True, Reads.NOTHING_ELSE
        most = 0

        def select(self, journal: Journal, start: int, stop: int) -> "Iterable[int]":
            now[0] += 0.001 * (stop - start)
            self.most = max(self.most, stop - start)
            return ()

    monkeypatch.setattr("inspector.tui.traffic_index.time.monotonic", lambda: now[0])
    journal, slow = journal_with(5_000), Slow()
    index = TrafficIndex(journal)
    index.reset(slow, carriers=False)  # type: ignore[arg-type]
    turns: list[float] = []
    while index.behind:
        before = now[0]
        index.advance(0.01)
        turns.append(now[0] - before)
    assert slow.most == SLICE
    assert max(turns[1:]) < 0.15
    assert max(turns[3:]) < 0.02


_steps = st.lists(
    st.one_of(
        st.tuples(st.just("ask"), st.integers(1, 9)),
        st.tuples(st.just("answer"), st.integers(1, 9)),
        st.tuples(st.just("flag"), st.integers(1, 30)),
        st.tuples(st.just("unflag"), st.integers(1, 30)),
        st.tuples(st.just("http"), st.integers(1, 30)),
        st.tuples(st.just("note"), st.integers(1, 30)),
        st.tuples(st.just("look"), st.just(0)),
    ),
    max_size=40,
)
_changing = st.sampled_from(
    ["is:pending", "-is:pending", "is:unanswered", "is:noted|marked", "status:200|401", "add",
     "is:late|duplicate|orphan", "is:unanswered -is:marked", "", "kind:http | is:error"]
)  # fmt: skip


@given(_steps, _changing, st.booleans(), st.sampled_from([1, 2, 64]))
def test_what_is_shown_live_is_what_is_shown_of_the_same_journal_at_its_end(
    steps: list[tuple[str, int]], text: str, carriers: bool, again: int
) -> None:
    journal = journal_with(1)
    index = TrafficIndex(journal)
    index.reset(compile_filter(text), carriers=carriers)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(traffic_index, "AGAIN", again)
        for step, value in steps:
            there = min(value, len(journal))
            if step == "ask":
                ask(journal, value)
            elif step == "answer":
                answer(journal, value)
            elif step == "note":
                journal.note(there, "x")
            elif step == "http":
                facts = HttpFacts("POST", "http://x", status=200 if value % 2 else 401)
                frame = there if Kind(journal.kinds[there]).is_frame else None
                journal.http(facts, connection=1, frame=frame)
            elif step == "look":
                index.advance(0)
            else:
                journal.flag(there, Flag.MARKED, step == "flag")
        fresh = TrafficIndex(journal)
        fresh.reset(compile_filter(text), carriers=carriers)
        assert settled(index) == settled(fresh)
        assert sorted(set(index)) == list(index)
