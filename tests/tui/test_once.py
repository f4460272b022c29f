"""Screens that are left once."""

from collections.abc import Callable
from typing import Any

import pytest
from textual.screen import Screen

from inspector.config.targets import Target
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.dialogs import EditDialog, LineDialog
from inspector.tui.screens.help import TextScreen
from inspector.tui.screens.jump import JumpScreen
from inspector.tui.screens.trust import TrustScreen
from tests.tui.world import main, running, wait_for

SCREENS: list[Callable[[], Screen[Any]]] = [
    lambda: ConnectScreen(list),
    lambda: LineDialog("Say"),
    lambda: EditDialog("Edit", b"{}"),
    lambda: TextScreen("Help", []),
    lambda: JumpScreen([]),
    lambda: TrustScreen(Target(("server",), name="x")),
]


@pytest.mark.parametrize("make", SCREENS)
async def test_two_keys_typed_at_once_leave_one_screen(make: Callable[[], Screen[Any]]) -> None:
    async with running() as (app, pilot):
        below, above = LineDialog("below"), make()
        await app.push_screen(below)
        await app.push_screen(above)
        for _ in range(3):  # as keys do that were typed before the first one acted
            above.dismiss(None)
        await wait_for(pilot, lambda: app.screen is below)
        below.dismiss(None)
        below.dismiss(None)
        await wait_for(pilot, lambda: app.screen is main(app))
        assert app.defect is None
