"""Wide steps: what is stopped at, what a place may be called, how far a slice reaches."""

import time
from array import array
from bisect import bisect_left
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import Flag, HttpFacts
from inspector.journal.query import compile_filter
from inspector.journal.stepping import (
    SLICE,
    Place,
    Seek,
    WrongPlaceError,
    found_between,
    line_by_time,
    line_of_place,
    marked_between,
    read_place,
    wrong_between,
)
from tests.journal.conversation import Conversation, error, notification, request, result

NOON = time.mktime((2026, 11, 21, 12, 0, 0, 0, 0, -1))


class Shown:
    """Some numbers as lines."""

    def __init__(self, numbers: Sequence[int]) -> None:
        self.numbers = array("I", numbers)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, line: int, /) -> int:
        return self.numbers[line]

    def line_near(self, number: int) -> int:
        return bisect_left(self.numbers, number)


def everything(talk: Conversation) -> Shown:
    return Shown(range(1, len(talk.journal) + 1))


def spaced(count: int, seconds: float) -> Conversation:
    """A message every so many seconds, from noon on; entry 1 is the connection."""
    talk = Conversation()
    talk.wall = NOON
    for _ in range(count):
        talk.received(notification("x"))
        talk.pass_time(seconds)
    return talk


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("31", Place("number", 31)),
        (" #31 ", Place("number", 31)),
        ("+100", Place("relative", 100)),
        ("-100", Place("relative", -100)),
        ("50%", Place("share", 0.5)),
        ("end", Place("share", 1)),
        ("Start", Place("share", 0)),
        ("12:01:07", Place("day", 43267)),
        ("12:01", Place("day", 43260)),
        ("12:01:07.5", Place("day", 43267.5)),
    ],
)
def test_a_place_can_be_called_in_many_ways(text: str, place: Place) -> None:
    assert read_place(text) == place


@pytest.mark.parametrize("text", ["", "x", "25:00", "12:61", "101%", "1 2", "--3", "#", "1e5"])
def test_what_is_no_place_is_told_what_is_one(text: str) -> None:
    with pytest.raises(WrongPlaceError, match=r"31, \+100, -100, 12:01:07, 50%, start or end"):
        read_place(text)


@given(st.text(max_size=20))
def test_whatever_is_typed_is_a_place_or_told(text: str) -> None:
    told, sort = "", ""
    try:
        sort = read_place(text).sort
    except WrongPlaceError as wrong:
        told = str(wrong)
    assert sort in ("number", "relative", "share", "day") or "50%" in told


def test_places_become_lines_within_what_is_shown() -> None:
    talk = spaced(100, 1.0)
    lines = Shown(range(2, 102, 2))  # every second entry

    def line(text: str, here: int = 10) -> int:
        return line_of_place(talk.journal, lines, here, read_place(text))

    assert lines[line("32")] == 32
    assert lines[line("31")] == 32
    assert line("+5") == 15
    assert line("-50") == 0
    assert line("+500") == 49
    assert line("end") == 49
    assert line("start") == 0
    assert line("50%") == 24
    assert lines[line("12:00:30")] == 32
    assert line("23:00") == 49
    assert line("01:00") == 0
    with pytest.raises(WrongPlaceError, match="entries 1 to 101"):
        line("102")


def test_a_time_of_day_is_the_nearest_one_also_past_midnight() -> None:
    talk = Conversation()
    talk.wall = NOON + 12 * 3600 - 60
    for _ in range(120):
        talk.received(notification("x"))
        talk.pass_time(1)
    lines = Shown(range(2, len(talk.journal) + 1))
    after = line_of_place(talk.journal, lines, 0, read_place("0:00:10"))
    before = line_of_place(talk.journal, lines, 119, read_place("23:59:30"))
    assert talk.journal.row(lines[after]).wall == NOON + 12 * 3600 + 10
    assert talk.journal.row(lines[before]).wall == NOON + 12 * 3600 - 30


def test_a_step_in_time_goes_to_the_nearest_entry_and_at_least_one_on() -> None:
    talk = spaced(100, 0.3)
    lines = everything(talk)
    assert line_by_time(talk.journal, lines, 50, 1.0) == 53
    assert line_by_time(talk.journal, lines, 50, -1.0) == 47
    assert line_by_time(talk.journal, lines, 50, 0.01) == 51
    assert line_by_time(talk.journal, lines, 50, -0.01) == 49
    assert line_by_time(talk.journal, lines, 50, 60.0) == 100
    assert line_by_time(talk.journal, lines, 50, -60.0) == 0
    assert line_by_time(talk.journal, lines, 100, 1.0) == 100
    assert line_by_time(talk.journal, Shown([]), 0, 1.0) == 0


def test_a_gap_is_crossed_in_one_step() -> None:
    talk = spaced(3, 600.0)
    assert line_by_time(talk.journal, everything(talk), 1, 1.0) == 2


@given(st.lists(st.floats(0, 5), min_size=1, max_size=30), st.data())
def test_every_step_in_time_moves_unless_at_the_end(gaps: list[float], data: st.DataObject) -> None:
    talk = Conversation()
    for gap in gaps:
        talk.pass_time(gap)
        talk.received(notification("x"))
    lines = everything(talk)
    here = data.draw(st.integers(0, len(lines) - 1))
    for seconds in (0.001, 1.0, 60.0):
        assert line_by_time(talk.journal, lines, here, seconds) > here or here == len(lines) - 1
        assert line_by_time(talk.journal, lines, here, -seconds) < here or here == 0


def seek(talk: Conversation, lines: Shown, seeking: Seek) -> int | None:
    while not seeking.advance(0):
        assert 0 <= seeking.share <= 1
    return None if seeking.line is None else lines[seeking.line]


def test_errors_malformed_lines_failed_http_and_breaches_are_stopped_at() -> None:
    talk = Conversation()
    talk.sent(request(1))
    refused = talk.received(error(1))
    stray = talk.received(b"oops")
    fine = talk.journal.http(HttpFacts("GET", "http://x", status=200), connection=1)
    failed = talk.journal.http(HttpFacts("GET", "http://x", status=500), connection=1)
    dead = talk.journal.http(HttpFacts("GET", "http://x", error="refused"), connection=1)
    breach = talk.received(notification("notifications/x"))
    lines = everything(talk)
    look = wrong_between(talk.journal, lambda number: number == breach)
    found, here = list[int](), 1
    while (stop := seek(talk, lines, Seek(talk.journal, lines, look, here, 1))) is not None:
        found.append(stop)
        here = stop
    assert found == [refused, stray, failed, dead, breach]
    assert fine not in found
    back = list[int]()
    here = len(talk.journal) + 1
    while (stop := seek(talk, lines, Seek(talk.journal, lines, look, here, -1))) is not None:
        back.append(stop)
        here = stop
    assert back == found[::-1]
    assert list(wrong_between(talk.journal)(1, breach + 1)) == found[:-1]


def test_marks_and_notes_are_stopped_at() -> None:
    talk = Conversation()
    first, _, third = (talk.received(notification("x")) for _ in range(3))
    talk.journal.flag(first, Flag.MARKED)
    note = talk.journal.note(third, "here")
    assert list(marked_between(talk.journal)(1, note + 1)) == [first, note]


def test_a_search_looks_at_slices_and_passes_over_what_is_hidden() -> None:
    talk = Conversation()
    hidden = talk.sent(request(1))
    for _ in range(3 * SLICE):
        talk.received(notification("x"))
    wanted = talk.sent(request(2))
    talk.received(result(2))
    lines = Shown([number for number in range(1, len(talk.journal) + 1) if number != hidden])
    looks = list[tuple[int, int]]()
    inner = found_between(talk.journal, compile_filter("method:tools/call kind:request"))

    def look(start: int, stop: int) -> Sequence[int]:
        looks.append((start, stop))
        return inner(start, stop)

    seeking = Seek(talk.journal, lines, look, 1, 1)
    assert seek(talk, lines, seeking) == wanted
    assert len(looks) >= 4
    assert all(stop - start <= SLICE for start, stop in looks)
    assert seek(talk, lines, Seek(talk.journal, lines, look, wanted, -1)) is None
    assert looks[-1][0] == 1
