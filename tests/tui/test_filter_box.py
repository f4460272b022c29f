"""The filter box: compiles while typing, keeps the last good filter, shows the grammar."""

import pytest
from textual.widgets import Input, Static

from inspector.tui.screens.help import TextScreen
from inspector.tui.widgets.filter_box import FilterBox, FilterSuggester
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


@pytest.mark.parametrize(
    ("text", "character"), [("is:eror", "e"), ("  add kind:", " "), ("ääää is:x", "x")]
)
async def test_the_caret_stands_under_what_is_wrong(text: str, character: str) -> None:
    async with running() as (app, pilot):
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        box.set_text(text)
        await wait_for(pilot, lambda: box.has_class("-wrong"))
        said = str(box.query_one("#filter-problem", Static).render()).split("\n")[0]
        typed = " " * (len("filter") + 1) + text + " "
        assert typed[said.index("^")] == character


async def test_the_caret_of_a_long_filter_stands_where_its_text_is_shown() -> None:
    async with running() as (app, pilot):
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        box.set_text("add " * 60 + "is:eror")
        await wait_for(pilot, lambda: box.has_class("-wrong"))
        lines = str(box.query_one("#filter-problem", Static).render()).split("\n")
        assert lines[0].index("^") < box.size.width
        assert lines[1].startswith("unknown state")


async def test_up_and_down_bring_back_the_filters_of_this_session() -> None:
    async with running() as (app, pilot):
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("slash", *"kind:request", "enter")
        await pilot.press("slash", "ctrl+u", *"dir:in", "enter")
        await pilot.press("slash", "ctrl+u", *"is:nonsense", "escape")
        await pilot.press("slash", "up")
        assert box.text == "dir:in"
        await pilot.press("up", "up")
        assert box.text == "kind:request"
        await pilot.press("down")
        assert box.text == "dir:in"
        await wait_for(pilot, lambda: rows(app).filtered)
        await pilot.press("down", "down")
        assert box.text == ""


async def test_a_key_that_was_begun_is_completed_by_the_right_arrow() -> None:
    suggester = FilterSuggester()
    assert await suggester.get_suggestion("add -is:pen") == "add -is:pending"
    assert await suggester.get_suggestion("(kind:no") == "(kind:notification"
    assert await suggester.get_suggestion("add") is None
    async with running() as (app, pilot):
        box = traffic(app).query_one("#traffic-filter", FilterBox)
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("slash", *"kind:no")
        await wait_for(pilot, lambda: bool(box.query_one(Input)._suggestion))
        await pilot.press("right")
        assert box.text == "kind:notification"
        await wait_for(pilot, lambda: rows(app).filtered)
