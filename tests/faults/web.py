"""Rig of the rows on the web: a workbench, or the interface, on a rude host in a place."""

import asyncio
import os
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial

from textual.pilot import Pilot

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.facts import decode_facts
from inspector.lint.judge import Judge
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Call, Lost, Outcome, Success
from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from inspector.tui.views.tools import ToolsView
from inspector.workbench import Options, Workbench
from tests.servers.rude_places import Act, Host, honest, hosting
from tests.session.scene import soon
from tests.tui.world import main, rows, text_of, wait_for, wait_patiently

PATIENCE = 20
"""Times the usual number of turns that a wait of the interface may take."""
AT_ONCE = 20
"""Turns of the loop within which a cancelled call has ended (T13). A turn waits for nothing: on a
quiet machine they are less than a millisecond, where 200 are allowed."""


def eras(place: str) -> tuple[str, ...]:
    """The eras that are spoken there."""
    return ("2025-11-25",) if place == "E" else ("2025-11-25", "2026-07-28")


@dataclass
class Met:
    """A bench and the host that it met."""

    bench: Workbench
    host: Host
    gaps: list[float] = field(default_factory=list)

    async def begin(self, name: str = "poke", timeout: float = 30.0) -> Call:
        """A tool call that is under way."""
        return await soon(self.bench.session.call_tool(name, {}, timeout=timeout))

    async def call(self, name: str = "poke", timeout: float = 30.0) -> Outcome:
        """The outcome of a tool call."""
        return await soon((await self.begin(name, timeout)).wait())

    async def why(self, timeout: float = 30.0) -> InspectorError:
        """Why `poke` has no answer."""
        outcome = await self.call(timeout=timeout)
        assert isinstance(outcome, Lost), outcome
        return outcome.error

    async def good(self) -> None:
        """The session lives: the honest tool answers, without another `initialize`."""
        opened = len(self.host.sent("initialize"))
        assert isinstance(await self.call("good"), Success)
        assert len(self.host.sent("initialize")) == opened

    async def cancelled_at_once(self, call: Call) -> None:
        """Cancels, and the call ends at once whatever the peer does."""
        assert not call.done
        cancelling = asyncio.ensure_future(call.cancel("enough"))
        for _ in range(AT_ONCE):
            await asyncio.sleep(0)
        assert isinstance(call.outcome, Lost), call.outcome
        assert call.outcome.error.kind == "cancelled"
        await soon(_of(cancelling))

    def flags(self) -> Counter[Flag]:
        """How often each flag stands on a frame that came in."""
        journal = self.bench.journal
        found = [journal.row(number) for number in range(1, len(journal) + 1)]
        came = [row for row in found if row.kind.is_frame and row.direction is Direction.RECEIVED]
        return Counter(flag for row in came for flag in row.flags)

    def events(self, name: str) -> list[JsonObject]:
        """The facts of the events of that name."""
        journal = self.bench.journal
        numbers = range(1, len(journal) + 1)
        found = [n for n in numbers if journal.row(n).kind is Kind.EVENT]
        return [decode_facts(journal.body(n)) for n in found if journal.row(n).method == name]

    def bodies(self) -> list[bytes]:
        """Every frame that came, as it stood on the wire."""
        journal = self.bench.journal
        numbers = range(1, len(journal) + 1)
        return [
            journal.body(n)
            for n in numbers
            if journal.row(n).kind.is_frame and journal.row(n).direction is Direction.RECEIVED
        ]

    def exchanges(self) -> list[JsonObject]:
        """The facts of every HTTP exchange."""
        journal = self.bench.journal
        numbers = range(1, len(journal) + 1)
        return [decode_facts(journal.body(n)) for n in numbers if journal.row(n).kind is Kind.HTTP]

    def rules(self) -> set[str]:
        """The rules that are broken by what stands in the journal."""
        judge = Judge(self.bench.journal)
        while judge.behind:
            judge.advance(0.5)
        return {finding.rule for finding in judge.findings}

    def kinds(self) -> Counter[Kind]:
        """How many frames of each kind came in."""
        journal = self.bench.journal
        found = [journal.row(number) for number in range(1, len(journal) + 1)]
        return Counter(
            row.kind for row in found if row.direction is Direction.RECEIVED and row.kind.is_frame
        )

    def kept(self) -> None:
        """What the host said stands in the journal byte for byte."""
        bodies = self.bodies()
        assert [said[:200] for said in self.host.said if said not in bodies] == []


async def _of(task: "asyncio.Future[None]") -> None:
    await task


def _held() -> tuple[int, int]:
    """Open sockets and tasks of this process. (A journal keeps its file for whoever reads it.)"""
    paths = [os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")]
    return sum("socket:" in path for path in paths), len(asyncio.all_tasks())


@asynccontextmanager
async def met(
    place: str,
    poke: Act = honest,
    *,
    era: str = "2025-11-25",
    connect: bool = True,
    host: Host | None = None,
    connect_timeout: float = 20.0,
) -> AsyncIterator[Met]:
    """A bench on a host of that place; afterwards no task and no socket is left."""
    before = _held()
    target_of = {"H": "http", "E": "sse"}
    async with hosting(host or Host(place, poke)) as running:
        target = Target(url=running.url, transport=target_of[place])  # type: ignore[arg-type]
        options = Options(no_record=True, connect_timeout=connect_timeout, protocol=era)
        async with asyncio.timeout(60), Workbench(target, options=options) as bench:
            if connect:
                state = await soon(bench.connect())
                assert state.ready, state.error
            yield Met(bench, running)
    async with asyncio.timeout(10):
        await _settled(before)


async def _settled(before: tuple[int, int]) -> None:
    while any(now > then for now, then in zip(_held(), before, strict=True)):  # noqa: ASYNC110
        await asyncio.sleep(0.01)


# -- the interface ------------------------------------------------------------------------------


@dataclass
class Looked:
    """The interface on a host."""

    app: InspectorApp
    pilot: Pilot[int]
    host: Host

    @property
    def view(self) -> ToolsView:
        """The Tools tab."""
        return self.app.query_one(ToolsView)

    @property
    def phase(self) -> Phase:
        """Of the session."""
        return self.app.bridge.workbench.session.state.phase

    async def until(self, condition: Callable[[], bool], told: Callable[[], str]) -> None:
        """Lets the interface work until it holds; says what was there instead."""
        await wait_patiently(self.pilot, condition, told, PATIENCE)

    async def press_call(self) -> None:
        """Calls `poke` by keyboard."""
        app, pilot = self.app, self.pilot
        await self.until(lambda: self.phase is Phase.READY, lambda: str(self.phase))
        await wait_for(pilot, lambda: main(app).tab == "tools" and bool(app.query(ToolsView)))
        await wait_for(pilot, lambda: self.view.item is not None and self.view.form is not None)
        await pilot.press("ctrl+r")
        await wait_for(pilot, lambda: self.view.result.past is not None)

    async def shows(self, *words: str) -> None:
        """Waits until the screen says each of these, however it wraps its lines."""
        for each in words:
            await self.until(partial(self._says, each), self.text)

    def _says(self, words: str) -> bool:
        return words in self.text()

    async def traffic_shows(self, word: str) -> None:
        """Waits until the list of entries says this."""
        await self.until(lambda: word in text_of(rows(self.app)), lambda: text_of(rows(self.app)))

    def text(self) -> str:
        """All that stands on the screen but the traffic, blanks joined."""
        found = [text_of(each) for each in self.app.screen.query("*") if each.size.height]
        return " ".join(" ".join(found).split())


@asynccontextmanager
async def looked(
    place: str, poke: Act = honest, *, host: Host | None = None
) -> AsyncIterator[Looked]:
    """The interface, connecting to a host of that place."""
    async with hosting(host or Host(place, poke)) as running:
        transport = {"H": "http", "E": "sse"}[place]
        options = Options(no_record=True, connect_timeout=20)
        app = InspectorApp(
            lambda target: Workbench(target, options=options),
            Target(url=running.url, transport=transport),  # type: ignore[arg-type]
        )
        async with app.run_test(size=(120, 40)) as pilot:
            await wait_for(pilot, lambda: app.has_bridge and app.bridge.ready)
            try:
                yield Looked(app, pilot, running)
            finally:
                app.close_bridge()
        assert app.defect is None
