"""No secret of an authorization is on any screenshot of the interface: every entry of a login, and
of a tool that repeats how it was called, is opened and drawn. With the masks off there are some."""

import asyncio
from collections.abc import Callable
from dataclasses import replace
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from inspector.auth.store import MemoryStore
from inspector.config.targets import Target
from inspector.journal.entries import Kind
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.auth_person import PersonAtScreen
from inspector.tui.screens import auth
from inspector.tui.screens.auth import AuthScreen
from inspector.tui.views.registry import ViewSpec
from inspector.workbench import Options, Workbench
from tests.auth.e2e.leaks import leaks
from tests.auth.e2e.test_canary import TELLTALE, masks_off
from tests.servers.auth_server import serving
from tests.servers.scripted_browser import browse
from tests.tui.world import plain_view, rows, wait_for

pytestmark = pytest.mark.timeout(240)
SIZE = (200, 60)
"""Wide enough for the longest secret on one line."""


async def until(condition: Callable[[], bool], pilot: Pilot[int]) -> None:
    for _ in range(1200):
        if condition():
            return
        await asyncio.sleep(0.05)
        await pilot.pause()
    raise AssertionError("it did not come about")


async def open_page(url: str) -> None:
    await asyncio.to_thread(browse, url)


@pytest.mark.parametrize("masked", [True, False], ids=["masked", "masks-off"])
async def test_no_screenshot_shows_a_secret(masked: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not masked:
        masks_off(monkeypatch)
    monkeypatch.setattr(auth, "open_page", open_page)
    shots: dict[str, bytes] = {}

    def make(wanted: Target) -> Workbench:
        return Workbench(
            wanted,
            options=Options(no_record=True),
            person=PersonAtScreen(),
            store=MemoryStore(),
        )

    with (
        serving(replace(TELLTALE, expires_in=3600)) as server,
        patch.object(ViewSpec, "make", plain_view),
    ):
        app = InspectorApp(make, Target(url=server.url))
        async with app.run_test(size=SIZE) as pilot:
            try:
                await until(lambda: isinstance(app.screen, AuthScreen), pilot)
                bench = app.bridge.workbench
                person = bench.person
                assert isinstance(person, PersonAtScreen)
                await until(lambda: person.question is not None, pilot)
                await pilot.press("enter")
                await until(lambda: bench.session.state.phase is Phase.READY, pilot)
                await pilot.pause()
                shots["auth"] = app.export_screenshot().encode()
                await pilot.press("escape")
                await wait_for(pilot, lambda: app.screen is app.main)
                call = await app.bridge.run(
                    lambda: bench.session.request(
                        "tools/call", {"name": "reflect", "arguments": {}}
                    )
                )
                await until(lambda: call.outcome is not None, pilot)
                await draw_every_entry(app, pilot, shots)
            finally:
                app.close_bridge()
        found = {line.partition(" in ")[0] for line in leaks(shots, server.rules.secrets)}
    assert len(shots) > 40
    if masked:
        assert found == set()
    else:
        assert {"access_token", "client_secret", "session", "cookie"} <= found


async def draw_every_entry(app: InspectorApp, pilot: Pilot[int], shots: dict[str, bytes]) -> None:
    """Goes through the traffic list, opens each exchange and message and turns the page."""
    rows(app).focus()
    await pilot.press("ctrl+t", "home")
    journal = app.bridge.workbench.journal
    for number in range(1, len(journal) + 1):
        if journal.row(number).kind is not Kind.EVENT:
            await pilot.press("enter")
            for page in range(2):
                await pilot.pause()
                shots[f"entry {number} page {page}"] = app.export_screenshot().encode()
                await pilot.press("pagedown")
            await pilot.press("escape")
        await pilot.press("down")
