"""Comparing on the screen: a recording is chosen, the differences lead into the traffic."""

from pathlib import Path

import pytest

from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.tui.screens.compare import CompareScreen
from inspector.tui.screens.compare_choice import CompareChoice
from inspector.tui.widgets.header import HintLine
from tests.tui.world import Server, main, running, text_of, wait_for

ANSWER = b'{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"4"}]}}'
CALL = b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"add","arguments":{}}}'


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A recording in which the tool `add` said 4."""
    from inspector.journal.entries import Direction

    path = tmp_path / "before.jsonl"
    journal = Journal(file=RecordingFile.create(path))
    connection = journal.begin_connection({})
    journal.frame(Direction.SENT, CALL, connection=connection)
    journal.frame(Direction.RECEIVED, ANSWER, connection=connection)
    journal.close()
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return path


async def test_a_call_that_came_to_something_else_leads_into_the_traffic(kept: Path) -> None:
    async with running(Server()) as (app, pilot):
        session = app.bridge.workbench.session
        call = await app.bridge.run(lambda: session.call_tool("add", {}))
        await app.bridge.run(call.wait)
        await pilot.press("alt+d")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareChoice))
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareScreen))
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await wait_for(pilot, lambda: bool(screen.rows.items))
        lines = [line.text.plain for line in screen.rows.items]
        assert any(line.startswith("~ tools/call add  #2 #") for line in lines)
        assert '/result/content/0/text  "4" → "5"' in lines
        hints = screen.query_one(HintLine)
        await wait_for(
            pilot, lambda: "Other file" in text_of(hints) and "Enter" not in text_of(hints)
        )
        screen.rows.go_to(next(n for n, line in enumerate(screen.rows.items) if line.right))
        await wait_for(pilot, lambda: "Enter" in text_of(hints))
        await pilot.press("enter")
        await wait_for(pilot, lambda: app.screen is main(app))
        pane = main(app).traffic
        assert pane is not None
        await wait_for(pilot, lambda: pane.rows.entry == call.entry)


async def test_what_is_no_recording_is_said_and_another_can_be_taken(
    kept: Path, tmp_path: Path
) -> None:
    wrong = tmp_path / "wrong.txt"
    wrong.write_text("hello\n")
    async with running(Server()) as (app, pilot):
        await pilot.press("alt+d")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareChoice))
        await pilot.press("shift+tab", *str(wrong), "enter")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareScreen))
        screen = app.screen
        assert isinstance(screen, CompareScreen)
        await wait_for(pilot, lambda: "no recording" in text_of(screen.rows))
        await pilot.press("o")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareChoice))
        await pilot.press("enter")
        await wait_for(pilot, lambda: bool(screen.rows.items))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))


async def test_the_choice_can_be_left(kept: Path) -> None:
    async with running(Server()) as (app, pilot):
        await pilot.press("alt+d")
        await wait_for(pilot, lambda: isinstance(app.screen, CompareChoice))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
