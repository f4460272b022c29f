"""Servers that are rude on stdout, at every stage: the process lives on, the outcome tells the
truth, every byte is in the journal, the next good call works, and nothing is left behind."""

import asyncio
import os
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Direction, Flag, Kind
from inspector.session.pending import Lost, Outcome, Success
from inspector.workbench import Options, Workbench
from tests.servers.rude_wire import MODES, ODD_TOOLS
from tests.session.scene import soon
from tests.transport.test_stdio import is_gone

ROOT = Path(__file__).parents[2]


@dataclass
class Met:
    """One server in one mode, and what it has put on stdout."""

    bench: Workbench
    tee: Path
    pids: list[int] = field(default_factory=list)

    async def opened(self) -> bool:
        """Connects."""
        state = await soon(self.bench.connect())
        if (pid := self.bench.session.transport.pid) is not None:
            self.pids.append(pid)
        return state.ready

    async def call(self, name: str, timeout: float = 20.0) -> Outcome:
        """The outcome of a tool call."""
        async with asyncio.timeout(40):
            call = await self.bench.session.call_tool(name, {}, timeout=timeout)
            return await call.wait()

    async def why(self, name: str, timeout: float = 20.0) -> InspectorError:
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

    def received(self) -> list[bytes]:
        """The frames that came in, as the journal has them."""
        journal = self.bench.journal
        rows = (journal.row(number) for number in range(1, len(journal) + 1))
        return [
            journal.body(row.number)
            for row in rows
            if row.kind.is_frame and row.direction is Direction.RECEIVED
        ]

    def flags(self) -> Counter[Flag]:
        """How often each flag stands on a frame that came in."""
        journal = self.bench.journal
        rows = [journal.row(number) for number in range(1, len(journal) + 1)]
        came = [r for r in rows if r.kind.is_frame and r.direction is Direction.RECEIVED]
        return Counter(flag for row in came for flag in row.flags)

    def sent(self, method: str) -> int:
        """How many messages with that method went out."""
        journal = self.bench.journal
        rows = (journal.row(number) for number in range(1, len(journal) + 1))
        return sum(
            row.method == method and row.direction is Direction.SENT and row.kind is Kind.REQUEST
            for row in rows
        )

    def nothing_is_missing(self) -> None:
        """The journal has every byte of stdout, less the line ends."""
        wire = self.tee.read_bytes().replace(b"\r\n", b"\n")
        kept = b"".join(frame + b"\n" for frame in self.received())
        assert kept in (wire, wire + b"\n")  # the last line may lack its end


@asynccontextmanager
async def met(mode: str, tmp_path: Path, connect_timeout: float = 10.0) -> AsyncIterator[Met]:
    """A server in that mode; at the end nothing is missing, and no process is left."""
    tee = tmp_path / "tee"
    tee.touch()
    command = (sys.executable, "-S", "-m", "tests.servers.rude_wire", mode, str(tee))
    options = Options(no_record=True, connect_timeout=connect_timeout)
    bench = Workbench(Target(command=command, cwd=ROOT), options=options)
    server = Met(bench, tee)
    async with bench:
        yield server
    server.nothing_is_missing()
    for pid in server.pids:
        await is_gone(pid)
        with pytest.raises(ProcessLookupError):
            os.killpg(pid, 0)


GOOD = (
    "honest", "banner", "content-length", "before-initialize", "with-initialize", "withdrawn",
    "unknown-requests", "cursor-loop", "cursor-number", "tools-object", "tools-null",
    "tools-missing", "list-fails", "changes-with-each-list",
)  # fmt: skip


@pytest.mark.parametrize("mode", GOOD)
async def test_what_can_be_understood_is_and_the_next_call_works(mode: str, tmp_path: Path) -> None:
    async with met(mode, tmp_path) as server:
        assert await server.opened()
        await soon(server.bench.session.catalog.look("tools"))
        assert isinstance(await server.call("poke"), Success)
        assert isinstance(await server.call("good"), Success)


async def test_the_half_of_a_line_end_that_is_left_of_utf_16_is_named_at_the_timeout(
    tmp_path: Path,
) -> None:
    async with met("utf-16", tmp_path) as server:
        assert await server.opened()
        error = await server.why("poke", timeout=0.4)
        assert "got no answer" in error.message
        assert "it is not UTF-8" in error.hint


ENDS = {
    "aborts-in-call": "was killed by SIGABRT",
    "exits-in-list": "exited with code 0",
    "dies-in-list": "was killed by SIGSEGV",
    "exits-after-initialized": "exited with code 0",
}


@pytest.mark.parametrize("mode", ENDS)
async def test_a_server_that_ends_says_how_in_whatever_was_waiting(
    mode: str, tmp_path: Path
) -> None:
    async with met(mode, tmp_path) as server:
        assert await server.opened()
        tools = await soon(server.bench.session.catalog.look("tools"))
        if tools.state == "failed":
            assert ENDS[mode] in tools.error
        else:
            assert ENDS[mode] in (await server.why("poke")).message
        assert ENDS[mode] in server.error.message


UNOPENED = {
    "exits-at-once": "exited with code 0",
    "exits-after-initialize": "exited with code 0",
    "dies-in-initialize": "was killed by SIGTERM",
    "closes-stdout-at-once": "closed its stdout but still runs",
    "sleeps-at-once": "initialize got no answer",
    "sleeps-in-initialize": "initialize got no answer",
    "glued-banner": "stands in a line with something else",
    "bom-first": "byte order mark",
    "pretty-first": "initialize got no answer",
    "utf-16-all": "initialize got no answer",
}


@pytest.mark.parametrize("mode", UNOPENED)
async def test_a_server_that_does_not_open_says_why(mode: str, tmp_path: Path) -> None:
    async with met(mode, tmp_path, connect_timeout=1.5) as server:
        if await server.opened():  # it may have gone a moment after its answer
            await soon(server.bench.session.engine.gone.wait())
        assert UNOPENED[mode] in server.error.message


@pytest.mark.parametrize("mode", ["logs", "progress-flood", "junk-flood", "orphan-flood"])
async def test_a_flood_is_kept_whole_and_the_call_behind_it_answered(
    mode: str, tmp_path: Path
) -> None:
    async with met(mode, tmp_path) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke", timeout=40), Success)
        assert len(server.received()) == 20_000 + 2
        flags = server.flags()
        assert flags[Flag.STRAY] == (20_000 if mode == "junk-flood" else 0)
        assert flags[Flag.ORPHAN] == (20_000 if mode == "orphan-flood" else 0)


async def test_twenty_thousand_announced_changes_cause_a_few_readings(tmp_path: Path) -> None:
    async with met("changed-flood", tmp_path) as server:
        assert await server.opened()
        await soon(server.bench.session.catalog.look("tools"))
        assert isinstance(await server.call("poke", timeout=40), Success)
        assert isinstance(await server.call("good"), Success)
        assert 1 < server.sent("tools/list") < 40


async def test_twenty_thousand_pings_do_not_stop_the_session(tmp_path: Path) -> None:
    async with met("pings", tmp_path) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke", timeout=40), Success)
        assert isinstance(await server.call("good"), Success)


async def test_odd_tools_are_all_listed_as_they_came(tmp_path: Path) -> None:
    async with met("odd-tools", tmp_path) as server:
        assert await server.opened()
        tools = await soon(server.bench.session.catalog.look("tools"))
        assert tools.state == "ready"
        assert list(tools.items) == ODD_TOOLS
        assert isinstance(await server.call("good"), Success)


@pytest.mark.parametrize("mode", ["sleeps-after-initialize", "sleeps-in-list", "sleeps-in-call"])
async def test_a_server_that_sleeps_is_waited_for_no_longer_than_allowed(
    mode: str, tmp_path: Path
) -> None:
    async with met(mode, tmp_path) as server:
        assert await server.opened()
        call = await server.bench.session.request("tools/list", timeout=0.2)
        await soon(call.wait())
        assert "got no answer" in (await server.why("poke", timeout=0.2)).message


async def test_more_asks_than_anybody_can_answer_are_refused(tmp_path: Path) -> None:
    async with met("many-asks", tmp_path) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke", timeout=40), Success)
        assert server.bench.session.inbox.open_count == 200
        assert isinstance(await server.call("good"), Success)


async def test_an_answer_before_its_question_is_an_orphan(tmp_path: Path) -> None:
    async with met("before-asked", tmp_path) as server:
        assert await server.opened()
        await soon(server.bench.changes.until(lambda: len(server.received()) == 4))
        assert server.flags()[Flag.ORPHAN] == 3
        assert isinstance(await server.call("good"), Success)


async def test_a_last_answer_without_a_line_end_is_taken(tmp_path: Path) -> None:
    async with met("no-last-newline", tmp_path) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke"), Success)
        await soon(server.bench.session.engine.gone.wait())
        assert "exited with code 0" in server.error.message


def test_every_mode_of_the_server_is_met_by_a_test() -> None:
    here = Path(__file__).parents[1]
    others = (here / "tui" / "test_rude_servers.py", *(here / "faults").glob("*stdio*.py"))
    text = "".join(each.read_text(encoding="utf-8") for each in (Path(__file__), *others))
    assert [mode for mode in MODES if f'"{mode}"' not in text] == []
