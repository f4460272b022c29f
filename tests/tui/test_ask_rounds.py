"""Questions in results (2026-07-28 basic/patterns/mrtr) on the screen: answered, edited, stepped
through and given up."""

from typing import Final

import pytest
from textual.pilot import Pilot
from textual.widgets import TextArea

from inspector.protocol.messages import JsonObject
from inspector.session.asks import Policy
from inspector.session.pending import Call, Lost, Success
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.screens.dialogs import EditDialog
from inspector.tui.views.asks import AsksView
from inspector.tui.views.server import ServerView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import FORM, asks_of, dialog, session_of, tab
from tests.tui.modern_world import ModernServer
from tests.tui.world import running, text_of, wait_for

STATE: Final = "st\u00e4te \u202e 1.10"
MODEL: Final[JsonObject] = {
    "method": "sampling/createMessage",
    "params": {"messages": [], "maxTokens": 9},
}
WHO: Final[JsonObject] = {
    "method": "elicitation/create",
    "params": {"message": "Who are you?", "requestedSchema": FORM},
}


class Twice(ModernServer):
    """Its tool asks for what `rounds` holds, one after the other, and then is content."""

    def __init__(self, *rounds: JsonObject) -> None:
        super().__init__("modern", tools=[{"name": "plan", "inputSchema": {"type": "object"}}])
        self.rounds = list(rounds)
        self.calls: list[JsonObject] = []

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        """A question, as long as there is one."""
        if method != "tools/call":
            return super().result(method, params)
        self.calls.append({key: value for key, value in params.items() if key != "_meta"})
        if len(self.calls) <= len(self.rounds):
            asked = self.rounds[len(self.calls) - 1]
            return {"resultType": "input_required", "requestState": STATE, **asked}
        return {"resultType": "complete", "content": []}


async def begin(app: InspectorApp, pilot: Pilot[int], *, step: bool = False) -> Call:
    """The call that is asked back."""
    session = session_of(app)
    if step:
        session.inbox.set_policy("round", Policy("ask"))
    return await app.bridge.run(lambda: session.call_tool("plan", {"days": 3}))


async def dialog_saying(pilot: Pilot[int], app: InspectorApp, words: str) -> AskScreen:
    """The dialog whose heading says `words`."""
    screen = await dialog(pilot, app)
    await wait_for(pilot, lambda: words in text_of(screen.query_one("#ask-heading")))
    return screen


async def gone(pilot: Pilot[int], app: InspectorApp, screen: AskScreen) -> None:
    """Returns when that dialog is closed."""
    await wait_for(pilot, lambda: app.screen is not screen)


async def test_a_step_shows_answers_and_state_and_sends_them_when_accepted() -> None:
    server = Twice({"inputRequests": {"who": WHO}})
    async with running(server, (80, 24), protocol="modern") as (app, pilot):
        call = await begin(app, pilot, step=True)
        await dialog(pilot, app)
        await pilot.press(*"Ada", "ctrl+s")
        await wait_for(pilot, lambda: len(asks_of(app)) == 2)
        screen = await dialog(pilot, app)
        question = screen.query_one("#ask-question")
        await wait_for(pilot, lambda: "inputResponses" in text_of(question))
        heading = text_of(screen.query_one("#ask-heading"))
        assert "Next request of a call" in heading
        assert "round 1" in heading
        shown = text_of(question)
        told = screen.query_one("#ask-told")
        assert told.size.height >= len(shown.splitlines())  # all of it, even in 24 lines
        assert '"name":"Ada"' in shown
        assert "the server's own" in shown
        assert "\\u00e4te" in shown  # as it came, and as it goes back
        assert "Ctrl+D end the call" in text_of(screen.query_one("#ask-hints"))
        assert len(server.calls) == 1
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: call.done)
        assert isinstance(call.outcome, Success)
        assert server.calls[1]["requestState"] == STATE
        sent = server.transports[-1].sent[-1].raw
        assert b'"requestState":"st\\u00e4te \\u202e 1.10"' in sent


async def test_a_request_that_only_puts_off_is_stepped_too_and_edited() -> None:
    server = Twice({})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot, step=True)
        screen = await dialog(pilot, app)
        assert "inputResponses  none" in text_of(screen.query_one("#ask-question"))
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        area = app.screen.query_one(TextArea)
        area.load_text(area.text.replace('"days": 3', '"days": 1.10'))
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: call.done)
        sent = server.transports[-1].sent[-1].raw
        assert b'"arguments":{"days":1.10}' in sent
        assert b'"requestState":"st\\u00e4te \\u202e 1.10"' in sent


async def test_a_step_that_is_declined_ends_the_call_and_nothing_is_sent() -> None:
    server = Twice({})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot, step=True)
        await dialog(pilot, app)
        await pilot.press("ctrl+d")
        await wait_for(pilot, lambda: call.done and app.screen is app.main)
        assert isinstance(call.outcome, Lost)
        assert len(server.calls) == 1


async def test_questions_of_one_round_say_how_many_have_an_answer() -> None:
    server = Twice({"inputRequests": {"who": WHO, "again": WHO, "third": WHO}})
    async with running(server, (80, 24), protocol="modern") as (app, pilot):
        call = await begin(app, pilot)
        for done in range(3):
            screen = await dialog_saying(pilot, app, f"{done} of 3 answered in round 1")
            await pilot.press("f8")
            await gone(pilot, app, screen)
        await wait_for(pilot, lambda: call.done)
        cancel: JsonObject = {"action": "cancel"}
        assert server.calls[1]["inputResponses"] == dict.fromkeys(("who", "again", "third"), cancel)


async def test_an_answer_is_edited_as_json_and_sent_though_the_schema_refuses_it() -> None:
    server = Twice({"inputRequests": {"who": WHO}})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot)
        await dialog(pilot, app)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: isinstance(app.screen, EditDialog))
        area = app.screen.query_one(TextArea)
        area.load_text('{"action": "accept", "content": {"name": 1.10, "odd": null}}')
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: call.done)
        sent = server.transports[-1].sent[-1].raw
        assert b'{"who":{"action":"accept","content":{"name":1.10,"odd":null}}}' in sent


async def test_a_form_with_wrong_values_can_be_sent_too() -> None:
    schema: JsonObject = {"type": "object", "properties": {"n": {"type": "string", "minLength": 9}}}
    long: JsonObject = {"message": "A long name?", "requestedSchema": schema}
    server = Twice({"inputRequests": {"who": {**WHO, "params": long}}})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot)
        await dialog(pilot, app)
        await pilot.press(*"Ada", "ctrl+s")
        await wait_for(pilot, lambda: call.done)
        answers: JsonObject = {"who": {"action": "accept", "content": {"n": "Ada"}}}
        assert server.calls[1]["inputResponses"] == answers


async def test_a_no_to_a_model_ends_the_call_and_is_sent_to_nobody() -> None:
    server = Twice({"inputRequests": {"model": MODEL}})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot)
        screen = await dialog(pilot, app)
        assert "Declining ends the call" in text_of(screen.query_one("#ask-question"))
        await pilot.press("ctrl+d")  # no message is asked for: nobody would get it
        await wait_for(pilot, lambda: call.done and app.screen is app.main)
        assert isinstance(call.outcome, Lost)
        assert len(server.calls) == 1


@pytest.mark.parametrize("key", ["ctrl+x", "ctrl+c"])
async def test_the_call_is_given_up_from_its_question(key: str) -> None:
    server = Twice({"inputRequests": {"who": WHO}})
    async with running(server, protocol="modern") as (app, pilot):
        call = await begin(app, pilot)
        await dialog(pilot, app)
        await pilot.press(key)
        await wait_for(pilot, lambda: call.done and app.screen is app.main)
        assert isinstance(call.outcome, Lost)
        assert [ask.state for ask in asks_of(app)] == ["withdrawn"]
        assert len(server.calls) == 1


async def test_the_policy_is_switched_on_the_server_tab_and_stands_over_the_asks() -> None:
    async with running(Twice(), plain=False, protocol="modern") as (app, pilot):
        view = await tab(pilot, app, "1", ServerView)
        assert isinstance(view, ServerView)
        await wait_for(pilot, lambda: view.lines.select(("policy", "round")))
        assert "go on by itself" in text_of(view.lines)
        await pilot.press("enter")
        await wait_for(pilot, lambda: session_of(app).inbox.policies["round"] == Policy("ask"))
        await wait_for(pilot, lambda: "ask me before each" in text_of(view.lines))
        asks = await tab(pilot, app, "5", AsksView)
        rule = asks.query_one("#ask-detail-rule", Rule)
        await wait_for(pilot, lambda: "step: rounds" in text_of(rule))
