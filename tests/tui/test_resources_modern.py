"""The Resources tab in the modern era: streams granted, denied and ended; what is fresh."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.errors import PeerViolation
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Call, Lost
from inspector.tui.app import InspectorApp
from inspector.tui.views.resources import ResourcesView
from tests.tui.askers import session_of, tab, tell
from tests.tui.modern_world import META, ModernServer
from tests.tui.world import running, text_of, wait_for

URI = "memo://x"


def watching(view: ResourcesView) -> str:
    """The line about changes, however it is wrapped."""
    return " ".join(text_of(view.query_one("#watching")).split())


@asynccontextmanager
async def modern_resources(
    server: ModernServer,
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ResourcesView]]:
    """The Resources tab on `server`, the cursor on its only resource, listening for the lists."""
    async with running(server, plain=False, protocol="modern") as (app, pilot):
        view = await tab(pilot, app, "3", ResourcesView)
        assert isinstance(view, ResourcesView)
        await wait_for(pilot, lambda: view.item is not None and view.uri == URI)
        await wait_for(pilot, lambda: session_of(app).subscriptions.listening.current is not None)
        yield app, pilot, view


async def test_a_watched_resource_is_announced_and_marked() -> None:
    server = ModernServer()
    async with modern_resources(server) as (app, pilot, view):
        await pilot.press("w")
        await wait_for(pilot, lambda: "◉ watched" in watching(view))
        assert "granted" not in watching(view)
        about: JsonObject = {f"{META}subscriptionId": server.listens[-1]}
        updated: JsonObject = {"uri": URI, "_meta": about}
        tell(app, server, {"method": "notifications/resources/updated", "params": updated})
        await wait_for(pilot, lambda: "changed since it was read" in watching(view))


async def test_what_the_server_did_not_grant_is_said() -> None:
    async with modern_resources(ModernServer(refuses=("resourceSubscriptions",))) as (
        _,
        pilot,
        view,
    ):
        await pilot.press("w")
        await wait_for(pilot, lambda: "not granted by the server" in watching(view))
        await wait_for(pilot, lambda: "denied" in text_of(view.rows))


async def test_a_stream_that_ended_says_how_and_w_listens_again() -> None:
    server = ModernServer()
    async with modern_resources(server) as (app, pilot, view):
        await pilot.press("w")
        await wait_for(pilot, lambda: "◉ watched" in watching(view))
        ending: JsonObject = {"requestId": server.listens[-1], "reason": "going home"}
        tell(app, server, {"method": "notifications/cancelled", "params": ending})
        await wait_for(pilot, lambda: "No longer watched" in watching(view))
        assert "going home" in watching(view)
        await pilot.press("w")
        await wait_for(pilot, lambda: "◉ watched" in watching(view))


async def test_a_stream_that_broke_off_says_when_it_is_opened_again() -> None:
    server = ModernServer()
    async with modern_resources(server) as (app, pilot, view):
        await pilot.press("w")
        await wait_for(pilot, lambda: "◉ watched" in watching(view))
        listening = session_of(app).subscriptions.listening
        listening.pauses = (3600.0,)
        call = listening.streams[-1].call
        lost = Lost(PeerViolation("the stream was cut off"))
        await app.bridge.run(lambda: _ended(app, call, lost))
        again = "not now: the stream was cut off; again in 3600 s, try 1 of 1"
        await wait_for(pilot, lambda: again in watching(view))
        assert "◉ watched" in watching(view)


async def _ended(app: InspectorApp, call: Call, outcome: Lost) -> None:
    session_of(app).engine.finish(call, outcome)


async def test_what_was_read_says_how_long_it_is_fresh_and_that_nothing_is_cached() -> None:
    async with modern_resources(ModernServer()) as (_, pilot, view):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "fresh for 5 s, private" in watching(view))
        assert "nothing is cached here" in watching(view)
