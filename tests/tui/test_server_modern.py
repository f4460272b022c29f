"""The Server tab in the modern era: capabilities, caching hints, streams, levels, switches."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.protocol.messages import JsonObject
from inspector.tui.app import InspectorApp
from inspector.tui.server_rows import CacheLine, CapabilityLine, LevelLine, ListenLine
from inspector.tui.views.logs import LogsView
from inspector.tui.views.server import ServerView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import session_of, tab, tell
from tests.tui.modern_world import META, ModernServer
from tests.tui.test_server import go_to, line
from tests.tui.world import rows, running, text_of, wait_for


@asynccontextmanager
async def modern_tab(
    server: ModernServer, size: tuple[int, int] = (120, 50)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ServerView]]:
    """The Server tab on `server`, in the modern era."""
    async with running(server, size, plain=False, protocol="modern") as (app, pilot):
        view = await tab(pilot, app, "1", ServerView)
        assert isinstance(view, ServerView)
        await wait_for(pilot, lambda: len(view.lines.items) > 0)
        yield app, pilot, view


def meta_of(message: JsonObject) -> JsonObject:
    params = message["params"]
    assert isinstance(params, dict)
    meta = params["_meta"]
    assert isinstance(meta, dict)
    return meta


async def test_the_facts_name_the_era_and_what_the_server_speaks() -> None:
    async with modern_tab(ModernServer()) as (_, pilot, view):
        facts = view.query_one("#server-facts")
        await wait_for(pilot, lambda: "2026-07-28 (modern era)" in text_of(facts))
        assert "2025-11-25, 2026-07-28" in text_of(facts)
        assert "Asked in 2026-07-28 as chosen" in text_of(facts)


async def test_extensions_and_deprecations_are_listed() -> None:
    async with modern_tab(ModernServer()) as (_, pilot, view):
        await wait_for(pilot, lambda: "com.example/sparkles" in text_of(view.lines))
        told = text_of(view.lines)
        assert '{"colour":"gold"}' in told
        deprecated = [row.split()[1] for row in told.splitlines() if "deprecated" in row]
        assert {"logging", "roots", "sampling"} <= set(deprecated)


async def test_a_switch_is_in_force_with_the_next_request() -> None:
    server = ModernServer()
    async with modern_tab(server) as (app, pilot, view):
        await go_to(pilot, view, ("switch", "sampling"))
        await pilot.press("enter")
        await wait_for(pilot, lambda: "sampling" not in session_of(app).state.client_capabilities)
        assert "F5" not in text_of(view.lines)
        await app.bridge.run(lambda: session_of(app).catalog.refresh("tools"))
        declared = meta_of(server.asked[-1])[f"{META}clientCapabilities"]
        assert isinstance(declared, dict)
        assert "sampling" not in declared


async def test_caching_hints_are_shown_with_what_is_left_and_that_nothing_is_cached() -> None:
    async with modern_tab(ModernServer()) as (_, pilot, view):
        await wait_for(pilot, lambda: any(isinstance(one, CacheLine) for one in view.lines.items))
        tools = line(view, ("cache", "tools/list"))
        assert isinstance(tools, CacheLine)
        assert tools.words == "fresh for 5 min, private"
        assert tools.left.endswith("left")
        assert line(view, ("cache", "discover")) != tools
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, ("cache", "resources/list")), CacheLine)
                and found == CacheLine("resources/list", "stale at once, public", "")
            ),
        )
        await pilot.press("end")
        await wait_for(pilot, lambda: "nothing is cached here" in text_of(view.lines))


async def test_lists_are_listened_for_from_the_start_and_a_change_is_read() -> None:
    server = ModernServer(refuses=("resourcesListChanged",))
    async with modern_tab(server) as (app, pilot, view):
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, "listen"), ListenLine)
                and found.stream is not None
                and found.stream.acknowledged
            ),
        )
        await go_to(pilot, view, "listen")
        await wait_for(pilot, lambda: "not granted: resources" in text_of(view.lines))
        reads = server.seen.count("tools/list")
        changed = "notifications/tools/list_changed"
        tell(app, server, {"method": changed, "params": {"_meta": {}}})
        await wait_for(pilot, lambda: server.seen.count("tools/list") > reads)


async def test_a_stream_that_ended_says_how_and_is_opened_again() -> None:
    server = ModernServer()
    async with modern_tab(server) as (app, pilot, view):
        await wait_for(pilot, lambda: len(server.listens) == 1)
        tell(app, server, {"id": server.listens[0], "result": {"resultType": "complete"}})
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, "listen"), ListenLine)
                and found.stream is not None
                and "in order" in found.stream.ended
            ),
        )
        await go_to(pilot, view, "listen")
        rule = view.query_one("#server-rule", Rule)
        await wait_for(pilot, lambda: "Enter listens again" in text_of(rule))
        await pilot.press("enter")
        await wait_for(pilot, lambda: len(server.listens) == 2)
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, "listen"), ListenLine)
                and found.stream is not None
                and not found.stream.ended
            ),
        )


async def test_nobody_listens_where_nothing_would_be_announced() -> None:
    server = ModernServer(capabilities={"tools": {}})
    async with modern_tab(server) as (app, pilot, view):
        await wait_for(pilot, lambda: session_of(app).catalog["tools"].state == "ready")
        assert server.listens == []
        assert line(view, "listen") == ListenLine(None)


async def test_an_open_stream_is_no_call_that_ctrl_c_would_cancel() -> None:
    server = ModernServer()
    async with modern_tab(server) as (app, pilot, _):
        await wait_for(pilot, lambda: len(server.listens) == 1)
        assert not app.cancel_something()


async def test_the_level_goes_with_each_request_and_can_be_taken_back() -> None:
    server = ModernServer()
    async with modern_tab(server) as (app, pilot, view):
        await go_to(pilot, view, "level")
        await pilot.press("enter")
        await wait_for(pilot, lambda: line(view, "level") == LevelLine("debug", True, True))
        await wait_for(pilot, lambda: "goes with each request" in text_of(view.lines))
        await wait_for(
            pilot, lambda: any("Each request from now" in n.message for n in app._notifications)
        )
        await app.bridge.run(lambda: session_of(app).catalog.refresh("tools"))
        assert meta_of(server.asked[-1])[f"{META}logLevel"] == "debug"
        assert "logging/setLevel" not in server.seen
        logs = await tab(pilot, app, "8", LogsView)
        await wait_for(
            pilot, lambda: "each request asks from debug" in text_of(logs.query_one("#log-rule"))
        )
        await app.bridge.run(lambda: session_of(app).set_log_level("emergency"))
        await pilot.press("L")
        await wait_for(
            pilot, lambda: "requests ask for none" in text_of(logs.query_one("#log-rule"))
        )


async def test_there_is_no_ping_in_the_modern_era() -> None:
    async with modern_tab(ModernServer()) as (app, pilot, view):
        await go_to(pilot, view, "ping")
        await wait_for(pilot, lambda: "this revision has none" in text_of(view.lines))
        await pilot.press("enter")
        assert session_of(app).pings == ()


async def test_what_the_server_asks_inside_results_counts_as_used() -> None:
    async with modern_tab(ModernServer()) as (app, pilot, view):
        await app.bridge.run(lambda: session_of(app).call_tool("asks", {}))
        roots = ("capability", "client", ("roots",))
        await wait_for(
            pilot,
            lambda: (
                isinstance(found := line(view, roots), CapabilityLine)
                and found.row.uses == (("roots/list", 1),)
            ),
        )
        await go_to(pilot, view, roots)
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).filtered)
        await wait_for(pilot, lambda: "tools/call result" in text_of(rows(app)))
        assert "server/discover" not in text_of(rows(app))
