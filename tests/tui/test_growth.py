"""What one entry more takes, of everything in the program that grows with the entries."""

import tracemalloc

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.recent import KEPT
from inspector.journal.timeline import Timeline
from inspector.lint.judge import Judge
from inspector.tui.traffic_index import TrafficIndex

COLUMNS, INDEX = 44, 4
"""Bytes of an entry in the journal and in the list."""
WITH_ROOM = 56
"""The same with the room that both keep for more."""
ROUND = 2 * KEPT
"""Entries after which the bounded tables hold as much as before: one request and its answer each
take a place."""


def _grow(journal: Journal, index: TrafficIndex, timeline: Timeline, entries: int) -> int:
    """Bytes that are held with so many entries."""
    while len(journal) < entries:
        number = len(journal)
        journal.frame(
            Direction.SENT,
            b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add"}}' % number,
            connection=1,
        )
        journal.frame(
            Direction.RECEIVED,
            b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}' % number,
            connection=1,
        )
    index.advance(60)
    assert timeline.advance()
    assert len(index) == timeline.position == len(journal)
    return tracemalloc.get_traced_memory()[0]


def test_an_entry_takes_56_bytes_at_most_in_journal_list_and_timeline() -> None:
    tracemalloc.start()
    try:
        journal = Journal()
        journal.begin_connection({"transport": "stdio"})
        index, timeline = TrafficIndex(journal), Timeline(journal)
        few = _grow(journal, index, timeline, 3 * ROUND)
        many = _grow(journal, index, timeline, 8 * ROUND)
        per_entry = (many - few) / (5 * ROUND)
        assert COLUMNS + INDEX <= per_entry <= WITH_ROOM
    finally:
        tracemalloc.stop()
        journal.close()


def test_entries_that_break_no_rule_take_nothing_in_the_judge_beyond_its_bounded_tables() -> None:
    journal = Journal()
    journal.begin_connection({"transport": "stdio"})
    judge = Judge(journal)
    note = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}'
    held = []
    tracemalloc.start()
    try:
        for _ in range(2):
            for _ in range(2_000):
                journal.frame(Direction.RECEIVED, note, connection=1)
            judge.finish()
            held.append(tracemalloc.get_traced_memory()[0] - journal.columns.memory())
    finally:
        tracemalloc.stop()
        journal.close()
    assert judge.judged == len(journal)
    assert (held[1] - held[0]) / 2_000 < 4
