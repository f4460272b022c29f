"""Scenes before there is a session, and of what lets us in."""

from pathlib import Path
from typing import Final

from inspector.auth.situation import AuthState
from inspector.config.recents import Recents
from inspector.config.targets import Target
from inspector.tui.screens.trust import TrustScreen
from tests.auth.playbook import NOW
from tests.auth.playbook import Play as OAuthPlay
from tests.recordings.play import Play, Scene
from tests.recordings.stage import BEGIN, MISSING, PROTECTED, settled


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
                ("/usr/bin/npx", "-y", "@modelcontextprotocol/server-filesystem", "/srv/data"),
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


START: Final = (
    Scene("auth", PROTECTED, _auth),
    Scene("connect", None, _connect, _config_files),
    Scene("trust", None, _trust, _config_files),
    Scene("failed", MISSING, _failed),
)
