"""The era matrix on the screen, on a scripted server and on a real one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial

import pytest
from textual.pilot import Pilot

from inspector.config.targets import Target
from inspector.era_compare import Comparison, Run, said
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Revision
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.matrix import (
    MatrixScreen,
    OutcomeScreen,
    matrix_command,
    verdict,
    wanted_of,
)
from inspector.tui.views.tools import ToolsView
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.tui.world import Server, main, rows, running, text_of, traffic_is_there, wait_for

NEW = Revision.V2026_07_28


class Dual(Server):
    """Of both eras; silent to the call in sessions that speak a revision of `hangs`."""

    def __init__(self, *, hangs: frozenset[str] = frozenset()) -> None:
        super().__init__()
        self.hangs = hangs
        self.spoken = ""
        self.called: list[str] = []

    def respond(self, raw: bytes):  # type: ignore[no-untyped-def]
        if b'"tools/call"' in raw and self.spoken in self.hangs:
            self.called.append(self.spoken)
            return iter(())
        return super().respond(raw)

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        if method == "initialize":
            self.spoken = str(params["protocolVersion"])
        if method == "server/discover":
            self.spoken = NEW.value
            return {"supportedVersions": [NEW.value], "capabilities": {"tools": {}}}
        if method == "tools/call":
            self.called.append(self.spoken)
            if self.spoken == NEW.value:
                return {"content": [{"type": "text", "text": "no \x1b[2J"}], "isError": True}
        return super().result(method, params)


@asynccontextmanager
async def at_the_matrix(
    server: Server, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], MatrixScreen]]:
    """The screen, opened by its key from the list of tools."""
    async with running(server, size, plain=False) as (app, pilot):
        await tools_shown(app, pilot)
        await pilot.press("f12")
        await wait_for(pilot, lambda: isinstance(app.screen, MatrixScreen))
        screen = app.screen
        assert isinstance(screen, MatrixScreen)
        yield app, pilot, screen


async def tools_shown(app: InspectorApp, pilot: Pilot[int]) -> None:
    await wait_for(pilot, lambda: bool(app.screen.query(ToolsView)))
    view = app.screen.query_one(ToolsView)
    await wait_for(pilot, lambda: view.is_mounted and view.item is not None)


def shown(screen: MatrixScreen, selector: str) -> str:
    return text_of(screen.query_one(selector))


def over(screen: MatrixScreen) -> bool:
    return screen.matrix is not None and screen.matrix.over


def ended(screen: MatrixScreen, place: int) -> bool:
    return screen.matrix is not None and screen.matrix.runs[place].over


async def test_nothing_is_called_before_the_user_was_told_and_said_so() -> None:
    server = Dual()
    async with at_the_matrix(server) as (app, pilot, screen):
        assert "it does each time" in str(screen.query_one("#matrix-about").render())
        assert "Ctrl+R makes the calls" in shown(screen, "#matrix-detail")
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))
        assert server.called == []
        assert len(server.transports) == 1


async def test_each_revision_has_a_row_and_what_differs_is_marked() -> None:
    server = Dual()
    async with at_the_matrix(server) as (app, pilot, screen):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: over(screen) and "different" in shown(screen, "#matrix-rule"))
        lines = [line.split() for line in shown(screen, "#matrix-rows").splitlines()]
        assert lines[0] == ["handshake", "era"]
        assert lines[1][:6] == ["≠", "B", "2024-11-05", "≠", "✓", "result"]
        assert lines[5] == ["modern", "era"]
        assert lines[6][:5] == ["=", "A", "2026-07-28", "✗", "isError"]
        assert "2 different outcomes" in shown(screen, "#matrix-rule")
        assert server.called == [one.value for one in Revision]
        session = app.bridge.workbench.session
        assert session.state.ready
        assert session.state.connection == 1


async def test_enter_opens_the_whole_outcome_of_a_revision_made_safe() -> None:
    async with at_the_matrix(Dual(), (120, 40)) as (app, pilot, screen):
        await pilot.press("enter")  # before the start it starts
        await wait_for(pilot, lambda: over(screen))
        await pilot.press("G")
        await wait_for(pilot, lambda: "the others are compared" in shown(screen, "#matrix-detail"))
        assert "no ␛[2J" in shown(screen, "#matrix-detail")
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, OutcomeScreen))
        await wait_for(pilot, lambda: "isError" in text_of(app.screen.query_one("#outcome-body")))
        assert "no \\u001b[2J" in text_of(app.screen.query_one("#outcome-body"))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is screen)


async def test_the_frames_of_a_run_are_in_the_traffic_pane() -> None:
    async with at_the_matrix(Dual()) as (app, pilot, screen):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: over(screen))
        matrix = screen.matrix
        assert matrix is not None
        run = matrix.runs[0]
        await pilot.press("t")
        await wait_for(pilot, lambda: app.screen is main(app))
        await wait_for(pilot, lambda: traffic_is_there(app) and rows(app).entry == run.entry)
        assert app.bridge.workbench.journal.row(run.entry).connection == run.connection == 2


async def test_a_revision_that_hangs_is_skipped_and_the_next_goes_on() -> None:
    server = Dual(hangs=frozenset({"2025-06-18"}))
    async with at_the_matrix(server) as (_, pilot, screen):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "2025-06-18" in server.called)
        await wait_for(pilot, lambda: "▸" in shown(screen, "#matrix-rows"))
        await pilot.press("ctrl+x")
        await wait_for(pilot, lambda: over(screen))
        matrix = screen.matrix
        assert matrix is not None
        assert [said(run) for run in matrix.runs][2:4] == ["stopped", "result"]


async def test_escape_stops_first_keeps_what_is_there_and_then_closes() -> None:
    server = Dual(hangs=frozenset({"2025-03-26"}))
    async with at_the_matrix(server) as (app, pilot, screen):
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: "2025-03-26" in server.called)
        await pilot.press("escape")
        await wait_for(pilot, lambda: over(screen))
        assert app.screen is screen
        matrix = screen.matrix
        assert matrix is not None
        assert [said(run) for run in matrix.runs] == ["result", *(["stopped"] * 4)]
        assert [wire.facts.state for wire in server.transports] == ["open", "closed", "closed"]
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is main(app))


async def test_what_questions_get_is_chosen_before_and_the_same_for_all() -> None:
    async with at_the_matrix(Dual()) as (app, pilot, screen):
        about = screen.query_one("#matrix-about")
        assert "get: decline" in str(about.render()).replace("\n", " ")
        await pilot.press("p")
        assert "accept-defaults" in str(about.render())
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: over(screen))
        matrix = screen.matrix
        assert matrix is not None
        assert matrix.policies["elicitation"].mode == "accept-defaults"
        assert matrix.policies["roots"].mode == "answer"
        live = app.bridge.workbench.session.inbox.policies
        assert live["elicitation"].mode == "ask", "the live session keeps its own"


async def test_the_same_can_be_copied_as_a_command() -> None:
    async with at_the_matrix(Dual()) as (app, pilot, _):
        copied: list[str] = []
        app.copy_to_clipboard = copied.append  # type: ignore[assignment,method-assign]
        await pilot.press("c")
        assert copied == ["mcp-inspect matrix add -- server"]


async def test_the_palette_offers_it() -> None:
    async with running(Dual(), plain=False) as (app, pilot):
        await tools_shown(app, pilot)
        app.act_in_tab("tools", "matrix")
        await wait_for(pilot, lambda: isinstance(app.screen, MatrixScreen))


async def test_fastmcp_elicits_in_one_era_and_fails_in_the_other_at_a_glance() -> None:
    def make(target: Target) -> Workbench:
        return Workbench(target, options=Options(no_record=True, protocol="2025-11-25"))

    app = InspectorApp(make, real.asking_server("fastmcp"))
    async with app.run_test(size=(80, 24)) as pilot:
        try:
            await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
            await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.READY)
            await tools_shown(app, pilot)
            await pilot.press("f12")
            await wait_for(pilot, lambda: isinstance(app.screen, MatrixScreen))
            screen = app.screen
            assert isinstance(screen, MatrixScreen)
            await pilot.press("p", "ctrl+r")
            for place in range(len(Revision)):  # each starts a process, which may take its time
                await wait_for(pilot, partial(ended, screen, place))
            await wait_for(pilot, lambda: "≠ 3" in shown(screen, "#matrix-rule"))
            lines = [line.split() for line in shown(screen, "#matrix-rows").splitlines()]
            signs = [line[:2] for line in lines if len(line) > 2]
            assert signs == [["≠", "C"], ["≠", "C"], ["≠", "B"], ["≠", "B"], ["=", "A"]]
            assert lines[3][3:10] == ["≠", "✓", "result", "≠", "1", "by", "request"]
            assert lines[6][3:5] == ["✗", "isError"]
        finally:
            app.close_bridge()


@pytest.mark.parametrize(
    ("method", "single", "several"),
    [
        ("tools/call", "mcp-inspect call a -- s", "mcp-inspect matrix a -- s"),
        ("prompts/get", "mcp-inspect prompt a -- s", "mcp-inspect matrix --prompt a -- s"),
        ("resources/read", "mcp-inspect read a:b -- s", "mcp-inspect matrix --read a:b -- s"),
    ],
)
def test_a_command_for_one_call_becomes_one_for_all(method: str, single: str, several: str) -> None:
    assert matrix_command(method, single) == several


def test_what_a_form_would_send_is_what_is_compared() -> None:
    assert wanted_of("tools/call", {"name": "a", "arguments": {"x": 1}}).arguments == {"x": 1}
    assert wanted_of("resources/read", {"uri": "a:b"}).name == "a:b"


def test_the_verdict_says_it_in_a_few_words() -> None:
    refused = (Run(NEW, "refused"),)
    assert verdict(refused, Comparison()).plain == "✗ no revision was accepted"
    done = (Run(NEW, "done", unsent="no"),)
    assert verdict(done, Comparison(NEW, ((NEW,),))).plain == "= the same under all 1 accepted"
