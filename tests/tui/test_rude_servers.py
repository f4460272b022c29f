"""The interface on real processes that are rude: it lives on and shows the truth, and its traffic
pane has every line."""

import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.workbench import Options, Workbench
from tests.servers.rude_corpus import CASES
from tests.tui.world import main, rows, text_of, wait_for

ROOT = Path(__file__).parents[2]
PATIENCE = 20
"""Times the usual number of turns: a process has to start, and 20,000 lines to arrive."""


async def patiently(pilot: Pilot[int], app: InspectorApp, phase: Phase) -> None:
    """Waits for a phase of the session."""
    for turn in range(PATIENCE):
        try:
            await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is phase)
        except AssertionError:
            if turn == PATIENCE - 1:
                raise
        else:
            return


@asynccontextmanager
async def rude(mode: str, timeout: float = 60.0) -> AsyncIterator[tuple[InspectorApp, Pilot[int]]]:
    """The interface on that server, connecting."""
    words = ("corpus", "-", mode) if mode in CASES else (mode,)
    command = (sys.executable, "-S", "-m", "tests.servers.rude_wire", *words)
    options = Options(no_record=True, timeout=timeout, connect_timeout=10)
    app = InspectorApp(
        lambda target: Workbench(target, options=options), Target(command=command, cwd=ROOT)
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        try:
            yield app, pilot
        finally:
            app.close_bridge()
    assert app.defect is None


async def poke(app: InspectorApp, pilot: Pilot[int]) -> ToolsView:
    """Calls the tool `poke` by keyboard, and waits until the call is done."""
    await patiently(pilot, app, Phase.READY)
    await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
    view = app.query_one(ToolsView)
    await wait_for(pilot, lambda: view.item is not None and view.form is not None)
    assert view.item is not None
    assert view.item.name == "poke"
    await pilot.press("ctrl+r")
    await wait_for(pilot, lambda: view.result.past is not None)
    for _ in range(PATIENCE):
        try:
            await wait_for(pilot, lambda: view.result.past is None or view.result.past.call.done)
        except AssertionError:
            continue
        break
    return view


def shown(view: ToolsView) -> str:
    """All that the result pane shows, joined where a line was wrapped."""
    return " ".join(
        " ".join(text_of(line).split()) for line in view.result.query("*") if line.size.height
    )


@pytest.mark.parametrize(
    ("mode", "words", "traffic"),
    [
        ("text-before", "stands in a line with something else", "stray"),
        ("junk-flood", "ok", "stray"),
        ("pings", "ok", ""),
    ],
)
async def test_a_rude_answer_is_shown_for_what_it_is(mode: str, words: str, traffic: str) -> None:
    async with rude(mode) as (app, pilot):
        view = await poke(app, pilot)
        await wait_for(pilot, lambda: words in shown(view))
        await wait_for(pilot, lambda: traffic in text_of(rows(app)))
        await pilot.press("1")
        await wait_for(pilot, lambda: main(app).tab == "server")


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("id-null", "id null is no request id"),
        ("over-lines", "what came meanwhile is no message"),
    ],
)
async def test_while_no_answer_comes_the_reason_is_on_screen(mode: str, words: str) -> None:
    async with rude(mode) as (app, pilot):
        await patiently(pilot, app, Phase.READY)
        await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
        view = app.query_one(ToolsView)
        await wait_for(pilot, lambda: view.item is not None and view.form is not None)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: view.result.past is not None)
        await wait_for(pilot, lambda: words in shown(view))
        assert view.result.past is not None
        assert not view.result.past.call.done


async def test_odd_tools_are_all_listed() -> None:
    async with rude("odd-tools") as (app, pilot):
        await patiently(pilot, app, Phase.READY)
        await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
        view = app.query_one(ToolsView)
        await wait_for(pilot, lambda: len(view.rows.items) == 22)
        for _ in range(22):
            await pilot.press("down")
        assert "␛[31mred␛[0m" in text_of(view.rows)


async def test_a_server_that_does_not_open_is_told_on_screen() -> None:
    async with rude("glued-banner") as (app, pilot):
        await patiently(pilot, app, Phase.FAILED)
        await wait_for(
            pilot,
            lambda: any("something else" in text_of(each) for each in app.screen.query("*")),
        )
