"""The Tools tab in the modern era: header marks, and tools that are rejected for them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.session.features import BAD_MARKS
from inspector.tui.app import InspectorApp
from inspector.tui.screens.dialogs import ConfirmDialog
from inspector.tui.views.tools import ToolsView
from inspector.tui.views.tools_about import AboutItem
from tests.tui.askers import session_of, tab
from tests.tui.modern_world import ModernServer
from tests.tui.test_tools import choose
from tests.tui.world import main, running, text_of, wait_for


def words_of(page: AboutItem) -> str:
    """All that a page says, however it is wrapped."""
    return " ".join(" ".join(text_of(each) for each in page.query("Static")).split())


@asynccontextmanager
async def modern_tools(
    server: ModernServer, protocol: str = "modern"
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ToolsView]]:
    """The Tools tab on `server`."""
    async with running(server, plain=False, protocol=protocol) as (app, pilot):
        view = await tab(pilot, app, "2", ToolsView)
        assert isinstance(view, ToolsView)
        await wait_for(pilot, lambda: len(view.rows.items) == 2)
        yield app, pilot, view


async def test_a_rejected_tool_is_listed_with_the_reason() -> None:
    async with modern_tools(ModernServer()) as (_, pilot, view):
        await wait_for(pilot, lambda: "rejected" in text_of(view.rows))
        assert text_of(view.rows).count("rejected") == 1
        await choose(pilot, view, "broken")
        head = view.query_one("#tool-head")
        await wait_for(pilot, lambda: "'not a token'" in " ".join(text_of(head).split()))


async def test_a_rejected_tool_is_called_only_where_the_user_agrees() -> None:
    server = ModernServer()
    async with modern_tools(server) as (app, pilot, view):
        await choose(pilot, view, "broken")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert "tools/call" not in server.seen
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, ConfirmDialog))
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "tools/call" in server.seen)
        assert BAD_MARKS in session_of(app).permitted


async def test_arguments_that_go_out_as_headers_are_named_with_the_form() -> None:
    async with modern_tools(ModernServer()) as (_, pilot, view):
        await choose(pilot, view, "where")
        head = view.query_one("#tool-head")
        await wait_for(pilot, lambda: "Mcp-Param-Region" in text_of(head))
        await pilot.press("f7")
        await wait_for(pilot, lambda: bool(view.query(AboutItem)))
        page = view.query_one(AboutItem)
        header = "also the header Mcp-Param-Region"
        await wait_for(pilot, lambda: header in words_of(page))


async def test_marks_mean_nothing_in_the_handshake_era_and_are_read_again_after_a_change() -> None:
    async with modern_tools(ModernServer(), "2025-11-25") as (app, pilot, view):
        await choose(pilot, view, "broken")
        assert "rejected" not in text_of(view.rows)
        await app.bridge.run(lambda: app.bridge.workbench.speak("modern"))
        await wait_for(pilot, lambda: "rejected" in text_of(view.rows))


async def test_the_heading_of_the_list_says_that_it_is_fresh() -> None:
    async with modern_tools(ModernServer()) as (_, pilot, view):
        await wait_for(pilot, lambda: "fresh" in text_of(view.query_one("#list-rule")))
