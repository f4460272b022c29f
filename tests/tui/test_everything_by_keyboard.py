"""Every tool of npm's server-everything, called from the interface by keyboard alone."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.forms.validate import validate
from inspector.session.pending import Success
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.views.tasks import TasksView
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import LineWidget
from inspector.tui.widgets.result_block import BlockView
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.tui.askers import asks_of, dialog, session_of, tab
from tests.tui.world import main, text_of, wait_for

pytestmark = [pytest.mark.node, pytest.mark.peer]

LATE_TOOLS = 17
"""So many tools there are once the server knows what we can do."""


@asynccontextmanager
async def tools_of_everything() -> AsyncIterator[tuple[InspectorApp, Pilot[int], ToolsView]]:
    """The Tools tab on server-everything, with all its tools listed."""
    target = real.everything()
    app = InspectorApp(lambda wanted: Workbench(wanted, options=Options(no_record=True)), target)
    async with app.run_test(size=(130, 44)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        await wait_for(pilot, lambda: session_of(app).state.ready)
        await wait_for(pilot, lambda: len(session_of(app).catalog["tools"].items) == LATE_TOOLS)
        view = await tab(pilot, app, "2", ToolsView)
        assert isinstance(view, ToolsView)
        try:
            yield app, pilot, view
        finally:
            app.close_bridge()


async def choose(pilot: Pilot[int], view: ToolsView, name: str) -> None:
    """Find a tool by its name and go into its form."""
    await pilot.press("slash", *name, "enter")
    await wait_for(pilot, lambda: view.item is not None and view.item.name == name)
    await wait_for(pilot, lambda: view.form is not None and view.rows.has_focus)
    await pilot.press("enter")
    form = view.form
    await wait_for(pilot, lambda: form is not None and form.has_focus_within)


async def send(pilot: Pilot[int], view: ToolsView) -> None:
    """Ctrl+R, and the call is on its way."""
    before = view.result.past
    await pilot.press("ctrl+r")
    await wait_for(pilot, lambda: view.result.past is not None and view.result.past is not before)


async def outcome(pilot: Pilot[int], view: ToolsView) -> str:
    """What the result pane shows, once the call is done."""
    await wait_for(pilot, lambda: view.result.past is not None and view.result.past.call.done)
    await wait_for(pilot, lambda: "running" not in head(view))
    await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
    return said(view)


def head(view: ToolsView) -> str:
    """The line above the result."""
    return text_of(view.result.query_one("#result-head", LineWidget))


def said(view: ToolsView) -> str:
    """The texts of all blocks."""
    return "\n".join(one.block.text for one in view.result.query(BlockView))


def kinds(view: ToolsView) -> list[str]:
    """The kinds of all blocks."""
    return [one.block.kind for one in view.result.query(BlockView)]


@pytest.mark.parametrize(
    ("tool", "keys", "right"),
    [
        ("echo", [*"hello"], lambda text: text == "Echo: hello"),
        ("get-sum", ["2", "tab", "3"], lambda text: "is 5" in text),
        ("get-roots-list", [], lambda text: "root" in text),
        ("toggle-simulated-logging", [], lambda text: "logging" in text),
        ("toggle-subscriber-updates", [], lambda text: "updates" in text),
    ],
)
async def test_a_tool_that_answers_with_text(
    tool: str, keys: list[str], right: Callable[[str], bool]
) -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, tool)
        await pilot.press(*keys)
        await send(pilot, view)
        shown = await outcome(pilot, view)
        assert right(shown), shown
        assert "ok" in head(view)


async def test_the_environment_shows_nothing_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_OF_MINE", "s3cret")
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "get-env")
        await send(pilot, view)
        await outcome(pilot, view)
        past = view.result.past
        assert past is not None
        assert isinstance(past.call.outcome, Success)
        assert b"PATH" in past.call.outcome.raw
        assert b"s3cret" not in past.call.outcome.raw


async def test_an_annotated_message_with_a_picture() -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "get-annotated-message")
        await pilot.press("enter", "enter", "tab", "space")
        await send(pilot, view)
        await outcome(pilot, view)
        await wait_for(pilot, lambda: "text" in kinds(view) and "image" in kinds(view))
        assert "isError" not in head(view)


async def test_a_tiny_picture() -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "get-tiny-image")
        await send(pilot, view)
        await outcome(pilot, view)
        await wait_for(pilot, lambda: "image" in kinds(view))


async def test_a_resource_link_is_opened_by_key() -> None:
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "get-resource-links")
        await send(pilot, view)
        await outcome(pilot, view)
        await wait_for(pilot, lambda: kinds(view).count("link") == 3)
        for _ in range(12):
            focused = app.focused
            if isinstance(focused, BlockView) and focused.block.kind == "link":
                break
            await pilot.press("tab")
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).tab == "resources")


async def test_a_resource_reference() -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "get-resource-reference")
        await send(pilot, view)
        shown = await outcome(pilot, view)
        assert "resource" in shown.lower()


async def test_structured_content_that_fits_its_schema() -> None:
    await validate({"type": "object"}, {})  # on a busy machine the validator takes seconds
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "get-structured-content")
        await pilot.press("enter", "down", "enter")
        await send(pilot, view)
        await outcome(pilot, view)
        await wait_for(pilot, lambda: "structured: valid" in head(view))


async def test_a_file_is_zipped_from_a_data_uri() -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "gzip-file-as-resource")
        await pilot.press("tab", "ctrl+u", *"data:text/plain,hello")
        await send(pilot, view)
        await outcome(pilot, view)
        await wait_for(pilot, lambda: "link" in kinds(view))
        assert "ok" in head(view)


async def test_the_progress_of_a_long_call_is_seen() -> None:
    async with tools_of_everything() as (_, pilot, view):
        await choose(pilot, view, "trigger-long-running-operation")
        await pilot.press("ctrl+u", "2", "tab", "ctrl+u", "4")
        await send(pilot, view)
        bar = view.result.query_one("#result-progress", LineWidget)
        await wait_for(pilot, lambda: " %" in text_of(bar))
        assert "completed" in await outcome(pilot, view)


async def test_an_elicitation_is_answered_and_told_back() -> None:
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "trigger-elicitation-request")
        await send(pilot, view)
        await dialog(pilot, app)
        await pilot.press(*"Ada", "ctrl+s")
        shown = await outcome(pilot, view)
        assert "Ada" in shown
        assert asks_of(app)[-1].state == "answered"


async def test_an_elicitation_is_declined() -> None:
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "trigger-elicitation-request")
        await send(pilot, view)
        await dialog(pilot, app)
        await pilot.press("ctrl+d")
        assert "declined" in await outcome(pilot, view)


async def test_a_page_is_consented_to(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\nprintf "%s" "$1" > {tmp_path}/opened\n')
    browser.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(browser))
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "trigger-url-elicitation")
        await pilot.press(*"https://example.com/")
        await send(pilot, view)
        screen = await dialog(pilot, app)
        assert "example.com" in text_of(screen.query_one("#ask-question"))
        await pilot.press("ctrl+b")
        await wait_for(pilot, (tmp_path / "opened").exists)
        await pilot.press("ctrl+s")
        assert "accept" in (await outcome(pilot, view)).lower()


async def test_sampling_is_answered_by_hand() -> None:
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "trigger-sampling-request")
        await pilot.press(*"hi")
        await send(pilot, view)
        await dialog(pilot, app)
        await pilot.press(*"from a human", "ctrl+s")
        shown = await outcome(pilot, view)
        assert "from a human" in shown


@pytest.mark.parametrize("ambiguous", [False, True])
async def test_research_runs_as_a_task(ambiguous: bool) -> None:
    async with tools_of_everything() as (app, pilot, view):
        await choose(pilot, view, "simulate-research-query")
        await pilot.press(*"mcp")
        if ambiguous:
            await pilot.press("tab", "space")
        await send(pilot, view)
        past = view.result.past
        assert past is not None
        if ambiguous:
            await wait_for_long(pilot, lambda: isinstance(app.screen, AskScreen))
            await dialog(pilot, app)
            await pilot.press("ctrl+s")
        tasks = await tab(pilot, app, "6", TasksView)
        assert isinstance(tasks, TasksView)
        await wait_for_long(pilot, lambda: past.call.done)
        await wait_for(pilot, lambda: "completed" in text_of(tasks.tasks))
        assert isinstance(past.call.outcome, Success)
        assert b"mcp" in past.call.outcome.raw


async def wait_for_long(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """For what the server takes several seconds for."""
    for _ in range(3):
        try:
            await wait_for(pilot, condition)
        except AssertionError:
            continue
        return
    await wait_for(pilot, condition)
