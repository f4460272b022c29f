"""What the main screen does about its connection: every key leads to its dialog."""

import pytest

from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.dialogs import LineDialog
from inspector.tui.screens.revision import RevisionScreen
from tests.tui.test_ask import toasts
from tests.tui.world import Server, running, wait_for


@pytest.mark.parametrize(
    ("key", "dialog"), [("f2", RevisionScreen), ("f3", ConnectScreen), ("f4", LineDialog)]
)
async def test_a_key_opens_its_dialog_and_escape_leads_back(key: str, dialog: type) -> None:
    async with running(Server()) as (app, pilot):
        await pilot.press(key)
        await wait_for(pilot, lambda: isinstance(app.screen, dialog))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.main)


async def test_reconnecting_begins_a_new_session_on_the_same_target() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await pilot.press("f5")
        await wait_for(pilot, lambda: len(server.transports) == 2)
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.ready)


async def test_disconnecting_ends_the_session_once() -> None:
    async with running(Server()) as (app, pilot):
        await pilot.press("ctrl+g", "ctrl+k")  # in a field it deletes to the end
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.over)
        await pilot.press("ctrl+k")
        await wait_for(pilot, lambda: "Nothing is connected" in toasts(app))


async def test_where_nothing_can_be_authorized_the_key_says_why() -> None:
    async with running(Server()) as (app, pilot):
        await pilot.press("f9")
        await wait_for(pilot, lambda: "credentials come from --env" in toasts(app))
