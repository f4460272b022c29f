"""Rows 1 to 8 and 11 to 15 on stdio: what the core does about processes that do not start, end, or
say what is no answer."""

import asyncio
from pathlib import Path

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, PeerViolation, RequestCancelled, RequestTimeout
from inspector.journal.entries import Flag, Kind
from inspector.session.pending import Lost, Success
from inspector.workbench import Options, Phase
from tests.faults.stdio import REVISION, bench_on, met, rude_wire
from tests.faults.table import wire
from tests.servers import real
from tests.session.scene import soon
from tests.transport.test_stdio import is_gone

AT_ONCE = 0.2
TRIES = 5
"""How often a time is measured: a busy machine makes it longer, nothing makes it shorter."""


@wire(1, "S")
async def cannot_start(place: str, tmp_path: Path) -> None:
    script = tmp_path / "our-script"
    script.write_text("#!/bin/sh\n")
    shebang = tmp_path / "shebang"
    shebang.write_text("#!/no/such/interpreter\n")
    binary = tmp_path / "binary"
    binary.write_bytes(b"\x7fELF but no more")
    for each in (shebang, binary):
        each.chmod(0o755)
    path = f"{tmp_path}:/usr/bin"
    for command, said in (
        ("no-such-program", f"no-such-program: no such program on PATH|searched {path}"),
        ("our-script", f"{script}: not executable|chmod +x {script}"),
        ("./no-such-file", f"{tmp_path}/no-such-file: no such file|check the path"),
        (str(tmp_path), f"{tmp_path}: it is a directory|name the program in it"),
        ("shebang", f"{shebang}: the interpreter in its first line does not exist|head -1"),
        ("binary", f"{binary}: |"),
        ("", "the command is empty|give the program to start"),
        ("env\0", "|"),
    ):
        target = Target(command=(command, "word"), env={"PATH": path}, cwd=tmp_path)
        async with bench_on(target) as server:
            assert not await server.opened(), command
            error = server.error
            assert isinstance(error, ConnectionFailed), error
            assert (error.kind, error.fault) == ("spawn", "config")
            message, hint = said.split("|")
            assert message in error.message
            assert hint in error.hint
            assert server.at("spawn-failed") - server.at("connection") < 1
            assert server.pids == []
            state = await soon(server.bench.switch(rude_wire("honest")))
            assert state.ready
            server.pids.append(server.bench.session.transport.pid or 0)
            await server.good()


@wire(2, "S")
async def exits_at_once(place: str, tmp_path: Path) -> None:
    async with bench_on(real.rude_stdio("exit-at-start", 3)) as server:
        for _ in range(2):
            assert not await server.opened()
            assert server.error.kind == "exited"
            assert "exited with code 3" in server.error.message
            _, *lines = server.error.hint.splitlines()
            assert lines == [f"reason {number}" for number in range(10, 30)]
        assert len([e for e in server.entries(Kind.STDERR) if b"reason" in e.body]) == 60


@wire(3, "S")
async def dies_in_a_call(place: str, tmp_path: Path) -> None:
    for mode, number, words in (
        ("crash", 3, "exited with code 3"),
        ("segfault", 0, "killed by SIGSEGV"),
    ):
        took: list[float] = []
        async with bench_on(real.rude_stdio(mode, number)) as server:
            while not took or (min(took) > AT_ONCE and len(took) < TRIES):
                assert await server.opened()
                call = await server.begin("poke")
                outcome = await soon(call.wait())
                assert isinstance(outcome, Lost)
                assert isinstance(outcome.error, ConnectionFailed)
                assert words in outcome.error.message
                assert "about to fall over" in outcome.error.hint
                assert server.bench.session.state.phase is Phase.FAILED
                said = server.entries(Kind.STDERR)[-1].row.monotonic
                assert call.ended is not None
                took.append(call.ended - said)
        assert min(took) < AT_ONCE


@wire(3, "S")
async def dies_with_half_an_answer_on_its_pipe(place: str, tmp_path: Path) -> None:
    async with met("dies-in-call", tmp_path) as server:
        assert await server.opened()
        assert "was killed by SIGKILL" in (await server.why()).message
        assert Flag.STRAY in server.came()[-1].row.flags
        assert server.bench.session.state.phase is Phase.FAILED


@wire(4, "S")
async def never_answers_initialize(place: str, tmp_path: Path) -> None:
    assert Options().connect_timeout == 30
    async with met("sleeps-in-initialize", tmp_path, connect_timeout=0.3) as server:
        assert not await server.opened()
        assert isinstance(server.error, RequestTimeout)
        assert server.error.message.startswith("initialize got no answer in 0.3")
        assert server.sent("notifications/cancelled") == []  # which no client may do to it


@wire(4, "S")
async def initialize_is_given_up(place: str, tmp_path: Path) -> None:
    async with met("sleeps-in-initialize", tmp_path) as server:
        connecting = asyncio.ensure_future(server.bench.connect())
        await soon(server.bench.changes.until(lambda: bool(server.bench.session.calls)))
        pid = server.bench.session.transport.pid
        assert pid is not None
        server.pids.append(pid)
        await soon(server.bench.disconnect())
        async with asyncio.timeout(60):
            assert (await connecting).phase is Phase.CLOSED
        await is_gone(pid)


@wire(5, "S")
async def never_answers_a_call(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        call = await server.begin("poke", 0, case="nothing")
        await server.good()
        assert await soon(server.bench.session.ping()) > 0
        assert not call.done
        assert Flag.PENDING in server.bench.journal.row(call.entry).flags
        await soon(call.cancel("enough"))
        assert isinstance(call.outcome, Lost)
        assert isinstance(call.outcome.error, RequestCancelled)
        (told,) = server.sent("notifications/cancelled")
        assert told["params"] == {"requestId": call.id, "reason": "enough"}
        assert Flag.PENDING not in server.bench.journal.row(call.entry).flags
        await server.good()


@wire(5, "S")
async def a_call_that_times_out_is_withdrawn(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        call = await server.begin("poke", 0.1, case="nothing")
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert "--timeout" in outcome.error.hint
        await server.good()
        assert [each["params"] for each in server.sent("notifications/cancelled")] == [
            {"requestId": call.id, "reason": "timed out"}
        ]
        assert Flag.TIMED_OUT in server.bench.journal.row(call.entry).flags


@wire(6, "S")
async def prints_on_stdout(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        assert isinstance((await server.case("printed")).outcome, Success)
        await server.good()
        stray = [entry.body for entry in server.came() if Flag.STRAY in entry.row.flags]
        printed = [b"Server listening...", b"", b"{'python': 'dict'}", b'{"level": "info"}']
        assert stray == printed
        assert "stdio/stdout-pollution" in server.rules()


@wire(7, "S")
async def bytes_that_are_no_utf8(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        outcome = (await server.case("latin-1")).outcome
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert "byte 0xE9 at offset" in outcome.error.message
        assert b"\xe9" in server.bench.journal.body(outcome.entry)
        await server.good()
        call = await server.case("bad-byte-in-the-id")  # which nobody can tell for its answer
        assert not call.done
        assert "byte 0xFF at offset 22" in call.hint
        await soon(call.cancel())
        await server.good()
        assert "rpc/not-json" in server.rules()


@wire(8, "S")
async def an_answer_nested_too_deep(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        for case in ("depth-1000", "depth-100000", "objects-1000", "never-closed"):
            outcome = (await server.case(case)).outcome
            assert isinstance(outcome, Lost)
            assert isinstance(outcome.error, PeerViolation)
            assert "nested deeper than 512 levels" in outcome.error.message
            assert len(server.bench.journal.body(outcome.entry)) > 1000
            await server.good()
        assert isinstance((await server.case("depth-500")).outcome, Success)
        assert {"rpc/not-json", "schema/invalid"} <= server.rules()


@wire(11, "S")
async def answers_with_another_id(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        call = await server.case("id-other")
        assert "unknown id 98765" in call.hint
        await soon(call.cancel())
        assert server.flags()[Flag.ORPHAN] == 1
        assert "rpc/response-unknown-id" in server.rules()
        await server.good()


@wire(12, "S")
async def answers_twice(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        for case in ("answers-twice", "answers-and-fails"):
            call = await server.case(case)
            await server.good()
            assert len(call.late) == 1
            assert Flag.DUPLICATE in server.bench.journal.row(call.late[0]).flags
        assert server.flags()[Flag.DUPLICATE] == 2
        assert "rpc/response-duplicate" in server.rules()


@wire(13, "S")
async def answers_with_an_id_of_another_type(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        call = await server.case("id-text")
        assert "a string is not a number" in call.hint
        await soon(call.cancel())
        assert server.flags()[Flag.ID_TYPE_MISMATCH] == 1
        assert "rpc/id-type-mismatch" in server.rules()
        await server.good()


@wire(14, "S")
async def answers_a_notification_and_in_batches(place: str, tmp_path: Path) -> None:
    for protocol, allowed in (("2024-11-05", False), ("2025-03-26", True), (REVISION, False)):
        folder = tmp_path / protocol
        folder.mkdir()
        async with met("corpus", folder, protocol=protocol) as server:
            assert await server.opened()
            assert isinstance((await server.case("answers-a-notification")).outcome, Success)
            for case in ("in-a-batch", "in-a-batch-of-junk"):
                assert isinstance((await server.case(case)).outcome, Success)
                await server.good()
            batches = [entry for entry in server.came() if entry.row.kind is Kind.BATCH]
            assert len(batches) == 2
            assert len(server.events("batch-not-allowed")) == (0 if allowed else 2)
            assert ("rpc/batch" in server.rules()) is not allowed
            assert "rpc/error-id-missing" in server.rules()


@wire(15, "S")
async def odd_numbers_and_names(place: str, tmp_path: Path) -> None:
    async with met("corpus", tmp_path) as server:
        assert await server.opened()
        outcome = (await server.case("nan")).outcome
        assert isinstance(outcome, Lost)
        assert "NaN is no JSON number" in outcome.error.message
        assert "rpc/not-json" in server.rules()
        for case in ("member-twice", "out-of-range", "minus-zero", "big-integers", "id-twice"):
            outcome = (await server.case(case)).outcome
            assert isinstance(outcome, Success), case
            assert outcome.raw in server.bench.journal.body(outcome.entry)
            await server.good()
        raw = b"".join(server.received())
        assert {"rpc/duplicate-names", "rpc/number-range"} <= server.rules()
        for exact in (b'{"a":1.10,"a":2,"b":{"c":1,"c":2}}', b'"a":1e400', b'"b":-0.0', b"NaN"):
            assert exact in raw
