"""The bridge: a workbench in its own thread, coroutines there, errors back here."""

import asyncio
import threading

import pytest

from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.journal.journal import Journal
from inspector.transport.base import Transport
from inspector.transport.memory import MemoryTransport
from inspector.tui.bridge import Bridge
from inspector.workbench import Options, Workbench
from tests.tui.world import Server


def a_bridge(server: Server | None = None) -> Bridge:
    factory = (server or Server()).transport

    def make() -> Workbench:
        options = Options(no_record=True)
        return Workbench(Target(("x",)), options=options, transport_factory=factory)

    return Bridge(make)


def test_the_workbench_lives_in_a_thread_of_its_own() -> None:
    bridge = a_bridge()
    bridge.start()
    assert bridge.settled.wait(10)
    assert bridge.ready

    async def where() -> str:
        return threading.current_thread().name

    async def ask() -> str:
        return await bridge.run(where)

    assert asyncio.run(ask()) == "workbench"
    bridge.stop()
    bridge.stop()


def test_run_hands_on_results_and_errors() -> None:
    bridge = a_bridge()
    bridge.start()
    assert bridge.settled.wait(10)

    async def fails() -> None:
        raise UsageError("no")

    async def ask() -> None:
        with pytest.raises(UsageError):
            await bridge.run(fails)
        state = await bridge.run(bridge.workbench.connect)
        assert state.ready

    asyncio.run(ask())
    bridge.stop()


def test_what_a_posted_coroutine_raises_is_kept_for_the_screen() -> None:
    bridge = a_bridge()
    bridge.start()
    assert bridge.settled.wait(10)
    done = threading.Event()

    async def fails() -> None:
        try:
            raise UsageError("no")
        finally:
            done.set()

    bridge.post(fails)
    assert done.wait(10)
    bridge.stop()
    assert [str(error) for error in bridge.errors] == ["no"]


def test_cancelling_here_cancels_there() -> None:
    bridge = a_bridge()
    bridge.start()
    assert bridge.settled.wait(10)
    begun, cancelled = threading.Event(), threading.Event()

    async def endless() -> None:
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async def ask() -> None:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(bridge.run(endless))
            await asyncio.to_thread(begun.wait, 10)
            task.cancel()

    asyncio.run(ask())
    assert cancelled.wait(10)
    bridge.stop()


def test_a_workbench_that_cannot_be_made_is_said_and_not_raised() -> None:
    def make() -> Workbench:
        raise UsageError("no such thing")

    bridge = Bridge(make)
    bridge.start()
    assert bridge.settled.wait(10)
    assert isinstance(bridge.failure, UsageError)
    assert not bridge.ready
    with pytest.raises(RuntimeError):
        _ = bridge.workbench
    bridge.stop()


def test_whoever_stops_it_second_waits_for_the_end_too() -> None:
    """A signal closes from two threads: neither may end the process while the other still does."""
    began, release = threading.Event(), threading.Event()

    class Slow(MemoryTransport):
        async def close(self) -> None:
            began.set()
            await asyncio.to_thread(release.wait, 10)
            await super().close()

    def transport(_: Target, journal: Journal, connection: int) -> Transport:
        return Slow(journal, connection, Server().respond)

    def make() -> Workbench:
        options = Options(no_record=True)
        return Workbench(Target(("x",)), options=options, transport_factory=transport)

    bridge = Bridge(make)
    bridge.start()
    assert bridge.settled.wait(10)
    asyncio.run(bridge.run(bridge.workbench.connect))
    first, second = (threading.Thread(target=bridge.stop) for _ in range(2))
    first.start()
    assert began.wait(10)
    second.start()
    second.join(0.1)
    assert second.is_alive()
    release.set()
    for thread in (first, second):
        thread.join(10)
        assert not thread.is_alive()
