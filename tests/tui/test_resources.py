"""The Resources tab on a scripted server: reading, templates, links, watching."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot
from textual.widgets import Input

from inspector.protocol.messages import JsonObject
from inspector.tui.app import InspectorApp
from inspector.tui.views.prompts_fields import TextFields
from inspector.tui.views.resources import ResourcesView
from inspector.tui.widgets.result_block import BlockView
from tests.tui.test_tools import ItemServer
from tests.tui.world import encode, main, running, text_of, wait_for


@asynccontextmanager
async def resources_on(
    server: ItemServer,
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ResourcesView]]:
    """The Resources tab, once its lists are read."""
    async with running(server, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        main(app).show_tab("resources")
        await wait_for(pilot, lambda: bool(app.query(ResourcesView)))
        view = app.query_one(ResourcesView)
        await wait_for(pilot, lambda: view.item is not None and len(view.rows.items) == 2)
        await wait_for(pilot, lambda: view.uri == "demo://a")
        view.rows.focus()
        yield app, pilot, view


async def test_nothing_is_read_until_enter_is_pressed() -> None:
    server = ItemServer()
    async with resources_on(server) as (_, pilot, view):
        assert server.calls("resources/read") == []
        await pilot.press("enter")
        await wait_for(pilot, lambda: bool(view.result.query(BlockView)))
        assert server.calls("resources/read")[0]["uri"] == "demo://a"
        assert view.result.query_one(BlockView).block.text == "read demo://a"


async def test_a_template_is_filled_part_by_part() -> None:
    server = ItemServer()
    async with resources_on(server) as (_, pilot, view):
        await pilot.press("end")
        await wait_for(pilot, lambda: bool(view.query(TextFields)))
        await pilot.press("enter")
        await wait_for(pilot, lambda: view.query_one(TextFields).has_focus_within)
        await pilot.press("b", " ", "c", "tab")
        await pilot.press("1")
        await wait_for(pilot, lambda: view.uri == "demo://b%20c?y=1")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: bool(server.calls("resources/read")))
        assert server.calls("resources/read")[0]["uri"] == "demo://b%20c?y=1"


async def test_what_is_no_template_says_so_and_can_still_be_edited_and_read() -> None:
    class BadTemplate(ItemServer):
        def result(self, method: str, params: JsonObject) -> JsonObject | None:
            if method == "resources/templates/list":
                return {"resourceTemplates": [{"uriTemplate": "demo://{x:y}", "name": "T"}]}
            return super().result(method, params)

    server = BadTemplate()
    async with resources_on(server) as (_, pilot, view):
        await pilot.press("end")
        await wait_for(pilot, lambda: view.uri == "demo://{x:y}")
        said = [one for one in view.query("#resource-description Static") if one.size.height]
        assert any("no URI template" in text_of(one) for one in said)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: bool(server.calls("resources/read")))
        assert server.calls("resources/read")[0]["uri"] == "demo://{x:y}"


async def test_any_other_uri_can_be_typed_and_read() -> None:
    server = ItemServer()
    async with resources_on(server) as (_, pilot, view):
        box = view.query_one("#uri", Input)
        box.focus()
        box.value = "demo://else"
        await pilot.press("enter")
        await wait_for(pilot, lambda: bool(server.calls("resources/read")))
        assert server.calls("resources/read")[0]["uri"] == "demo://else"


async def test_a_link_to_what_no_list_has_fills_the_uri_in() -> None:
    server = ItemServer()
    async with resources_on(server) as (_, pilot, view):
        view.show_item("demo://unlisted")
        await wait_for(pilot, lambda: view.uri == "demo://unlisted")
        await wait_for(
            pilot, lambda: "Ctrl+R reads it" in text_of(view.query_one("#resource-head"))
        )
        assert not view.query("#resource-description Static")
        assert server.calls("resources/read") == []
        view.rows.focus()
        await pilot.press("down")
        await wait_for(pilot, lambda: view.uri != "demo://unlisted")
        assert "Ctrl+R reads it" not in text_of(view.query_one("#resource-head"))


async def test_a_link_that_opens_the_tab_keeps_its_uri_and_the_whole_of_it_is_seen() -> None:
    server = ItemServer()
    linked = "demo://unlisted/" + "a" * 60 + "/end"
    async with running(server, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        app.open_item("resources", linked)
        await wait_for(pilot, lambda: bool(app.query(ResourcesView)))
        view = app.query_one(ResourcesView)
        await wait_for(pilot, lambda: view.item is not None and view.uri == linked)
        await wait_for(pilot, lambda: view.query_one("#uri", Input).has_focus)
        await wait_for(pilot, lambda: "/end" in text_of(view.query_one("#uri")))
        assert view.uri == linked


async def test_a_watched_resource_shows_that_it_changed_until_it_is_read() -> None:
    server = ItemServer()
    async with resources_on(server) as (app, pilot, view):
        await pilot.press("w")
        await wait_for(pilot, lambda: "◉" in text_of(view.rows))
        params: JsonObject = {"uri": "demo://a"}
        method = "notifications/resources/updated"
        updated = encode({"jsonrpc": "2.0", "method": method, "params": params})

        async def tell() -> None:
            server.transports[-1].feed(updated)

        app.bridge.post(tell)
        await wait_for(pilot, lambda: "● changed" in text_of(view.rows))
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "● changed" not in text_of(view.rows))
        view.rows.focus()
        await pilot.press("w")
        await wait_for(pilot, lambda: bool(server.calls("resources/unsubscribe")))


async def test_an_empty_uri_is_not_sent() -> None:
    server = ItemServer()
    async with resources_on(server) as (_, pilot, view):
        view.query_one("#uri", Input).value = ""
        await pilot.press("ctrl+r")
        await pilot.pause()
        assert server.calls("resources/read") == []
