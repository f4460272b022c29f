"""Time travel in the interface: every tab as of an entry, and back again."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from inspector.protocol.messages import JsonObject
from inspector.session.inbox import Cause
from inspector.session.pending import Success
from inspector.tui.app import InspectorApp
from inspector.tui.open_rows import OpenLine
from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.asks import AsksView
from inspector.tui.views.registry import VIEWS
from inspector.tui.views.server import ServerView
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import Header, TabStrip
from inspector.tui.widgets.travel_banner import TravelBanner
from tests.tui.world import Server, encode, main, rows, running, text_of, traffic, wait_for


class Asking(Server):
    """Asks something as soon as it can."""

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """As ever, and a question behind the list of tools."""
        yield from super().respond(raw)
        if b'"tools/list"' in raw:
            params: JsonObject = {"message": "who?", "requestedSchema": {"type": "object"}}
            yield encode(
                {"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": params}
            )


async def call(app: InspectorApp, pilot: Pilot[int]) -> int:
    """Calls a tool; the entry of the answer."""
    session = app.bridge.workbench.session
    done = await app.bridge.run(lambda: session.call_tool("add", {}))
    await wait_for(pilot, lambda: done.done)
    assert isinstance(done.outcome, Success)
    return done.outcome.entry


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


async def test_steps_go_from_anywhere_and_the_calls_are_those_of_then() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        said = await call(app, pilot)
        await travel(app, pilot, said)
        await pilot.press("2")
        await pilot.press("alt+left")
        await arrived(app, pilot, said - 1)
        view = main(app).shown
        assert isinstance(view, ToolsView)
        await wait_for(pilot, lambda: view.result.past is not None)
        assert view.result.past is not None
        assert not view.result.past.call.done
        await pilot.press("alt+right")
        await arrived(app, pilot, said)
        await wait_for(pilot, lambda: view.result.past is not None and view.result.past.call.done)
        await pilot.press("alt+left", "alt+left")
        await arrived(app, pilot, said - 2)
        await wait_for(pilot, lambda: view.result.past is None)


async def test_nothing_is_sent_from_the_past_and_the_user_is_told_why() -> None:
    server = Server()
    async with running(server, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        said = await call(app, pilot)
        await travel(app, pilot, said - 1)  # a request of ours
        before, bench = len(app.bridge.workbench.journal), app.bridge.workbench
        session, advertise = bench.session, bench.options.advertise
        told: list[str] = []
        with patch.object(app, "notify_safe", side_effect=lambda text, **_: told.append(text)):
            await pilot.press("2", "ctrl+r", "f5", "f2", "f4", "f3", "ctrl+g", "r", "1", "p", "a")
            for _ in range(40):
                await pilot.press("enter", "down")
        assert len(told) >= 8
        assert [text for text in told if "Esc returns to now" not in text] == []
        assert app.screen is main(app)
        assert bench.session is session
        assert bench.options.advertise == advertise
        assert len(bench.journal) == before


async def test_traffic_of_now_goes_on_and_is_drawn_as_not_there_yet() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        listed = max(app.bridge.workbench.session.catalog["tools"].entries)
        await travel(app, pilot, listed)
        last = await call(app, pilot)
        await wait_for(pilot, lambda: rows(app).index.line_of(last) is not None)
        assert shown(app) == listed
        assert rows(app).entry == listed
        await wait_for(pilot, lambda: rows(app).as_of == listed)
        faint = app.console.get_style("mcp.faint")
        for number, later in ((listed, False), (last, True)):
            line = rows(app).index.line_of(number)
            assert line is not None
            inks = {
                segment.style for segment in rows(app).draw_line(line, 80) if segment.text.strip()
            }
            assert (inks == {faint}) is later
        await pilot.press("escape")
        await wait_for(pilot, lambda: not main(app).in_past)
        assert rows(app).entry == last


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_every_tab_can_be_seen_as_it_was(size: tuple[int, int]) -> None:
    async with running(Server(), size, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        said = await call(app, pilot)
        await travel(app, pilot, said - 1)
        for spec in VIEWS:
            await pilot.press(spec.key)
            await wait_for(pilot, lambda tab=spec.id: main(app).tab == tab)  # type: ignore[misc]
            view = main(app).shown
            assert view is not None
            await wait_for(pilot, lambda view=view: view.is_mounted)  # type: ignore[misc]
            assert view.past
            await pilot.press("alt+left")
            await arrived(app, pilot, said - 2)
            await pilot.press("alt+right")
            await arrived(app, pilot, said - 1)
            assert "AS OF" in text_of(app.query_one(TravelBanner))
        await pilot.press("1")
        view = main(app).shown
        assert isinstance(view, ServerView)
        await wait_for(pilot, lambda: any(isinstance(one, OpenLine) for one in view.lines.items))
        app.action_next_theme()
        await pilot.resize_terminal(100, 30)
        await wait_for(pilot, lambda: "AS OF" in text_of(app.query_one(TravelBanner)))
        await pilot.press("escape")
        await wait_for(pilot, lambda: not main(app).in_past)
        now = main(app).shown
        assert now is not None
        assert now.id == "view-server"
        assert not now.past


async def test_what_is_written_in_a_form_is_there_when_one_returns() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        now = main(app).shown
        assert isinstance(now, ToolsView)
        now.rows.select("tools:echo")
        await travel(app, pilot, 2)
        assert main(app).shown is not now
        await pilot.press("escape")
        await wait_for(pilot, lambda: main(app).shown is now)
        assert now.rows.current is not None
        assert now.rows.current.name == "echo"


async def test_a_question_of_now_does_not_pop_up_over_the_past() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools" and len(tools(app)) == 2)
        listed = max(app.bridge.workbench.session.catalog["tools"].entries)
        await travel(app, pilot, listed)
        inbox = app.bridge.workbench.session.inbox

        async def ask() -> None:
            cause = Cause((), "unknown")
            inbox.take("elicitation", "elicitation/create", {"message": "?"}, "q", listed, cause)

        await app.bridge.run(ask)
        banner = app.query_one(TravelBanner)
        await wait_for(pilot, lambda: "1 waiting to be asked now" in text_of(banner))
        assert app.screen is main(app)
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen))


async def test_a_question_that_stood_open_can_be_read_and_not_answered() -> None:
    async with running(Asking(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen))
        bench = app.bridge.workbench
        asked = bench.session.inbox.open[0]
        await pilot.press("ctrl+d")
        await wait_for(pilot, lambda: not bench.session.inbox.open and app.screen is main(app))
        end = len(bench.journal)
        await travel(app, pilot, asked.entry)
        await pilot.press("5")
        view = main(app).shown
        assert isinstance(view, AsksView)
        await wait_for(pilot, lambda: view.panel.ask is not None)
        hints = view.query_one("#ask-hints")
        await wait_for(pilot, lambda: "it stood open then" in text_of(hints))
        assert "1 open" in text_of(view.query_one("#ask-rule"))
        told: list[str] = []
        with patch.object(app, "notify_safe", side_effect=lambda text, **_: told.append(text)):
            await pilot.press("enter", "ctrl+s")
            await wait_for(pilot, lambda: bool(told))
        assert "Esc returns to now" in told[0]
        assert len(bench.journal) == end
