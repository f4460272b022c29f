"""What a person does on the stage before a picture is taken: one scene for every screen.

A scene types keys and waits for what must then be on the screen; it asserts nothing else. Keys go
through the real bindings. Which scenes become README pictures and which become snapshots is decided
by `screenshots.make` and `tests.tui.snapshots`.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from textual import events
from textual.pilot import Pilot

from inspector.auth.situation import AuthState
from inspector.config.recents import Recents
from inspector.config.targets import Target
from inspector.era_matrix import EraMatrix, Wanted, same_for_all
from inspector.session.asks import INTERACTIVE
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.screens.matrix import MatrixScreen
from inspector.tui.screens.trust import TrustScreen
from tests.auth.playbook import NOW
from tests.auth.playbook import Play as OAuthPlay
from tests.calm import calm
from tests.recordings.era_runs import runs
from tests.recordings.stage import (
    BEGIN,
    DEMO,
    EVERYTHING,
    MISSING,
    MODERN,
    PROTECTED,
    EntryClock,
    Part,
    Stage,
    settled,
    until,
    until_shown,
)


class Play:
    """The hands of a person: keys, text, waiting for words, letting time pass."""

    def __init__(self, stage: Stage, pilot: Pilot[int]) -> None:
        self.app: InspectorApp = stage.app
        self.clock: EntryClock = stage.clock
        self.pilot = pilot

    async def keys(self, *keys: str) -> None:
        """Presses keys, Textual's names."""
        for key in keys:
            await self.pilot.press(key)
            await calm(self.app)

    async def text(self, text: str) -> None:
        """Types a text."""
        names = {" ": "space", "/": "slash", ":": "colon", "-": "minus", "*": "asterisk"}
        await self.keys(*(names.get(letter, letter) for letter in text))

    async def paste(self, text: str) -> None:
        """A text all at once, and the suggestions for it: typing may ask for some on the way."""
        focused = self.app.focused
        assert focused is not None
        focused.post_message(events.Paste(text))
        await settled(self.pilot, self.app)

    async def sees(self, *texts: str) -> None:
        """Waits for words on the screen."""
        for text in texts:
            await until_shown(self.pilot, self.app, text)

    async def ready(self) -> None:
        """Waits for the session and everything that is read of a server at first."""
        app = self.app
        await until(
            self.pilot,
            lambda: (
                app.has_bridge
                and app.bridge.ready
                and app.bridge.workbench.session.state.phase is Phase.READY
            ),
            "a session",
        )
        lists = app.bridge.workbench.session.catalog
        await until(
            self.pilot,
            lambda: all(one.state in ("ready", "unsupported") for one in lists.lists.values()),
            "the lists",
        )
        self.clock.skip(134)
        await self.sees("● ready 02:14")

    async def choose(self, tab: str, item: str, title: str = "") -> None:
        """Goes to an item of a tab, as a link does; `title` is how it is called there."""
        self.app.open_item(tab, item)
        await self.sees(f"── {title or item} ─")
        await settled(self.pilot, self.app)

    async def asked(self, tool: str, sees: str) -> None:
        """Calls a tool that asks back, and lets the ask wait for a while."""
        await self.choose("tools", tool)
        await self.keys("ctrl+r")
        await self.sees(sees)
        self.clock.skip(12)
        await self.sees("waiting 12")


Act = Callable[[Play], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: the recording it is played on (None: no server), and what is done first."""

    name: str
    part: Part | None
    act: Act
    prepare: Callable[[Path], None] = lambda home: None


async def _server(play: Play) -> None:
    await play.ready()
    await play.keys("1", "p")
    await play.sees("ping result")
    await settled(play.pilot, play.app)
    await play.keys("G", "g")


async def _tools(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "greet")


async def _call(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "add")
    await play.keys("enter")
    await play.text("2")
    await play.keys("tab")
    await play.text("3")
    await play.keys("ctrl+r")
    await play.sees('"sum"')


async def _structured(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "forecast")
    await play.keys("enter")
    await play.text("Bern")
    await play.keys("ctrl+r")
    await play.sees('"city"')


async def _era_matrix(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "greet")
    await play.keys("f12", "p")
    screen, bench = play.app.screen, play.app.bridge.workbench
    assert isinstance(screen, MatrixScreen)
    wanted = Wanted("tools/call", "greet")
    matrix = EraMatrix(bench, wanted, policies=same_for_all(INTERACTIVE, "accept-defaults"))
    matrix.runs = runs()
    screen.show(matrix)
    await play.keys("down", "down")
    await play.sees("Greet the whole office?")


async def _tool_error(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "fail")
    await play.keys("ctrl+r")
    await play.sees("isError")


async def _picture(play: Play) -> None:
    await play.ready()
    await play.choose("resources", "demo://logo.png", "logo")
    await play.keys("ctrl+r")
    await play.sees("▀")


async def _resource(play: Play) -> None:
    await play.ready()
    await play.choose("resources", "demo://readme", "The readme")
    await play.keys("ctrl+r")
    await play.sees("The demo server")


async def _prompt(play: Play) -> None:
    await play.ready()
    await play.choose("prompts", "trip")
    await play.keys("enter")
    await play.paste("Japan")
    await play.keys("escape", "tab")
    await play.paste("Kyoto")
    await play.keys("escape")
    await play.keys("ctrl+r")
    await play.sees("museums")


async def _ask_form(play: Play) -> None:
    await play.ready()
    await play.asked("ask_form", "A few questions")


async def _ask_url(play: Play) -> None:
    await play.ready()
    await play.asked("ask_url", "example.com")


async def _ask_model(play: Play) -> None:
    await play.ready()
    await play.asked("ask_model", "one short sentence")


async def _ask_roots(play: Play) -> None:
    await play.ready()
    await play.asked("show_roots", "file:///srv/project")


async def _asks(play: Play) -> None:
    await _ask_form(play)
    await play.keys("escape")
    await play.keys("alt+5")
    await play.sees("waiting 12")


async def _ask_modern(play: Play) -> None:
    await play.ready()
    await play.asked("ask_model", "What is the answer?")


async def _server_modern(play: Play) -> None:
    await play.ready()
    await play.keys("1")
    await settled(play.pilot, play.app)
    await play.keys("G", "g")


async def _auth(play: Play) -> None:
    """The steps of a flow that an honest world answered."""
    await play.ready()
    flow = OAuthPlay()
    grant = flow.grant()
    authority = play.app.bridge.workbench.authority
    assert authority is not None
    authority._state = AuthState("authorized", flow.flow.steps)
    authority._held.grant = grant
    authority._clock = lambda: NOW + 30
    await play.keys("f9")
    await play.sees("token expires")
    await settled(play.pilot, play.app)


async def _tasks(play: Play) -> None:
    await play.ready()
    await play.keys("6")
    await play.sees("does not declare tasks")


async def _logs(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "log")
    await play.keys("ctrl+r")
    await play.sees("sent 8")
    await play.keys("alt+8")
    await play.sees("emergency")


async def _traffic(play: Play) -> None:
    await _call(play)
    await play.keys("ctrl+t", "ctrl+t")
    await play.sees("tools/call")


async def _traffic_detail(play: Play) -> None:
    await _call(play)
    await play.keys("ctrl+t", "ctrl+g", "enter")
    await play.sees("raw  hex")


async def _traffic_http(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "get-structured-content")
    await play.keys("ctrl+t", "ctrl+t", "g", "j", "enter")
    await play.sees("raw  hex")
    await play.keys("v", "v", "v")
    await play.sees("content-type")


async def _traffic_filter(play: Play) -> None:
    await _call(play)
    await play.keys("ctrl+t", "ctrl+t", "slash")
    await play.text("method:tools/* dir:in")
    await play.sees("method:tools/*")


async def _help(play: Play) -> None:
    await _tools(play)
    await play.keys("f1")
    await play.sees("Esc closes")


async def _palette(play: Play) -> None:
    await _tools(play)
    await play.keys("ctrl+p")
    await settled(play.pilot, play.app)
    await play.text("tra")
    await play.sees("Traffic")


async def _jump(play: Play) -> None:
    await _tools(play)
    await play.keys("ctrl+o")


def _config_files(home: Path) -> None:
    """What the connect screen finds: entries of two programs, and two recent ones."""
    (home / ".cursor").mkdir()
    (home / ".cursor" / "mcp.json").write_text(
        '{"mcpServers": {'
        '"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem",'
        ' "/srv/data"]},'
        '"search": {"url": "https://search.example.com/mcp"},'
        '"broken": {"args": ["no command"]}}}'
    )
    recents = Recents()
    recents.remember(Target(("python", "server.py"), name="weather"), now=BEGIN - 7200)
    recents.remember(Target(url="https://mcp.example.com/mcp", name="tickets"), now=BEGIN - 600)


async def _connect(play: Play) -> None:
    await play.sees("Recent", "Built in")


async def _trust(play: Play) -> None:
    await _connect(play)
    await play.app.push_screen(
        TrustScreen(
            Target(
                ("npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv/data"),
                name="files",
                env={"LOG_LEVEL": "debug"},
                cwd=Path("/srv/project"),
                source=Path("/srv/project/.cursor/mcp.json"),
            )
        )
    )
    await play.sees("It runs as you")


async def _failed(play: Play) -> None:
    await play.sees("No connection")


SCENES: Final = (
    Scene("server", DEMO, _server),
    Scene("server-modern", MODERN, _server_modern),
    Scene("tools", DEMO, _tools),
    Scene("tools-result", DEMO, _call),
    Scene("tools-structured", DEMO, _structured),
    Scene("tools-error", DEMO, _tool_error),
    Scene("era-matrix", DEMO, _era_matrix),
    Scene("resources", DEMO, _picture),
    Scene("resources-markdown", DEMO, _resource),
    Scene("prompts", DEMO, _prompt),
    Scene("asks", DEMO, _asks),
    Scene("ask-form", DEMO, _ask_form),
    Scene("ask-url", DEMO, _ask_url),
    Scene("ask-model", DEMO, _ask_model),
    Scene("ask-roots", DEMO, _ask_roots),
    Scene("ask-modern", MODERN, _ask_modern),
    Scene("auth", PROTECTED, _auth),
    Scene("tasks", DEMO, _tasks),
    Scene("logs", DEMO, _logs),
    Scene("traffic", DEMO, _traffic),
    Scene("traffic-detail", DEMO, _traffic_detail),
    Scene("traffic-http", EVERYTHING, _traffic_http),
    Scene("traffic-filter", DEMO, _traffic_filter),
    Scene("help", DEMO, _help),
    Scene("palette", DEMO, _palette),
    Scene("jump", DEMO, _jump),
    Scene("connect", None, _connect, _config_files),
    Scene("trust", None, _trust, _config_files),
    Scene("failed", MISSING, _failed),
)
