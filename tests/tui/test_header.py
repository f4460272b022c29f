"""The lines at the top and the bottom."""

import pytest

from inspector.session.state import SessionState
from inspector.tui.views.registry import VIEWS
from inspector.tui.widgets.header import BRIEFLY, Header, HintLine, TabStrip, short_reason
from tests.tui.modern_world import ModernServer
from tests.tui.test_tools import ItemServer, choose, tools_on
from tests.tui.world import all_judged, main, running, text_of, wait_for


async def test_counts_of_messages_and_the_clock_go_on() -> None:
    async with running() as (app, pilot):
        header = main(app).query_one(Header)
        await wait_for(pilot, lambda: "↑3 ↓2" in text_of(header))
        await app.bridge.run(app.bridge.workbench.session.ping)
        await wait_for(pilot, lambda: "↑4 ↓3" in text_of(header))


async def test_a_recording_that_stopped_is_said() -> None:
    async with running() as (app, pilot):
        app.bridge.workbench.recording_problem = "disk full"
        await wait_for(pilot, lambda: "! not recording" in text_of(main(app).query_one(Header)))


async def test_a_click_on_a_tab_goes_there() -> None:
    async with running() as (app, pilot):
        strip = main(app).query_one(TabStrip)
        await wait_for(pilot, lambda: "8 Logs" in text_of(strip))
        column = text_of(strip).index("8 Logs")
        await pilot.click(strip, offset=(column + 1, 0))
        await wait_for(pilot, lambda: main(app).tab == "logs")


async def test_all_tabs_fit_into_80_columns_with_their_whole_names() -> None:
    async with running(size=(80, 24)) as (app, pilot):
        strip = main(app).query_one(TabStrip)
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(strip))
        for title in ("Server", "Resources", "Prompts", "Asks", "Tasks", "Findings", "Logs"):
            assert title in text_of(strip)


async def test_where_tabs_are_crowded_a_number_stands_with_its_own_title() -> None:
    async with running(size=(80, 24)) as (app, pilot):
        strip = main(app).query_one(TabStrip)
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(strip))
        badges = {spec.id: "12" for spec in VIEWS}
        crowded = strip._drawn(badges, "tools", gap="", end="").plain
        assert " 2 Tools 12 " in crowded
        assert "  3Resources 12  4Prompts 12  5Asks 12" in crowded


async def test_an_unchanged_line_is_not_painted_again() -> None:
    async with running() as (app, pilot):
        strip = main(app).query_one(TabStrip)
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(strip))
        await wait_for(pilot, lambda: all_judged(app))
        main(app).refresh_lines()
        painted: list[object] = []
        strip.refresh = lambda *args, **kwargs: painted.append(args) or strip  # type: ignore[method-assign,func-returns-value]
        for _ in range(5):
            main(app).tick()
        assert painted == []


async def test_help_and_palette_keep_their_place_among_the_hints_in_80_columns() -> None:
    async with running(size=(80, 24), plain=False) as (app, pilot):
        hints = main(app).query_one(HintLine)
        await wait_for(pilot, lambda: "Ctrl+R Call" in text_of(hints))
        line = text_of(hints).rstrip()
        assert line.endswith("F1 Help   Ctrl+P Commands")
        assert len(line) <= 80


async def test_what_a_place_is_for_comes_first_among_the_hints() -> None:
    async with tools_on(ItemServer(), (80, 24)) as (app, pilot, view):
        hints = main(app).query_one(HintLine)
        await choose(pilot, view, "add")
        view.focus_form()
        await wait_for(pilot, lambda: text_of(hints).strip().startswith("Ctrl+R Call   Esc List"))


async def test_hints_do_not_name_keys_that_a_dialog_has_taken() -> None:
    async with running(plain=False) as (app, pilot):
        hints = main(app).query_one(HintLine)
        await wait_for(pilot, lambda: "Ctrl+R Call" in text_of(hints))
        await pilot.press("f1")
        await wait_for(pilot, lambda: text_of(hints).strip() == "")
        await pilot.press("escape")
        await wait_for(pilot, lambda: "Ctrl+R Call" in text_of(hints))


async def test_opening_is_offered_as_soon_as_there_is_something_to_open() -> None:
    async with tools_on(ItemServer()) as (app, pilot, view):
        hints = main(app).query_one(HintLine)
        view.rows.focus()
        await wait_for(pilot, lambda: "Enter Open" in text_of(hints))
        items = view.rows.items
        view.rows.set_items([])
        await wait_for(pilot, lambda: "Enter Open" not in text_of(hints))
        view.rows.set_items(items)
        await wait_for(pilot, lambda: "Enter Open" in text_of(hints))


async def test_the_header_says_which_revision_is_spoken_in_which_era_and_why() -> None:
    async with running(ModernServer(), protocol="auto") as (app, pilot):
        header = main(app).query_one(Header)
        await wait_for(pilot, lambda: "2026-07-28 modern, found by asking" in text_of(header))
        await app.bridge.run(lambda: app.bridge.workbench.speak("2025-06-18"))
        await wait_for(pilot, lambda: "2025-06-18 handshake, as chosen" in text_of(header))
        await app.bridge.run(lambda: app.bridge.workbench.speak("handshake"))
        await wait_for(pilot, lambda: "2025-11-25 handshake, agreed" in text_of(header))


async def test_80_columns_have_room_for_the_revision_its_era_and_why() -> None:
    async with running(ModernServer(), (80, 24), protocol="auto") as (app, pilot):
        header = main(app).query_one(Header)
        await wait_for(pilot, lambda: "2026-07-28 modern, auto   " in text_of(header))
        await wait_for(pilot, lambda: "● ready" in text_of(header))
        await app.bridge.run(lambda: app.bridge.workbench.speak("2024-11-05"))
        await wait_for(pilot, lambda: "2024-11-05, chosen   " in text_of(header))


@pytest.mark.parametrize("size", [(80, 24), (100, 30), (120, 40)])
async def test_a_long_name_gives_way_to_the_revision_and_to_a_gap(size: tuple[int, int]) -> None:
    server = ModernServer()
    server.info = {"name": "a-server-with-quite-a-long-name-of-its-own", "version": "2026.11.21"}
    async with running(server, size, protocol="auto") as (app, pilot):
        header = main(app).query_one(Header)
        await wait_for(pilot, lambda: "● ready" in text_of(header))
        left, _, _ = text_of(header).partition("● ready")
        assert left.startswith(" a-server-wi")
        assert "2026-07-28 modern, " in left
        assert left.endswith(("auto   ", "found by asking   ", "    "))


def test_every_reason_has_a_short_form() -> None:
    chosen = SessionState(offered="2025-11-25", revision_text="2025-11-25")
    given = SessionState(offered="2025-11-25", revision_text="2024-11-05")
    cases = (("modern", chosen), ("auto", chosen), ("handshake", chosen), ("handshake", given))
    assert {short_reason(protocol, state) for protocol, state in cases} == set(BRIEFLY)


def test_a_server_that_names_another_revision_made_the_choice() -> None:
    state = SessionState(offered="2025-11-25", revision_text="2024-11-05")
    assert short_reason("handshake", state) == "the server's choice"
    assert short_reason("handshake", SessionState()) == ""
