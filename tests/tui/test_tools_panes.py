"""Requests from a form: refused ones are explained, several may run at once."""

from inspector.session.pending import Lost
from inspector.tui.widgets.history import HistoryList
from tests.tui.test_tools import ItemServer, choose, head, tools_on
from tests.tui.world import main, wait_for


async def test_a_call_without_a_session_is_explained_and_not_sent() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        bench = app.bridge.workbench
        app.bridge.post(bench.disconnect)
        await wait_for(pilot, lambda: bench.session.state.over)
        view.action_act()
        await wait_for(pilot, lambda: any("Not sent" in note.title for note in app._notifications))
        assert server.calls("tools/call") == []


async def test_several_calls_run_at_once_and_each_is_in_the_history() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "hangs")
        await pilot.press("ctrl+r", "ctrl+r")
        await wait_for(pilot, lambda: len(view.history.of("hangs")) == 2)
        listed = view.result.query_one(HistoryList)
        await wait_for(pilot, lambda: len(listed.shown) == 2)
        await pilot.press("ctrl+x")
        await wait_for(pilot, lambda: sum(p.call.done for p in view.history.of("hangs")) == 1)
        await pilot.press("ctrl+x")
        await wait_for(pilot, lambda: all(past.call.done for past in view.history.of("hangs")))


async def test_a_lost_connection_ends_the_running_call() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await choose(pilot, view, "hangs")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "running" in head(view))
        past = view.result.past
        assert past is not None
        app.bridge.post(app.bridge.workbench.disconnect)
        await wait_for(pilot, lambda: isinstance(past.call.outcome, Lost))
        main(app).show_tab("tools")
        await wait_for(pilot, lambda: "no answer" in head(view))
