"""Counters move when bumped, and who waits is woken."""

import asyncio

import pytest

from inspector.session.changes import TOPICS, Changes


def test_each_topic_has_its_own_counter() -> None:
    changes = Changes()
    changes.bump("calls")
    changes.bump("calls")
    assert changes["calls"] == 2
    assert changes.snapshot() == {**dict.fromkeys(TOPICS, 0), "calls": 2}


def test_an_unknown_topic_is_a_mistake_of_ours() -> None:
    with pytest.raises(KeyError):
        Changes().bump("weather")


async def test_waiting_ends_when_the_condition_holds() -> None:
    changes = Changes()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        waiter = group.create_task(changes.until(lambda: changes["asks"] >= 2))
        await asyncio.sleep(0)
        changes.bump("asks")
        await asyncio.sleep(0)
        assert not waiter.done()
        changes.bump("asks")


async def test_a_waiter_that_gave_up_does_not_disturb() -> None:
    changes = Changes()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await changes.until(lambda: False)
    changes.bump("asks")
    assert changes["asks"] == 1


async def test_a_bump_from_another_thread_wakes_who_waits() -> None:
    changes = Changes()
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        group.create_task(changes.until(lambda: changes["journal"] > 0))
        await asyncio.sleep(0)
        await asyncio.to_thread(changes.bump, "journal")
