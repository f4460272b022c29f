"""A user at a pseudo-terminal: types, and waits for what appears. The one of all tests.

Everything that was written is kept as bytes, for `tests.hostile.oracle`, and drawn on a screen of
cells as pyte sees it, which is only worked out when somebody looks at it.
"""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pyte
from wcwidth import wcwidth

LIMIT: Final = 60.0
"""How long anything may take on a machine that is busy with other things."""
_UNKNOWN: Final = re.compile(rb"\x1b\[[<>?][0-9;]*(?:u|\$p)|\x1b\]22;[a-z-]+\x07")
"""What the screen of the tests does not know: private modes with $ and keyboard questions."""


class Grid(pyte.Screen):
    """A screen of cells. What takes no cell belongs to the sign before, as in every terminal: pyte
    puts a mark into the second half of a wide sign, and draws nothing after other such signs."""

    def draw(self, data: str) -> None:
        run = ""
        for sign in data:
            if sign.isascii() or wcwidth(sign) > 0:
                run += sign
                continue
            super().draw(run)
            run = ""
            self._attach(sign)
        super().draw(run)

    def rows(self) -> list[list[str]]:
        """The text of every cell; the second one of a wide sign is empty."""
        return [
            [self.buffer[row][column].data for column in range(self.columns)]
            for row in range(self.lines)
        ]

    def _attach(self, sign: str) -> None:
        row, column = self.cursor.y, self.cursor.x
        if not column:
            row, column = max(0, row - 1), self.columns
        while column > 1 and not self.buffer[row][column - 1].data:
            column -= 1
        cell = self.buffer[row][column - 1]
        self.buffer[row][column - 1] = cell._replace(data=cell.data + sign)


class Terminal:
    """One program on a pseudo-terminal."""

    def __init__(
        self, master: int, process: "subprocess.Popen[bytes]", size: tuple[int, int]
    ) -> None:
        self._master = master
        self.process = process
        self.seen = b""
        self._grid = Grid(*size)
        self._stream = pyte.ByteStream(self._grid)
        self._drawn = 0

    # -- what appeared --------------------------------------------------------------------------

    @property
    def text(self) -> str:
        """Everything that was ever written."""
        return self.seen.decode("utf-8", "replace").replace("\r\n", "\n")

    def wait_for(self, wanted: str) -> str:
        """Everything that appeared, once `wanted` did."""
        return self.wait_for_times(wanted, 1)

    def wait_for_times(self, wanted: str, times: int) -> str:
        """Everything that appeared, once `wanted` appeared so often."""
        deadline = time.monotonic() + LIMIT
        while self.seen.count(wanted.encode()) < times:
            assert time.monotonic() < deadline, f"{wanted!r} did not appear: {self.text[-2000:]!r}"
            if not self._read(0.5) and self.process.poll() is not None:
                enough = self.seen.count(wanted.encode()) >= times
                assert enough, f"ended without {wanted!r}: {self.text!r}"
        return self.text

    # -- what stands on the screen --------------------------------------------------------------

    @property
    def lines(self) -> list[str]:
        """The screen cell by cell: half of a wide character may have been drawn over."""
        return ["".join(row) for row in self.grid.rows()]

    @property
    def grid(self) -> Grid:
        """The screen as it is now."""
        fresh = self.seen[self._drawn :]
        self._drawn = len(self.seen)
        self._stream.feed(_UNKNOWN.sub(b"", fresh))
        return self._grid

    def shows(self, *texts: str) -> bool:
        """Whether one of the texts stands on the screen."""
        lines = self.lines
        return any(text in line for text in texts for line in lines)

    def wait_until_shown(self, *wanted: str) -> None:
        """Until one of the texts stands on the screen."""
        deadline = time.monotonic() + LIMIT
        while not self.shows(*wanted):
            assert time.monotonic() < deadline, "\n".join([*wanted, *self.lines])
            assert self.process.poll() is None, self.text[-3000:]
            self._read(0.05)

    def wait_until_gone(self, *unwanted: str) -> None:
        """Until none of the texts stands on the screen."""
        deadline = time.monotonic() + LIMIT
        while self.shows(*unwanted):
            assert time.monotonic() < deadline, "\n".join([*unwanted, *self.lines])
            self._read(0.05)

    # -- what the user does ---------------------------------------------------------------------

    def type(self, text: str) -> None:
        """Keys, as a terminal sends them."""
        os.write(self._master, text.encode())

    def click(self, rows: range, columns: range) -> None:
        """A click on every one of these cells."""
        for row in rows:
            for column in columns:
                place = f"{column + 1};{row + 1}"
                self.type(f"\x1b[<0;{place}M\x1b[<0;{place}m")
            self._read(0.05)

    def end(self) -> int:
        """The exit code, once the program ended and all it wrote was read."""
        deadline = time.monotonic() + LIMIT
        while self.process.poll() is None:
            assert time.monotonic() < deadline, f"it did not end: {self.text[-2000:]!r}"
            self._read(0.1)
        while self._read(0.1):
            pass
        return self.process.returncode

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
def terminal(
    command: list[str],
    environ: Mapping[str, str],
    *,
    size: tuple[int, int] = (80, 24),
    cwd: Path | None = None,
) -> Iterator[Terminal]:
    """Runs `command` with a terminal of `size` (columns, lines) as its stdin, stdout and stderr."""
    columns, lines = size
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
    # COLUMNS and LINES would be believed before the terminal is.
    kept = {name: value for name, value in environ.items() if name not in ("COLUMNS", "LINES")}
    process = subprocess.Popen(
        command,
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**kept, "TERM": "xterm-256color"},
        cwd=cwd,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master, process, size)
    finally:
        process.kill()
        process.wait()
        os.close(master)
