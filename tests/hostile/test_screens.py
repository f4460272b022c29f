"""Nothing of a server reaches the terminal as anything but seen text, on any screen.

One walk through every screen, tab and dialog, on a server that fills every text with hostile ones:
no foreign sequence, no cell that is not what the app believes, nothing that only the second wall
stopped, nothing read as markup, and no class of a screen or tab that was not looked at. The same
with the first wall off, where the second has to hold alone. HYPOTHESIS_PROFILE=deep looks at every
text by itself wherever the walk else shows several at once.
"""

import importlib
import pkgutil
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from textual.screen import Screen

import inspector.tui.screens
import inspector.tui.views
from inspector.config.targets import Target
from inspector.recording_source import RecordingSource
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.connection import ConnectionActions
from inspector.tui.screens.debugging import Debugging
from inspector.tui.screens.once import LeftOnce
from inspector.tui.screens.time_travel import TimeTravel
from inspector.tui.screens.traffic_place import TrafficPlace
from inspector.tui.views.base import View
from inspector.tui.views.prompts import PromptsView
from inspector.tui.views.resources import ResourcesView
from inspector.tui.views.tools import ToolsView
from inspector.tui.views.tools_lists import ListedView
from inspector.tui.views.tools_panes import PanesView
from inspector.workbench import Options, Workbench
from tests.calm import steady_pilots
from tests.hostile import screens_live, screens_over
from tests.hostile.everything import ALL, Everything
from tests.hostile.glass import behind_glass
from tests.hostile.opened import hostile_recording
from tests.hostile.walk import Walk, first_wall_off, no_markup, noted, second_wall_off
from tests.servers.hostile_texts import NONCE, TEXTS
from tests.tui.world import app_for, traffic_is_there, wait_for

SIZE = (100, 30)
BASES = {
    *(View, ListedView, PanesView, LeftOnce),
    *(ConnectionActions, Debugging, TimeTravel, TrafficPlace),
}
"""Screens and tabs that are only there to be made others of."""


@pytest.fixture(autouse=True)
def calm_interface() -> Iterator[None]:
    """However busy the machine is."""
    with steady_pilots():
        yield


@asynccontextmanager
async def walking(server: Everything, *, watched: bool) -> AsyncIterator[Walk]:
    """A walk on `server`; `watched`: what the first wall lets through is a problem."""
    with ExitStack() as stack:
        glass = stack.enter_context(behind_glass(SIZE))
        stopped = stack.enter_context(noted()) if watched else list[str]()
        stack.enter_context(no_markup())
        app = app_for(server, target=TEXTS["title"])
        async with app.run_test(size=SIZE) as pilot:
            await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
            await wait_for(pilot, lambda: traffic_is_there(app))
            await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is Phase.READY)
            try:
                yield Walk(app, pilot, glass, stopped)
            finally:
                app.close_bridge()


@asynccontextmanager
async def walking_through(path: Path) -> AsyncIterator[Walk]:
    """A walk through the recording at `path`."""
    source = RecordingSource.open(path)
    target = Target(name=path.name)

    def make(_: Target) -> Workbench:
        options = Options(no_record=True)
        return Workbench(target, options=options, journal=source.journal, source=source)

    with behind_glass(SIZE) as glass, noted() as stopped, no_markup():
        app = InspectorApp(make, target, connect=False)
        async with app.run_test(size=SIZE) as pilot:
            await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
            await wait_for(pilot, lambda: traffic_is_there(app) and not source.reading)
            try:
                yield Walk(app, pilot, glass, stopped)
            finally:
                app.close_bridge()


def problems(walk: Walk) -> str:
    """All that is wrong, each kind of it once."""
    return "\n".join(dict.fromkeys(walk.problems))


def all_classes() -> set[type]:
    """Every screen and tab that there is."""
    for package in (inspector.tui.screens, inspector.tui.views):
        for module in pkgutil.iter_modules(package.__path__):
            importlib.import_module(f"{package.__name__}.{module.name}")
    found: set[type] = set()
    waiting: list[Any] = [Screen, View]
    while waiting:
        for one in waiting.pop().__subclasses__():
            waiting.append(one)
            if one.__module__.startswith("inspector."):
                found.add(one)
    return found - BASES


async def _offered(walk: Walk, server: Everything) -> None:
    await screens_live.server_tab(walk, server)
    await screens_live.items(walk, "2", ToolsView, 9)
    await screens_live.items(walk, "3", ResourcesView, 29)
    await screens_live.items(walk, "4", PromptsView, 17)


async def _called(walk: Walk, server: Everything) -> None:
    for key, kind in (("2", ToolsView), ("3", ResourcesView), ("4", PromptsView)):
        await screens_live.act(walk, key, kind, ALL)
    await screens_live.logs(walk, server)
    await screens_live.traffic(walk)


async def _asked(walk: Walk, server: Everything) -> None:
    await screens_live.asks(walk, server)
    await screens_live.tasks(walk)
    await screens_live.findings(walk)


async def _dialogs(walk: Walk, server: Everything) -> None:
    await screens_over.typed(walk, server)
    await screens_over.dialogs(walk, server)


async def _others(walk: Walk, server: Everything) -> None:
    recording = hostile_recording(Everything(), Path.home() / "a.jsonl")
    await screens_over.outcomes(walk, server, recording)
    await screens_over.ways_in(walk, server)
    await screens_over.lost(walk, server)


PARTS: Final[dict[str, tuple[Callable[[Walk, Everything], Awaitable[None]], frozenset[str]]]] = {
    "offered": (
        _offered,
        frozenset({"ServerView", "ToolsView", "ResourcesView", "PromptsView", "CoverageScreen"}),
    ),
    "called": (_called, frozenset({"MainScreen", "LogsView"})),
    "asked": (
        _asked,
        frozenset({"AskScreen", "RequestDialog", "AsksView", "TasksView", "FindingsView"}),
    ),
    "dialogs": (
        _dialogs,
        frozenset(
            {"JumpScreen", "TextScreen", "LineDialog", "ConfirmDialog", "EditDialog"}
            | {"TrustScreen", "ExportScreen", "RevisionScreen"}
        ),
    ),
    "others": (
        _others,
        frozenset(
            {"MatrixScreen", "OutcomeScreen", "CompareChoice", "CompareScreen", "HangingScreen"}
            | {"ConnectScreen", "AuthScreen"}
        ),
    ),
}
"""The walk in parts, and the screens and tabs that each has to have looked at."""


def test_no_screen_and_no_tab_is_left_out_of_the_walk() -> None:
    looked_at = {name for _, names in PARTS.values() for name in names}
    assert {one.__name__ for one in all_classes()} == looked_at


@pytest.mark.timeout(600)
@pytest.mark.parametrize("part", PARTS)
async def test_no_screen_lets_anything_of_a_hostile_server_out(part: str) -> None:
    walk_through, looked_at = PARTS[part]
    server = Everything()
    async with walking(server, watched=True) as walk:
        await walk_through(walk, server)
    assert problems(walk) == ""
    assert looked_at <= {one.__name__ for one in walk.visited}
    assert walk.glass.looks > 40
    assert NONCE.encode() in walk.glass.output


@pytest.mark.timeout(300)
async def test_the_second_wall_holds_alone() -> None:
    server = Everything()
    with first_wall_off():
        async with walking(server, watched=False) as walk:
            await screens_live.server_tab(walk, server)
            await screens_live.items(walk, "2", ToolsView, 25)
            await screens_live.logs(walk, server)
            await screens_live.traffic(walk)
            await screens_over.ways_in(walk, server)
    assert problems(walk) == ""


async def test_a_hostile_recording_is_looked_at_and_travelled_through_all_the_same(
    tmp_path: Path,
) -> None:
    name = (TEXTS["clipboard"] + TEXTS["bidi"] + TEXTS["wide"][-40:]).replace("/", "") + ".jsonl"
    path = hostile_recording(Everything(), tmp_path / name)
    async with walking_through(path) as walk:
        await walk.look("opened")
        for key in "12345678":
            await walk.press(f"alt+{key}")
            await walk.pages(f"recording, tab {key}", most=4)
        await walk.press("ctrl+g", "home")
        for step in range(14):
            await walk.do(f"recording, step {step}", "alt+right", "t")
        await walk.press("alt+2")
        await walk.pages("recording, tools as of then", most=4)
    assert problems(walk) == ""


async def test_with_both_walls_off_the_same_look_is_red() -> None:
    server = Everything()
    with first_wall_off(), second_wall_off():
        async with walking(server, watched=False) as walk:
            await walk.look("first")
            await walk.press("alt+2")
            await walk.pages("tools")
    told = problems(walk)
    for kind in ("the nonce in osc", "the nonce in csi", "the nonce in dcs", "U+202E", "believed"):
        assert kind in told
