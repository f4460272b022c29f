"""Rows 9, 10 and 16 to 19 on stdio: what the core does about too much, and about pipes that nobody
reads or writes any more. With FAULTS=whole the amounts are those of the table."""

import asyncio
import time
from pathlib import Path

from inspector.errors import ConnectionFailed, PeerViolation
from inspector.journal.entries import Flag, Kind
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.session.pending import Lost, Success
from inspector.transport.stdio import STDERR_BUDGET, STDERR_LINE
from inspector.workbench import Options, Phase
from tests.faults.stdio import HASTY, REVISION, WHOLE, bench_on, met, rude_wire
from tests.faults.table import wire
from tests.servers import real
from tests.session.scene import soon
from tests.transport.test_stdio import runs

MIB = 1024 * 1024
NOTES = 1_000_000 if WHOLE else 50_000
STDERR_MIB = 1024 if WHOLE else 96


def peak_since(reset: bool = False) -> int:
    """The most memory that this process held since the last reset, in bytes (Linux)."""
    if reset:
        Path("/proc/self/clear_refs").write_text("5")
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmHWM")


@wire(9, "S")
async def a_line_of_64_mib(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("big", 64 * MIB)) as server:
        assert await server.opened()
        worked = time.thread_time()
        outcome = await server.call("poke")
        worked = time.thread_time() - worked
        assert isinstance(outcome, Success)
        entry = server.came()[-1]
        assert entry.row.size == len(entry.body) > 64 * MIB
        assert worked < 2, f"{worked:.2f} s of CPU"
        assert await soon(server.bench.session.ping()) > 0


@wire(9, "S")
async def a_line_of_3_mib_that_is_dense_and_no_json(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("dense", 3 * MIB)) as server:
        assert await server.opened()
        worked = time.thread_time()
        outcome = await server.call("poke")
        worked = time.thread_time() - worked
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert server.came()[-1].row.size > 3 * MIB
        assert worked < 2, f"{worked:.2f} s of CPU"  # it was 9 s
        assert "rpc/not-json" in server.rules() or server.came()[-1].row.kind is Kind.MALFORMED
        assert await soon(server.bench.session.ping()) > 0


@wire(10, "S")
async def a_gibibyte_without_a_newline(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("no-newline", 1024 * MIB)) as server:
        assert await server.opened()
        before = peak_since(reset=True)
        outcome = await server.call("poke")
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert "which is not kept" in outcome.error.message
        assert await soon(server.bench.session.ping()) > 0
        (entry,) = [entry for entry in server.came() if Flag.OVERSIZED in entry.row.flags]
        assert (outcome.entry, len(entry.body)) == (entry.row.number, 4096)
        assert len(server.events("line-too-long")) == 1
        assert peak_since() - before < 160 * MIB  # a whole program has 35 of its own


@wire(16, "S")
async def a_flood_of_notifications(place: str, tmp_path: Path) -> None:
    path = tmp_path / "recording"
    options = Options(record=path, protocol=REVISION)
    async with bench_on(real.rude_stdio("counted-flood", NOTES), options) as server:
        server.bench.begin_judging()
        assert await server.opened()
        before = peak_since(reset=True)
        assert isinstance(await server.call("poke", 600), Success)
        assert peak_since() - before < (200 * MIB if WHOLE else 40 * MIB)
        assert numbers(server.bench.journal) == list(range(NOTES))
        assert await soon(server.bench.session.ping()) > 0
    again = load_recording(path)
    assert again.dropped_bytes == 0
    assert again.received == server.bench.journal.received
    assert numbers(again) == list(range(NOTES))


def numbers(journal: Journal) -> list[int]:
    """What the messages of the flood say, in the order of the journal."""
    method = journal.columns.known["notifications/message"]
    ids = journal.method_ids
    return [
        int(journal.body(number).rpartition(b"note ")[2].rstrip(b'"}').decode())
        for number in range(1, len(journal) + 1)
        if ids[number] == method
    ]


@wire(17, "S")
async def a_flood_on_stderr(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("stderr-flood", STDERR_MIB * MIB)) as server:
        assert await server.opened()
        before = peak_since(reset=True)
        assert isinstance(await server.call("poke", 600), Success)
        assert await soon(server.bench.session.ping()) > 0
        assert peak_since() - before < 60 * MIB
        lines = sum(kind == Kind.STDERR for kind in server.bench.journal.kinds)
        assert lines == STDERR_BUDGET // (999 + STDERR_LINE)
        assert len(server.events("stderr-not-kept")) == 1


@wire(17, "S")
async def colours_and_bad_bytes_on_stderr(place: str, tmp_path: Path) -> None:
    async with met("stderr-flood", tmp_path) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke"), Success)
        await server.good()


@wire(18, "S")
async def stops_reading(place: str, tmp_path: Path) -> None:
    target = real.rude_stdio("stop-reading")
    async with bench_on(target, patience=HASTY) as server:
        assert await server.opened()
        await server.call("poke")
        call = await soon(server.bench.session.call_tool("poke", {"text": "x" * 2_000_000}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "has not read its stdin for 0.4 s" in outcome.error.message
        assert "bytes are waiting" in outcome.error.message
        assert outcome.error.kind == "stalled"
        assert len(server.events("write-stalled")) == 1
        assert server.bench.session.transport.state == "stalled: not reading stdin"
        assert server.bench.journal.correlator.open_requests() == []
        assert server.bench.session.state.ready  # it may read on yet


@wire(18, "S")
async def closes_its_stdin(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("close-stdin"), patience=HASTY) as server:
        assert await server.opened()
        assert isinstance(await server.call("poke"), Success)
        error = await server.why()
        assert isinstance(error, ConnectionFailed)
        assert "EPIPE" in error.message
        assert error.kind == "epipe"


@wire(19, "S")
async def closes_its_stdout_and_lives_on(place: str, tmp_path: Path) -> None:
    async with met("closes-stdout-in-list", tmp_path) as server:
        assert await server.opened()
        tools = await soon(server.bench.session.catalog.look("tools"))
        assert "closed its stdout but still runs" in tools.error
        (pid,) = server.pids
        assert f"(pid {pid})" in server.error.message
        assert server.bench.session.state.phase is Phase.FAILED
        assert server.bench.session.transport.state == "closed stdout"
        assert [event["pid"] for event in server.events("stdout-closed")] == [pid]
        assert runs(pid)
        await soon(server.bench.disconnect())
        assert not runs(pid)
        async with asyncio.timeout(60):
            assert (await server.bench.switch(rude_wire("honest", server.tee or "-"))).ready
        server.pids.append(server.bench.session.transport.pid or 0)
        await server.good()
