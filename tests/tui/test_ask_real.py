"""Questions of real servers answered in the interface, in both eras: forms, models, and rounds."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea

from inspector.config.targets import Target
from inspector.protocol.messages import RawJson
from inspector.session.asks import Policy
from inspector.session.pending import Call, Failure, Lost, Success
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.screens.dialogs import EditDialog
from inspector.tui.views.tools import ToolsView
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.session.test_real_peers import text_of as said_in
from tests.tui.askers import asks_of, dialog, session_of
from tests.tui.world import text_of, wait_for

pytestmark = pytest.mark.peer
PATIENCE = 20
"""Times the usual number of turns: a process has to start."""
ERAS = ("2025-11-25", "modern")


async def patiently(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """As `wait_for`, for what takes another process."""
    for turn in range(PATIENCE):
        try:
            await wait_for(pilot, condition)
        except AssertionError:
            if turn == PATIENCE - 1:
                raise
        else:
            return


@asynccontextmanager
async def on(target: Target, protocol: str) -> AsyncIterator[tuple[InspectorApp, Pilot[int]]]:
    """The interface on that server, ready."""
    options = Options(no_record=True, protocol=protocol)
    app = InspectorApp(lambda wanted: Workbench(wanted, options=options), target)
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        try:
            await patiently(pilot, lambda: session_of(app).state.phase is Phase.READY)
            yield app, pilot
        finally:
            app.close_bridge()
    assert app.defect is None


async def call_by_key(app: InspectorApp, pilot: Pilot[int], tool: str) -> Call:
    """Calls a tool as a user does."""
    app.open_item("tools", tool)
    await patiently(pilot, lambda: bool(app.query(ToolsView)))
    view = app.query_one(ToolsView)
    await patiently(
        pilot, lambda: view.item is not None and view.item.name == tool and view.form is not None
    )
    await pilot.press("ctrl+r")
    await wait_for(pilot, lambda: view.result.past is not None)
    assert view.result.past is not None
    return view.result.past.call


async def next_dialog(app: InspectorApp, pilot: Pilot[int], number: int) -> AskScreen:
    """The dialog of the ask with that number."""
    await patiently(
        pilot, lambda: isinstance(app.screen, AskScreen) and app.screen.number == number
    )
    return await dialog(pilot, app)


@pytest.fixture(scope="module")
def demo_url() -> Iterator[str]:
    """The demo server over HTTP."""
    port = real.free_port()
    with real.running(real.demo("--http", str(port)), port) as origin:
        yield f"{origin}/mcp"


@pytest.fixture(params=["stdio", "http"])
def demo(request: pytest.FixtureRequest) -> Target:
    """The demo server, on the official SDK, over each transport."""
    if request.param == "stdio":
        return real.demo()
    return Target(url=request.getfixturevalue("demo_url"))


@pytest.mark.parametrize("protocol", ERAS)
async def test_a_form_and_a_model_are_answered_by_keyboard(demo: Target, protocol: str) -> None:
    async with on(demo, protocol) as (app, pilot):
        call = await call_by_key(app, pilot, "ask_form")
        await next_dialog(app, pilot, 1)
        await pilot.press(*"Ada", "ctrl+s")
        await patiently(pilot, lambda: call.done and app.screen is app.main)
        assert call.outcome is not None
        assert "'name': 'Ada'" in said_in(call.outcome)

        call = await call_by_key(app, pilot, "ask_model")
        await next_dialog(app, pilot, 2)
        await pilot.press(*"six", "ctrl+s")
        await patiently(pilot, lambda: call.done and app.screen is app.main)
        assert call.outcome is not None
        assert said_in(call.outcome) == "human said: six"


@pytest.mark.parametrize("protocol", ERAS)
async def test_a_declined_form_is_an_answer_in_both_eras(protocol: str) -> None:
    async with on(real.demo(), protocol) as (app, pilot):
        call = await call_by_key(app, pilot, "ask_form")
        await next_dialog(app, pilot, 1)
        await pilot.press("ctrl+d")
        await patiently(pilot, lambda: call.done)
        assert call.outcome is not None
        assert said_in(call.outcome) == "You chose to decline."


async def test_a_declined_model_ends_the_call_where_nothing_can_say_no() -> None:
    """2026-07-28 basic/patterns/mrtr; the handshake era has an error for it."""
    async with on(real.demo(), "modern") as (app, pilot):
        call = await call_by_key(app, pilot, "ask_model")
        await next_dialog(app, pilot, 1)
        sent = len(session_of(app).calls)
        await pilot.press("ctrl+d")
        await patiently(pilot, lambda: call.done and app.screen is app.main)
        assert isinstance(call.outcome, Lost)
        assert len(session_of(app).calls) == sent  # no further request of any kind


async def test_two_rounds_are_stepped_through_and_the_sealed_state_goes_back_unharmed() -> None:
    async with on(real.modern_server(), "modern") as (app, pilot):
        session_of(app).inbox.set_policy("round", Policy("ask"))
        call = await call_by_key(app, pilot, "introduce")
        await next_dialog(app, pilot, 1)
        await pilot.press(*"Ada", "ctrl+s")
        step = await next_dialog(app, pilot, 2)
        await wait_for(pilot, lambda: '"Ada"' in text_of(step.query_one("#ask-question")))
        assert call.waiting_for_us
        await pilot.press("ctrl+s")
        await next_dialog(app, pilot, 3)  # a model; the roots are answered by policy
        await pilot.press(*"Hello", "ctrl+s")
        await next_dialog(app, pilot, 5)
        assert [(ask.kind, ask.round) for ask in asks_of(app)] == [
            ("elicitation", 1),
            ("round", 1),
            ("sampling", 2),
            ("roots", 2),
            ("round", 2),
        ]
        await pilot.press("ctrl+s")
        await patiently(pilot, lambda: call.done)
        assert isinstance(call.outcome, Success)
        assert "says Hello in" in said_in(call.outcome)


async def test_a_state_that_was_edited_reaches_the_server_which_refuses_it() -> None:
    async with on(real.modern_server(), "modern") as (app, pilot):
        session_of(app).inbox.set_policy("round", Policy("ask"))
        call = await call_by_key(app, pilot, "introduce")
        await next_dialog(app, pilot, 1)
        await pilot.press("ctrl+d")
        await next_dialog(app, pilot, 2)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        area = app.screen.query_one(TextArea)
        area.load_text(area.text.replace('"requestState": "', '"requestState": "forged '))
        await pilot.press("ctrl+s")
        await patiently(pilot, lambda: call.done)
        assert isinstance(call.outcome, Failure)
        assert "requestState" in call.outcome.message
        assert "ten minutes" in call.outcome.hint
        sent = session_of(app).calls[-1].params
        assert isinstance(sent, RawJson)
        assert b'"requestState":"forged ' in bytes(sent)
