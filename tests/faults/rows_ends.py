"""Rows 20 to 22 and 42 to 44 on the wire: servers that do not end, the disk, a kill of ours."""

import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.config.trust import TrustStore
from inspector.errors import InspectorError
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts
from inspector.journal.loading import load_recording
from inspector.protocol.messages import JsonObject
from inspector.workbench import Options, Workbench
from tests.faults.table import wire
from tests.hostile.exit_pty import ROOT, SECONDS, Pty, program
from tests.hostile.survivors import carriers, mark, stubborn, survivors
from tests.servers.stubborn import HABITS

COUNTING = """
import json, sys, threading, time

def count(path):
    with open(path, "w") as said:
        for number in range(1, 100_000):
            print('{"jsonrpc":"2.0","method":"notifications/message","params":'
                  '{"level":"info","data":%d}}' % number, flush=True)
            said.write(f"{number}\\n")
            said.flush()
            time.sleep(0.002)

for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"logging": {}, "tools": {}},
                  "serverInfo": {"name": "counting", "version": "1"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
        threading.Thread(target=count, args=sys.argv[1:], daemon=True).start()
    elif "id" in message and message["method"] != "tools/call":
        reply = {"jsonrpc": "2.0", "id": message["id"], "result": {"tools": []}}
        print(json.dumps(reply), flush=True)
"""
SMALL = 64 * 1024


def events(bench: Workbench, name: str) -> list[JsonObject]:
    """The facts of the events with that name."""
    journal = bench.journal
    numbers = range(1, len(journal) + 1)
    found = [n for n in numbers if journal.row(n).kind is Kind.EVENT]
    facts = [decode_facts(journal.body(n)) for n in found]
    return [one for one in facts if one.get("event") == name]


def last_counted(path: Path) -> int:
    """The last whole number that the counting server wrote beside."""
    lines = path.read_text().split("\n")[:-1] if path.exists() else []
    return int(lines[-1]) if lines else 0


def counted(path: Path, wanted: int) -> int:
    """The same, once it is as large as that."""
    end = time.monotonic() + SECONDS
    while (number := last_counted(path)) < wanted:
        assert time.monotonic() < end, number
        time.sleep(0.02)
    return number


def recorded(path: Path) -> int:
    """The last number in a recording, which must be readable."""
    journal = load_recording(path)
    found = 0
    for number in range(1, len(journal) + 1):
        body = journal.body(number)
        if b'"data":' in body:
            found = int(body.rpartition(b'"data":')[2].rstrip(b"}"))
    return found


@wire(20, "S")
async def goes_in_five_seconds_though_it_ignores_eof_and_sigterm(place: str, _: Path) -> None:
    one = mark()
    target = Target(tuple(stubborn(one, "ignores-eof", "blocks-signals", "ignores-term")))
    async with Workbench(target, options=Options(no_record=True)) as bench:
        assert (await bench.connect()).ready
        await bench.disconnect()
        assert survivors(one, 0) == {}
        waits = [
            *(facts["waitSeconds"] for facts in events(bench, "stdin-closed")),
            *(facts["waitSeconds"] for facts in events(bench, "sigterm")),
        ]
        assert waits == [2.0, 2.0]
        assert len(events(bench, "sigkill")) == 1
        assert events(bench, "left-behind") == []


@wire(21, "S")
async def ends_descendants_wherever_they_went_and_names_them(place: str, _: Path) -> None:
    one = mark()
    target = Target(tuple(stubborn(one, *HABITS)), env={"MARK": one})
    async with Workbench(target, options=Options(no_record=True)) as bench:
        assert (await bench.connect()).ready
        end = time.monotonic() + SECONDS
        while len(carriers(one)) < len(HABITS):
            assert time.monotonic() < end
            await asyncio.sleep(0.05)
        (spawned,) = events(bench, "spawned")
        outside = {pid for pid in carriers(one) if os.getpgid(pid) != spawned["pid"]}
        await bench.disconnect()
        assert survivors(one, 0) == {}
        (ended,) = events(bench, "daemons-ended")
        assert isinstance(ended["pids"], list)
        assert len(outside) == 6
        assert outside <= set(ended["pids"])
        assert events(bench, "left-behind") == []


@wire(22, "S")
@wire(43, "R")
async def killed_while_recording_loses_no_more_than_a_second(place: str, tmp_path: Path) -> None:
    """The server dies with us, and the recording holds all but the last second or 64 entries."""
    one = mark()
    said, record = tmp_path / "said", tmp_path / "one.jsonl"
    server = (sys.executable, "-S", "-c", COUNTING, str(said))
    words = ("call", "hangs", "--record", str(record), "--env", f"MARK={one}", "--", *server)
    early = killed_after(words, said, 300)
    assert survivors(one) == {}
    assert recorded(record) >= early - 64


def killed_after(words: tuple[str, ...], said: Path, wanted: int) -> int:
    """What the server had counted a second before the program was killed."""
    process = subprocess.Popen(
        program(*words), cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        early = counted(said, wanted)
        time.sleep(1.0)  # the second that may be lost
    finally:
        process.kill()
        assert process.wait(SECONDS) == -signal.SIGKILL
    return early


@contextmanager
def no_file_larger_than(size: int) -> Iterator[None]:
    """As a full disk, or a quota, but for every user and on every file system."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@wire(42, "R")
async def a_full_disk_stops_the_recording_and_nothing_else(place: str, tmp_path: Path) -> None:
    said, record = tmp_path / "said", tmp_path / "one.jsonl"
    command = (sys.executable, "-S", "-c", COUNTING, str(said))
    trust = TrustStore()
    trust.trust(Target(("before",)))
    with no_file_larger_than(SMALL):
        async with Workbench(Target(command), options=Options(record=record)) as bench:
            assert (await bench.connect()).ready
            end = time.monotonic() + SECONDS
            while bench.recording is not None:
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
            (failed,) = events(bench, "recording-failed")
            assert "File too large" in str(failed["message"])
            held = len(bench.journal)
            while len(bench.journal) < held + 100:  # the session goes on
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
            assert bench.journal.body(held + 50)
    assert recorded(record) > 0
    assert record.stat().st_size <= SMALL
    with no_file_larger_than(0), pytest.raises(InspectorError, match="File too large"):
        trust.trust(Target(("after",)))
    assert TrustStore().is_trusted(Target(("before",)))


@wire(44, "*")
async def a_terminal_that_nobody_reads_delays_nothing(place: str, tmp_path: Path) -> None:
    said, record = tmp_path / "said", tmp_path / "one.jsonl"
    server = (sys.executable, "-S", "-c", COUNTING, str(said))
    pty = Pty(program("--record", str(record), "--", *server))
    try:
        pty.wait_for("counting", "ready")
        pty.stall()
        pty.type(b"\x14" * 100)
        await asyncio.sleep(1.0)  # it has taken what it takes
        stalled = last_counted(said)
        more = counted(said, stalled + 500)  # the server is read
        end = time.monotonic() + SECONDS
        while recorded(record) < more - 64:  # and recorded
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        pty.process.send_signal(signal.SIGTERM)
        assert pty.process.wait(SECONDS) == 143
    finally:
        pty.close()


NOTING = """
import json, signal, sys, time
if sys.argv[2:]:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
for line in sys.stdin:
    message = json.loads(line)
    with open(sys.argv[1], "a") as heard:
        print(message.get("method"), file=heard)
    if message.get("method") == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
                  "serverInfo": {"name": "noting", "version": "1"}}
    elif message.get("method") == "tools/call":
        token = message["params"]["_meta"]["progressToken"]
        print(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": {
            "progressToken": token, "progress": 1, "message": "half-way"}}), flush=True)
        continue
    else:
        result = {"tools": [{"name": "hangs", "inputSchema": {"type": "object"}}]}
    if "id" in message:
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], "result": result}), flush=True)
time.sleep(60 if sys.argv[2:] else 0)
"""


@wire(45, "*")
async def a_signal_in_a_call_of_a_command_cancels_it_and_the_next_one_kills(
    place: str, tmp_path: Path
) -> None:
    """In a command without interface: the server is told, the waiting line is gone, 128 + n."""
    hard = [(signal.SIGINT, signal.SIGINT), (signal.SIGINT, signal.SIGQUIT)]
    soft = [(one,) for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT)]
    for turn, numbers in enumerate([*soft, *hard]):
        one, heard = mark(), tmp_path / f"heard-{turn}"
        stays = ["stays"] if len(numbers) > 1 else []
        words = ["--env", f"MARK={one}", "--", sys.executable, "-S", "-c", NOTING, str(heard)]
        pty = Pty(program("call", "hangs", *words, *stays))
        try:
            pty.wait_for("half-way")
            pty.process.send_signal(numbers[0])
            end = time.monotonic() + SECONDS
            while "notifications/cancelled" not in heard.read_text():
                assert time.monotonic() < end
                await asyncio.sleep(0.02)
            for number in numbers[1:]:
                pty.process.send_signal(number)
            assert pty.finish() == 128 + numbers[0]
            assert pty.process.returncode == 128 + numbers[0]
            assert bytes(pty.output).endswith(b"\r\x1b[K")
            assert pty.left_on() == []
            assert survivors(one, 1) == {}
        finally:
            pty.close()
