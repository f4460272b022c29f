"""Keys that are typed faster than the interface acts."""

import unicodedata

import pytest
from textual import events
from textual.widgets import Input

from inspector.tui.app import InspectorApp
from inspector.tui.key_order import PATIENCE
from inspector.tui.widgets.form_rows import FormRows
from tests.tui.test_tools import ItemServer, choose, tools_on
from tests.tui.world import main, text_of, wait_for


def type_at_once(app: InspectorApp, *keys: str) -> None:
    """All keys lie in the queue before any of them is looked at."""
    for key in keys:
        sign = key if len(key) == 1 else None
        name = key if key.isalnum() or sign is None else "slash"
        assert sign is None or unicodedata.category(sign) != "Cc"
        app.post_message(events.Key(name, sign))


async def test_what_is_typed_right_after_enter_goes_into_the_form() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        await choose(pilot, view, "add")
        type_at_once(app, "enter", "2", "down", "3", "ctrl+r")
        await wait_for(pilot, lambda: bool(server.calls("tools/call")))
        assert server.calls("tools/call")[0]["arguments"] == {"a": 2, "b": 3}
        assert main(app).tab == "tools"


async def test_what_was_typed_is_shown_before_the_schema_has_judged_it() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await choose(pilot, view, "add")
        type_at_once(app, "enter", "2", "down", "3")
        await wait_for(
            pilot, lambda: view.form is not None and view.form.value() == {"a": 2, "b": 3}
        )
        await pilot.pause()
        first, second, *_ = text_of(view.query_one(FormRows)).splitlines()
        assert first.split() == ["a*", "2", "number"]
        assert second.split() == ["b*", "3", "number"]


async def test_enter_waits_for_the_form_of_the_line_under_the_cursor() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        await choose(pilot, view, "echo")
        type_at_once(app, "up", "enter", "2", "tab", "3", "ctrl+r")
        await wait_for(pilot, lambda: bool(server.calls("tools/call")))
        assert server.calls("tools/call")[0]["name"] == "add"
        assert server.calls("tools/call")[0]["arguments"] == {"a": 2, "b": 3}


async def test_the_tool_under_the_cursor_is_called_and_not_the_one_before() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        await choose(pilot, view, "add")
        type_at_once(app, "down", "ctrl+r")
        await wait_for(pilot, lambda: bool(server.calls("tools/call")))
        assert server.calls("tools/call")[0]["name"] == "echo"


async def test_what_is_typed_right_after_a_slash_goes_into_the_filter() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        asked = len(app.bridge.workbench.journal)
        type_at_once(app, "/", "r", "e", "f", "2")
        box = view.query_one("#list-filter", Input)
        await wait_for(pilot, lambda: box.value == "ref2")
        assert len(app.bridge.workbench.journal) == asked
        assert main(app).tab == "tools"


async def test_what_is_typed_right_after_the_palettes_key_goes_into_the_palette() -> None:
    async with tools_on(ItemServer()) as (app, pilot, _):
        type_at_once(app, "ctrl+p", "3", "r", "a")
        await wait_for(pilot, lambda: isinstance(app.focused, Input))
        await wait_for(pilot, lambda: isinstance(app.focused, Input) and app.focused.value == "3ra")
        assert main(app).tab == "tools"


async def test_a_digit_right_after_escape_out_of_a_form_shows_that_tab() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await choose(pilot, view, "add")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.focused, FormRows))
        type_at_once(app, "7", "escape", "3")
        await wait_for(pilot, lambda: main(app).tab == "resources")
        assert view.form is not None
        assert view.form.value() == {"a": 7}


async def test_a_key_does_not_wait_for_ever() -> None:
    async with tools_on(ItemServer()) as (app, pilot, _):
        app.typed.hold()
        type_at_once(app, "3")
        await pilot.pause()
        assert main(app).tab == "tools"
        assert PATIENCE <= 1
        await wait_for(pilot, lambda: main(app).tab == "resources")


@pytest.mark.parametrize("tab", "134568")
async def test_the_focus_may_leave_and_come_back_while_a_tab_is_put_together(tab: str) -> None:
    async with tools_on(ItemServer()) as (app, pilot, _):
        type_at_once(app, tab, "ctrl+g", "ctrl+g", "ctrl+t", "ctrl+t")
        await wait_for(pilot, lambda: main(app).traffic_size == "all")
        assert app.defect is None
