"""Panes side by side or in turns, whatever the size."""

import pytest

from inspector.tui.views.tools import ToolsView
from tests.tui.test_tools import ItemServer, choose, tools_on
from tests.tui.world import wait_for


async def test_f6_goes_round_the_panes() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "add")
        view.rows.focus()
        for pane in ("form", "result", "list"):
            await pilot.press("f6")
            inside = view.query_one(f"#pane-{pane}")
            await wait_for(pilot, lambda inside=inside: inside.has_focus_within)  # type: ignore[misc]


@pytest.mark.parametrize("size", [(50, 20), (80, 24), (120, 40), (200, 50), (20, 8), (1, 2)])
async def test_every_size_is_drawn(size: tuple[int, int]) -> None:
    async with tools_on(ItemServer(), size) as (_, pilot, view):
        await choose(pilot, view, "add")
        for _ in range(3):
            await pilot.press("f6")
            await pilot.pause()
        shown = [
            name for name in ("list", "form", "result") if view.query_one(f"#pane-{name}").display
        ]
        assert shown
        if 62 <= size[0] < 96:
            assert "list" in shown
            assert len(shown) == 2


async def test_the_cursor_stays_on_its_item_when_the_list_is_read_again() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        await choose(pilot, view, "echo")
        assert isinstance(server.tools, list)
        server.tools = server.tools[1:]
        await pilot.press("r")
        await wait_for(pilot, lambda: len(view.rows.items) == 7)
        assert view.rows.current is not None
        assert view.rows.current.name == "echo"
        del app


async def test_escape_leads_from_the_result_over_the_form_back_to_the_list() -> None:
    async with tools_on(ItemServer(), (80, 24)) as (_, pilot, view):
        await choose(pilot, view, "add")
        await pilot.press("enter")
        await wait_for(pilot, lambda: view.query_one("#pane-form").has_focus_within)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: view.query_one("#pane-result").has_focus_within)
        for pane in ("form", "list"):
            await pilot.press("escape")
            inside = view.query_one(f"#pane-{pane}")
            await wait_for(pilot, lambda inside=inside: inside.has_focus_within)  # type: ignore[misc]


async def test_escape_in_the_list_ends_the_filter_and_closes_the_page_about_an_item() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "add")
        view.rows.focus()
        await pilot.press("slash", *"add", "enter")
        await wait_for(pilot, lambda: len(view.rows.shown) == 1 and view.rows.has_focus)
        await pilot.press("f7")
        await wait_for(pilot, lambda: view.has_class("-about"))
        await pilot.press("escape")
        await wait_for(pilot, lambda: not view.has_class("-about"))
        view.rows.focus()
        await pilot.press("escape")
        await wait_for(pilot, lambda: len(view.rows.shown) == 8)


async def test_a_view_that_is_still_being_put_together_has_an_empty_list() -> None:
    view = ToolsView(id="view-tools")
    assert list(view.rows.items) == []
    assert view.result.past is None
