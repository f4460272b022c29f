"""Time travel in the interface: every tab as of an entry, and back again."""

from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import Header, TabStrip
from inspector.tui.widgets.travel_banner import TravelBanner
from tests.tui.world import Server, main, rows, running, text_of, traffic, wait_for


async def call(app: InspectorApp, pilot: Pilot[int]) -> int:
    """Calls a tool; the entry of the answer."""
    session = app.bridge.workbench.session
    done = await app.bridge.run(lambda: session.call_tool("add", {}))
    await wait_for(pilot, lambda: done.done)
    return done.entry


async def travel(app: InspectorApp, pilot: Pilot[int], number: int) -> None:
    """To entry `number` by the traffic pane."""
    main(app).show_entry(number)
    await wait_for(pilot, lambda: rows(app).entry == number)
    await pilot.press("escape", "t")
    await arrived(app, pilot, number)


async def arrived(app: InspectorApp, pilot: Pilot[int], number: int) -> None:
    """Until the screens show entry `number`."""
    await wait_for(pilot, lambda: main(app).in_past and shown(app) == number)


def shown(app: InspectorApp) -> int:
    """The entry that the screens show, 0 for now."""
    seen = main(app).scene
    return getattr(seen, "number", 0)


def tools(app: InspectorApp) -> list[str]:
    """The names in the Tools tab on show."""
    view = main(app).shown
    assert isinstance(view, ToolsView)
    return [item.name for item in view.rows.items]


async def test_the_state_follows_the_cursor_and_escape_returns() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        listed = max(app.bridge.workbench.session.catalog["tools"].entries)
        await travel(app, pilot, listed - 1)
        assert f"AS OF #{listed - 1}" in text_of(app.query_one(TravelBanner))
        assert tools(app) == []
        await pilot.press("j")
        await arrived(app, pilot, listed)
        await wait_for(pilot, lambda: len(tools(app)) == 2)
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(app.query_one(TabStrip)))
        await pilot.press("escape")
        await wait_for(pilot, lambda: not main(app).in_past)
        assert not app.query_one(TravelBanner).display
        assert rows(app).follow
        assert "ready" in text_of(app.query_one(Header))
        assert traffic(app).rows.as_of is None
