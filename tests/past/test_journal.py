"""A journal that ends at an entry."""

import pytest

from inspector.errors import UsageError
from inspector.journal.entries import Flag
from inspector.past.journal import JournalAsOf, frames
from tests.past.story import SENT, Story


def test_nothing_stands_behind_its_end_and_its_clock_stands_still() -> None:
    story = Story()
    end = story.open()
    then = story.seconds
    past = JournalAsOf(story.journal, end)
    story.list_tools(1, "a")
    assert len(past) == end
    assert past.clock.monotonic() == then
    assert past.row(end).number == end
    assert past.body(2) == story.journal.body(2)
    with pytest.raises(IndexError):
        past.row(end + 1)


def test_it_counts_the_frames_up_to_its_end() -> None:
    story = Story()
    story.open()
    story.journal.stderr(b"hello", connection=1)
    counted = {}
    for number in range(1, len(story.journal) + 1):
        counted[number] = frames(story.journal.columns, number)
    assert counted == {1: (0, 0), 2: (1, 0), 3: (1, 1), 4: (2, 1), 5: (2, 1)}
    assert (story.journal.sent, story.journal.received) == (2, 1)


def test_it_refuses_to_be_written_to_and_the_live_one_goes_on() -> None:
    story = Story()
    past = JournalAsOf(story.journal, story.open())
    for write in (
        lambda: past.frame(SENT, b"{}", connection=1),
        lambda: past.event("x", {}, connection=1),
        lambda: past.note(1, "x"),
        lambda: past.flag(1, Flag.MARKED),
        lambda: past.stderr(b"x", connection=1),
        lambda: past.begin_connection({}),
    ):
        before = len(story.journal)
        with pytest.raises(UsageError):
            write()
        assert len(story.journal) == before
    story.list_tools(1, "a")
    assert len(story.journal) == before + 2
