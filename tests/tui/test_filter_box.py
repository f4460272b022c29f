"""The filter box: compiles while typing, keeps the last good filter, shows the grammar."""

from inspector.tui.screens.help import TextScreen
from inspector.tui.widgets.filter_box import FilterBox
from tests.tui.world import rows, running, traffic, wait_for


async def test_enter_keeps_the_filter_and_goes_to_the_list() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("slash", *"kind:request", "enter")
        await wait_for(pilot, lambda: rows(app).has_focus)
        assert rows(app).filtered
        await pilot.press("escape")
        await wait_for(pilot, lambda: not rows(app).filtered)


async def test_f1_shows_the_grammar() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("slash", "f1")
        screen = app.screen
        assert isinstance(screen, TextScreen)
        assert "method:" in "\n".join(line.plain for line in screen.lines)


async def test_the_column_of_a_mistake_is_pointed_at() -> None:
    async with running() as (app, pilot):
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        box.set_text("is:eror")
        await wait_for(pilot, lambda: box.has_class("-wrong"))
        box.set_text("is:error")
        await wait_for(pilot, lambda: not box.has_class("-wrong"))
        assert rows(app).filtered
