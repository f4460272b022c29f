"""Rig of the rows on stdio: a workbench on a rude process, of which nothing is missing at the end
and nothing left.

`WHOLE` is what some rows do on demand only, with FAULTS=whole in the environment: a gigabyte on
stderr, a million messages.
"""

import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

import pytest

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Direction, Entry, Flag, Kind
from inspector.journal.facts import decode_facts
from inspector.lint.judge import Judge
from inspector.protocol.messages import JsonObject
from inspector.session.pending import Call, Lost, Outcome, Success
from inspector.transport.stdio import LINE_CAP, Patience, StdioTransport
from inspector.workbench import Options, Workbench
from tests.servers.rude_corpus import CASES
from tests.session.scene import soon
from tests.transport.test_stdio import is_gone

ROOT: Final = Path(__file__).parents[2]
WHOLE: Final = os.environ.get("FAULTS") == "whole"
HASTY: Final = Patience(eof=0.3, term=0.3, stall_notice=0.1, stall=0.4)
REVISION: Final = "2025-11-25"


@dataclass
class Met:
    """One server, and what it has put on stdout (where `tee` is a file)."""

    bench: Workbench
    tee: Path | None = None
    pids: list[int] = field(default_factory=list)

    async def opened(self) -> bool:
        """Connects."""
        state = await soon(self.bench.connect())
        if (pid := self.bench.session.transport.pid) is not None:
            self.pids.append(pid)
        return state.ready

    async def begin(self, name: str, timeout: float = 60.0, **arguments: str) -> Call:
        """A tool call that is under way."""
        return await soon(self.bench.session.call_tool(name, dict(arguments), timeout=timeout))

    async def call(self, name: str, timeout: float = 60.0, **arguments: str) -> Outcome:
        """The outcome of a tool call."""
        return await soon((await self.begin(name, timeout, **arguments)).wait())

    async def case(self, name: str) -> Call:
        """The call that one case of the corpus comes for, when all has been done about it that
        will be: it is done, or it has its hint, or a later call was answered."""
        case = CASES[name]
        call = await self.begin("poke", case=name)
        if case.fate == "open":
            if case.words:
                await soon(self.bench.changes.until(lambda: call.done or bool(call.hint)))
            await self.good()
        else:
            await soon(call.wait())
        return call

    async def good(self) -> None:
        """The session lives: the honest tool answers."""
        outcome = await self.call("good")
        assert isinstance(outcome, Success), outcome

    async def why(self, name: str = "poke", timeout: float = 60.0) -> InspectorError:
        """Why a tool call has no answer."""
        outcome = await self.call(name, timeout)
        assert isinstance(outcome, Lost), outcome
        return outcome.error

    @property
    def error(self) -> InspectorError:
        """Why there is no session."""
        error = self.bench.session.state.error
        assert error is not None
        return error

    def entries(self, kind: Kind | None = None) -> list[Entry]:
        """What the journal has."""
        journal = self.bench.journal
        found = (journal.row(number) for number in range(1, len(journal) + 1))
        return [journal.entry(row.number) for row in found if kind in (None, row.kind)]

    def came(self) -> list[Entry]:
        """The frames that came in."""
        return [
            entry
            for entry in self.entries()
            if entry.row.kind.is_frame and entry.row.direction is Direction.RECEIVED
        ]

    def received(self) -> list[bytes]:
        """Their bytes."""
        return [entry.body for entry in self.came()]

    def flags(self) -> Counter[Flag]:
        """How often each flag stands on a frame that came in."""
        return Counter(flag for entry in self.came() for flag in entry.row.flags)

    def events(self, name: str) -> list[JsonObject]:
        """The facts of the events with that name."""
        found = self.entries(Kind.EVENT)
        return [decode_facts(entry.body) for entry in found if entry.row.method == name]

    def at(self, event: str) -> float:
        """When an event happened last."""
        return [e.row.monotonic for e in self.entries(Kind.EVENT) if e.row.method == event][-1]

    def sent(self, method: str) -> list[JsonObject]:
        """The messages with that method that went out."""
        return [
            decode_facts(entry.body)
            for entry in self.entries()
            if entry.row.method == method and entry.row.direction is Direction.SENT
        ]

    def rules(self) -> set[str]:
        """The rules that are broken, when all is judged."""
        return {finding.rule for finding in Judge(self.bench.journal).finish()}

    def nothing_is_missing(self) -> None:
        """The journal has every byte of stdout, less the line ends."""
        assert self.tee is not None
        wire = self.tee.read_bytes().replace(b"\r\n", b"\n")
        kept = b"".join(frame + b"\n" for frame in self.received())
        assert kept in (wire, wire + b"\n")  # the last line may lack its end

    async def nothing_is_left(self) -> None:
        """No process of any of the groups runs."""
        for pid in self.pids:
            await is_gone(pid)
            with pytest.raises(ProcessLookupError):
                os.killpg(pid, 0)


@asynccontextmanager
async def bench_on(
    target: Target,
    options: Options | None = None,
    *,
    tee: Path | None = None,
    patience: Patience | None = None,
    line_cap: int = LINE_CAP,
) -> AsyncIterator[Met]:
    """A workbench on a process, not connected yet; no process is left."""
    make = partial(StdioTransport, patience=patience, line_cap=line_cap)
    options = options or Options(no_record=True, protocol=REVISION)
    server = Met(Workbench(target, options=options, transport_factory=make), tee)
    async with server.bench:
        yield server
    if tee is not None:
        server.nothing_is_missing()
    await server.nothing_is_left()


def rude_wire(mode: str, tee: Path | str = "-", *cases: str) -> Target:
    """The server that is rude in bytes; what it writes is in the file `tee`."""
    words = ("-S", "-m", "tests.servers.rude_wire", mode, str(tee), *cases)
    return Target(command=(sys.executable, *words), cwd=ROOT)


@asynccontextmanager
async def met(
    mode: str,
    tmp_path: Path,
    connect_timeout: float = 10.0,
    *,
    patience: Patience | None = None,
    protocol: str = REVISION,
) -> AsyncIterator[Met]:
    """A server in that mode; at the end nothing is missing, and no process is left."""
    tee = tmp_path / "tee"
    tee.touch()
    options = Options(no_record=True, connect_timeout=connect_timeout, protocol=protocol)
    async with bench_on(rude_wire(mode, tee), options, tee=tee, patience=patience) as server:
        yield server
