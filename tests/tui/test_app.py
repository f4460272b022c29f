"""The whole interface on a scripted server: ways in, tabs, panes, Ctrl+C, help, palette."""

import asyncio
from unittest.mock import patch

import pytest
from textual.widgets import Static

from inspector.session.state import Phase
from inspector.tui.views.registry import VIEWS
from inspector.tui.widgets.header import Header, HintLine, TabStrip
from inspector.tui.widgets.status import StatusPanel
from tests.tui.world import Server, app_for, main, rows, running, text_of, traffic, wait_for


async def test_header_names_server_revision_and_phase() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: "ready" in text_of(app.query_one(Header)))
        line = text_of(main(app).query_one(Header))
        assert "memory-server 1.2.3" in line
        assert "2025-11-25" in line


async def test_the_frame_is_painted_before_there_is_a_workbench() -> None:
    app = app_for(Server())
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for(pilot, lambda: "1 Server" in text_of(main(app).query_one(TabStrip)))
        app.close_bridge()


async def test_a_ready_session_shows_its_tools_and_counts_them() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(app.query_one(TabStrip)))


@pytest.mark.parametrize("tab", [spec.id for spec in VIEWS])
async def test_leaving_while_a_tab_is_put_together_is_no_defect(tab: str) -> None:
    server = Server(silent=["initialize"])
    async with running(server, until=Phase.NEGOTIATING, plain=False) as (app, _):
        main(app).show_tab(tab)
        await asyncio.sleep(0)
    assert app.defect is None


async def test_what_is_mounted_once_the_app_leaves_is_no_defect() -> None:
    async with running() as (app, pilot):
        holder = main(app).query_one("#traffic")

        async def late() -> None:
            await holder.mount(Static("too late"))

        app.exit(0)
        app.call_next(late)
        await pilot.pause()
    assert app.defect is None
    assert app.return_code == 0


async def test_escape_never_quits() -> None:
    async with running() as (app, pilot):
        for _ in range(5):
            await pilot.press("escape")
        assert app.is_running
        assert app.return_value is None


async def test_ctrl_c_cancels_the_running_call_first_and_then_quits() -> None:
    server = Server(silent=["tools/call"])
    async with running(server) as (app, pilot):
        bench = app.bridge.workbench
        call = await app.bridge.run(lambda: bench.session.call_tool("add", {}))
        await pilot.press("ctrl+c")
        await wait_for(pilot, lambda: call.done)
        await wait_for(pilot, lambda: "notifications/cancelled" in server.seen)
        assert app.return_value is None
        await pilot.press("ctrl+c")
        assert app.return_value == 0


async def test_ctrl_c_says_truly_what_a_second_one_does() -> None:
    server = Server(silent=["tools/call"])
    async with running(server) as (app, pilot):
        bench = app.bridge.workbench
        first = await app.bridge.run(lambda: bench.session.call_tool("add", {}))
        second = await app.bridge.run(lambda: bench.session.call_tool("add", {}))
        said: list[str] = []
        with patch.object(app, "notify_safe", side_effect=said.append):
            await pilot.press("ctrl+c")
            await wait_for(pilot, lambda: second.done)
            assert not first.done
            await pilot.press("ctrl+c")
            await wait_for(pilot, lambda: first.done)
        assert app.return_value is None
        assert said == [
            "Cancelled tools/call add; Ctrl+C again cancels the next call",
            "Cancelled tools/call add; Ctrl+C again quits",
        ]


async def test_ctrl_c_without_a_call_needs_a_second_press() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+c")
        assert app.return_value is None
        await pilot.press("ctrl+c")
        assert app.return_value == 0


async def test_a_failed_connection_shows_what_to_do_next() -> None:
    server = Server(silent=["initialize"])
    async with running(server, until=Phase.NEGOTIATING) as (app, pilot):
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "waits for its answer" in text_of(panel))
        await pilot.press("ctrl+c")
        await wait_for(pilot, lambda: "F5 try again" in text_of(panel))
        server.silent.clear()
        await pilot.press("f5")
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.READY)
        await wait_for(pilot, lambda: main(app).tab == "tools")


async def test_hints_name_the_keys_of_the_focused_pane() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: "/ Filter" in text_of(main(app).query_one(HintLine)))


async def test_hostile_server_text_cannot_reach_the_terminal() -> None:
    name = "evil\x1b]52;c;QUJD\x07[/nope]\u202e"
    server = Server(tools=[{"name": name, "inputSchema": {}}])
    async with running(server) as (app, pilot):
        await app.bridge.run(lambda: app.bridge.workbench.session.call_tool(name, {}))
        await wait_for(pilot, lambda: "evil" in text_of(rows(app)))
        await pilot.press("ctrl+g", "enter")
        for screen_text in (text_of(rows(app)), text_of(traffic(app).detail)):
            assert "\x1b" not in screen_text
            assert "\u202e" not in screen_text
        app.notify_safe(name)
        await pilot.pause()
