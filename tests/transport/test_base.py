"""The choice of a transport for a target, and the scope that owns its tasks."""

import asyncio
import subprocess
import sys
from contextlib import suppress

import pytest

from inspector.config.targets import Target, TransportChoice
from inspector.errors import UsageError
from inspector.journal.journal import Journal
from inspector.transport.base import Scope, finish, make_transport


@pytest.mark.parametrize(
    ("target", "name"),
    [
        (Target(command=("server",)), "StdioTransport"),
        (Target(url="http://127.0.0.1/mcp"), "HttpAuto"),
        (Target(url="http://127.0.0.1/mcp", transport="http"), "HttpAuto"),
        (Target(url="http://127.0.0.1/sse", transport="sse"), "HttpSse"),
    ],
)
async def test_a_target_gets_its_transport(target: Target, name: str) -> None:
    journal = Journal()
    transport = make_transport(target, journal, 1)
    assert type(transport).__name__ == name
    assert transport.facts.state == "closed"
    await transport.close()
    journal.close()


@pytest.mark.parametrize(
    ("command", "url", "choice"),
    [
        (("server",), "http://127.0.0.1/", "auto"),
        ((), "", "auto"),
        (("server",), "", "http"),
        ((), "http://127.0.0.1/", "stdio"),
        ((), "ftp://127.0.0.1/", "http"),
    ],
)
def test_a_target_that_makes_no_sense_is_refused(
    command: tuple[str, ...], url: str, choice: TransportChoice
) -> None:
    journal = Journal()
    with pytest.raises(UsageError):
        make_transport(Target(command=command, url=url, transport=choice), journal, 1)
    journal.close()


def test_a_command_never_loads_httpx() -> None:
    code = (
        "import sys, asyncio\n"
        "from inspector.transport import base, stdio, memory, replay\n"
        "sys.exit('httpx' in sys.modules or 'pydantic' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


async def test_leaving_a_scope_cancels_and_awaits_its_tasks() -> None:
    scope = Scope()
    await scope.enter()
    ended = asyncio.Event()

    async def work() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    scope.spawn(work())
    await asyncio.sleep(0)
    await scope.leave()
    await scope.leave()
    assert ended.is_set()


async def test_a_scope_may_be_left_by_another_task_than_entered_it() -> None:
    scope = Scope()
    async with asyncio.TaskGroup() as group:
        await group.create_task(scope.enter())
    scope.spawn(asyncio.sleep(1000))
    async with asyncio.TaskGroup() as group:
        group.create_task(scope.leave())
    assert not scope.entered


async def test_finish_outlasts_cancellation_and_passes_it_on() -> None:
    release, done = asyncio.Event(), asyncio.Event()

    async def cleanup() -> None:
        await release.wait()
        done.set()

    async with asyncio.TaskGroup() as group:
        task = group.create_task(cleanup())
        waiting = group.create_task(finish(task))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.sleep(0)
        assert not waiting.done()
        release.set()
        with suppress(asyncio.CancelledError):
            await waiting
        assert waiting.cancelled()
    assert done.is_set()
