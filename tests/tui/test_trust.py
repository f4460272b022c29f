"""The question before something of a config file is started: whole, harmless, and by key."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.app import App
from textual.pilot import Pilot
from textual.widgets import Static

from inspector.config.targets import Target
from inspector.tui.app import InspectorApp
from inspector.tui.screens.trust import TrustScreen
from inspector.tui.widgets.header import HintLine
from tests.tui.askers import HOSTILE
from tests.tui.world import running, text_of, wait_for

SOURCE = Path("/somewhere/.mcp.json")


@asynccontextmanager
async def asked(
    target: Target, size: tuple[int, int] = (100, 40)
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], TrustScreen, list[bool | None]]]:
    """The question about `target`, and what is answered."""
    answers: list[bool | None] = []
    async with running(size=size) as (app, pilot):
        screen = TrustScreen(target)
        app.push_screen(screen, answers.append)
        await wait_for(pilot, lambda: app.screen is screen and screen.focused is not None)
        await wait_for(pilot, lambda: text_of(screen.query_one(HintLine)).strip() != "")
        yield app, pilot, screen, answers


def told(screen: TrustScreen) -> str:
    """The description, whether or not it is scrolled into view."""
    return text_of(screen.query(Static)[1])


def shown(app: App[int]) -> str:
    """What the terminal shows."""
    return "\n".join(
        "".join(segment.text for segment in line) for line in app.screen._compositor.render_strips()
    )


@pytest.mark.parametrize(("key", "answer"), [("y", True), ("n", False), ("escape", False)])
async def test_it_is_answered_by_key(key: str, answer: bool) -> None:
    async with asked(Target(("python",), name="one", source=SOURCE)) as (_, pilot, _, answers):
        await pilot.press(key)
        await wait_for(pilot, lambda: answers == [answer])


async def test_enter_and_space_agree_to_nothing() -> None:
    async with asked(Target(("python",), name="one", source=SOURCE)) as (app, pilot, screen, got):
        await pilot.press("enter", "space")
        await pilot.pause()
        assert app.screen is screen
        assert got == []


async def test_command_arguments_line_directory_and_names_of_variables_are_told() -> None:
    target = Target(
        ("python", "my server.py"),
        env={"API_KEY": "s3cret"},
        cwd=Path("/srv/data"),
        name="one",
        source=SOURCE,
    )
    async with asked(target) as (_, _, screen, _):
        lines = [line.split(maxsplit=1) for line in told(screen).splitlines()]
        assert ["command", "python"] in lines
        assert ["argument", "my server.py"] in lines
        assert "as a line  python 'my server.py'" in told(screen)
        assert ["directory", "/srv/data"] in lines
        assert ["sets", "API_KEY"] in lines
        assert "s3cret" not in told(screen)


async def test_an_address_is_told_with_the_names_of_its_headers() -> None:
    target = Target(
        url="https://example.com/mcp",
        headers=(("Authorization", "Bearer s3cret"),),
        name="one",
        source=SOURCE,
    )
    async with asked(target) as (app, _, screen, _):
        assert "https://example.com/mcp" in told(screen)
        assert "Authorization" in told(screen)
        assert "s3cret" not in told(screen)
        assert "connect to this address" in shown(app)
        assert "runs as you" not in shown(app)


async def test_nothing_of_a_long_command_is_cut_off() -> None:
    target = Target(("sh", "-c", "x" * 400 + " && the-end"), name="one", source=SOURCE)
    async with asked(target, (80, 24)) as (_, _, screen, _):
        text = "".join(told(screen).split())
        assert text.count("x" * 400) == 2
        assert text.count("the-end") == 2
        assert "…" not in text


async def test_the_keys_stay_on_screen_however_long_the_command_is() -> None:
    target = Target(("sh", *(f"argument-{n}" for n in range(60))), name="one", source=SOURCE)
    async with asked(target, (80, 24)) as (app, pilot, screen, _):
        assert "Yes, go on" in shown(app)
        assert "argument-59" not in shown(app).split("as a line")[0]
        await pilot.press("end")
        await wait_for(pilot, lambda: "directory" in shown(app))
        assert screen.is_current


async def test_a_hostile_entry_only_says_it() -> None:
    target = Target((HOSTILE, HOSTILE), name=HOSTILE, cwd=Path("/" + HOSTILE), source=SOURCE)
    async with asked(target, (160, 40)) as (app, _, screen, _):
        assert "evil␛[31m" in told(screen)
        assert "[bold]x[/bold]" in told(screen)
        assert "control or invisible characters" in told(screen)
        assert not {"\x1b", "\x07", "\x9b", "\u202e"} & set(told(screen) + shown(app))
