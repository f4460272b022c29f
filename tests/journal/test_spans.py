"""Spans of time in words."""

from inspector.journal.spans import duration


def test_a_duration_is_told_in_the_unit_that_suits_it() -> None:
    assert [duration(s) for s in (0.0004, 0.012, 3.42, 125)] == [
        "0.4 ms",
        "12 ms",
        "3.4 s",
        "2 m 05 s",
    ]
