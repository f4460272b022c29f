"""The line that says that this is not now."""

import pytest

from inspector.config.targets import Target
from inspector.past.bench import Past
from inspector.tui.travel import Traveller
from inspector.tui.widgets.travel_banner import ago, told
from inspector.workbench import Options, Workbench
from tests.past.story import Story

KEYS = ("Esc", "Alt+←")


def traveller() -> Traveller:
    """On a story whose last entry is four minutes old."""
    story = Story()
    story.open()
    story.seconds += 252
    return Traveller(Workbench(Target(name="x"), options=Options(), journal=story.journal))


def test_it_says_which_entry_when_that_was_and_the_way_back() -> None:
    travel = traveller()
    travel.goal = len(travel.live.journal)
    line = told(travel, 120, KEYS).plain
    assert "AS OF #4" in line
    assert "4 min 12 s before now" in line
    assert "Esc returns to now" in line
    assert len(line) == 120


@pytest.mark.parametrize("width", [40, 60, 80])
def test_the_way_back_is_said_however_narrow_it_is(width: int) -> None:
    travel = traveller()
    travel.goal = 2
    line = told(travel, width, KEYS, asking=1 if width > 60 else 0).plain
    assert "AS OF #2" in line
    assert "Esc returns" in line
    assert len(line) == width


def test_of_several_connections_it_names_the_one_on_show() -> None:
    travel = traveller()
    assert "connection" not in told(travel, 160, KEYS).plain
    travel.live.journal.begin_connection({"name": "again"})
    travel.goal = 2
    travel.bench = Past(travel.live).at(2)
    assert "connection 1 of 2" in told(travel, 160, KEYS).plain


def test_questions_of_now_are_told() -> None:
    travel = traveller()
    travel.goal = 2
    assert "2 waiting to be asked now" in told(travel, 120, KEYS, asking=2).plain


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.04, "0.0 s"),
        (9.94, "9.9 s"),
        (9.96, "10 s"),
        (59.4, "59 s"),
        (252, "4 min 12 s"),
        (7500, "2 h 5 min"),
        (273_600, "3 d 4 h"),
        (-1, "0.0 s"),
    ],
)
def test_a_distance_in_words(seconds: float, words: str) -> None:
    assert ago(seconds) == words


def test_the_whole_line_is_in_an_ink_of_its_own() -> None:
    travel = traveller()
    travel.goal = 2
    line = told(travel, 80, KEYS)
    assert [(span.start, span.end, span.style) for span in line.spans] == [(0, 80, "mcp.travel")]
