"""The Prompts tab on a scripted server: arguments, completion, messages with roles."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.tui.app import InspectorApp
from inspector.tui.views.prompts import PromptsView
from inspector.tui.widgets.result_block import BlockView
from tests.tui.test_tools import ItemServer
from tests.tui.world import main, running, wait_for


@asynccontextmanager
async def prompts_on(
    server: ItemServer,
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], PromptsView]]:
    """The Prompts tab, once its list is read."""
    async with running(server, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        main(app).show_tab("prompts")
        await wait_for(pilot, lambda: bool(app.query(PromptsView)))
        view = app.query_one(PromptsView)
        await wait_for(pilot, lambda: view.item is not None and view.fields is not None)
        view.rows.focus()
        await pilot.pause()
        yield app, pilot, view


async def test_messages_are_shown_with_their_roles() -> None:
    server = ItemServer()
    async with prompts_on(server) as (_, pilot, view):
        assert server.calls("prompts/get") == []
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
        block = view.result.query_one(BlockView).block
        assert (block.role, block.text) == ("user", "hello")


async def test_arguments_are_sent_and_empty_ones_left_out() -> None:
    server = ItemServer()
    async with prompts_on(server) as (_, pilot, view):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: len(server.calls("prompts/get")) == 1)
        await pilot.press("enter")
        fields = view.fields
        assert fields is not None
        await wait_for(pilot, lambda: fields.has_focus_within)
        await pilot.press("x", "ctrl+r")
        await wait_for(pilot, lambda: len(server.calls("prompts/get")) == 2)
        first, second = server.calls("prompts/get")
        assert "arguments" not in first
        assert second["arguments"] == {"who": "x"}


async def test_what_was_typed_is_kept_for_each_prompt() -> None:
    async with prompts_on(ItemServer()) as (_, pilot, view):
        fields = view.fields
        assert fields is not None
        fields.set_values({"who": "anna"})
        await pilot.press("end")
        await wait_for(pilot, lambda: view.item is not None and view.item.name == "bare")
        await pilot.press("home")
        await wait_for(pilot, lambda: view.item is not None and view.item.name == "greet")
        await wait_for(
            pilot, lambda: view.fields is not None and view.fields.values() == {"who": "anna"}
        )


async def test_a_prompt_without_arguments_can_be_got() -> None:
    server = ItemServer()
    async with prompts_on(server) as (_, pilot, view):
        await pilot.press("end")
        await wait_for(pilot, lambda: view.item is not None and view.item.name == "bare")
        await pilot.press("enter", "ctrl+r")
        await wait_for(pilot, lambda: len(server.calls("prompts/get")) == 1)
