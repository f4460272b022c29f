"""Asks open where the user is, one at a time, and each once."""

from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.asks import AsksView
from inspector.tui.widgets.ask_panel import AskPanel
from tests.tui.askers import (
    Asker,
    answered,
    ask_in_dialog,
    asks_of,
    dialog,
    elicitation,
    sampling,
    session_of,
    tab,
    tell,
)
from tests.tui.world import running, text_of, wait_for


async def test_an_ask_opens_where_the_user_is() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, sampling(900))
        assert "six times nine" in text_of(screen.query_one("#ask-question"))


async def test_asks_come_one_after_the_other_in_their_order() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        tell(app, server, sampling(900))
        tell(app, server, elicitation(901))
        first = await dialog(pilot, app)
        await wait_for(pilot, lambda: len(asks_of(app)) == 2)
        assert first.number == asks_of(app)[0].number
        assert len(app.screen_stack) == 2
        await pilot.press("ctrl+s")
        await answered(pilot, server, 900)
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen) and app.screen is not first)
        second = await dialog(pilot, app)
        assert second.number == asks_of(app)[1].number


async def test_an_ask_that_was_put_off_does_not_come_back_by_itself() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.main)
        tell(app, server, elicitation(901))
        screen = await dialog(pilot, app)
        assert screen.number == asks_of(app)[1].number
        assert asks_of(app)[0].is_open


async def test_in_the_asks_tab_nothing_pops_up_and_nothing_does_after_it_is_left() -> None:
    server = Asker()
    async with running(server, plain=False) as (app, pilot):
        await tab(pilot, app, "5", AsksView)
        tell(app, server, sampling(900))
        await wait_for(pilot, lambda: app.query_one(AskPanel).ask is not None)
        await pilot.press("alt+1")
        await wait_for(pilot, lambda: app.main is not None and app.main.tab == "server")
        for _ in range(20):
            await pilot.pause(0.01)
        assert app.screen is app.main


async def test_an_ask_waits_while_another_dialog_is_open() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await pilot.press("f1")
        await wait_for(pilot, lambda: app.screen is not app.main)
        tell(app, server, sampling(900))
        await wait_for(pilot, lambda: session_of(app).inbox.open_count == 1)
        await pilot.pause(0.2)
        assert not isinstance(app.screen, AskScreen)
        await pilot.press("escape")
        await dialog(pilot, app)


async def test_asks_of_a_session_after_a_reconnect_open_too() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("ctrl+s")
        await answered(pilot, server, 900)
        await wait_for(pilot, lambda: app.screen is app.main)
        old = session_of(app)
        await pilot.press("f5")
        await wait_for(pilot, lambda: session_of(app) is not old and session_of(app).state.ready)
        await ask_in_dialog(pilot, app, server, sampling(901))
