"""The program on a pseudo-terminal that is its controlling one and answers what it is asked.

Decides how the program is started, what such a terminal answers (synchronized output, resizes in
band), and what stands on it. A thread reads all the while, unless the terminal is stalled.
"""

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
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tests.hostile.exit_modes import Modes

SECONDS: Final = 60.0
"""How long a test waits before it gives up."""
ROOT: Final = Path(__file__).parents[2]
ANSWERS: Final = (
    (b"\x1b[?2026$p", b"\x1b[?2026;2$y"),
    (b"\x1b[?2048$p", b"\x1b[?2048;2$y"),
    (b"\x1b[c", b"\x1b[?62;4c"),
)
"""As a modern terminal answers: it knows both modes, and they are off."""
_SIZE: Final = ("COLUMNS", "LINES")
_ESCAPES: Final = re.compile(rb"\x1b(?:\[[0-9;:?<>=]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")


class Pty:
    """A program in a terminal of `columns` by `rows`, at the head of a session of its own."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        columns: int = 100,
        rows: int = 30,
        env: dict[str, str] | None = None,
        controlling: bool = True,
    ) -> None:
        self.master, self.slave = pty.openpty()
        termios.tcsetwinsize(self.slave, (rows, columns))
        self.before = termios.tcgetattr(self.slave)
        self.output = bytearray()
        self._more = threading.Condition()
        self._reading = threading.Event()
        self._reading.set()
        self._over = threading.Event()
        self._answered = 0
        self._open = True
        elsewhere = {name: value for name, value in os.environ.items() if name not in _SIZE}
        own = _take_terminal if controlling else None
        self.process = subprocess.Popen(
            command,
            stdin=self.slave,
            stdout=self.slave,
            stderr=self.slave,
            env={**elsewhere, "TERM": "xterm-256color", **(env or {})},
            cwd=ROOT,
            start_new_session=True,
            preexec_fn=own,
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def type(self, keys: bytes) -> None:
        """As if the keys were pressed."""
        os.write(self.master, keys)

    def plain(self) -> str:
        """The output without escape sequences."""
        return _ESCAPES.sub(b"", bytes(self.output)).decode("utf-8", "replace")

    def wait_for(self, *wanted: str, since: int = 0) -> None:
        """Until each of these was printed, after the first `since` bytes."""
        deadline = time.monotonic() + SECONDS
        while True:
            text = _ESCAPES.sub(b"", bytes(self.output[since:])).decode("utf-8", "replace")
            if all(each in text for each in wanted):
                return
            assert time.monotonic() < deadline, (wanted, text[-3000:])
            assert self.process.poll() is None, (wanted, self.process.returncode, text[-3000:])
            with self._more:
                self._more.wait(0.05)

    def stall(self, stalled: bool = True) -> None:
        """Nothing is read any more; or again."""
        (self._reading.clear if stalled else self._reading.set)()

    def finish(self, seconds: float = SECONDS) -> int:
        """The exit code (128 + n where a signal ended it, as a shell says), once all is read."""
        code = self.process.wait(seconds)
        self._over.set()
        self._reader.join(SECONDS)
        return 128 - code if code < 0 else code

    def left_on(self) -> list[str]:
        """In what the terminal differs from what it was before."""
        differing = Modes(bytes(self.output)).left_on()
        if self._open and termios.tcgetattr(self.slave) != self.before:
            differing.append("termios")
        return differing

    def hang_up(self) -> None:
        """Both our ends are closed: where the terminal is the controlling one, SIGHUP follows."""
        self._over.set()
        self._reader.join(SECONDS)
        os.close(self.slave)
        os.close(self.master)
        self._open = False

    def close(self) -> None:
        """Nothing of it stays."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        if self._open:
            self.hang_up()

    def _read(self) -> None:
        quiet = 0
        while quiet < 2:
            self._reading.wait(0.2)
            if not self._reading.is_set():
                if self._over.is_set():
                    return
                continue
            ready, _, _ = select.select([self.master], [], [], 0.02 if self._over.is_set() else 0.2)
            quiet = quiet + 1 if self._over.is_set() and not ready else 0
            if not ready:
                continue
            try:
                chunk = os.read(self.master, 65536)
            except OSError:
                return
            with self._more:
                self.output += chunk
                self._more.notify_all()
            self._answer()

    def _answer(self) -> None:
        waiting = bytes(self.output[self._answered :])
        for question, answer in ANSWERS:
            for _ in range(waiting.count(question)):
                os.write(self.master, answer)
                self._answered = len(self.output)


def program(*words: str) -> list[str]:
    """The command line of the product with these words."""
    return [sys.executable, "-m", "inspector", *words]


def _take_terminal() -> None:
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
