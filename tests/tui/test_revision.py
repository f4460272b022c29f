"""Choosing another revision: one key, one choice, connected again."""

from inspector.protocol.versions import Era
from inspector.session.state import Phase
from inspector.tui.palette import InspectorCommands
from inspector.tui.screens.revision import RevisionScreen, choices, draw_choice
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import Header
from inspector.tui.widgets.status import StatusPanel
from tests.tui.askers import tab
from tests.tui.modern_world import ModernServer
from tests.tui.world import main, running, text_of, wait_for


def test_every_choice_of_protocol_is_there_and_the_one_in_force_is_marked() -> None:
    listed = choices("auto", "2026-07-28", ["2025-11-25", "2026-07-28"])
    assert [one.protocol for one in listed] == [
        "auto",
        "handshake",
        "modern",
        "2026-07-28",
        "2025-11-25",
        "2025-06-18",
        "2025-03-26",
        "2024-11-05",
    ]
    assert [one.protocol for one in listed if one.chosen] == ["auto"]
    tags = {one.protocol: one.tag for one in listed if one.tag}
    assert tags == {"2026-07-28": "spoken now", "2025-11-25": "the server names it"}
    assert all(draw_choice(one, 60).cell_len <= 60 for one in listed)


async def test_the_key_offers_the_revisions_and_enter_connects_with_one() -> None:
    async with running(ModernServer()) as (app, pilot):
        bench = app.bridge.workbench
        first = bench.session
        await pilot.press("f2")
        await wait_for(pilot, lambda: isinstance(app.screen, RevisionScreen))
        await pilot.press("home", "down", "down", "enter")
        await wait_for(pilot, lambda: app.screen is main(app))
        await wait_for(
            pilot, lambda: bench.session is not first and bench.session.state.phase is Phase.READY
        )
        assert bench.session.era is Era.MODERN
        assert bench.options.protocol == "modern"
        header = main(app).query_one(Header)
        await wait_for(pilot, lambda: "2026-07-28" in text_of(header))


async def test_leaving_the_dialog_changes_nothing() -> None:
    async with running(ModernServer()) as (app, pilot):
        first = app.bridge.workbench.session
        await pilot.press("f2")
        await wait_for(pilot, lambda: isinstance(app.screen, RevisionScreen))
        await pilot.press("end", "escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert app.bridge.workbench.session is first
        assert first.state.ready


async def test_what_is_typed_into_a_form_stays_when_the_revision_changes() -> None:
    async with running(ModernServer(), plain=False) as (app, pilot):
        view = await tab(pilot, app, "2", ToolsView)
        assert isinstance(view, ToolsView)
        await wait_for(pilot, lambda: view.form is not None)
        await pilot.press("enter")
        await wait_for(pilot, lambda: view.form is not None and view.form.has_focus_within)
        await pilot.press(*"eu")
        form = view.form
        assert form is not None
        await wait_for(pilot, lambda: form.value() == {"region": "eu"})
        bench = app.bridge.workbench
        first = bench.session
        await pilot.press("f2")
        await wait_for(pilot, lambda: isinstance(app.screen, RevisionScreen))
        await pilot.press("home", "down", "down", "enter")
        await wait_for(
            pilot, lambda: bench.session is not first and bench.session.state.phase is Phase.READY
        )
        await wait_for(pilot, lambda: bench.session.catalog["tools"].state == "ready")
        await wait_for(pilot, lambda: view.form is not None)
        assert view.form.value() == {"region": "eu"}  # type: ignore[union-attr]


async def test_a_modern_only_server_is_told_with_the_key_that_helps() -> None:
    server = ModernServer("modern")
    async with running(server, (80, 24), until=Phase.FAILED, protocol="handshake") as (app, pilot):
        panel = main(app).query_one(StatusPanel)
        await wait_for(pilot, lambda: "F2 another revision" in text_of(panel))
        assert "2026-07-28" in text_of(panel)
        await pilot.press("f2")
        await wait_for(pilot, lambda: isinstance(app.screen, RevisionScreen))
        screen = app.screen
        assert isinstance(screen, RevisionScreen)
        await wait_for(
            pilot,
            lambda: screen.rows.current is not None and screen.rows.current.protocol == "modern",
        )
        await pilot.press("enter")
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.READY)


async def test_the_palette_connects_with_any_revision_by_name() -> None:
    async with running(ModernServer()) as (app, pilot):
        bench = app.bridge.workbench
        provider = InspectorCommands(app.screen)
        found = [hit async for hit in provider.search("connect with 2025-06")]
        assert found[0].text == "Connect with 2025-06-18"
        found[0].command()
        await wait_for(pilot, lambda: bench.session.state.revision_text == "2025-06-18")
