"""The panel: live, one key away from anywhere, and each line a way to its entry."""

from textual.pilot import Pilot

from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.hanging import HangingScreen
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import session_of
from tests.tui.world import Server, main, rows, running, text_of, wait_for


async def panel(pilot: Pilot[int], app: InspectorApp) -> HangingScreen:
    """The panel, once it shows something."""
    await pilot.press("alt+w")
    await wait_for(pilot, lambda: isinstance(app.screen, HangingScreen))
    screen = app.screen
    assert isinstance(screen, HangingScreen)
    await wait_for(pilot, lambda: screen.is_mounted and len(screen.lines.items) > 0)
    return screen


async def test_a_call_without_an_answer_is_named_and_enter_goes_there() -> None:
    server = Server(silent=["tools/call"])
    async with running(server, (80, 24), plain=False) as (app, pilot):
        call = await app.bridge.run(lambda: session_of(app).call_tool("add", {}))
        screen = await panel(pilot, app)
        assert f"tools/call add #{call.entry}" in text_of(screen.lines)
        assert "we wait for the server" in text_of(screen.lines)
        await pilot.press("enter")
        await wait_for(pilot, lambda: app.screen is main(app))
        await wait_for(pilot, lambda: rows(app).entry == call.entry)


async def test_what_happens_meanwhile_is_shown_without_moving_the_cursor() -> None:
    server = Server(silent=["tools/call"])
    async with running(server, plain=False) as (app, pilot):
        screen = await panel(pilot, app)
        assert "Nothing is waited for" in text_of(screen.lines)
        await pilot.press("end")
        line = screen.lines.current
        assert line is not None
        await app.bridge.run(lambda: session_of(app).call_tool("echo", {}))
        screen.look()
        await wait_for(pilot, lambda: "tools/call echo" in text_of(screen.lines))
        now = screen.lines.current
        assert now is not None
        assert now.key[0] == line.key[0]


async def test_it_can_be_copied_and_closed() -> None:
    async with running(plain=False) as (app, pilot):
        await panel(pilot, app)
        await pilot.press("y")
        assert app.clipboard.startswith("▶ Nothing is waited for")
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))


async def test_it_leads_to_the_asks() -> None:
    async with running(plain=False) as (app, pilot):
        screen = await panel(pilot, app)
        await wait_for(pilot, lambda: "Esc Close" in text_of(screen.query_one(HintLine)))
        assert "Asks" not in text_of(screen.query_one(HintLine))  # none waits
        await pilot.press("a")
        await wait_for(pilot, lambda: main(app).tab == "asks")


async def test_it_says_why_while_a_session_does_not_open() -> None:
    server = Server(silent=["initialize"])
    async with running(server, until=Phase.NEGOTIATING, plain=False) as (app, pilot):
        screen = await panel(pilot, app)
        await wait_for(pilot, lambda: "initialize" in text_of(screen.lines))
        assert "as of now" in text_of(screen.query_one("#hanging-rule", Rule))
