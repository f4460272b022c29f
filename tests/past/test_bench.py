"""An inspection as of an entry, with all that screens read of it."""

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.past.bench import Past
from inspector.session.state import Phase
from inspector.workbench import Options, Workbench
from tests.past.story import Story


def past_of(story: Story) -> Past:
    """The past of a workbench that has the story for a journal."""
    bench = Workbench(Target(name="live"), options=Options(), journal=story.journal)
    return Past(bench)


def names(past: Past, number: int) -> list[object]:
    """The tools as of an entry."""
    listed = past.at(number).session.catalog["tools"]
    return [item["name"] for item in listed.items if isinstance(item, dict)]


def test_lists_are_those_that_there_were() -> None:
    story = Story()
    opened = story.open(tools={"listChanged": True})
    first = story.list_tools(1, "a")
    second = story.list_tools(2, "a", "b")
    past = past_of(story)
    assert [names(past, number) for number in (second, first, opened)] == [["a", "b"], ["a"], []]


def test_state_and_target_are_those_of_the_connection() -> None:
    story = Story()
    opened = story.open(tools={})
    past = past_of(story)
    ready, before = past.at(opened), past.at(opened - 1)
    assert ready.session.state.phase is Phase.READY
    assert ready.session.state.instructions == "Read me."
    assert ready.session.state.revision_text == "2025-11-25"
    assert ready.session.state.connected_at == story.seconds - 1.0
    assert ready.target.name == "story"
    assert ready.options.protocol == "2025-11-25"
    assert before.session.state.phase is Phase.NEGOTIATING
    assert past.at(0).session.state.phase is Phase.IDLE


async def test_nothing_can_be_sent_and_nothing_gets_into_the_journal() -> None:
    story = Story()
    bench = past_of(story).at(story.open(tools={}), "not here")
    before = len(story.journal)
    with pytest.raises(ConnectionFailed, match="not here"):
        await bench.session.engine.notify("notifications/x")
    assert len(story.journal) == before


def test_it_goes_along_in_slices() -> None:
    story = Story()
    end = story.open()
    past = past_of(story)
    steps = 0
    while not past.advance(end, limit=1):
        steps += 1
    assert (steps, past.position) == (end - 1, end)
