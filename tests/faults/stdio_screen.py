"""Rig of what the interface shows of the rows on stdio: the app on a rude process, by keyboard."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

from textual.pilot import Pilot

from inspector.config.targets import Target
from inspector.session.state import Phase
from inspector.transport.stdio import Patience, StdioTransport
from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.workbench import Options, Workbench
from tests.faults.stdio import REVISION
from tests.transport.test_stdio import is_gone
from tests.tui.world import main, rows, text_of, wait_for, wait_patiently

PATIENCE: Final = 4
"""Times the usual number of turns: a process has to start, and many lines to arrive."""


@dataclass
class Looked:
    """The interface on a process."""

    app: InspectorApp
    pilot: Pilot[int]

    @property
    def bench(self) -> Workbench:
        """What the interface looks at."""
        return self.app.bridge.workbench

    @property
    def view(self) -> ToolsView:
        """The Tools tab."""
        return self.app.query_one(ToolsView)

    @property
    def pid(self) -> int:
        """The process."""
        pid = self.bench.session.transport.pid
        assert pid is not None
        return pid

    async def until(self, condition: Callable[[], bool], told: Callable[[], str]) -> None:
        """Lets the interface work until it holds; says what was there instead."""
        await wait_patiently(self.pilot, condition, told, PATIENCE)

    async def phase(self, wanted: Phase) -> None:
        """Waits for a phase of the session."""

        def now() -> Phase:
            return self.bench.session.state.phase

        await self.until(lambda: now() is wanted, lambda: str(now()))

    async def begin_call(self) -> None:
        """Calls `poke` by keyboard."""
        await self.phase(Phase.READY)
        await wait_for(self.pilot, lambda: main(self.app).tab == "tools")
        await wait_for(self.pilot, lambda: bool(self.app.query(ToolsView)))
        view = self.view
        await self.until(lambda: view.item is not None and view.form is not None, self.text)
        before = len(self.bench.session.calls)
        await self.pilot.press("ctrl+r")
        await self.until(lambda: len(self.bench.session.calls) > before, self.text)

    async def call(self) -> None:
        """Calls `poke`, and waits until that is done."""
        await self.begin_call()
        await self.until(lambda: self.bench.session.calls[-1].done, self.text)

    async def shows(self, *words: str) -> None:
        """Waits until the screen says each of these, however it wraps its lines."""
        for each in words:
            await self.until(partial(self._says, each), self.text)

    def _says(self, words: str) -> bool:
        return words in self.text()

    async def traffic_shows(self, *words: str) -> None:
        """Waits until the list of entries says this."""

        def shown() -> str:
            return text_of(rows(self.app))

        for each in words:
            await self.until(partial(lambda word: word in shown(), each), shown)

    def text(self) -> str:
        """All that stands on the screen, blanks joined."""
        found = [text_of(each) for each in self.app.screen.query("*") if each.size.height]
        return " ".join(" ".join(found).split())

    async def lives(self) -> None:
        """Keys are acted upon."""
        for key, tab in (("alt+1", "server"), ("alt+2", "tools")):
            await self.pilot.press(key)
            await self.until(partial(lambda wanted: main(self.app).tab == wanted, tab), self.text)


@asynccontextmanager
async def looked(
    target: Target,
    *,
    connect_timeout: float = 20.0,
    patience: Patience | None = None,
    size: tuple[int, int] = (120, 40),
) -> AsyncIterator[Looked]:
    """The interface, connecting to a process; afterwards none is left."""
    options = Options(no_record=True, connect_timeout=connect_timeout, protocol=REVISION)
    make = partial(StdioTransport, patience=patience)
    app = InspectorApp(
        lambda wanted: Workbench(wanted, options=options, transport_factory=make), target
    )
    async with app.run_test(size=size) as pilot:
        await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
        session = app.bridge.workbench.session
        try:
            yield Looked(app, pilot)
        finally:
            session = app.bridge.workbench.session
            app.close_bridge()
    assert app.defect is None
    if session.transport.pid is not None:
        await is_gone(session.transport.pid)
