"""The coverage screen: what was tried and what was not, and the ways from there."""

import pytest
from rich.cells import cell_len

from inspector.journal.coverage_items import SEND, TOOLS, Item
from inspector.tui.screens.coverage import (
    AreaLine,
    CoverageScreen,
    coverage_lines,
    coverage_text,
    draw_line,
)
from inspector.tui.views.server import ServerView
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import session_of, tab
from tests.tui.world import Server, main, rows, running, text_of, wait_for

TRIED = Item(SEND, "ping", 3, 12)
LEFT = Item(SEND, "tools/call", 0, 0, "call a tool")
MISSING = Item(SEND, "prompts/get", 0, 0, "get it", offered=False)
EVIL = Item(TOOLS, "\x1b[31mevil\u202e" * 20, 0, 0, "call it", tab="tools")


def test_an_area_counts_what_is_offered() -> None:
    lines = coverage_lines([TRIED, LEFT, MISSING, EVIL])
    assert lines[0] == AreaLine(SEND, 1, 2)
    assert lines[4] == AreaLine(TOOLS, 0, 1)


def test_only_what_was_not_tried_is_left_by_key() -> None:
    lines = coverage_lines([TRIED, LEFT, MISSING], untried=True)
    assert lines == [AreaLine(SEND, 1, 2), LEFT]


@pytest.mark.parametrize("width", [40, 78, 118])
def test_lines_fit_and_are_harmless(width: int) -> None:
    for line in coverage_lines([TRIED, LEFT, MISSING, EVIL]):
        drawn = draw_line(line, width).plain
        assert cell_len(drawn) <= width
        assert not {"\x1b", "\u202e"} & set(drawn)


def test_the_export_says_all() -> None:
    text = coverage_text([TRIED, LEFT, MISSING])
    assert text.startswith("coverage: 1 of 2 tried\n")
    for words in ("✓ ping", "3×, first #12", "never: call a tool", "not offered"):
        assert words in text


async def test_the_screen_opens_from_the_server_tab_and_leads_to_the_first_entry() -> None:
    async with running(plain=False) as (app, pilot):
        await wait_for(pilot, lambda: session_of(app).catalog["tools"].state == "ready")
        await tab(pilot, app, "1", ServerView)
        await pilot.press("c")
        await wait_for(pilot, lambda: isinstance(app.screen, CoverageScreen))
        screen = app.screen
        assert isinstance(screen, CoverageScreen)
        await wait_for(pilot, lambda: "tried" in text_of(screen.query_one("#coverage-rule", Rule)))
        shown = text_of(screen.lines)
        assert "✓ initialize" in shown
        assert "○ tools/call" in shown
        line = screen.lines.current
        assert isinstance(line, Item)
        assert line.name == "initialize"
        await pilot.press("enter")
        await wait_for(pilot, lambda: app.screen is main(app) and rows(app).entry == line.entry)


async def test_an_untried_tool_leads_to_its_form_and_the_list_is_copied() -> None:
    async with running(plain=False) as (app, pilot):
        await wait_for(pilot, lambda: session_of(app).catalog["tools"].state == "ready")
        main(app).action_coverage()
        await wait_for(pilot, lambda: isinstance(app.screen, CoverageScreen))
        screen = app.screen
        assert isinstance(screen, CoverageScreen)
        await wait_for(pilot, lambda: screen.is_mounted and len(screen.lines.items) > 0)
        await pilot.press("u", "y")
        assert "○ echo" in app.clipboard
        assert "✓" not in app.clipboard
        assert screen.lines.select((TOOLS, "echo"))
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).tab == "tools")
        view = main(app).shown
        assert isinstance(view, ToolsView)
        await wait_for(pilot, lambda: view.item is not None and view.item.name == "echo")


async def test_it_goes_on_while_messages_come_and_agrees_with_the_server_tab() -> None:
    async with running(Server(), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: session_of(app).catalog["tools"].state == "ready")
        main(app).action_coverage()
        await wait_for(pilot, lambda: isinstance(app.screen, CoverageScreen))
        screen = app.screen
        assert isinstance(screen, CoverageScreen)
        for _ in range(3):
            await app.bridge.run(lambda: session_of(app).call_tool("add", {}))
        await wait_for(pilot, lambda: screen.is_mounted)
        screen.look()
        await wait_for(pilot, lambda: "✓ tools/call" in text_of(screen.lines))
        (calls,) = [
            one
            for one in screen.lines.items
            if isinstance(one, Item) and (one.area, one.name) == (SEND, "tools/call")
        ]
        assert calls.count == 3
        await pilot.press("escape")
        view = await tab(pilot, app, "1", ServerView)
        assert isinstance(view, ServerView)
        await wait_for(pilot, lambda: "tools/call 3" in text_of(view.lines))
