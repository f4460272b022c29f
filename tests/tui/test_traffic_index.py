"""Which entries the list shows: incremental, filtered, in order."""

from array import array

from inspector.journal.entries import NO_FLAGS, Direction, Flag, HttpFacts, Kind, Row
from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.tui.traffic_index import SLICE, TrafficIndex, is_carrier, is_wrong

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


def test_seek_stops_at_the_ends_and_at_its_limit() -> None:
    index = TrafficIndex(journal_with(20))
    index.advance(1)
    assert index.seek(0, 1, lambda number: number == 5, 100) == 4
    assert index.seek(0, 1, lambda number: number == 5, 2) is None
    assert index.seek(3, -1, lambda number: False, 100) is None


def test_what_counts_as_wrong() -> None:
    assert is_wrong(row(Kind.ERROR))
    assert is_wrong(row(Kind.MALFORMED))
    assert is_wrong(row(Kind.RESULT, flags=Flag.ORPHAN))
    assert is_wrong(row(Kind.HTTP, status=401))
    assert is_wrong(row(Kind.HTTP))
    assert not is_wrong(row(Kind.RESULT))
    assert is_carrier(row(Kind.HTTP, status=200, partner=1))
    assert not is_carrier(row(Kind.HTTP, status=200))
