"""A user at a pseudo-terminal: types, and waits for what appears."""

import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

LIMIT = 60.0


class Terminal:
    """One program on a pseudo-terminal of 80 x 24."""

    def __init__(self, master: int, process: "subprocess.Popen[bytes]") -> None:
        self._master = master
        self.process = process
        self.seen = b""

    def type(self, text: str) -> None:
        os.write(self._master, text.encode())

    def wait_for(self, wanted: str) -> str:
        """Everything that appeared, once `wanted` did."""
        deadline = time.monotonic() + LIMIT
        while wanted.encode() not in self.seen:
            assert time.monotonic() < deadline, f"{wanted!r} did not appear: {self.text[-2000:]!r}"
            if not self._read(0.5) and self.process.poll() is not None:
                assert wanted.encode() in self.seen, f"ended without {wanted!r}: {self.text!r}"
        return self.text

    def wait_for_times(self, wanted: str, times: int) -> str:
        """Everything that appeared, once `wanted` appeared so often."""
        deadline = time.monotonic() + LIMIT
        while self.seen.count(wanted.encode()) < times:
            assert time.monotonic() < deadline, f"{wanted!r} did not appear: {self.text[-2000:]!r}"
            alive = self._read(0.5) or self.process.poll() is None
            assert alive, f"ended without {wanted!r}: {self.text!r}"
        return self.text

    def end(self) -> int:
        """The exit code, once the program ended and all it wrote was read."""
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it did not end: {self.text[-2000:]!r}"
            self._read(0.1)
        while self._read(0.1):
            pass
        return self.process.returncode

    @property
    def text(self) -> str:
        return self.seen.decode("utf-8", "replace").replace("\r\n", "\n")

    def _read(self, seconds: float) -> bool:
        if not select.select([self._master], [], [], seconds)[0]:
            return False
        try:
            chunk = os.read(self._master, 65536)
        except OSError:  # the other end is closed
            return False
        self.seen += chunk
        return bool(chunk)


@contextmanager
def terminal(command: list[str], environ: Mapping[str, str]) -> Iterator[Terminal]:
    """Runs `command` with a terminal as its stdin, stdout and stderr."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**environ, "TERM": "xterm-256color"},
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)
