"""The palette: everything by name."""

from inspector.tui.palette import InspectorCommands
from inspector.tui.widgets.header import TabStrip
from tests.tui.world import Server, main, running, text_of, wait_for


async def test_palette_offers_actions_tabs_and_tools_without_reading_markup() -> None:
    server = Server(tools=[{"name": "[red]x[/nope]", "inputSchema": {}}])
    async with running(server) as (app, pilot):
        await wait_for(pilot, lambda: "2 Tools 1" in text_of(app.query_one(TabStrip)))
        provider = InspectorCommands(app.screen)
        found = [hit.text async for hit in provider.search("nope")]
        assert found == ["Tool: [red]x[/nope]"]
        everything = [hit.text async for hit in provider.discover()]
        assert "Tab: Logs" in everything
        assert "Traffic size" in everything
        await pilot.press("ctrl+p")
        await pilot.press(*"nope")
        await pilot.press("escape")


async def test_a_chosen_action_is_done() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.press(*"tab: logs")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).tab == "logs")
