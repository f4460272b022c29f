"""Every way out, on a real pseudo-terminal: terminal as before, no child left, exit code."""

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.errors import ConnectionFailed
from inspector.tui.ending import describe, raise_ours

PROGRAM = """
import sys
from unittest.mock import patch
from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp
from inspector.tui.start import start
from inspector.tui.views.registry import ViewSpec
from tests.tui.world import plain_view

class Defect(RuntimeError): pass

def crash(self):
    token = "hidden-" + "value"
    raise Defect("boom")

InspectorApp.action_jump = crash
with patch.object(ViewSpec, "make", plain_view):
    sys.exit(start(Target((sys.executable, "-c", sys.argv[1])), Options(no_record=True)))
"""
SILENT = "import sys; sys.stdin.read()"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SILENT}"
SECONDS = 90
SIZE = ("COLUMNS", "LINES")
"""Where these are set (a parallel test run does), they would count for more than the terminal."""


class Terminal:
    """The interface in a pseudo-terminal."""

    def __init__(self, server: str) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (30, 140))  # room for the pid in the header
        self.before = termios.tcgetattr(self.slave)
        self.output = b""
        self.open = True
        elsewhere = {name: os.environ[name] for name in os.environ if name not in SIZE}
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, server],
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**elsewhere, "TERM": "xterm-256color"},
            cwd=Path(__file__).parents[2],
            start_new_session=True,
        )

    def read_until(self, wanted: bytes) -> None:
        """Read what is painted until `wanted` stands in it."""
        deadline = time.monotonic() + SECONDS
        while wanted not in self.plain():
            assert time.monotonic() < deadline, self.plain()[-2000:]
            self._read_some()

    def plain(self) -> bytes:
        """The output without escape sequences."""
        return re.sub(rb"\x1b\[[0-9;?<>=]*[a-zA-Z]", b"", self.output)

    def finish(self) -> int:
        """Reads on until the program ends."""
        deadline = time.monotonic() + SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self._read_some()
        while self._read_some():
            pass
        return self.process.returncode

    def _read_some(self) -> bool:
        ready, _, _ = select.select([self.master], [], [], 0.05)
        if not ready:
            return False
        self.output += os.read(self.master, 65536)
        return True

    def hang_up(self) -> None:
        """Closes our ends. The program has no controlling terminal, so no signal tells it."""
        os.close(self.master)
        os.close(self.slave)
        self.open = False

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self.open:
            self.hang_up()


@pytest.fixture(params=[SILENT, STUBBORN], ids=["silent", "stubborn"])
def terminal(request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """One with the interface up and its server started."""
    one = Terminal(request.param)
    one.read_until(b"stdio pid")
    one.read_until(b"egotiating")
    yield one
    one.close()


def server_pid(terminal: Terminal) -> int:
    """The pid that the server wrote to stderr."""
    found = re.search(rb"stdio pid (\d+)", terminal.plain())
    assert found
    return int(found[1])


def wait_until_stalled(terminal: Terminal) -> None:
    """Until the pty holds as much unread output as it takes."""
    deadline = time.monotonic() + SECONDS
    last = -1
    while True:
        assert time.monotonic() < deadline
        waiting = int.from_bytes(fcntl.ioctl(terminal.master, termios.FIONREAD, bytes(4)), "little")
        if waiting == last and waiting > 3000:
            return
        last = waiting
        os.write(terminal.master, b"\x14")  # what came at once may have been painted once
        select.select([], [], [], 0.2)


def alive(pid: int) -> bool:
    """Whether the process runs (a zombie does not)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT])
def test_a_signal_restores_the_terminal_and_kills_the_server(
    terminal: Terminal, number: signal.Signals
) -> None:
    pid = server_pid(terminal)
    terminal.process.send_signal(number)
    assert terminal.finish() == 128 + number
    assert b"\x1b[?1049l" in terminal.output
    assert b"\x1b[?1003l" in terminal.output
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert not alive(pid)


def test_sigint_gives_up_what_runs_first_and_then_ends(terminal: Terminal) -> None:
    terminal.process.send_signal(signal.SIGINT)
    terminal.read_until(b"try again")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.finish() == 130


def test_sigint_twice_ends_while_a_stubborn_server_is_still_being_ended(
    terminal: Terminal,
) -> None:
    pid = server_pid(terminal)
    terminal.process.send_signal(signal.SIGINT)
    terminal.read_until(b"Gave up")
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.finish() == 130
    assert termios.tcgetattr(terminal.slave) == terminal.before
    assert not alive(pid)


def test_sigint_twice_ends_on_a_terminal_that_nobody_reads(terminal: Terminal) -> None:
    pid = server_pid(terminal)
    os.write(terminal.master, b"\x14" * 2000)
    wait_until_stalled(terminal)
    terminal.process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        terminal.process.wait(0.2)
    terminal.process.send_signal(signal.SIGINT)
    assert terminal.process.wait(SECONDS) == 130
    assert not alive(pid)


def test_a_terminal_that_goes_away_without_a_signal_ends_the_program(terminal: Terminal) -> None:
    pid = server_pid(terminal)
    terminal.hang_up()
    assert terminal.process.wait(SECONDS) == 128 + signal.SIGHUP
    assert not alive(pid)


def test_ctrl_c_twice_leaves_with_code_0(terminal: Terminal) -> None:
    os.write(terminal.master, b"\x03")
    terminal.read_until(b"try again")
    os.write(terminal.master, b"\x03")
    assert terminal.finish() == 0


def test_a_defect_ends_with_the_places_and_without_values(terminal: Terminal) -> None:
    os.write(terminal.master, b"\x0f")
    assert terminal.finish() == 1  # a plain traceback here; the command line makes it 70
    assert b"Defect" in terminal.output
    assert b"hidden-value" not in terminal.output
    assert termios.tcgetattr(terminal.slave) == terminal.before


def test_a_terminal_that_nobody_reads_does_not_keep_the_program(terminal: Terminal) -> None:
    pid = server_pid(terminal)
    os.write(terminal.master, b"\x14" * 2000)  # each Ctrl+T paints the screen anew
    wait_until_stalled(terminal)
    terminal.process.send_signal(signal.SIGTERM)
    assert terminal.process.wait(SECONDS) == 128 + signal.SIGTERM
    assert not alive(pid)


def test_errors_of_peers_are_described_and_defects_raised() -> None:
    error = ConnectionFailed("gone", hint="try again")
    assert describe(error) == "gone\ntry again"
    raise_ours(error)
    with pytest.raises(ZeroDivisionError):
        raise_ours(ZeroDivisionError())
