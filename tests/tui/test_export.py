"""The export dialog: what it offers, writes, copies, refuses, and how it is stopped."""

import json
import stat
import threading
from pathlib import Path
from unittest.mock import patch

import pytest
from textual.pilot import Pilot
from textual.widgets import Checkbox, Input, RadioButton, RadioSet, Static

from inspector.export.formats import NAMES
from inspector.export.source import Source
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.tui.app import InspectorApp
from inspector.tui.screens.export import OFFERED, ExportScreen, choices
from tests.tui.world import main, running, traffic, wait_for


async def _opened(app: InspectorApp, pilot: Pilot[int]) -> ExportScreen:
    traffic(app).focus_list()
    await pilot.press("x")
    await wait_for(pilot, lambda: isinstance(app.screen, ExportScreen))
    screen = app.screen
    assert isinstance(screen, ExportScreen)
    await wait_for(pilot, lambda: bool(_name(screen)))
    return screen


def _name(screen: ExportScreen) -> str:
    found = screen.query("#export-name")
    return found.first(Input).value if found else ""


def _labels(screen: ExportScreen, which: str) -> list[str]:
    return [str(each.label) for each in screen.query_one(which, RadioSet).query(RadioButton)]


def _press(screen: ExportScreen, name: str) -> None:
    at = [one.name for one in OFFERED].index(name)
    screen.query_one("#export-format", RadioSet).query(RadioButton)[at].value = True


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def _mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def _bytes(path: Path) -> bytes:
    return path.read_bytes()


def _status(screen: ExportScreen) -> str:
    return str(screen.query_one("#export-status", Static).render())


@pytest.fixture(autouse=True)
def _somewhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("name", NAMES)
async def test_each_format_is_chosen_by_keys_and_written_under_the_proposed_name(
    name: str, tmp_path: Path
) -> None:
    names = [one.name for one in OFFERED]
    async with running() as (app, pilot):
        await app.bridge.run(lambda: app.bridge.workbench.session.ping())
        screen = await _opened(app, pilot)
        await pilot.press("tab", *["down"] * names.index(name), "enter")
        await wait_for(pilot, lambda: screen.chosen.name == name)
        proposed = _name(screen)
        assert proposed.endswith(screen.chosen.suffix)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert _files(tmp_path) == [proposed]
        assert _mode(tmp_path / proposed) == 0o600


async def test_what_is_written_of_everything_opens_again(tmp_path: Path) -> None:
    async with running() as (app, pilot):
        screen = await _opened(app, pilot)
        screen.query_one("#export-name", Input).value = "it.jsonl"
        _press(screen, "jsonl")
        count = len(app.bridge.workbench.journal)
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert len(load_recording(tmp_path / "it.jsonl")) == count


async def test_the_filter_and_the_exchange_are_offered_where_there_are_some(
    tmp_path: Path,
) -> None:
    async with running() as (app, pilot):
        screen = await _opened(app, pilot)
        labels = _labels(screen, "#export-what")
        assert labels[0].startswith("everything: ")
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        traffic(app).filter_by("method:initialize")
        await wait_for(pilot, lambda: len(traffic(app).rows.index) == 2)
        traffic(app).show_entry(traffic(app).rows.index[0], detail=False)
        screen = await _opened(app, pilot)
        labels = [label.split(":")[0] for label in _labels(screen, "#export-what")]
        assert labels == ["what the filter shows", "everything", "its exchange", "this entry"]
        screen.query_one("#export-name", Input).value = "few.json"
        _press(screen, "json")
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is main(app))
        document = json.loads(_bytes(tmp_path / "few.json"))
        assert [entry["method"] for entry in document["entries"]] == ["initialize", "initialize"]
        assert document["filter"] == "method:initialize"


async def test_rules_redact_and_a_wrong_one_keeps_the_dialog_open(tmp_path: Path) -> None:
    async with running() as (app, pilot):
        screen = await _opened(app, pilot)
        screen.query_one("#export-rules", Input).value = "kye=name"
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "did you mean key=" in _status(screen))
        assert _files(tmp_path) == []
        screen.query_one("#export-rules", Input).value = "value=memory-server key=version"
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is main(app))
        (written,) = _files(tmp_path)
        assert b"memory-server" not in _bytes(tmp_path / written)


async def test_a_file_that_is_there_is_not_overwritten(tmp_path: Path) -> None:
    (tmp_path / "mine.html").write_text("mine")
    async with running() as (app, pilot):
        screen = await _opened(app, pilot)
        screen.query_one("#export-name", Input).value = "mine.html"
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: "exists already" in _status(screen))
        assert _bytes(tmp_path / "mine.html") == b"mine"


async def test_small_exports_go_to_the_clipboard_and_leave_no_file(tmp_path: Path) -> None:
    async with running() as (app, pilot):
        screen = await _opened(app, pilot)
        screen.query_one("#export-clipboard", Checkbox).value = True
        _press(screen, "mermaid")
        await pilot.press("ctrl+s")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert app.clipboard.startswith("sequenceDiagram")
        assert _files(tmp_path) == []


async def test_escape_stops_a_long_export_and_takes_the_file_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    honest = Source.body

    def slow(source: Source, number: int) -> bytes:
        begun.set()
        go_on.wait(30)
        return honest(source, number)

    monkeypatch.setattr("inspector.export.source.EVERY", 1)
    async with running() as (app, pilot):
        await app.bridge.run(lambda: app.bridge.workbench.session.ping())
        screen = await _opened(app, pilot)
        monkeypatch.setattr(Source, "body", slow)
        await pilot.press("ctrl+s")
        await wait_for(pilot, begun.is_set)
        await pilot.press("escape")
        await wait_for(pilot, lambda: "stopping" in _status(screen))
        go_on.set()
        await wait_for(pilot, lambda: "stopped" in _status(screen))
        assert _files(tmp_path) == []
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))


async def test_nothing_is_offered_before_anything_happened() -> None:
    async with running() as (app, _):
        bench = app.bridge.workbench
        assert len(choices(bench, None, "", 0)) == 1
        with patch.object(bench, "journal", Journal()):
            assert choices(bench, None, "", 0) == ()
