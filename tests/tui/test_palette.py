"""The palette: everything by name."""

import pytest
from textual.fuzzy import Matcher

from inspector.tui.palette import Command, InspectorCommands, fit
from inspector.tui.widgets.filter_box import FilterBox
from inspector.tui.widgets.header import TabStrip
from tests.tui.world import Server, main, running, text_of, wait_for


async def test_palette_offers_actions_tabs_and_tools_without_reading_markup() -> None:
    server = Server(tools=[{"name": "[red]x[/nope]", "inputSchema": {}}])
    async with running(server) as (app, pilot):
        await wait_for(pilot, lambda: "2 Tools 1" in text_of(app.query_one(TabStrip)))
        provider = InspectorCommands(app.screen)
        found = [hit.text async for hit in provider.search("[/nope]")]
        assert found == ["Tool: [red]x[/nope]"]
        everything = [hit.text async for hit in provider.discover()]
        assert "Tab: Logs" in everything
        assert "Traffic size" in everything
        await pilot.press("ctrl+p")
        await pilot.press(*"nope")
        await pilot.press("escape")


async def test_a_chosen_action_is_done() -> None:
    async with running() as (app, pilot):
        await pilot.press("ctrl+p")
        await pilot.press(*"tab: logs")
        await pilot.pause(0.3)
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).tab == "logs")


def command(name: str, words: str = "", weight: float = 1.0, *, fuzzy: bool = True) -> Command:
    return Command(name, "", words, lambda: None, weight, fuzzy=fuzzy)


def test_the_start_of_a_name_fits_better_than_a_word_than_a_piece_than_letters_in_order() -> None:
    names = ["Tab: Tasks", "As task", "Multitasker", "Trace sink"]
    scores = [fit("task", command(name), Matcher("task").match) for name in names]
    assert scores == sorted(scores, reverse=True)
    assert len(set(scores)) == len(scores)
    assert scores[-1] > 0


def test_what_it_does_is_searched_too_and_a_theme_is_no_fuzzy_find() -> None:
    assert fit("timeout", command("Limit", "Changes the timeout"), Matcher("timeout").match) > 0
    theme = command("Theme: high-contrast-dark", "Colours", 0.6, fuzzy=False)
    assert fit("task", theme, Matcher("task").match) == 0
    assert fit("dark", theme, Matcher("dark").match) > 0


async def test_an_action_of_another_tab_is_done_there() -> None:
    server = Server()
    async with running(server, plain=False) as (app, pilot):
        provider = InspectorCommands(app.screen)
        found = [hit async for hit in provider.search("ping")]
        ping = next(hit for hit in found if hit.text == "Server: Ping")
        pings = server.seen.count("ping")
        ping.command()
        await wait_for(pilot, lambda: main(app).tab == "server")
        await wait_for(pilot, lambda: server.seen.count("ping") == pings + 1)


@pytest.mark.parametrize(
    ("words", "name"),
    [
        ("stuck", "Why is it hanging?"),
        ("export", "Traffic: Export"),
        ("html", "Traffic: Export"),
        ("waterfall", "Traffic: Waterfall"),
        ("time travel", "Traffic: As of here"),
        ("causality", "Traffic: Call tree"),
        ("bookmark", "Traffic: Mark"),
        ("two recordings", "Compare recordings"),
        ("lint", "Tab: Findings"),
        ("coverage", "Server: Coverage"),
    ],
)
async def test_what_the_debugger_can_do_is_found_from_any_tab_by_a_users_words(
    words: str, name: str
) -> None:
    async with running(plain=False) as (app, _):
        provider = InspectorCommands(app.screen)
        assert name in [hit.text async for hit in provider.search(words)]


async def test_an_action_of_the_traffic_is_done_there_though_it_was_hidden() -> None:
    async with running(plain=False) as (app, pilot):
        main(app).set_traffic("hidden")
        hits = [hit async for hit in InspectorCommands(app.screen).search("filter")]
        next(hit for hit in hits if hit.text == "Traffic: Filter").command()
        await wait_for(pilot, lambda: main(app).query_one(FilterBox).has_focus_within)
        assert main(app).traffic_size == "third"
