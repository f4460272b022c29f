"""How long an answer stays fresh, in words."""

import pytest

from inspector.render.lifetime import lifetime, span, time_left
from inspector.session.freshness import Freshness


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.25, "250 ms"),
        (5, "5 s"),
        (90.9, "1 min 30 s"),
        (300, "5 min"),
        (3605, "1 h"),
        (7260, "2 h 1 min"),
        (90_000, "1 d 1 h"),
        (10**12, "11574074 d 1 h"),
    ],
)
def test_a_duration_has_at_most_two_units(seconds: float, words: str) -> None:
    assert span(seconds) == words


def test_the_hint_is_told_as_the_server_gave_it() -> None:
    assert lifetime(Freshness(300_000, "private", 0.0)) == "fresh for 5 min, private"
    assert lifetime(Freshness(1000, "", 0.0)) == "fresh for 1 s"
    assert lifetime(Freshness(0, "public", 0.0)) == "stale at once, public"


def test_what_is_left_runs_out() -> None:
    said = Freshness(60_000, "private", 100.0)
    assert time_left(said, 100.0) == "1 min left"
    assert time_left(said, 130.0) == "30 s left"
    assert time_left(said, 159.5) == "under 1 s left"
    assert time_left(said, 160.0) == "stale by now"
    assert time_left(Freshness(0, "", 100.0), 100.0) == ""
