"""Runs a program on a real pseudo-terminal, answers what it asks, and watches what it paints.

Used by the benchmarks for ours and for the peer alike, so that both are measured by one ruler. It
measures the time to a marker on the screen, key to paint, and the memory of the process tree.
"""

import fcntl
import os
import re
import select
import signal
import struct
import subprocess
import termios
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

_ESCAPES = re.compile(
    rb"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1bP.*?\x1b\\|\x1b[@-Z\\-_]",
    re.DOTALL,
)
_QUERIES = {
    b"\x1b[?2026$p": b"\x1b[?2026;2$y",
    b"\x1b[6n": b"\x1b[1;1R",
    b"\x1b[c": b"\x1b[?62;c",
    b"\x1b[?u": b"\x1b[?0u",
}


@dataclass(slots=True)
class Terminal:
    """One program on its own pseudo-terminal of `columns` by `rows` cells."""

    process: subprocess.Popen[bytes]
    descriptor: int
    started: float
    output: bytearray = field(default_factory=bytearray)
    answered: int = 0

    @classmethod
    def start(
        cls,
        command: Sequence[str],
        *,
        columns: int = 120,
        rows: int = 40,
        env: Mapping[str, str] | None = None,
    ) -> "Terminal":
        """Starts `command`; the clock starts just before the process does."""
        ours, theirs = os.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        started = time.perf_counter()
        process = subprocess.Popen(
            command,
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            start_new_session=True,
            env={**os.environ, "TERM": "xterm-256color", "COLORTERM": "truecolor", **(env or {})},
        )
        os.close(theirs)
        return cls(process, ours, started)

    def pump(self, seconds: float) -> bytes:
        """What the program wrote within `seconds` (returns at the first piece)."""
        ready, _, _ = select.select([self.descriptor], [], [], max(0.0, seconds))
        if not ready:
            return b""
        try:
            piece = os.read(self.descriptor, 65536)
        except OSError:
            return b""
        self.output += piece
        for query, answer in _QUERIES.items():
            if query in piece:
                os.write(self.descriptor, answer)
        return piece

    def text(self, start: int = 0) -> str:
        """The bytes since `start` without escape sequences; positions are lost, words stay."""
        return _ESCAPES.sub(b" ", bytes(self.output[start:])).decode("utf-8", "replace")

    def wait_for(
        self, found: Callable[[str], bool] | str, *, start: int = 0, timeout: float = 30.0
    ) -> float:
        """Seconds from the start of the program until the text is painted."""
        test = (lambda text: found in text) if isinstance(found, str) else found
        deadline = time.perf_counter() + timeout
        while time.perf_counter() < deadline:
            if test(self.text(start)):
                return time.perf_counter() - self.started
            self.pump(0.005)
        raise TimeoutError(f"not painted within {timeout} s; last: {self.text(start)[-400:]!r}")

    def press(self, keys: bytes) -> int:
        """Sends keys; returns the position in the output from which their effect is painted."""
        mark = len(self.output)
        os.write(self.descriptor, keys)
        return mark

    def quiet(self, seconds: float = 0.3, limit: float = 10.0) -> None:
        """Reads until nothing was painted for `seconds`, at most `limit`."""
        deadline = time.perf_counter() + limit
        last = time.perf_counter()
        while time.perf_counter() < deadline and time.perf_counter() - last < seconds:
            if self.pump(0.05):
                last = time.perf_counter()

    def resident(self, *, exclude: str = "") -> int:
        """Resident bytes of the program and its children, less children whose command line
        contains `exclude` (the server under inspection)."""
        total = 0
        for pid in _tree(self.process.pid):
            try:
                command = Path(f"/proc/{pid}/cmdline").read_bytes().decode("utf-8", "replace")
                pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
            except (OSError, IndexError):
                continue
            if not exclude or exclude not in command or pid == self.process.pid:
                total += pages * os.sysconf("SC_PAGE_SIZE")
        return total

    def stop(self) -> None:
        """Ends the program's process group and waits for it."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(self.process.pid, number)
            except ProcessLookupError:
                break
            try:
                self.process.wait(3)
                break
            except subprocess.TimeoutExpired:
                continue
        os.close(self.descriptor)


def _tree(root: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, waiting = [], [root]
    while waiting:
        pid = waiting.pop()
        found.append(pid)
        waiting.extend(parents.get(pid, []))
    return found
