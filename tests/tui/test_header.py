"""The lines at the top and the bottom."""

from inspector.tui.widgets.header import Header, TabStrip
from tests.tui.world import main, running, text_of, wait_for


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
        for title in ("Server", "Resources", "Prompts", "Asks", "Tasks", "Logs"):
            assert title in text_of(strip)


async def test_an_unchanged_line_is_not_painted_again() -> None:
    async with running() as (app, pilot):
        strip = main(app).query_one(TabStrip)
        await wait_for(pilot, lambda: "2 Tools 2" in text_of(strip))
        painted: list[object] = []
        strip.refresh = lambda *args, **kwargs: painted.append(args) or strip  # type: ignore[method-assign,func-returns-value]
        for _ in range(5):
            main(app).tick()
        assert painted == []
