"""The dialog with an ask: deciding by keyboard, putting off, being withdrawn."""

import pytest

from inspector.protocol.messages import JsonObject
from inspector.tui.app import InspectorApp
from inspector.tui.screens.ask import AskScreen
from inspector.tui.screens.dialogs import LineDialog
from tests.tui.askers import (
    HOSTILE,
    SHOWN,
    Asker,
    answered,
    ask_in_dialog,
    asks_of,
    elicitation,
    page,
    sampling,
    session_of,
    tell,
)
from tests.tui.world import running, text_of, wait_for


def toasts(app: InspectorApp) -> str:
    """What was notified and is not yet gone."""
    return "\n".join(note.message for note in app._notifications)


async def test_escape_puts_the_ask_off_and_answers_nothing() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.main)
        assert asks_of(app)[0].is_open
        assert server.answer_to(900) is None
        assert app.is_running


async def test_a_decision_closes_the_dialog() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, elicitation(900))
        await pilot.press("f8")
        assert (await answered(pilot, server, 900))["result"] == {"action": "cancel"}
        await wait_for(pilot, lambda: app.screen is app.main)
        assert asks_of(app)[0].state == "cancelled"


async def test_a_request_that_the_server_cancels_closes_the_dialog_and_says_so() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        params: JsonObject = {"requestId": 900, "reason": f"no need {HOSTILE}"}
        tell(app, server, {"method": "notifications/cancelled", "params": params})
        await wait_for(pilot, lambda: app.screen is app.main)
        assert asks_of(app)[0].state == "withdrawn"
        await wait_for(pilot, lambda: f"withdrawn: no need {SHOWN}" in toasts(app))
        assert "\x1b" not in toasts(app)
        assert server.answer_to(900) is None


async def test_the_dialog_closes_when_the_connection_ends() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        app.bridge.post(app.bridge.workbench.disconnect)
        await wait_for(pilot, lambda: app.screen is app.main)
        await wait_for(pilot, lambda: "withdrawn" in toasts(app))


async def test_a_withdrawal_while_a_dialog_lies_on_top_closes_both_in_turn() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, sampling(900))
        await pilot.press("ctrl+d")
        await wait_for(pilot, lambda: isinstance(app.screen, LineDialog))
        params: JsonObject = {"requestId": 900}
        tell(app, server, {"method": "notifications/cancelled", "params": params})
        await wait_for(pilot, lambda: session_of(app).inbox.open_count == 0)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is app.main)
        assert server.answer_to(900) is None


@pytest.mark.parametrize("message", [sampling(900), elicitation(900), page(900)])
async def test_the_dialog_names_keys_that_work(message: JsonObject) -> None:
    server = Asker()
    async with running(server, (80, 24)) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, message)
        hints = screen.query_one("#ask-hints")
        await wait_for(pilot, lambda: "Ctrl+D" in text_of(hints))
        shown = text_of(hints)
        assert "Esc" in shown
        assert len(shown.splitlines()) == 1
        await pilot.press("ctrl+d")
        await pilot.pause()
        if isinstance(app.screen, LineDialog):
            await pilot.press("enter")
        await answered(pilot, server, 900)


async def test_hints_follow_the_users_keymap() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        app.set_keymap({"asks.decline": "f9"})
        screen = await ask_in_dialog(pilot, app, server, elicitation(900))
        await wait_for(pilot, lambda: "F9 decline" in text_of(screen.query_one("#ask-hints")))
        await pilot.press("f9")
        assert (await answered(pilot, server, 900))["result"] == {"action": "decline"}


async def test_an_ask_is_answered_once_however_often_the_key_is_pressed() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        await ask_in_dialog(pilot, app, server, elicitation(900))
        await pilot.press("f8", "f8", "f8")
        await answered(pilot, server, 900)
        await wait_for(pilot, lambda: app.screen is app.main)
        replies = [one for one in server.heard if one.get("id") == 900]
        assert len(replies) == 1


async def test_a_hostile_ask_stays_inside_its_dialog() -> None:
    server = Asker(name=HOSTILE)
    async with running(server) as (app, pilot):
        screen = await ask_in_dialog(pilot, app, server, elicitation(900, HOSTILE))
        told = text_of(screen.query_one("#ask-question"))
        assert SHOWN in told
        assert "[bold]x[/bold]" in told
        heading = text_of(screen.query_one("#ask-heading"))
        assert "evil␛[31m" in heading
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(told + heading)


async def test_another_dialog_after_the_first_shows_the_other_ask() -> None:
    server = Asker()
    async with running(server) as (app, pilot):
        first = await ask_in_dialog(pilot, app, server, elicitation(900, "first?"))
        tell(app, server, elicitation(901, "second?"))
        await pilot.press("ctrl+d")
        await wait_for(pilot, lambda: isinstance(app.screen, AskScreen) and app.screen is not first)
        await wait_for(pilot, lambda: "second?" in text_of(app.screen.query_one("#ask-question")))
