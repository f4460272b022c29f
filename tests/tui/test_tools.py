"""The Tools tab on a scripted server: forms, calls, failures, recall, reconnects."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from inspector.forms.jsontext import dump
from inspector.forms.validate import validate
from inspector.protocol.messages import Json, JsonObject, RawJson
from inspector.session.pending import Lost
from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import LineWidget
from inspector.tui.widgets.history import HistoryList
from inspector.tui.widgets.result_block import BlockView
from tests.tui.world import Server, main, running, text_of, wait_for

NUMBERS: JsonObject = {
    "type": "object",
    "properties": {"a": {"type": "number"}, "b": {"type": "number"}},
    "required": ["a", "b"],
}
SUM: JsonObject = {"type": "object", "properties": {"sum": {"type": "number"}}}


class ItemServer(Server):
    """Tools, resources and prompts that answer in every way there is."""

    def __init__(self) -> None:
        super().__init__(
            tools=[
                {
                    "name": "add",
                    "title": "Add",
                    "description": "Adds **two** numbers",
                    "inputSchema": NUMBERS,
                    "outputSchema": SUM,
                },
                {"name": "echo", "inputSchema": {"type": "object"}},
                {"name": "wrong", "inputSchema": {"type": "object"}, "outputSchema": SUM},
                {"name": "fails", "inputSchema": {"type": "object"}},
                {"name": "refuses", "inputSchema": {"type": "object"}},
                {"name": "hangs", "inputSchema": {"type": "object"}},
                {"title": "without a name"},
                {"name": "evil\x1b[31m", "description": "\x9b[bold]", "inputSchema": 5},
            ]
        )
        self.asked: list[JsonObject] = []

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """Some calls are refused, some never answered."""
        message = json.loads(raw)
        params = message.get("params") or {}
        self.asked.append(message)
        if params.get("name") == "hangs":
            return
        if params.get("name") == "refuses":
            error = {"code": -32602, "message": "no", "data": {"why": 1}}
            yield json.dumps({"jsonrpc": "2.0", "id": message["id"], "error": error}).encode()
            return
        yield from super().respond(raw)

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        """The result of one request."""
        match method:
            case "initialize":
                result = super().result(method, params)
                assert result is not None
                result["capabilities"] = {
                    "tools": {},
                    "resources": {"subscribe": True},
                    "prompts": {},
                    "completions": {},
                }
                return result
            case "tools/call":
                return self.call(params)
            case "resources/list":
                return {"resources": [{"uri": "demo://a", "name": "A", "mimeType": "text/plain"}]}
            case "resources/templates/list":
                return {"resourceTemplates": [{"uriTemplate": "demo://{x}{?y}", "name": "T"}]}
            case "resources/read":
                return {"contents": [{"uri": params["uri"], "text": f"read {params['uri']}"}]}
            case "resources/subscribe" | "resources/unsubscribe":
                return {}
            case "prompts/list":
                argument: JsonObject = {"name": "who", "required": True}
                return {"prompts": [{"name": "greet", "arguments": [argument]}, {"name": "bare"}]}
            case "prompts/get":
                block: JsonObject = {"type": "text", "text": "hello"}
                return {"messages": [{"role": "user", "content": block}]}
            case "completion/complete":
                values: list[Json] = ["anna", "anton"]
                return {"completion": {"values": values}}
            case _:
                return super().result(method, params)

    def call(self, params: JsonObject) -> JsonObject:
        """The result of a tool."""
        text: JsonObject = {"type": "text", "text": "hello"}
        link: JsonObject = {"type": "resource_link", "uri": "demo://a", "name": "A"}
        match params["name"]:
            case "add":
                return {"content": [text], "structuredContent": {"sum": 5}}
            case "wrong":
                return {"content": [], "structuredContent": {"sum": "five"}}
            case "fails":
                return {"content": [text], "isError": True}
            case _:
                return {"content": [text, link]}

    def calls(self, method: str) -> list[JsonObject]:
        """The parameters of all requests of one method."""
        found: list[JsonObject] = []
        for message in self.asked:
            params = message.get("params")
            if message.get("method") == method and isinstance(params, dict):
                found.append(params)
        return found


@asynccontextmanager
async def tools_on(
    server: Server, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ToolsView]]:
    """The Tools tab, once its list is read."""
    async with running(server, size, plain=False) as (app, pilot):
        await wait_for(pilot, lambda: bool(app.query(ToolsView)))
        view = app.query_one(ToolsView)
        await wait_for(pilot, lambda: view.item is not None and view.form is not None)
        yield app, pilot, view


async def choose(pilot: Pilot[int], view: ToolsView, name: str) -> None:
    """Go to a tool and its form."""
    view.show_item(name)
    await wait_for(pilot, lambda: view.item is not None and view.item.name == name)
    await wait_for(pilot, lambda: view.form is not None)
    view.rows.focus()


async def call(pilot: Pilot[int], view: ToolsView, name: str) -> None:
    """Call a tool with Ctrl+R and wait for its outcome on screen."""
    await choose(pilot, view, name)
    before = view.result.past
    await pilot.press("ctrl+r")
    await wait_for(
        pilot,
        lambda: (
            view.result.past is not None
            and view.result.past is not before
            and view.result.past.call.done
        ),
    )
    await wait_for(pilot, lambda: "running" not in head(view))


def head(view: ToolsView) -> str:
    """The line above the result."""
    return text_of(view.result.query_one("#result-head", LineWidget))


def kinds(view: ToolsView) -> list[str]:
    """The kinds of the blocks on screen."""
    return [block.block.kind for block in view.result.query(BlockView)]


async def test_nothing_is_called_unasked() -> None:
    server = ItemServer()
    async with tools_on(server) as (_, pilot, view):
        await pilot.press("down", "down", "up")
        await choose(pilot, view, "echo")
        assert server.calls("tools/call") == []


async def test_a_call_shows_its_content_and_the_schemas_verdict() -> None:
    await validate(SUM, {})
    server = ItemServer()
    async with tools_on(server) as (_, pilot, view):
        await choose(pilot, view, "add")
        assert view.form is not None
        view.form.set_value({"a": 2, "b": 3})
        await call(pilot, view, "add")
        await wait_for(pilot, lambda: kinds(view) == ["text", "structuredContent"])
        await wait_for(pilot, lambda: "structured: valid" in head(view))
        assert server.calls("tools/call")[0]["arguments"] == {"a": 2, "b": 3}


async def test_structured_content_that_does_not_fit_is_told_with_its_place() -> None:
    await validate(SUM, {})  # on a busy machine the validator takes seconds to start
    async with tools_on(ItemServer()) as (_, pilot, view):
        await call(pilot, view, "wrong")
        await wait_for(pilot, lambda: "1 problem" in head(view))
        await wait_for(pilot, lambda: "does not fit outputSchema" in kinds(view))
        told = next(iter(view.result.query(BlockView))).block
        assert told.text.startswith("/sum")


async def test_wrong_arguments_are_sent_all_the_same() -> None:
    server = ItemServer()
    async with tools_on(server) as (_, pilot, view):
        await choose(pilot, view, "add")
        assert view.form is not None
        view.form.set_value({"a": "no number"})
        await call(pilot, view, "add")
        sent = server.calls("tools/call")[0]["arguments"]
        assert isinstance(sent, dict)
        assert sent["a"] == "no number"


async def test_failures_are_told_apart() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await call(pilot, view, "fails")
        assert "the tool failed" in head(view)
        await call(pilot, view, "refuses")
        assert "JSON-RPC error -32602" in head(view)
        await wait_for(pilot, lambda: kinds(view) == ["message", "data"])


async def test_a_hanging_call_runs_visibly_and_can_be_cancelled() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "hangs")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "running" in head(view))
        await pilot.press("ctrl+x")
        await wait_for(pilot, lambda: "no answer: cancelled" in head(view))
        assert view.result.past is not None
        assert isinstance(view.result.past.call.outcome, Lost)


async def test_a_call_goes_on_while_another_tool_is_looked_at() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "hangs")
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "running" in head(view))
        await call(pilot, view, "echo")
        assert "ok" in head(view)
        await choose(pilot, view, "hangs")
        await wait_for(pilot, lambda: "running" in head(view))


async def test_history_recalls_arguments_and_outcome() -> None:
    server = ItemServer()
    async with tools_on(server) as (_, pilot, view):
        await choose(pilot, view, "add")
        form = view.form
        assert form is not None
        form.set_value({"a": 1, "b": 1})
        await call(pilot, view, "add")
        first = view.result.past
        form.set_value({"a": 2, "b": 2})
        await call(pilot, view, "add")
        listed = view.result.query_one(HistoryList)
        await wait_for(pilot, lambda: len(listed.shown) == 2)
        listed.focus()
        await pilot.press("end", "enter")
        await wait_for(pilot, lambda: view.result.past is first)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: len(server.calls("tools/call")) == 3)
        assert server.calls("tools/call")[2]["arguments"] == {"a": 1, "b": 1}


async def test_what_was_typed_is_kept_for_each_tool_and_across_reconnects() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        await choose(pilot, view, "add")
        form = view.form
        assert form is not None
        form.set_value({"a": 41, "b": 1})
        await choose(pilot, view, "echo")
        await choose(pilot, view, "add")
        assert view.form is form
        session = app.bridge.workbench.session
        app.bridge.post(app.bridge.workbench.reconnect)
        await wait_for(
            pilot,
            lambda: (
                app.bridge.workbench.session is not session
                and app.bridge.workbench.session.catalog["tools"].state == "ready"
            ),
        )
        await pilot.pause()
        main(app).show_tab("tools")
        await choose(pilot, view, "add")
        assert view.form is form
        await call(pilot, view, "add")
        assert b"41" in view.history.of("add")[0].arguments


async def test_a_form_made_anew_has_the_numbers_as_they_were_typed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.tui.views.tools.FORMS_KEPT", 1)
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "add")
        first = view.form
        assert first is not None
        first.set_value(RawJson(b'{"a":1.10,"b":12345678901234567890.5}'))
        await choose(pilot, view, "echo")
        await choose(pilot, view, "add")
        form = view.form
        assert form is not None
        assert form is not first
        assert dump(form.value()) == '{"a":1.10,"b":12345678901234567890.5}'


async def test_items_that_cannot_be_read_are_listed_and_said_to_be_invalid() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        listed = text_of(view.rows)
        assert "item 7" in listed
        assert "invalid" in listed
        await choose(pilot, view, "item 7")
        await pilot.press("f7")
        await wait_for(pilot, lambda: view.has_class("-about"))


async def test_names_of_a_server_are_shown_as_they_are() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        assert "evil␛[31m" in text_of(view.rows)
        await choose(pilot, view, "evil\x1b[31m")
        assert view.item is not None
        assert view.item.warnings


async def test_a_link_opens_in_the_resources_tab_and_is_not_read() -> None:
    server = ItemServer()
    async with tools_on(server) as (app, pilot, view):
        await call(pilot, view, "echo")
        await wait_for(pilot, lambda: "link" in kinds(view))
        link = next(one for one in view.result.query(BlockView) if one.block.kind == "link")
        link.focus()
        await wait_for(pilot, lambda: link.has_focus)
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).tab == "resources")
        assert server.calls("resources/read") == []


async def test_narrow_screens_show_form_and_result_in_turns() -> None:
    async with tools_on(ItemServer(), (80, 24)) as (_, pilot, view):
        form, result = view.query_one("#pane-form"), view.query_one("#pane-result")
        await choose(pilot, view, "echo")
        await pilot.press("enter")
        await wait_for(pilot, lambda: form.has_focus_within)
        assert not result.display or result.size.width == 0
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: result.size.width > 0 and form.size.width == 0)
        await wait_for(pilot, lambda: result.has_focus_within)
        await pilot.press("escape")
        await wait_for(pilot, lambda: form.size.width > 0 and result.size.width == 0)


async def test_a_second_call_on_a_narrow_screen_keeps_the_focus_on_its_result() -> None:
    async with tools_on(ItemServer(), (80, 24)) as (app, pilot, view):
        form, result = view.query_one("#pane-form"), view.query_one("#pane-result")
        await choose(pilot, view, "echo")
        await pilot.press("enter")
        await wait_for(pilot, lambda: form.has_focus_within)
        for calls in (1, 2, 3):
            await pilot.press("ctrl+r")
            await wait_for(pilot, lambda n=calls: len(view.history.of("echo")) == n)  # type: ignore[misc]
            await wait_for(pilot, lambda: result.size.width > 0 and bool(result.query(BlockView)))
            await wait_for(pilot, lambda: result.has_focus_within)
            past = view.result.past
            assert past is not None
            await wait_for(pilot, lambda one=past: one.call.done)  # type: ignore[misc]
            await pilot.pause()
            assert app.focused is not None
            await pilot.press("escape")
            await wait_for(pilot, lambda: form.has_focus_within)


async def test_a_call_is_copied_as_command_json_rpc_and_curl() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        copied: list[str] = []
        with patch.object(app, "copy", copied.append):
            await choose(pilot, view, "echo")
            await pilot.press("c", "J", "u")
        assert copied[0].startswith("mcp-inspect call echo")
        assert json.loads(copied[1])["method"] == "tools/call"
        assert len(copied) == 2


async def test_the_filter_narrows_the_list_and_escape_ends_it() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await pilot.press("slash", "e", "c", "h")
        await wait_for(pilot, lambda: [item.name for item in view.rows.shown] == ["echo"])
        await pilot.press("escape")
        await wait_for(pilot, lambda: len(view.rows.shown) == 8)
        assert view.rows.has_focus
