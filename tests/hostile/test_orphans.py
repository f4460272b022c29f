"""No process of a server outlives us, whatever it does and however we end.

One server has every habit that its descendants can have (`FAMILY`); the habits of a leader itself
are tried beside each other in one process of ours.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.hostile.exit_pty import ROOT, SECONDS, Pty, program
from tests.hostile.survivors import carriers, mark, stubborn, survivors
from tests.servers.stubborn import HABITS

FAMILY = (*HABITS, "ignores-eof")
GROWN = 14
"""So many processes there are at least when such a family is complete."""
LEADERS = (
    ("ignores-eof",),
    ("ignores-term",),
    ("ignores-eof", "ignores-term"),
    ("blocks-signals", "ignores-eof"),
    ("leaves", "helper"),
    ("leaves", "daemon"),
    ("leaves", "stranger"),
    ("closes", "ignores-term"),
    ("stops", "own-session"),
    ("respawns", "own-respawns"),
    ("flood", "zombies"),
    ("wrapped", "own-group"),
)
CRASHING = """
import sys
from inspector.tui.app import InspectorApp

def crash(self):
    raise RuntimeError("injected")

InspectorApp.action_jump = crash
from inspector.__main__ import main
main()
"""


def grown(one: str, wanted: int = GROWN) -> None:
    """Waits until the family is complete, and a look has told the guard of it."""
    end = time.monotonic() + SECONDS
    while len(carriers(one)) < wanted:
        assert time.monotonic() < end, carriers(one)
        time.sleep(0.05)
    time.sleep(0.8)  # a look: those who left before the last one are promised nothing else


def typed(keys: bytes) -> Callable[[Pty], None]:
    return lambda pty: pty.type(keys)


def sent(number: signal.Signals) -> Callable[[Pty], None]:
    return lambda pty: pty.process.send_signal(number)


def hung_up(pty: Pty) -> None:
    pty.hang_up()


def twice(pty: Pty) -> None:
    pty.type(b"\\x11")
    pty.process.send_signal(signal.SIGTERM)
    pty.process.send_signal(signal.SIGTERM)


@pytest.mark.parametrize(
    ("leave", "code"),
    [
        pytest.param(typed(b"\x11"), 0, id="ctrl-q"),
        pytest.param(sent(signal.SIGTERM), 143, id="sigterm"),
        pytest.param(twice, 143, id="sigterm-twice"),
        pytest.param(hung_up, 129, id="hangup"),
        pytest.param(sent(signal.SIGKILL), 137, id="sigkill"),
        pytest.param(typed(b"\x0f"), 70, id="crash"),
    ],
)
def test_nobody_of_a_stubborn_family_outlives_the_interface(
    leave: Callable[[Pty], None], code: int
) -> None:
    one = mark()
    words = ["--no-record", "--env", f"MARK={one}", "--", *stubborn(one, *FAMILY)]
    pty = Pty([sys.executable, "-c", CRASHING, *words])
    try:
        grown(one)
        pty.wait_for("hangs")
        leave(pty)
        assert pty.finish() == code
        assert survivors(one) == {}
    finally:
        pty.close()
        survivors(one, 0)


def test_nobody_of_a_stubborn_family_outlives_its_session_in_the_interface() -> None:
    one = mark()
    pty = Pty(program("--no-record", "--env", f"MARK={one}", "--", *stubborn(one, *FAMILY)))
    try:
        grown(one)
        pty.wait_for("hangs")
        pty.type(b"\x10disconnect\r")
        left = survivors(one, 10)
        assert left == {}
        assert pty.process.poll() is None
        pty.type(b"\x11")
        assert pty.finish() == 0
    finally:
        pty.close()
        survivors(one, 0)


@pytest.mark.parametrize(
    ("words", "number", "code"),
    [
        pytest.param(("info",), None, 0, id="end"),
        pytest.param(("call", "hangs"), signal.SIGINT, 130, id="sigint"),
        pytest.param(("call", "hangs"), signal.SIGKILL, -9, id="sigkill"),
    ],
)
def test_nobody_of_a_stubborn_family_outlives_a_command(
    words: tuple[str, ...], number: int | None, code: int
) -> None:
    one = mark()
    command = program(*words, "--env", f"MARK={one}", "--", *stubborn(one, *FAMILY))
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        if number is not None:
            grown(one)
            process.send_signal(number)
        assert process.wait(SECONDS) == code
        assert survivors(one) == {}
    finally:
        process.kill()
        process.wait()
        survivors(one, 0)


MANY = """
import asyncio, os, sys
from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.transport.process import end_at_once
from inspector.workbench import Options, Workbench
from tests.hostile.survivors import stubborn
from tests.hostile.test_orphans import LEADERS

mark, way = sys.argv[1:]

async def meet(kinds, ended):
    target = Target(tuple(stubborn(mark, *kinds)), env={"MARK": mark, "KINDS": " ".join(kinds)})
    async with Workbench(target, options=Options(no_record=True)) as bench:
        await bench.connect()
        print("up", flush=True)
        await ended.wait()
        if way == "at-once":
            end_at_once()

async def main():
    ended = asyncio.Event()
    asyncio.get_running_loop().add_reader(0, lambda: (os.read(0, 1), ended.set()))
    async with asyncio.TaskGroup() as group:
        for kinds in LEADERS:
            group.create_task(meet(kinds, ended))

asyncio.run(main())
"""


@pytest.mark.parametrize("way", ["close", "at-once", "sigkill", "exit"])
def test_nobody_outlives_stubborn_leaders(way: str, tmp_path: Path) -> None:
    one = mark()
    host = subprocess.Popen(
        [sys.executable, "-c", MANY, one, way], cwd=ROOT, stdin=-1, stdout=-1, env=dict(os.environ)
    )
    assert host.stdin is not None
    assert host.stdout is not None
    try:
        for _ in LEADERS:
            assert host.stdout.readline() == b"up\n"
        time.sleep(1.0)  # as in `grown`
        if way == "sigkill":
            host.kill()
        elif way == "exit":
            host.terminate()  # as if nobody caught it
        else:
            host.stdin.write(b"!")
            host.stdin.flush()
        host.wait(SECONDS)
        assert survivors(one) == {}
    finally:
        host.kill()
        host.wait()
        host.stdin.close()
        host.stdout.close()
        survivors(one, 0)
