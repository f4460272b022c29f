import gc

import pytest

from inspector.journal.columns import METHODS_KEPT, Columns, Form, Links, positions
from inspector.journal.entries import Direction, Kind


def _add(columns: Columns, number: int) -> None:
    columns.count = columns.add(
        Kind.NOTIFICATION, Direction.RECEIVED, 1, float(number), 0.0, 0, number * 100, 50, 0, 0, 0
    )


def test_an_entry_takes_at_most_48_bytes() -> None:
    columns = Columns()
    for number in range(20_000):
        _add(columns, number)
    assert columns.memory() / columns.count <= 48


def test_growing_happens_a_logarithmic_number_of_times() -> None:
    columns, rooms = Columns(), set[int]()
    for number in range(50_000):
        _add(columns, number)
        rooms.add(columns.room)
    assert len(rooms) < 80


def test_an_entry_is_no_object_for_the_garbage_collector() -> None:
    columns = Columns()
    gc.collect()
    before = len(gc.get_objects())
    for number in range(5_000):
        _add(columns, number)
    gc.collect()
    assert len(gc.get_objects()) - before < 10


def test_rows_outside_of_the_journal_are_refused() -> None:
    columns = Columns()
    for number in (0, 1, -1):
        with pytest.raises(IndexError):
            columns.row(number)


def test_a_peer_that_invents_methods_does_not_fill_the_memory() -> None:
    columns = Columns()
    for number in range(METHODS_KEPT + 100):
        columns.intern(f"x/{number}")
    columns.intern("y" * 10_000_000)
    assert len(columns.methods) <= METHODS_KEPT + 1
    assert max(len(method) for method in columns.methods) <= 256


def test_links_give_causes_and_children() -> None:
    links = Links()
    for child, cause in ((3, 1), (5, 1), (5, 2), (9, 1)):
        links.add(child, cause)
    assert links.causes(5) == [1, 2]
    assert links.causes(4) == []
    assert links.children(1) == [3, 5, 9]
    assert links.between(4, 9) == [(5, 1), (5, 2)]


def test_positions_finds_all_and_nothing_else() -> None:
    columns = Columns()
    for number in range(10):
        _add(columns, number)
    columns.partners[4] = columns.partners[7] = 2
    assert positions(columns.partners, 2, 1, 11) == [4, 7]
    assert positions(columns.partners, 2, 5, 7) == []


def test_verbatim_bodies_need_no_note_of_their_form() -> None:
    columns = Columns()
    _add(columns, 1)
    assert columns.stored_as(1) == (50, Form.JSON)
    columns.stored.add(1, 70 << 1 | 1)
    assert columns.stored_as(1) == (70, Form.BASE64)
