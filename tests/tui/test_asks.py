"""The Asks tab: what waits is decided there, what is over says what was sent."""

from textual.widgets import TextArea

from inspector.tui.views.asks import AsksView
from inspector.tui.widgets.rule import Rule
from tests.tui.askers import (
    HOSTILE,
    Asker,
    answered,
    asks_of,
    elicitation,
    sampling,
    session_of,
    tab,
    tell,
)
from tests.tui.world import rows, running, text_of, wait_for


async def test_an_empty_tab_says_so_and_names_the_policies() -> None:
    async with running(Asker(), plain=False) as (app, pilot):
        view = await tab(pilot, app, "5", AsksView)
        await wait_for(pilot, lambda: "asked nothing yet" in text_of(view.query_one("#ask-list")))
        rule = view.query_one("#ask-detail-rule", Rule)
        assert "ask me: sampling, form, URL" in text_of(rule)


async def test_an_ask_is_answered_in_the_tab_by_keyboard() -> None:
    server = Asker()
    async with running(server, plain=False) as (app, pilot):
        view = await tab(pilot, app, "5", AsksView)
        assert isinstance(view, AsksView)
        tell(app, server, sampling(900))
        await wait_for(pilot, lambda: bool(view.query("#ask-text")))
        await wait_for(pilot, lambda: "Enter to answer it" in text_of(view.query_one("#ask-hints")))
        await pilot.press("enter")
        await wait_for(pilot, lambda: view.query_one("#ask-text", TextArea).has_focus)
        await pilot.press(*"yes", "ctrl+s")
        await answered(pilot, server, 900)
        await wait_for(pilot, lambda: view.asks.has_focus)
        await wait_for(pilot, lambda: "answered" in text_of(view.asks))
        number = asks_of(app)[0].entry
        await pilot.press("enter")
        await wait_for(pilot, lambda: rows(app).entry == number)


async def test_open_asks_come_first_and_what_was_typed_stays_while_others_come() -> None:
    server = Asker()
    async with running(server, plain=False) as (app, pilot):
        view = await tab(pilot, app, "5", AsksView)
        assert isinstance(view, AsksView)
        tell(app, server, sampling(900))
        await wait_for(pilot, lambda: bool(view.query("#ask-text")))
        await pilot.press("enter", *"half")
        await wait_for(pilot, lambda: view.query_one("#ask-text", TextArea).text == "half")
        tell(app, server, elicitation(901))
        await wait_for(pilot, lambda: session_of(app).inbox.open_count == 2)
        await wait_for(pilot, lambda: len(view.asks.items) == 2)
        assert view.query_one("#ask-text", TextArea).text == "half"
        await pilot.press("escape")
        await wait_for(pilot, lambda: view.asks.has_focus)
        assert session_of(app).inbox.open_count == 2


async def test_on_few_lines_the_answer_has_the_room() -> None:
    server = Asker()
    async with running(server, (80, 24), plain=False) as (app, pilot):
        view = await tab(pilot, app, "5", AsksView)
        tell(app, server, sampling(900))
        await wait_for(pilot, lambda: bool(view.query("#ask-text")))
        await wait_for(pilot, lambda: view.query_one("#ask-list").has_focus)
        await pilot.press("enter")
        await wait_for(pilot, lambda: view.query_one("#ask-text").size.height >= 2)
        await wait_for(pilot, lambda: not view.query_one("#ask-side").display)
        await pilot.press("escape")
        await wait_for(pilot, lambda: bool(view.query_one("#ask-side").display))


async def test_a_hostile_ask_in_the_list_is_harmless() -> None:
    server = Asker()
    async with running(server, (160, 40), plain=False) as (app, pilot):
        view = await tab(pilot, app, "5", AsksView)
        tell(app, server, elicitation(900, HOSTILE))
        await wait_for(pilot, lambda: "evil␛[31m" in text_of(view.query_one("#ask-list")))
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(text_of(view.query_one("#ask-list")))
