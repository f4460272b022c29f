"""Servers that other people wrote: every feature of the session, over every transport."""

import pytest

from inspector.config.targets import Target
from inspector.errors import RequestCancelled
from inspector.protocol.messages import Json
from inspector.protocol.versions import HANDSHAKE_REVISIONS, Revision
from inspector.session.asks import Policy
from inspector.session.pending import Failure, Lost, Success
from inspector.session.roots import Root
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.session.scene import soon

pytestmark = pytest.mark.peer
EVERYTHING_TOOLS = 16


def bench_on(target: Target, protocol: str = "handshake") -> Workbench:
    """A workbench on a real server."""
    roots = (Root("file:///srv/data", "data"),)
    return Workbench(target, options=Options(protocol=protocol, no_record=True, roots=roots))


def text_of(outcome: object) -> str:
    """The first text of a tool's result."""
    assert isinstance(outcome, Success), outcome
    assert isinstance(outcome.result, dict)
    blocks = outcome.result["content"]
    assert isinstance(blocks, list)
    assert isinstance(blocks[0], dict)
    return str(blocks[0]["text"])


async def call(bench: Workbench, tool: str, **arguments: Json) -> str:
    """Calls a tool; the text that it answers."""
    made = await soon(bench.session.call_tool(tool, arguments))
    return text_of(await soon(made.wait()))


@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
async def test_python_servers_are_listed_read_and_called(package: str) -> None:
    async with bench_on(real.python_server(package)) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        assert state.revision is Revision.V2025_11_25
        tools = await soon(bench.session.catalog.look("tools"))
        assert tools.state == "ready"
        assert tools.find("name", "add") is not None
        assert await call(bench, "add", a=2, b=3) == "5"
        wrong = await soon(bench.session.call_tool("add", {"a": "x"}))
        outcome = await soon(wrong.wait())
        assert isinstance(outcome, Failure) or b'"isError":true' in outcome_raw(outcome)
        read = await soon(bench.session.read_resource("memo://greeting"))
        assert b"hello" in outcome_raw(await soon(read.wait()))
        prompt = await soon(bench.session.get_prompt("review", {"code": "x = 1"}))
        assert b"x = 1" in outcome_raw(await soon(prompt.wait()))
        unknown = await soon(bench.session.request("no/such", {}))
        assert isinstance(await soon(unknown.wait()), Failure)
        assert await soon(bench.session.ping()) > 0


def outcome_raw(outcome: object) -> bytes:
    """The exact text of a result, without blanks."""
    assert isinstance(outcome, Success), outcome
    return outcome.raw.replace(b'": ', b'":')


@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
@pytest.mark.parametrize("revision", HANDSHAKE_REVISIONS)
async def test_every_revision_of_the_era_can_be_pinned(package: str, revision: Revision) -> None:
    async with bench_on(real.python_server(package), revision.value) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        assert state.revision is revision
        assert await call(bench, "add", a=2, b=3) == "5"


async def test_a_python_server_over_http(python_http_url: str) -> None:
    async with bench_on(Target(url=python_http_url)) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        assert await call(bench, "add", a=2, b=3) == "5"
        assert (await soon(bench.reconnect())).ready
        assert await call(bench, "shout", text="again") == "AGAIN"


async def test_a_python_server_over_http_with_sse(python_sse_url: str) -> None:
    async with bench_on(Target(url=python_sse_url)) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        assert state.transport is not None
        assert state.transport.kind == "sse"
        assert await call(bench, "add", a=2, b=3) == "5"


async def play(bench: Workbench) -> None:
    """What server-everything offers, from lists to tasks."""
    state = await soon(bench.connect())
    assert state.ready, state.error
    session = bench.session
    tools = await soon(session.catalog.look("tools"))
    assert len(tools.items) >= EVERYTHING_TOOLS
    assert len(tools.items) == len(tools.raw)
    assert await call(bench, "echo", message="hi") == "Echo: hi"
    slow = await soon(
        session.call_tool("trigger-long-running-operation", {"duration": 0.4, "steps": 4})
    )
    assert isinstance(await soon(slow.wait()), Success)
    assert slow.progress is not None
    assert (slow.progress.progress, slow.progress.total) == (4.0, 4.0)
    assert "file:///srv/data" in await call(bench, "get-roots-list")


async def cancel_one(bench: Workbench) -> None:
    """A cancelled call, and the session after it."""
    long = await soon(
        bench.session.call_tool("trigger-long-running-operation", {"duration": 60, "steps": 2})
    )
    await soon(long.cancel("enough"))
    outcome = await soon(long.wait())
    assert isinstance(outcome, Lost)
    assert isinstance(outcome.error, RequestCancelled)
    assert await call(bench, "echo", message="still here") == "Echo: still here"


@pytest.mark.node
@pytest.mark.parametrize("transport", ["stdio", "http", "sse"])
async def test_everything_can_be_played_over_every_transport(
    transport: str, request: pytest.FixtureRequest
) -> None:
    if transport == "stdio":
        target = real.everything()
    else:
        target = Target(url=request.getfixturevalue(f"everything_{transport}_url"))
    async with bench_on(target) as bench:
        await play(bench)
        await cancel_one(bench)


@pytest.mark.node
@pytest.mark.parametrize("transport", ["stdio", "http"])
async def test_everything_asks_back_and_gets_its_answers(
    transport: str, request: pytest.FixtureRequest
) -> None:
    if transport == "stdio":
        target = real.everything()
    else:
        target = Target(url=request.getfixturevalue(f"everything_{transport}_url"))
    async with bench_on(target) as bench:
        assert (await soon(bench.connect())).ready
        inbox = bench.session.inbox
        asking = await soon(bench.session.call_tool("trigger-elicitation-request", {}))
        ask = await soon(inbox.wait_open())
        assert (ask.kind, ask.cause) == ("elicitation", asking.number)
        assert ask.cause_from == ("stream" if transport == "http" else "only-call")
        await soon(inbox.accept(ask.number, {"name": "Ada"}))
        assert "Ada" in str(await soon(asking.wait()))
        sampling = await soon(
            bench.session.call_tool("trigger-sampling-request", {"prompt": "say hi"})
        )
        ask = await soon(inbox.wait_open())
        assert ask.kind == "sampling"
        message: Json = {"type": "text", "text": "hi from a person"}
        answer: dict[str, Json] = {"role": "assistant", "content": message, "model": "me"}
        await soon(inbox.accept(ask.number, answer))
        assert "hi from a person" in str(await soon(sampling.wait()))
        inbox.set_policy("sampling", Policy("decline"))
        declined = await soon(
            bench.session.call_tool("trigger-sampling-request", {"prompt": "say hi"})
        )
        assert "rejected" in str(await soon(declined.wait()))


@pytest.mark.node
async def test_everything_runs_a_task_to_its_end() -> None:
    """2025-11-25 basic/utilities/tasks: a tool that requires it, called as a task unasked."""
    async with bench_on(real.everything()) as bench:
        assert (await soon(bench.connect())).ready
        await soon(bench.session.catalog.look("tools"))
        made = await soon(bench.session.call_tool("simulate-research-query", {"topic": "tides"}))
        assert "tides" in text_of(await soon(made.wait()))
        assert made.task_id is not None
        known = bench.session.tasks.find(made.task_id)
        assert known is not None
        assert known.status == "completed"
        await soon(bench.session.tasks.list_all())


@pytest.mark.node
async def test_everything_completes_subscribes_and_logs() -> None:
    async with bench_on(real.everything()) as bench:
        assert (await soon(bench.connect())).ready
        session = bench.session
        found = await soon(
            session.complete(
                {"type": "ref/prompt", "name": "completable-prompt"}, "department", "E"
            )
        )
        assert found.values == ("Engineering",)
        resources = await soon(session.catalog.look("resources"))
        item = resources.items[0]
        assert isinstance(item, dict)
        uri = str(item["uri"])
        assert isinstance((await soon(session.subscribe(uri))).outcome, Success)
        assert session.subscriptions.find(uri) is not None
        assert isinstance((await soon(session.unsubscribe(uri))).outcome, Success)
        assert session.subscriptions.items == ()
        await soon(session.set_log_level("debug"))
        assert session.state.log_level == "debug"
