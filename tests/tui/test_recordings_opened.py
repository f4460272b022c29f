"""A recording in the interface: as of its end, as of any entry before, and never called."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from unittest.mock import patch

import pytest
from textual.pilot import Pilot

from inspector.config.targets import Target
from inspector.recording_source import RecordingSource
from inspector.session.pending import Success
from inspector.tui.app import InspectorApp
from inspector.tui.screens.main import MainScreen
from inspector.tui.views.registry import VIEWS
from inspector.tui.views.tools import ToolsView
from inspector.tui.widgets.header import Header, TabStrip
from inspector.tui.widgets.travel_banner import TravelBanner
from inspector.workbench import Options, Workbench
from tests.tui.world import main, rows, text_of, traffic_is_there, wait_for

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"


@asynccontextmanager
async def opened(
    path: Path, size: tuple[int, int] = (120, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int]]]:
    """The app on a recording, once its end is shown."""
    source = RecordingSource.open(path)
    target = Target(name=path.name)

    def make(_: Target) -> Workbench:
        options = Options(no_record=True)
        return Workbench(target, options=options, journal=source.journal, source=source)

    app = InspectorApp(make, target, connect=False)
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready and traffic_is_there(app))
        await wait_for(pilot, lambda: not source.reading and bool(main(app).tab))
        await wait_for(pilot, lambda: shown(main(app)) == len(source.journal) > 0)
        try:
            yield app, pilot
        finally:
            app.close_bridge()


def shown(screen: MainScreen) -> int:
    """The entry that the screens show."""
    return getattr(screen.scene, "number", 0)


async def test_tools_and_the_results_of_calls_are_there() -> None:
    async with opened(RECORDINGS / "everything-http.jsonl") as (app, pilot):
        banner = text_of(app.query_one(TravelBanner))
        assert "RECORDING everything-http.jsonl" in banner
        assert "(end)" in banner
        assert "Everything" in text_of(app.query_one(Header))
        assert "2 Tools 17" in text_of(app.query_one(TabStrip))
        view = main(app).shown
        assert isinstance(view, ToolsView)
        await wait_for(pilot, lambda: view.result.past is not None)
        past = view.result.past
        assert past is not None
        assert past.arguments == b'{"message":"hello"}'
        assert isinstance(past.call.outcome, Success)
        form = view.form
        assert form is not None
        await wait_for(pilot, lambda: form.value() == {"message": "hello"})


async def test_the_cursor_goes_back_in_time_and_escape_to_the_end() -> None:
    async with opened(RECORDINGS / "everything-http.jsonl") as (app, pilot):
        end = shown(main(app))
        await pilot.press("alt+left", "alt+left")
        await wait_for(pilot, lambda: shown(main(app)) == end - 2)
        assert rows(app).entry == end - 2
        await pilot.press("ctrl+g", "g")
        await wait_for(pilot, lambda: shown(main(app)) == 1)
        assert "2 Tools 1" not in text_of(app.query_one(TabStrip))
        await pilot.press("escape")
        await wait_for(pilot, lambda: shown(main(app)) == end)
        await wait_for(pilot, lambda: "(end)" in text_of(app.query_one(TravelBanner)))


async def test_a_recording_stays_at_its_end_until_somebody_travels() -> None:
    async with opened(RECORDINGS / "weather.jsonl") as (app, pilot):
        end = shown(main(app))
        await pilot.press("ctrl+g", "g", "j", "e", "enter", "escape")
        assert rows(app).entry != end
        for _ in range(20):
            await pilot.pause(0.01)
            assert shown(main(app)) == end
        await pilot.press("t")
        entry = rows(app).entry
        await wait_for(pilot, lambda: shown(main(app)) == entry)


async def test_time_follows_the_cursor_whichever_key_moves_it() -> None:
    async with opened(RECORDINGS / "weather.jsonl") as (app, pilot):
        await pilot.press("ctrl+g", "g", "t")
        await wait_for(pilot, lambda: shown(main(app)) == 1)
        for keys, entry in ((":17", 17), ("]", 18), ("e", 19), ("E", 14), ("%", 12)):
            await pilot.press(*keys, *(["enter"] if keys[0] == ":" else []))
            await wait_for(pilot, lambda wanted=entry: rows(app).entry == wanted)  # type: ignore[misc]
            await wait_for(pilot, lambda wanted=entry: shown(main(app)) == wanted)  # type: ignore[misc]


async def test_a_recording_is_not_called_and_the_user_is_told_so() -> None:
    async with opened(RECORDINGS / "everything-http.jsonl") as (app, pilot):
        told: list[str] = []
        with patch.object(app, "notify_safe", side_effect=lambda text, **_: told.append(text)):
            await pilot.press("2", "ctrl+r", "f5", "f2", "f4")
        assert len(told) == 4
        assert all("recording" in text for text in told)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("name", ["demo", "demo-modern", "everything-http"])
async def test_every_tab_of_every_recording_is_shown(name: str, size: tuple[int, int]) -> None:
    async with opened(RECORDINGS / f"{name}.jsonl", size) as (app, pilot):
        for spec in VIEWS:
            await pilot.press(spec.key)
            await wait_for(pilot, lambda tab=spec.id: main(app).tab == tab)  # type: ignore[misc]
            view = main(app).shown
            assert view is not None
            await wait_for(pilot, lambda view=view: view.is_mounted)  # type: ignore[misc]
            assert view.past


async def test_a_recording_that_grows_is_shown_as_of_its_new_end(tmp_path: Path) -> None:
    whole = (RECORDINGS / "everything-http.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / "grows.jsonl"
    path.write_bytes(b"".join(whole[:12]))
    async with opened(path) as (app, pilot):
        before = shown(main(app))
        with path.open("ab") as file:
            file.write(b"".join(whole[12:]))
        await wait_for(pilot, lambda: shown(main(app)) > before)
        await wait_for(pilot, lambda: "2 Tools 17" in text_of(app.query_one(TabStrip)))
