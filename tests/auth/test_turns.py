"""Turns: one process at a time, and nobody waits for ever."""

import asyncio
from pathlib import Path

import pytest

from inspector.auth.store import FileStore, MemoryStore
from inspector.auth.turns import turn
from tests.auth.grants import SERVER

LIMIT = 30.0


async def test_the_second_one_waits_until_the_first_is_done(tmp_path: Path) -> None:
    order: list[str] = []
    inside = asyncio.Event()
    go_on = asyncio.Event()

    async def first() -> None:
        async with FileStore(tmp_path).turn(SERVER):
            order.append("first in")
            inside.set()
            await go_on.wait()
            order.append("first out")

    async def second() -> None:
        await inside.wait()
        async with FileStore(tmp_path).turn(f"{SERVER}/"):  # the same server, written otherwise
            order.append("second in")

    async def third() -> None:
        await inside.wait()
        async with FileStore(tmp_path).turn("https://else.example.com"):
            order.append("another server in")
            go_on.set()

    async with asyncio.timeout(LIMIT), asyncio.TaskGroup() as group:
        for one in (first, second, third):
            group.create_task(one())
    assert order == ["first in", "another server in", "first out", "second in"]


async def test_whoever_waits_too_long_goes_on(tmp_path: Path) -> None:
    async with turn(tmp_path, "x"), asyncio.timeout(LIMIT), turn(tmp_path, "x", seconds=0.0):
        assert (tmp_path / "x.turn").stat().st_mode & 0o777 == 0o600


async def test_a_turn_is_given_back_after_an_error_and_after_a_cancellation(
    tmp_path: Path,
) -> None:
    with pytest.raises(ValueError, match="inside"):
        async with turn(tmp_path, "x"):
            raise ValueError("inside")
    async with asyncio.TaskGroup() as group:
        inside = asyncio.Event()

        async def held() -> None:
            async with turn(tmp_path, "x"):
                inside.set()
                await asyncio.Event().wait()

        task = group.create_task(held())
        await inside.wait()
        task.cancel()
    async with asyncio.timeout(LIMIT), turn(tmp_path, "x", seconds=2 * LIMIT):
        pass


async def test_where_no_lock_can_be_it_goes_on_at_once(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    async with asyncio.timeout(LIMIT), turn(tmp_path / "file", "x"):
        pass
    elsewhere = tmp_path / "elsewhere"
    elsewhere.touch()
    (tmp_path / "x.turn").symlink_to(elsewhere)
    async with asyncio.timeout(LIMIT), turn(tmp_path, "x"):
        pass


async def test_in_memory_nobody_waits(tmp_path: Path) -> None:
    store = MemoryStore()
    async with asyncio.timeout(LIMIT), store.turn(SERVER), store.turn(SERVER):
        pass
