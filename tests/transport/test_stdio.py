"""The stdio transport against a real child process, honest and rude."""

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.journal import Journal
from inspector.protocol.messages import MessageKind, Sendable, encode_request
from inspector.transport.base import Outgoing
from inspector.transport.stdio import Patience, StdioTransport
from tests.servers import real
from tests.transport.wire import Wire, wired

HASTY = Patience(eof=0.3, term=0.3, stall_notice=0.1, stall=0.4)


@asynccontextmanager
async def rude(mode: str, number: int | None = None, line_cap: int = 2**27) -> AsyncIterator[Wire]:
    target = real.rude_stdio(mode, number)
    async with wired(
        lambda journal, connection: StdioTransport(
            target, journal, connection, patience=HASTY, line_cap=line_cap
        )
    ) as wire:
        yield wire


def runs(pid: int) -> bool:
    """Whether a process runs; a zombie that somebody else must collect does not."""
    stat = Path(f"/proc/{pid}/stat")
    try:
        os.kill(pid, 0)
        return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] != "Z"
    except (ProcessLookupError, FileNotFoundError):
        return False


async def is_gone(pid: int) -> None:
    """Waits until a process has ended."""
    async with asyncio.timeout(60):
        while True:
            if not runs(pid):
                return
            await asyncio.sleep(0.01)


async def test_messages_go_there_and_back_and_stand_in_the_journal() -> None:
    async with rude("honest") as wire:
        await wire.handshake()
        answer = await wire.answer(await wire.poke())
        assert json.loads(answer)["result"]["content"][0]["text"] == "ok"
        assert wire.transport.facts.state == "open"
        assert wire.frames(Direction.SENT)[0] == encode_request(
            1, "initialize", json.loads(wire.frames(Direction.SENT)[0])["params"]
        )
        assert wire.frames(Direction.RECEIVED)[-1] == answer


async def test_stray_lines_on_stdout_are_shown_and_flagged_and_the_call_completes() -> None:
    async with rude("junk") as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        stray = [e.body for e in wire.entries() if Flag.STRAY in e.row.flags]
        assert stray == [
            b"Server listening...",
            b"",
            b"{'python': 'dict'}",
            b'{"level": "info"}',
        ]
        assert b"Server listening..." in wire.sink.texts


async def test_an_answer_that_comes_byte_by_byte_is_one_message() -> None:
    async with rude("slow-pieces") as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        assert all(Flag.STRAY not in e.row.flags for e in wire.entries())


async def test_a_line_over_the_cap_fails_its_request_and_reading_goes_on() -> None:
    async with rude("no-newline", 3_000_000, line_cap=1_000_000) as wire:
        await wire.handshake()
        poke = await wire.poke()
        failure = await wire.failure(poke)
        assert "not kept" in failure.message
        await wire.until(lambda: b"notifications/message" in wire.sink.texts[-1])
        (oversized,) = [e for e in wire.entries() if Flag.OVERSIZED in e.row.flags]
        assert oversized.body.startswith(b'{"jsonrpc":"2.0","id":')


async def test_a_crash_in_a_call_names_the_exit_code_and_keeps_the_last_stderr_lines() -> None:
    async with rude("crash", 7) as wire:
        await wire.handshake()
        await wire.poke()
        end = await wire.end()
        assert (end.exit_code, end.signal, end.expected) == (7, "", False)
        assert end.stderr_tail == ("about to fall over",)
        assert "exited with code 7" in end.reason
        with pytest.raises(ConnectionFailed, match="exited with code 7"):
            await wire.request("ping")


async def test_an_exit_before_initialize_carries_the_last_20_stderr_lines() -> None:
    async with rude("exit-at-start", 3) as wire:
        end = await wire.end()
        assert end.exit_code == 3
        assert end.stderr_tail == tuple(f"reason {number}" for number in range(10, 30))


async def test_a_closed_stdout_of_a_living_process_is_told() -> None:
    async with rude("close-stdout") as wire:
        await wire.handshake()
        await wire.poke()
        end = await wire.end()
        assert "closed its stdout but still runs" in end.reason
        assert end.exit_code is None
        assert wire.transport.facts.state == "closed stdout"
    assert wire.transport.facts.state == "closed"


async def test_a_closed_stdin_is_named_when_we_write() -> None:
    async with rude("close-stdin") as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        with pytest.raises(ConnectionFailed, match="closed its stdin") as caught:
            await wire.request("ping")
        assert caught.value.kind == "epipe"


async def test_a_server_that_stops_reading_makes_a_write_time_out_visibly() -> None:
    async with rude("stop-reading") as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        with pytest.raises(ConnectionFailed, match="has not read its stdin") as caught:
            await wire.request("ping", {"text": "x" * 2_000_000})
        assert caught.value.kind == "stalled"
        assert wire.events("write-stalled")
        assert wire.transport.facts.state.startswith("stalled")


async def test_while_nothing_is_read_answers_are_not_heaped_up_and_one_event_tells_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.transport.stdio.WRITE_AHEAD", 3_500_000)
    async with rude("stop-reading") as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        for number in range(10):
            answer = Outgoing(b'"' + b"x" * 1_000_000 + b'"', MessageKind.RESULT, number, "")
            with pytest.raises(ConnectionFailed, match="read its stdin") as caught:
                await wire.transport.send(answer)
            assert caught.value.kind == "stalled"
            if "for" not in caught.value.message:
                break
        assert number == 4
        assert len(wire.events("write-stalled")) == 1


async def test_of_stderr_no_more_is_kept_than_the_budget_however_short_the_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("inspector.transport.stdio.STDERR_BUDGET", 1600)
    async with wired(lambda j, c: StdioTransport(Target(("true",)), j, c)) as wire:
        assert isinstance(wire.transport, StdioTransport)
        wire.transport._read_stderr(b"\n" * 5000 + b"the last words\n")
        assert len(wire.entries(Kind.STDERR)) == 10
        assert wire.events("stderr-not-kept") == [{"event": "stderr-not-kept", "afterBytes": 1600}]
        end = await wire.end()
        assert end.stderr_tail[-1] == "the last words"


async def test_an_honest_server_ends_when_its_stdin_does() -> None:
    async with rude("honest") as wire:
        await wire.handshake()
    assert wire.sink.ends[0].expected
    assert wire.sink.ends[0].exit_code == 0
    assert len(wire.sink.ends) == 1


@pytest.mark.parametrize(
    ("mode", "steps", "signal"),
    [
        ("ignore-eof", ["stdin-closed", "sigterm", "exited"], "SIGTERM"),
        ("ignore-term", ["stdin-closed", "sigterm", "sigkill", "exited"], "SIGKILL"),
    ],
)
async def test_a_stubborn_server_is_brought_down_step_by_step(
    mode: str, steps: list[str], signal: str
) -> None:
    target = real.rude_stdio(mode)
    journal = Journal()
    wire = Wire(StdioTransport(target, journal, 1, patience=HASTY), journal)
    await wire.transport.open(wire.sink)
    await wire.handshake()
    pid = wire.transport.facts.pid
    await wire.transport.close()
    assert [e.row.method for e in wire.entries(Kind.EVENT)][-len(steps) :] == steps
    assert wire.sink.ends[0].signal == signal
    assert pid is not None
    await is_gone(pid)
    journal.close()


async def test_a_helper_that_outlives_its_leader_is_ended_with_the_group() -> None:
    async with rude("grandchild") as wire:
        await wire.handshake()
        answer = json.loads(await wire.answer(await wire.poke()))
        helper = int(answer["result"]["content"][0]["text"])
        os.kill(helper, 0)
    await is_gone(helper)


@pytest.mark.skipif(sys.platform != "linux", reason="needs the Linux subreaper")
async def test_a_daemon_that_left_the_group_is_found_and_ended() -> None:
    async with rude("daemon") as wire:
        await wire.handshake()
        answer = json.loads(await wire.answer(await wire.poke()))
        daemon = int(answer["result"]["content"][0]["text"])
        os.kill(daemon, 0)
        journal = wire.journal
        await wire.transport.close()
        assert wire.events("daemons-ended") == [{"event": "daemons-ended", "pids": [daemon]}]
        assert len(journal) > 0
    await is_gone(daemon)


async def test_close_is_not_undone_by_cancellation() -> None:
    async with rude("ignore-term") as wire:
        await wire.handshake()
        pid = wire.transport.facts.pid
        async with asyncio.TaskGroup() as group:
            closing = group.create_task(wire.transport.close())
            await wire.event("stdin-closed")
            closing.cancel()
        assert closing.cancelled()
        assert pid is not None
        await is_gone(pid)
        await wire.transport.close()


async def test_a_message_with_line_breaks_is_sent_as_one_line() -> None:
    async with rude("honest") as wire:
        raw = b'{"jsonrpc":"2.0",\n  "id": 5,\r\n "method":"ping"}'
        await wire.transport.send(Outgoing(raw, MessageKind.REQUEST, 5, "ping"))
        assert b'"id": 5' in await wire.answer(5)
        assert b"\n" not in wire.frames(Direction.SENT)[0]


async def test_a_command_that_does_not_exist_is_named_and_journalled() -> None:
    journal = Journal()
    wire = Wire(StdioTransport(Target(command=("no-such-program",)), journal, 1), journal)
    with pytest.raises(ConnectionFailed, match="no-such-program"):
        await wire.transport.open(wire.sink)
    assert wire.events("spawn-failed")
    await wire.transport.close()
    journal.close()


async def test_secret_environment_values_are_masked_wherever_they_appear() -> None:
    target = real.rude_stdio("environment")
    given = {"SERVICE_API_KEY": "canary-value-123", "PLAIN": "visible"}
    target = Target(command=target.command, env=given)
    async with wired(lambda j, c: StdioTransport(target, j, c, patience=HASTY)) as wire:
        await wire.handshake()
        await wire.poke()
        await wire.until(lambda: any(b"PLAIN" in raw for raw in wire.sink.texts))
        assert all(b"canary-value-123" not in e.body for e in wire.entries())
        assert any(b"visible" in e.body for e in wire.entries())


@pytest.mark.peer
@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
async def test_real_python_servers_answer(package: str) -> None:
    target = real.python_server(package)
    async with wired(lambda j, c: StdioTransport(target, j, c)) as wire:
        await wire.handshake()
        params: Sendable = {"name": "add", "arguments": {"a": 2, "b": 40}}
        answer = json.loads(await wire.answer(await wire.request("tools/call", params)))
        assert answer["result"]["structuredContent"] == {"result": 42}


@pytest.mark.node
async def test_the_real_node_server_answers() -> None:
    target = real.everything()
    async with wired(lambda j, c: StdioTransport(target, j, c)) as wire:
        await wire.handshake()
        params: Sendable = {"name": "echo", "arguments": {"message": "hello"}}
        answer = json.loads(await wire.answer(await wire.request("tools/call", params)))
        assert "hello" in answer["result"]["content"][0]["text"]
