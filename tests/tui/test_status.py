"""What is shown while there is no session."""

import sys

from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.status import StatusPanel, stderr_tail
from inspector.workbench import Options, Workbench
from tests.tui.world import main, text_of, wait_for


def app_on(*command: str) -> InspectorApp:
    return InspectorApp(
        lambda target: Workbench(target, options=Options(no_record=True)), Target(command)
    )


async def test_a_server_that_dies_shows_its_last_words_and_the_next_steps() -> None:
    program = "import sys; print('boom \\x1b[31m', file=sys.stderr); sys.exit(3)"
    app = app_on(sys.executable, "-c", program)
    async with app.run_test(size=(100, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        bench = app.bridge.workbench
        await wait_for(pilot, lambda: bench.session.state.phase is Phase.FAILED)
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "boom ␛[31m" in text_of(panel))
        assert "F5 try again" in text_of(panel)
        assert "F4" in text_of(panel)
        assert [line.split(" ")[0] for line in stderr_tail(bench, bench.session.state.connection)]
        app.close_bridge()


async def test_a_question_for_the_era_says_how_long_it_is_waited_for() -> None:
    app = InspectorApp(
        lambda target: Workbench(target, options=Options(no_record=True, protocol="auto")),
        Target((sys.executable, "-c", "import sys; sys.stdin.read()")),
    )
    async with app.run_test(size=(100, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "after 5 s initialize is tried" in text_of(panel))
        assert "server/discover waits for its answer" in text_of(panel)
        app.close_bridge()


async def test_a_command_that_is_not_there_says_whose_fault_it_is() -> None:
    app = app_on("/nonexistent/server")
    async with app.run_test(size=(100, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "No connection" in text_of(panel))
        assert "/nonexistent/server" in text_of(panel)
        assert "at fault" in text_of(panel)
        app.close_bridge()


async def test_editing_the_target_connects_to_the_new_one() -> None:
    app = app_on("/nonexistent/server")
    async with app.run_test(size=(100, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "No connection" in text_of(panel))
        await pilot.press("f4")
        await wait_for(pilot, lambda: app.screen is not main(app))
        await pilot.press(*"2", "enter")
        await wait_for(
            pilot, lambda: app.bridge.workbench.target.command == ("/nonexistent/server2",)
        )
        app.close_bridge()


async def test_the_last_words_are_told_once_and_a_wider_line_has_more_hints() -> None:
    app = app_on(sys.executable, "-c", "raise SystemExit('only once')")
    async with app.run_test(size=(60, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "only once" in text_of(panel))
        assert text_of(panel).count("only once") == 1
        hints = main(app).query_one(HintLine)
        await wait_for(pilot, lambda: text_of(hints).endswith("Commands"))
        await pilot.resize_terminal(100, 40)
        await wait_for(pilot, lambda: len(text_of(hints)) == 99)
        app.close_bridge()
