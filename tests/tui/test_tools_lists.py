"""Panes side by side or in turns, whatever the size."""

import pytest

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
