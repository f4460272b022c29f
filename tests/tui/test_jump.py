"""Jump mode: letters over panes."""

from textual.widgets import Input

from inspector.tui.screens.jump import JumpScreen
from tests.tui.world import main, rows, running, wait_for


async def test_jump_mode_moves_the_focus_by_letter() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await wait_for(pilot, lambda: rows(app).size.height > 0)
        await pilot.press("ctrl+o")
        screen = app.screen
        assert isinstance(screen, JumpScreen)
        letter = next(one for one, (widget, _) in screen.targets.items() if widget is rows(app))
        await pilot.press(letter)
        await wait_for(pilot, lambda: rows(app).has_focus)


async def test_any_other_key_leaves_the_focus_where_it_was() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await wait_for(pilot, lambda: isinstance(app.focused, Input))
        before = app.focused
        await pilot.press("ctrl+o", "escape")
        await wait_for(pilot, lambda: app.focused is before)
