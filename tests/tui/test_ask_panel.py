"""Answering each kind of ask by keyboard, and what then goes over the wire."""

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Static, TextArea

from inspector.protocol.messages import JsonObject
from inspector.session.asks import Policy
from inspector.session.roots import read_root
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.screens.dialogs import EditDialog, LineDialog
from tests.tui.askers import (
    HOSTILE,
    Asker,
    answered,
    ask_in_dialog,
    asks_of,
    elicitation,
    page,
    sampling,
    session_of,
)
from tests.tui.world import running, text_of, wait_for


async def editor(pilot: Pilot[int], app: InspectorApp) -> TextArea:
    """The editor of the dialog that Ctrl+R opens."""
    await pilot.press("ctrl+r")
    await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
    await wait_for(pilot, lambda: isinstance(app.focused, TextArea))
    area = app.focused
    assert isinstance(area, TextArea)
    return area


async def test_sampling_is_answered_with_text_model_and_stop_reason() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press(*"42", "enter", *"ok", "tab", "home", "shift+end", *"gpt", "tab")
        await pilot.press("home", "shift+end", *"maxTokens", "ctrl+s")
        assert (await answered(pilot, server, 900))["result"] == {
            "role": "assistant",
            "content": {"type": "text", "text": "42\nok"},
            "model": "gpt",
            "stopReason": "maxTokens",
        }
        await wait_for(pilot, lambda: asks_of(app)[0].state == "answered")


async def test_an_empty_stop_reason_is_left_out() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("tab", "tab", "home", "shift+end", "delete", "ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert isinstance(result, dict)
        assert "stopReason" not in result


async def test_sampling_is_declined_with_a_message() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("ctrl+d")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        await pilot.press("home", "shift+end", *"not now", "enter")
        error = (await answered(pilot, server, 900))["error"]
        assert error == {"code": -1, "message": "not now"}
        assert asks_of(app)[0].state == "declined"


async def test_leaving_the_message_of_a_decline_leaves_the_ask_open() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("x", "ctrl+d")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen))
        assert asks_of(app)[0].is_open
        assert app.screen.query_one("#ask-text", TextArea).text == "x"


async def test_the_result_is_edited_as_json_and_sent_as_it_stands() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press(*"hello")
        area = await editor(pilot, app)
        assert '"hello"' in area.text
        area.text = '{"wrong": 1.10}'
        await pilot.press("ctrl+s")
        assert (await answered(pilot, server, 900))["result"] == {"wrong": 1.1}
        sent = server.transports[-1].sent[-1].raw
        assert b"1.10" in sent


async def test_what_a_model_is_asked_is_edited_and_copied_and_the_answer_typed_stays() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press(*"42", "f7")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        app.screen.query_one(TextArea).load_text('{"messages": [], "maxTokens": 77}')
        await pilot.press("ctrl+s")
        question = screen.query_one("#ask-question")
        await wait_for(pilot, lambda: "edited by you" in text_of(question))
        assert "maxTokens  77" in text_of(question)
        assert app.clipboard == '{"messages":[],"maxTokens":77}'
        assert asks_of(app)[0].is_open
        await pilot.press("ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert isinstance(result, dict)
        assert result["content"] == {"type": "text", "text": "42"}


async def test_what_is_no_json_is_not_sent_and_stays_to_be_mended() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        area = await editor(pilot, app)
        area.text = '{"half": '
        await pilot.press("ctrl+s")
        await wait_for(
            pilot, lambda: "this has to be JSON" in text_of(app.screen.query_one("#edit-note"))
        )
        assert area.has_focus
        assert asks_of(app)[0].is_open
        await pilot.press("escape")
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen))
        assert server.answer_to(900) is None


async def test_an_elicitation_is_accepted_with_what_the_form_holds() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, elicitation(900))
        await pilot.press(*"Ada", "ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert result == {"action": "accept", "content": {"name": "Ada", "age": 7}}


async def test_wrong_values_are_sent_all_the_same() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        schema: JsonObject = {
            "type": "object",
            "properties": {"age": {"type": "integer", "minimum": 1}},
            "required": ["age"],
        }
        await ask_in_dialog(pilot, app, server, elicitation(900, schema=schema))
        await pilot.press(*"0", "ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert result == {"action": "accept", "content": {"age": 0}}


async def test_a_schema_that_is_none_can_still_be_answered() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        message: JsonObject = {
            "id": 900,
            "method": "elicitation/create",
            "params": {"message": "?", "requestedSchema": 5},
        }
        await ask_in_dialog(pilot, app, server, message)
        await pilot.press("ctrl+d")
        assert (await answered(pilot, server, 900))["result"] == {"action": "decline"}


async def test_what_only_escapes_can_say_is_edited_as_escapes() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        name: JsonObject = {"type": "string", "default": "a\ud800\u202eb"}
        schema: JsonObject = {"type": "object", "properties": {"name": name}}
        await ask_in_dialog(pilot, app, server, elicitation(900, schema=schema))
        area = await editor(pilot, app)
        assert '"a\\ud800\\u202eb"' in area.text
        await pilot.press("ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert result == {"action": "accept", "content": {"name": "a\ud800\u202eb"}}


async def test_an_elicitation_as_json_shows_what_the_form_holds() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, elicitation(900))
        await pilot.press(*"Ada")
        area = await editor(pilot, app)
        assert '"Ada"' in area.text
        area.text = '{"action": "maybe"}'
        await pilot.press("ctrl+s")
        assert (await answered(pilot, server, 900))["result"] == {"action": "maybe"}


async def test_roots_are_answered_with_those_shown() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        session = session_of(app)

        async def prepare() -> None:
            session.inbox.set_policy("roots", Policy("ask"))
            await session.set_roots([read_root("file:///srv/data", "data")])

        await app.bridge.run(prepare)
        message: JsonObject = {"id": 900, "method": "roots/list"}
        screen = await ask_in_dialog(pilot, app, server, message)
        await wait_for(
            pilot,
            lambda: "file:///srv/data" in text_of(screen.query("#ask-answer Static").first(Static)),
        )
        await pilot.press("ctrl+s")
        result = (await answered(pilot, server, 900))["result"]
        assert result == {"roots": [{"uri": "file:///srv/data", "name": "data"}]}


@pytest.fixture
def browser(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A browser that writes down what it was to open."""
    log = tmp_path / "opened"
    program = tmp_path / "browser"
    program.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" >> {log}\n')
    program.chmod(0o755)
    monkeypatch.setenv("BROWSER", str(program))
    assert os.access(program, os.X_OK)
    return log


def opened(browser: Path) -> str:
    """What the browser was given, a line an argument."""
    return browser.read_text() if browser.exists() else ""


async def test_a_page_is_opened_on_its_key_only_and_consent_is_sent_after(browser: Path) -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, page(900))
        told = text_of(screen.query_one("#ask-question"))
        assert "https://example.com/consent?a=1" in told
        assert "host  example.com" in told
        assert opened(browser) == ""
        await pilot.press("ctrl+b")
        await wait_for(pilot, lambda: opened(browser) != "")
        assert opened(browser) == "https://example.com/consent?a=1\n"
        assert server.answer_to(900) is None
        await pilot.press("ctrl+s")
        assert (await answered(pilot, server, 900))["result"] == {"action": "accept"}


async def test_accepting_does_not_open_the_page(browser: Path) -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, page(900))
        await pilot.press("ctrl+s")
        await answered(pilot, server, 900)
        await wait_for(pilot, lambda: app.screen is app.main)
        assert opened(browser) == ""


@pytest.mark.parametrize(
    "url", ["file:///etc/passwd", "javascript:alert(1)", f"https://x/{HOSTILE}", "--version"]
)
async def test_a_page_that_is_no_web_page_is_refused_with_the_reason(
    browser: Path, url: str
) -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, page(900, url))
        await wait_for(
            pilot, lambda: "cannot be opened" in text_of(screen.query_one("#ask-question"))
        )
        await pilot.press("ctrl+b")
        await wait_for(pilot, lambda: len(app._notifications) > 0)
        assert opened(browser) == ""
        assert asks_of(app)[0].is_open


async def test_keys_that_edit_text_decide_nothing() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press(*"abc", "home", "ctrl+k", "ctrl+b")
        await pilot.pause()
        assert screen.query_one("#ask-text", TextArea).text == ""
        assert asks_of(app)[0].is_open


async def test_a_call_that_asks_does_not_time_out_meanwhile() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        session = session_of(app)
        call = await app.bridge.run(lambda: session.call_tool("waits"))
        screen = await ask_in_dialog(pilot, app, server, sampling(900))
        assert call.waiting_for_us
        heading = text_of(screen.query_one("#ask-heading"))
        assert "waits" in heading
        assert "waiting" in heading
