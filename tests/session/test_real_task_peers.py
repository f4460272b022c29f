"""Tasks of the extension on a server that other people wrote: fastmcp with `fastmcp-tasks`.

It is looked for in our own environment, and as `venvs/fastmcp-tasks` in the folder that
`MCP_INSPECT_INTEROP` names.
"""

import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import pytest

from inspector.config.targets import Target
from inspector.protocol.messages import JsonObject
from inspector.session.options import Advertise
from inspector.session.pending import Failure, Lost, Success
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.session.scene import soon
from tests.session.test_real_peers import text_of

pytestmark = pytest.mark.peer
_NAMED: Final = os.environ.get("MCP_INSPECT_INTEROP", "")  # tests do not see the variable


def command(transport: str, port: int = 0) -> Target:
    """The server as a command; skips where it is not there."""
    python = sys.executable
    if find_spec("fastmcp_tasks") is None:
        python = str(Path(_NAMED or "/nowhere") / "venvs" / "fastmcp-tasks" / "bin" / "python")
        if not Path(python).exists():
            pytest.skip("the package fastmcp-tasks is not installed")
    script = Path(real.__file__).with_name("task_server.py")
    return Target(command=(python, str(script), transport, str(port)), name="fastmcp-tasks")


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """A running server; yields its URL."""
    port = real.free_port()
    with real.running(command("http", port), port) as origin:
        yield f"{origin}/mcp"


@asynccontextmanager
async def on(target: Target, advertise: Advertise | None = None) -> AsyncIterator[Workbench]:
    """A workbench that is connected."""
    options = Options(protocol="modern", no_record=True, advertise=advertise or Advertise())
    async with Workbench(target, options=options) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        yield bench


async def test_a_call_ends_with_the_result_of_its_task(url: str) -> None:
    async with on(Target(url=url)) as bench:
        assert bench.session.has_tasks
        call = await soon(bench.session.call_tool("compute", {"number": 3}))
        assert text_of(await soon(call.wait())) == "computed 3"
        (task,) = bench.session.tasks.tasks
        assert (task.status, task.call, task.id) == ("completed", call.number, call.task_id)
        assert task.polls > 1


async def test_the_same_over_stdio() -> None:
    async with on(command("stdio")) as bench:
        call = await soon(bench.session.call_tool("compute", {"number": 3}))
        assert text_of(await soon(call.wait())) == "computed 3"


async def test_what_a_task_needs_is_asked_and_answered(url: str) -> None:
    async with on(Target(url=url)) as bench:
        call = await soon(bench.session.call_tool("greet", {}))
        ask = await soon(bench.session.inbox.wait_open())
        assert (ask.kind, ask.cause) == ("elicitation", call.number)
        assert ask.key  # the server makes its own keys
        await soon(bench.session.inbox.accept(ask.number, {"name": "Ada"}))
        assert text_of(await soon(call.wait())) == "hello Ada"


async def test_a_tool_that_fails_has_completed_its_task(url: str) -> None:
    async with on(Target(url=url)) as bench:
        call = await soon(bench.session.call_tool("fail", {}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success)
        assert isinstance(outcome.result, dict)
        assert outcome.result["isError"] is True


async def test_cancelling_the_call_cancels_the_task(url: str) -> None:
    async with on(Target(url=url)) as bench:
        call = await soon(bench.session.call_tool("wait", {}))
        await soon(bench.changes.until(lambda: call.task_id is not None))
        await soon(call.cancel("enough"))
        assert isinstance(call.outcome, Lost)
        task_id = call.task_id or ""

        async def stands() -> str:
            task = bench.session.tasks.find(task_id)
            return task.status if task is not None else ""

        for _ in range(100):
            if await stands() == "cancelled":
                break
            await soon(bench.session.tasks.get(task_id))
        assert await stands() == "cancelled"


async def test_without_the_extension_the_server_names_what_it_wants(url: str) -> None:
    async with on(Target(url=url), Advertise(tasks=False)) as bench:
        call = await soon(bench.session.call_tool("compute", {"number": 3}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        wanted: JsonObject = {"extensions": {"io.modelcontextprotocol/tasks": {}}}
        assert isinstance(outcome.data, dict)
        assert outcome.data["requiredCapabilities"] == wanted
        assert "switch on extensions.io.modelcontextprotocol/tasks" in outcome.hint
