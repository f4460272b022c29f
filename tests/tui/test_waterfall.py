"""Bars of requests on an axis of time."""

import pytest

from inspector.tui.waterfall import Axis, Bar, axis_of, bar_cells, bar_of, drawn
from tests.journal.conversation import Conversation, error, notification, request, result


def test_there_are_bars_from_140_cells_on_and_where_they_are_wished_for() -> None:
    assert bar_cells(139, None) == 0
    assert bar_cells(140, None) == 35
    assert bar_cells(300, None) == 40
    assert bar_cells(100, True) == 25
    assert bar_cells(60, True) == 0
    assert bar_cells(200, False) == 0


@pytest.mark.parametrize(
    ("bar", "shown"),
    [
        (Bar(0, 19, "done"), "██████████"),
        (Bar(1, 4, "done"), "▐█▌       "),
        (Bar(4, 4, "done"), "  ▌       "),
        (Bar(5, 5, "done"), "  ▐       "),
        (Bar(4, 9, "error"), "  ▓▓▓     "),
        (Bar(16, 19, "waits", on=True), "        ▒▶"),
        (Bar(0, 19, "done", before=True, on=True), "█████████▶"),
        (Bar(7, 7, "moment"), "   ·      "),
    ],
)
def test_the_shape_tells_the_state(bar: Bar, shown: str) -> None:
    assert drawn(bar, 10) == shown


def test_a_request_is_drawn_from_its_start_to_its_outcome() -> None:
    talk = Conversation()
    call = talk.sent(request(1, _meta={"progressToken": "t"}))
    first = talk.received(notification("x"))
    talk.pass_time(1)
    failing = talk.sent(request(2))
    talk.pass_time(1)
    report = talk.received(notification("notifications/progress", progressToken="t", progress=1))
    talk.received(error(2))
    open_one = talk.sent(request(3))
    talk.pass_time(2)
    outcome = talk.received(result(1))
    axis = axis_of(talk.journal, range(call, outcome + 1), 10)

    def bar(number: int, axis: Axis = axis) -> Bar | None:
        return bar_of(talk.journal, talk.journal.row(number), axis)

    assert bar(call) == Bar(0, 19, "done")
    assert bar(failing) == Bar(5, 10, "error")
    assert bar(report) == Bar(10, 10, "moment")
    assert bar(open_one) == Bar(10, 19, "waits", on=True)
    assert bar(first) is None
    assert bar(outcome) is None
    early = axis_of(talk.journal, range(call, report + 1), 10)
    assert bar(call, early) == Bar(0, 19, "done", on=True)
    late = axis_of(talk.journal, range(report, outcome + 1), 10)
    assert bar(call, late) == Bar(0, 19, "done", before=True)


def test_an_axis_of_no_time_at_all_is_drawn_too() -> None:
    talk = Conversation()
    call = talk.sent(request(1))
    talk.received(result(1))
    bar = bar_of(talk.journal, talk.journal.row(call), axis_of(talk.journal, [call], 10))
    assert bar is not None
    assert drawn(bar, 10) == "▌" + " " * 9


def test_time_in_which_nothing_waits_takes_little_of_the_axis() -> None:
    talk = Conversation()
    first = talk.sent(request(1))
    talk.pass_time(1)
    talk.received(result(1))
    talk.pass_time(3600)
    second = talk.sent(request(2))
    talk.pass_time(1)
    last = talk.received(result(2))
    axis = axis_of(talk.journal, range(first, last + 1), 20)
    assert axis.shortened
    assert axis.span == pytest.approx(2.1)
    bars = [bar_of(talk.journal, talk.journal.row(number), axis) for number in (first, second)]
    assert bars == [Bar(0, 19, "done"), Bar(20, 39, "done")]


def test_without_requests_the_axis_is_that_of_the_clock() -> None:
    talk = Conversation()
    numbers = []
    for _ in range(5):
        numbers.append(talk.received(notification("x")))
        talk.pass_time(10)
    axis = axis_of(talk.journal, numbers, 20)
    assert not axis.shortened
    assert axis.span == 40


def test_an_answer_before_its_request_by_the_clock_is_a_point() -> None:
    talk = Conversation()
    first = talk.sent(request(1))
    talk.pass_time(2)
    call = talk.sent(request(2))
    talk.pass_time(-1.5)
    answer = talk.received(result(2))
    axis = axis_of(talk.journal, [first, call, answer], 10)
    bar = bar_of(talk.journal, talk.journal.row(call), axis)
    assert bar is not None
    assert bar.last == bar.first
    assert len(drawn(bar, 10)) == 10
