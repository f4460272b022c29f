"""A key that would send something says why it cannot."""

import pytest

from inspector.session.state import Phase
from inspector.tui.widgets.header import HintLine
from tests.tui.world import Server, main, rows, running, text_of, wait_for


@pytest.mark.parametrize(
    ("tab", "key"), [("2", "ctrl+r"), ("2", "r"), ("1", "p"), ("6", "u"), ("8", "L")]
)
async def test_without_a_connection_every_sending_key_says_so(tab: str, key: str) -> None:
    server = Server()
    async with running(server, plain=False) as (app, pilot):
        await app.bridge.run(app.bridge.workbench.disconnect)
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.CLOSED)
        await pilot.press(tab)
        await wait_for(pilot, lambda: main(app).tab == tab_name(tab))
        await pilot.pause()
        asked = len(server.seen)
        await pilot.press(key)
        await wait_for(
            pilot, lambda: any("F5 connects again" in n.message for n in app._notifications)
        )
        assert len(server.seen) == asked


async def test_nothing_is_sent_again_without_a_connection() -> None:
    server = Server()
    async with running(server) as (app, pilot):
        await app.bridge.run(app.bridge.workbench.disconnect)
        asked = len(server.seen)
        await pilot.press("ctrl+g", "g", "j")
        await wait_for(pilot, lambda: rows(app).entry is not None)
        await pilot.press("r")
        await wait_for(pilot, lambda: bool(app._notifications))
        assert len(server.seen) == asked


async def test_a_task_key_without_a_task_says_so_and_is_not_among_the_hints() -> None:
    async with running(plain=False) as (app, pilot):
        await pilot.press("6")
        hints = main(app).query_one(HintLine)
        await wait_for(pilot, lambda: "u Update" in text_of(hints))
        assert "p Poll" not in text_of(hints)
        assert "Enter Open" not in text_of(hints)
        await pilot.press("p")
        await wait_for(pilot, lambda: any("no task" in n.message for n in app._notifications))


@pytest.mark.parametrize(
    ("tab", "word", "kept"),
    [("1", "p Ping", "c Coverage"), ("2", "Ctrl+R Call", "F7 About"), ("6", "u Update", "F1")],
)
async def test_the_past_offers_no_key_that_sends_and_now_offers_it_again(
    tab: str, word: str, kept: str
) -> None:
    async with running(plain=False) as (app, pilot):
        await pilot.press(tab)
        hints = main(app).query_one(HintLine)
        await wait_for(pilot, lambda: word in text_of(hints))
        main(app).travel_to(2)
        await wait_for(pilot, lambda: main(app).in_past)
        await wait_for(pilot, lambda: word not in text_of(hints))
        assert kept in text_of(hints)
        await pilot.press("escape")
        await wait_for(pilot, lambda: word in text_of(hints))


def tab_name(key: str) -> str:
    return {"1": "server", "2": "tools", "6": "tasks", "8": "logs"}[key]
