"""The thread that finds out what was: always what was wished for last."""

import asyncio
from collections.abc import Callable

import pytest

from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.tui.travel import RefusingBridge, Traveller
from inspector.workbench import Options, Workbench
from tests.past.story import Story


async def until(condition: Callable[[], bool]) -> None:
    """Bounded."""
    for _ in range(2000):
        if condition():
            return
        await asyncio.sleep(0.005)
    raise AssertionError("it did not come about")


async def test_it_arrives_where_it_was_sent_last_and_comes_back() -> None:
    story = Story()
    story.open(tools={})
    for number in range(1, 200):
        story.list_tools(number, f"t{number}")
    travel = Traveller(Workbench(Target(name="x"), options=Options(), journal=story.journal))
    for number in range(5, 300):
        travel.go(number)
    await until(lambda: travel.arrived)
    assert travel.travelling
    assert travel.bench is not None
    assert travel.bench.number == travel.number == 299
    assert "#299" in travel.words
    assert [travel.back(), travel.travelling, travel.back()] == [True, False, False]
    travel.close()


async def test_a_number_beyond_either_end_is_the_nearest_there_is() -> None:
    story = Story()
    end = story.open()
    travel = Traveller(Workbench(Target(name="x"), options=Options(), journal=story.journal))
    travel.go(10_000)
    assert travel.number == end
    travel.go(-3)
    assert travel.number == 1
    travel.close()


async def test_nothing_gets_through_from_the_past() -> None:
    said: list[str] = []
    bridge = RefusingBridge(lambda: "not now", said.append)

    async def never() -> None:
        raise AssertionError("it ran")

    with pytest.raises(UsageError, match="not now"):
        await bridge.run(never)
    bridge.post(never)
    assert said == ["not now"]
