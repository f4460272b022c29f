"""The connect screen: typing, choosing, being asked first; and that Escape never quits."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from inspector.config.recents import Recents
from inspector.config.targets import Target
from inspector.config.trust import TrustStore
from inspector.tui.app import InspectorApp
from inspector.tui.places import Place
from inspector.tui.screens.connect import ConnectScreen
from inspector.tui.screens.trust import TrustScreen
from inspector.tui.widgets.header import HintLine
from inspector.workbench import Options, Workbench
from tests.tui.askers import HOSTILE
from tests.tui.world import Server, text_of, wait_for


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty directory to be in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def entries(project: Path, servers: object) -> None:
    """A config file of the project."""
    (project / ".mcp.json").write_text(json.dumps({"mcpServers": servers}))


@asynccontextmanager
async def connecting(
    opened: list[Target], size: tuple[int, int] = (100, 30)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], ConnectScreen]]:
    """The app without a target; targets that are opened are put into `opened`."""
    server = Server()

    def make(target: Target) -> Workbench:
        opened.append(target)
        return Workbench(
            target,
            options=Options(no_record=True, protocol="2025-11-25"),
            transport_factory=server.transport,
        )

    app = InspectorApp(make, None)
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: isinstance(app.screen, ConnectScreen))
        screen = app.screen
        assert isinstance(screen, ConnectScreen)
        await wait_for(pilot, lambda: screen.is_mounted and len(screen.places.items) > 0)
        try:
            yield app, pilot, screen
        finally:
            app.close_bridge()


async def opens(pilot: Pilot[int], opened: list[Target]) -> Target:
    """The target that is opened."""
    await wait_for(pilot, lambda: bool(opened))
    return opened[0]


async def go_to(pilot: Pilot[int], screen: ConnectScreen, name: str) -> None:
    """From the line down to the place called `name`."""
    await pilot.press("down", "home")
    for _ in range(len(screen.places.items)):
        current = screen.places.current
        if isinstance(current, Place) and current.name == name:
            return
        await pilot.press("down")
    raise AssertionError(f"no place {name}")


def hints(screen: ConnectScreen) -> str:
    """The last line."""
    return text_of(screen.query_one(HintLine))


def problem(screen: ConnectScreen) -> str:
    """What is said about what was typed or chosen."""
    return text_of(screen.query_one("#connect-problem"))


@pytest.mark.usefixtures("project")
async def test_a_typed_command_is_opened_and_remembered() -> None:
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, _):
        await pilot.press(*"python", "space", *"my_server.py", "enter")
        target = await opens(pilot, opened)
        assert target.command == ("python", "my_server.py")
        assert [one.target.command for one in Recents().load()] == [("python", "my_server.py")]


@pytest.mark.usefixtures("project")
async def test_a_typed_url_is_opened() -> None:
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, _):
        await pilot.press(*"http://localhost:1/mcp", "enter")
        assert (await opens(pilot, opened)).url == "http://localhost:1/mcp"


@pytest.mark.usefixtures("project")
async def test_what_is_no_command_is_told_and_can_be_mended() -> None:
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, screen):
        await pilot.press(*"python", "space", "quotation_mark", "enter")
        await wait_for(pilot, lambda: problem(screen) != "")
        assert screen.query_one(Input).has_focus
        await pilot.press("backspace")
        await wait_for(pilot, lambda: problem(screen).strip() == "")
        assert opened == []


async def test_an_entry_of_a_file_is_started_only_after_consent(project: Path) -> None:
    entries(project, {"one": {"command": "python", "args": ["server.py"]}})
    opened: list[Target] = []
    async with connecting(opened) as (app, pilot, screen):
        await go_to(pilot, screen, "one")
        assert "asks first" in text_of(screen.places)
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, TrustScreen))
        assert opened == []
        await pilot.press("n")
        await wait_for(pilot, lambda: app.screen is screen)
        assert opened == []
        await pilot.press("enter")
        await wait_for(pilot, lambda: isinstance(app.screen, TrustScreen))
        await pilot.press("y")
        target = await opens(pilot, opened)
        assert target.command == ("python", "server.py")
        assert TrustStore().is_trusted(target)


async def test_an_entry_that_was_agreed_to_is_not_asked_about_again(project: Path) -> None:
    entries(project, {"one": {"command": "python"}})
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, screen):
        place = next(one for one in screen.places.items if isinstance(one, Place))
        assert place.target is not None
        TrustStore().trust(place.target)
        await go_to(pilot, screen, "one")
        await pilot.press("enter")
        await opens(pilot, opened)


async def test_a_wrong_entry_stands_there_with_its_reason_and_opens_nothing(project: Path) -> None:
    entries(project, {"bad": {"command": 7}, "good": {"command": "python"}})
    opened: list[Target] = []
    async with connecting(opened) as (app, pilot, screen):
        await go_to(pilot, screen, "bad")
        assert "command is not a text" in text_of(screen.places)
        await pilot.press("enter")
        await wait_for(pilot, lambda: "command is not a text" in problem(screen))
        assert app.screen is screen
        assert opened == []


async def test_a_file_that_is_no_json_is_named(project: Path) -> None:
    (project / ".mcp.json").write_text("{ no json")
    async with connecting([]) as (_, pilot, screen):
        await wait_for(pilot, lambda: "the file" in text_of(screen.places))
        assert "demo" in text_of(screen.places)


@pytest.mark.usefixtures("project")
async def test_recents_are_opened_and_forgotten_by_key() -> None:
    Recents().remember(Target(("first",), name="first"))
    Recents().remember(Target(("second",), name="second"))
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, screen):
        await go_to(pilot, screen, "first")
        await pilot.press("delete")
        await wait_for(pilot, lambda: "first" not in text_of(screen.places))
        assert [one.target.name for one in Recents().load()] == ["second"]
        await go_to(pilot, screen, "second")
        await pilot.press("enter")
        assert (await opens(pilot, opened)).command == ("second",)


@pytest.mark.usefixtures("project")
async def test_the_demo_is_one_key_away_even_while_typing() -> None:
    opened: list[Target] = []
    async with connecting(opened) as (_, pilot, screen):
        assert screen.query_one(Input).has_focus
        await wait_for(pilot, lambda: "Ctrl+D Demo" in hints(screen))
        await pilot.press("ctrl+d")
        assert (await opens(pilot, opened)).command[1:] == ("-m", "inspector.demo")


@pytest.mark.usefixtures("project")
async def test_escape_never_quits() -> None:
    async with connecting([]) as (app, pilot, screen):
        await pilot.press("escape", "down", "escape")
        await pilot.pause()
        assert app.screen is screen
        assert app.is_running


@pytest.mark.usefixtures("project")
async def test_escape_goes_back_to_a_running_inspection() -> None:
    opened: list[Target] = []
    async with connecting(opened) as (app, pilot, _):
        await pilot.press(*"server", "enter")
        await opens(pilot, opened)
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        await wait_for(pilot, lambda: app.bridge.workbench.session.state.ready)
        await pilot.press("f3")
        await wait_for(pilot, lambda: isinstance(app.screen, ConnectScreen))
        await pilot.press("escape")
        await wait_for(pilot, lambda: app.screen is app.main)
        assert app.bridge.workbench.session.state.ready


@pytest.mark.usefixtures("project")
async def test_hints_are_those_of_where_the_focus_is() -> None:
    async with connecting([]) as (_, pilot, screen):
        await wait_for(pilot, lambda: "List" in hints(screen))
        assert "/ Line" not in hints(screen)
        await pilot.press("down")
        await wait_for(pilot, lambda: "/ Line" in hints(screen))
        await pilot.press("slash")
        assert screen.query_one(Input).has_focus
        await pilot.press("slash")
        assert screen.query_one(Input).value == "/"


async def test_typing_narrows_the_list_and_the_files_are_read_again_by_key(project: Path) -> None:
    entries(project, {"apple": {"command": "a"}, "pear": {"command": "b"}})
    async with connecting([]) as (_, pilot, screen):
        await pilot.press(*"pear")
        await wait_for(pilot, lambda: "apple" not in text_of(screen.places))
        assert "pear" in text_of(screen.places)
        await pilot.press("home", "shift+end", "backspace")
        entries(project, {"plum": {"command": "c"}})
        await pilot.press("f5")
        await wait_for(pilot, lambda: "plum" in text_of(screen.places))


async def test_hostile_entries_are_harmless(project: Path) -> None:
    entries(project, {HOSTILE: {"command": HOSTILE, "args": [HOSTILE]}})
    async with connecting([], (160, 40)) as (_, pilot, screen):
        await pilot.press("down")
        await wait_for(pilot, lambda: "evil␛[31m" in text_of(screen.places))
        told = text_of(screen.places) + text_of(screen.query_one("#connect-about"))
        assert "[bold]x[/bold]" in told
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(told)
