"""What the main screen does about findings, hanging servers and coverage."""

from inspector.tui.screens.coverage import CoverageScreen
from inspector.tui.screens.hanging import HangingScreen
from inspector.tui.views.findings import FindingsView
from tests.tui.test_findings import BAD, Faulty
from tests.tui.world import all_judged, main, rows, running, traffic, wait_for


async def test_judging_begins_by_itself() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: all_judged(app))
        assert app.bridge.workbench.judge is not None


async def test_an_entry_is_shown_with_the_place_marked() -> None:
    async with running(plain=False) as (app, pilot):
        main(app).show_entry_at(3, "/result/serverInfo/name")
        await wait_for(pilot, lambda: rows(app).entry == 3)
        body = traffic(app).detail.body
        await wait_for(pilot, lambda: body.document.plain(body.cursor).strip().startswith('"name"'))


async def test_a_finding_is_opened_from_anywhere_even_before_its_tab_was_made() -> None:
    async with running(Faulty(BAD), plain=False) as (app, pilot):
        await wait_for(pilot, lambda: app.bridge.workbench.judge is not None)
        judge = app.bridge.workbench.judge
        assert judge is not None
        await wait_for(pilot, lambda: len(judge.findings) > 0)
        finding = judge.findings[0]
        app.open_finding(finding.entries[0], finding.rule)
        await wait_for(pilot, lambda: main(app).tab == "findings")
        view = main(app).shown
        assert isinstance(view, FindingsView)
        await wait_for(pilot, lambda: bool(view.query("#finding-list")))
        await wait_for(pilot, lambda: view.finding == finding)


async def test_the_panels_open_by_key_and_action() -> None:
    async with running(plain=False) as (app, pilot):
        await pilot.press("alt+w")
        await wait_for(pilot, lambda: isinstance(app.screen, HangingScreen))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        main(app).action_coverage()
        await wait_for(pilot, lambda: isinstance(app.screen, CoverageScreen))
