"""The clock of a request: progress restarts it, asks stop it, the maximum stays."""

import math

from hypothesis import given
from hypothesis import strategies as st

from inspector.session.deadline import Deadline


def test_the_limit_runs_from_the_start() -> None:
    assert Deadline(10, 100, 5).left(7) == 8
    assert Deadline(10, 100, 5).left(50) == 0


def test_progress_restarts_the_clock_up_to_the_maximum() -> None:
    deadline = Deadline(10, 25, 0)
    deadline.progress(9)
    assert deadline.left(9) == 10
    deadline.progress(18)
    assert deadline.left(18) == 7


def test_the_clock_stands_still_while_paused_and_pauses_nest() -> None:
    deadline = Deadline(10, 20, 0)
    deadline.pause(4)
    deadline.pause(5)
    assert deadline.left(1000) == math.inf
    deadline.resume(1000)
    assert deadline.left(1500) == math.inf
    deadline.resume(2004)
    assert deadline.left(2004) == 6


def test_progress_during_a_pause_counts_from_its_beginning() -> None:
    deadline = Deadline(10, 100, 0)
    deadline.pause(8)
    deadline.progress(9)
    deadline.resume(108)
    assert deadline.left(108) == 10


def test_zero_means_no_limit() -> None:
    assert Deadline(0, 0, 0).left(1e9) == math.inf


def test_a_maximum_below_the_timeout_does_not_shorten_it() -> None:
    assert Deadline(60, 10, 0).left(0) == 60


def test_silence_can_be_allowed_up_to_the_maximum() -> None:
    deadline = Deadline(10, 25, 0)
    deadline.only_total(20)
    assert deadline.left(12) == 13
    longer = Deadline(10, 25, 0)
    longer.only_total(60)
    assert longer.left(12) == 48
    unlimited = Deadline(0, 0, 0)
    unlimited.only_total(60)
    assert unlimited.left(1000) == math.inf


def test_resuming_without_a_pause_changes_nothing() -> None:
    deadline = Deadline(10, 20, 0)
    deadline.resume(5)
    assert deadline.left(5) == 5


@given(st.lists(st.tuples(st.sampled_from("prP"), st.floats(0, 5)), max_size=30))
def test_never_more_than_the_limits_are_left(steps: list[tuple[str, float]]) -> None:
    deadline, now = Deadline(7, 11, 0.0), 0.0
    for step, seconds in steps:
        now += seconds
        {"p": deadline.pause, "r": deadline.resume, "P": deadline.progress}[step](now)
        left = deadline.left(now)
        assert left == math.inf if deadline.paused else 0 <= left <= 7 + 1e-9
