"""Requests from a form: refused ones are explained, several may run at once."""

from inspector.journal.entries import Flag, Kind
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Lost
from inspector.tui.screens.dialogs import ConfirmDialog
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.history import HistoryList
from tests.tui.test_tools import ItemServer, choose, head, tools_on
from tests.tui.world import main, running, wait_for


async def test_a_call_without_a_session_is_explained_and_not_sent() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        bench = app.bridge.workbench
        app.bridge.post(bench.disconnect)
        await wait_for(pilot, lambda: bench.session.state.over)
        view.action_act()
        await wait_for(pilot, lambda: any("Not sent" in note.title for note in app._notifications))
        assert server.calls("tools/call") == []


class Undeclaring(ItemServer):
    """Has tools and does not say so."""

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        found = super().result(method, params)
        if method == "initialize" and found is not None:
            found["capabilities"] = {}
        return found


async def test_what_the_server_does_not_declare_is_asked_for_once_the_user_agrees() -> None:
    """2025-11-25 basic/lifecycle: only negotiated capabilities; a debugger may have to."""
    server = Undeclaring()
    async with running(server, plain=False) as (app, pilot):
        main(app).show_tab("tools")
        await wait_for(pilot, lambda: bool(app.query("ToolsView #list")))
        view = app.query_one(ToolsView)
        await wait_for(pilot, lambda: "r asks anyway" in view.rows.empty_text())
        view.rows.focus()
        await pilot.press("r")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert server.calls("tools/list") == []
        await pilot.press("r")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("ctrl+s")
        await choose(pilot, view, "echo")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: len(server.calls("tools/call")) == 1)
        await wait_for(pilot, lambda: app.screen is main(app))
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: len(server.calls("tools/call")) == 2)
        journal = app.bridge.workbench.journal
        rows = [journal.row(number) for number in range(1, len(journal) + 1)]
        sent = [row for row in rows if row.kind is Kind.REQUEST and row.method.startswith("tools/")]
        assert len(sent) == 3
        assert all(Flag.FORCED in row.flags for row in sent)


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
