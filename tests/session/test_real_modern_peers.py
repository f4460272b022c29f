"""The modern era (2026-07-28) on servers that other people wrote, over stdio and HTTP."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest

from inspector.config.targets import Target
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Revision
from inspector.session.pending import Call, Lost, Outcome, Success
from inspector.session.roots import Root
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.session.scene import soon
from tests.session.test_real_peers import text_of

pytestmark = pytest.mark.peer


@pytest.fixture(scope="module")
def modern_url() -> Iterator[str]:
    """A running modern server; yields its URL."""
    port = real.free_port()
    with real.running(real.modern_server("http", port), port) as origin:
        yield f"{origin}/mcp"


@pytest.fixture(params=["stdio", "http"])
def target(request: pytest.FixtureRequest) -> Target:
    """The modern server over each transport."""
    if request.param == "stdio":
        return real.modern_server()
    return Target(url=request.getfixturevalue("modern_url"))


@asynccontextmanager
async def on(target: Target, protocol: str = "modern") -> AsyncIterator[Workbench]:
    """A workbench that is connected."""
    options = Options(protocol=protocol, no_record=True, roots=(Root("file:///srv", "srv"),))
    async with Workbench(target, options=options) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        yield bench


async def called(bench: Workbench, tool: str, **arguments: Json) -> tuple[Call, Outcome]:
    """Calls a tool that asks nothing."""
    call = await soon(bench.session.call_tool(tool, arguments))
    return call, await soon(call.wait())


async def test_everything_is_listed_read_and_called(target: Target) -> None:
    async with on(target) as bench:
        assert bench.session.state.revision is Revision.V2026_07_28
        assert bench.session.state.server_info["name"] == "modern-sdk"
        tools = await soon(bench.session.catalog.look("tools"))
        assert tools.find("name", "introduce") is not None
        read = await soon(bench.session.read_resource("memo://greeting"))
        assert isinstance(await soon(read.wait()), Success)
        prompt = await soon(bench.session.get_prompt("review", {"code": "x"}))
        assert isinstance(await soon(prompt.wait()), Success)


async def test_a_marked_argument_travels_as_a_header(modern_url: str) -> None:
    async with on(Target(url=modern_url)) as bench:
        await soon(bench.session.catalog.look("tools"))
        _, outcome = await called(bench, "where", region="Zürich")
        assert text_of(outcome) == "Zürich|=?base64?WsO8cmljaA==?="


async def test_questions_in_results_are_asked_and_answered(target: Target) -> None:
    async with on(target) as bench:
        inbox = bench.session.inbox
        call = await soon(bench.session.call_tool("introduce", {}))
        form = await soon(inbox.wait_open())
        assert (form.kind, form.key, form.cause) == ("elicitation", "who", call.number)
        await soon(inbox.accept(form.number, {"name": "Ada"}))
        sampling = await soon(inbox.wait_open())  # the roots are answered by policy
        answer: JsonObject = {
            "role": "assistant",
            "content": {"type": "text", "text": "hi"},
            "model": "m",
        }
        await soon(inbox.accept(sampling.number, answer))
        outcome = await soon(call.wait())
        assert text_of(outcome) == "second|first ä 1.10|Ada says hi in 1"


async def test_logs_and_progress_come_with_the_call(target: Target) -> None:
    async with on(target) as bench:
        await soon(bench.session.set_log_level("debug"))
        call, outcome = await called(bench, "work")
        assert text_of(outcome) == "worked"
        assert call.progress is not None
        assert (call.progress.count, call.progress.message) == (2, "done")
        assert len(bench.session.logs.lines) == 1


async def test_a_subscribed_resource_tells_of_its_changes(target: Target) -> None:
    async with on(target) as bench:
        session = bench.session
        await soon(session.catalog.look("tools"))
        call = await soon(session.subscribe("memo://greeting"))
        assert not call.done
        await called(bench, "touch")

        def heard() -> bool:
            found = session.subscriptions.find("memo://greeting")
            return found is not None and found.updates == 1

        await soon(bench.changes.until(heard))
        await soon(session.unsubscribe("memo://greeting"))
        assert session.subscriptions.items == ()


async def test_a_cancelled_call_leaves_the_session_usable(target: Target) -> None:
    async with on(target) as bench:
        call = await soon(bench.session.call_tool("introduce", {}))
        await soon(bench.session.inbox.wait_open())
        await soon(call.cancel("enough"))
        assert isinstance(await soon(call.wait()), Lost)
        _, outcome = await called(bench, "work")
        assert text_of(outcome) == "worked"


async def test_a_server_of_the_handshake_era_is_found_by_its_refusal() -> None:
    async with on(real.everything(), "auto") as bench:
        assert bench.session.state.revision is Revision.V2025_11_25
        assert "The probe by server/discover was answered" in bench.session.state.why
