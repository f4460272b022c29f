"""A small world for tests of the interface: a scripted server in memory, and an app on it."""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from contextlib import asynccontextmanager
from unittest.mock import patch

from textual.app import ComposeResult
from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import Input

from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.protocol.messages import Json, JsonObject
from inspector.session.state import Phase
from inspector.transport.memory import MemoryTransport
from inspector.tui.app import InspectorApp
from inspector.tui.screens.main import MainScreen
from inspector.tui.views.base import View
from inspector.tui.views.registry import ViewSpec
from inspector.tui.widgets.traffic import TrafficList
from inspector.tui.widgets.traffic_pane import TrafficPane
from inspector.workbench import Options, Workbench

TOOLS: list[Json] = [
    {"name": "add", "description": "Adds two numbers", "inputSchema": {"type": "object"}},
    {"name": "echo", "description": "Says it again", "inputSchema": {"type": "object"}},
]
BOUND = 1500
"""Turns of the loop that a wait may take."""


class Server:
    """Answers what it is asked; silent for methods in `silent`."""

    def __init__(self, *, silent: Iterable[str] = (), tools: list[Json] | None = None) -> None:
        self.silent = set(silent)
        self.tools = TOOLS if tools is None else tools
        self.seen: list[str] = []
        self.transports: list[MemoryTransport] = []

    def respond(self, raw: bytes) -> Iterator[bytes]:
        """What the server says to one message."""
        message = json.loads(raw)
        method = message.get("method", "")
        self.seen.append(method)
        if "id" not in message or method in self.silent or not method:
            return
        result = self.result(method, message.get("params") or {})
        if result is None:
            error: JsonObject = {"code": -32601, "message": "Method not found"}
            yield encode({"jsonrpc": "2.0", "id": message["id"], "error": error})
        else:
            yield encode({"jsonrpc": "2.0", "id": message["id"], "result": result})

    def result(self, method: str, params: JsonObject) -> JsonObject | None:
        """The result of one request; None for methods there are not."""
        match method:
            case "initialize":
                return {
                    "protocolVersion": params["protocolVersion"],
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "memory-server", "version": "1.2.3"},
                }
            case "tools/list":
                return {"tools": self.tools}
            case "tools/call":
                return {"content": [{"type": "text", "text": "5"}]}
            case "ping":
                return {}
            case _:
                return None

    def transport(self, target: Target, journal: Journal, connection: int) -> MemoryTransport:
        """A transport factory for the workbench."""
        transport = MemoryTransport(journal, connection, self.respond, label=target.label)
        self.transports.append(transport)
        return transport


def encode(message: Json) -> bytes:
    """JSON without spaces."""
    return json.dumps(message, separators=(",", ":")).encode()


def app_for(
    server: Server,
    *,
    target: str = "memory-server",
    connect: bool = True,
    protocol: str = "2025-11-25",
) -> InspectorApp:
    """An app whose workbench talks to `server`."""

    def make(wanted: Target) -> Workbench:
        options = Options(no_record=True, protocol=protocol)
        return Workbench(wanted, options=options, transport_factory=server.transport)

    return InspectorApp(make, Target(("server",), name=target), connect=connect)


class PlainView(View):
    """Stands for a tab in tests of the shell."""

    def compose(self) -> ComposeResult:
        """One thing that takes the focus and digits."""
        yield Input(id="plain")


def plain_view(spec: ViewSpec) -> View:
    """In place of `ViewSpec.make`."""
    return PlainView(id=f"view-{spec.id}")


@asynccontextmanager
async def running(
    server: Server | None = None,
    size: tuple[int, int] = (120, 40),
    *,
    until: Phase = Phase.READY,
    plain: bool = True,
    protocol: str = "2025-11-25",
) -> AsyncIterator[tuple[InspectorApp, Pilot[int]]]:
    """The app on `server`, once its session is in the phase `until`; with `plain` its tabs are
    empty."""
    app = app_for(server or Server(), protocol=protocol)
    make = plain_view if plain else ViewSpec.make
    with patch.object(ViewSpec, "make", make):
        async with app.run_test(size=size) as pilot:
            await wait_for(
                pilot, lambda: app.has_bridge and app.bridge.ready and traffic_is_there(app)
            )
            await wait_for(pilot, lambda: app.bridge.workbench.session.state.phase is until)
            try:
                yield app, pilot
            finally:
                app.close_bridge()


def main(app: InspectorApp) -> MainScreen:
    """The main screen."""
    found = app.main
    assert found is not None
    return found


def traffic_is_there(app: InspectorApp) -> bool:
    """Whether the traffic pane and all in it are mounted."""
    pane = main(app).traffic
    return pane is not None and pane.is_mounted


def traffic(app: InspectorApp) -> TrafficPane:
    """The traffic pane."""
    pane = main(app).traffic
    assert pane is not None
    return pane


def all_judged(app: InspectorApp) -> bool:
    """Whether the linter has looked at everything that there is."""
    judge = app.bridge.workbench.judge
    return judge is not None and not judge.behind


def rows(app: InspectorApp) -> TrafficList:
    """The list of entries."""
    return traffic(app).rows


async def wait_for(pilot: Pilot[int], condition: Callable[[], bool]) -> None:
    """Let the app work until `condition` holds; fails after a bounded number of turns."""
    for _ in range(BOUND):
        if condition():
            return
        await pilot.pause(0.01)
    raise AssertionError("it did not come about")


async def wait_patiently(
    pilot: Pilot[int], condition: Callable[[], bool], told: Callable[[], str], times: int
) -> None:
    """Waits up to so many times as long, for what another process brings about; says what was
    there instead."""
    for _ in range(times):
        try:
            await wait_for(pilot, condition)
        except AssertionError:
            continue
        return
    raise AssertionError(f"it did not come about: {told()}")


def text_of(widget: Widget) -> str:
    """What a widget shows, line by line, as it was painted last."""
    return "\n".join(widget.render_line(y).text.rstrip() for y in range(widget.size.height))
