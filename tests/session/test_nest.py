"""Background tasks end with their owner, and known failures stay inside."""

import asyncio

import pytest

from inspector.errors import ConnectionFailed, InspectorError
from inspector.session.nest import LIMIT, Nest


async def _fail() -> None:
    raise ConnectionFailed("gone")


async def _crash() -> None:
    raise ZeroDivisionError


async def test_a_known_failure_is_reported_and_ends_nothing_else() -> None:
    reported: list[InspectorError] = []
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        nest = Nest(group, reported.append)
        nest.spawn(_fail())
    assert [error.message for error in reported] == ["gone"]


async def test_of_very_many_failures_of_a_kind_a_few_are_reported() -> None:
    reported: list[InspectorError] = []
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        nest = Nest(group, reported.append)
        for _ in range(1000):
            nest.spawn(_fail())
    assert len(reported) == 10


async def test_a_mistake_of_ours_is_loud() -> None:
    with pytest.raises(ExceptionGroup):
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            Nest(group).spawn(_crash())


async def test_stopping_ends_everything_even_what_has_not_begun() -> None:
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        nest = Nest(group)
        running = nest.spawn(asyncio.Event().wait())
        await asyncio.sleep(0)
        unborn = nest.spawn(_crash())
        await nest.stop()
        assert running is not None
        assert unborn is not None
        assert running.cancelled()
        assert unborn.cancelled()
        assert len(nest) == 0


async def test_there_is_a_limit_and_what_is_beyond_it_is_dropped() -> None:
    async with asyncio.timeout(60), asyncio.TaskGroup() as group:
        nest = Nest(group)
        for _ in range(LIMIT):
            nest.spawn(asyncio.Event().wait())
        assert nest.spawn(_crash()) is None
        await nest.stop()
