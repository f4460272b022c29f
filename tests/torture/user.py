"""A user at a pseudo-terminal, for runs in the zygote: types what is next when what it waits for
has appeared, or will not any more."""

import fcntl
import os
import pty
import re
import struct
import termios
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

PATIENCE: Final = 4.0
"""Seconds after which something will not appear any more, and the next keys are typed."""
PAUSE: Final = 0.15
"""Seconds before keys that wait for nothing."""
_MODES: Final = re.compile(rb"\x1b\[\?(1049|1000|1003|1006|2004|25)([hl])")
_AS_BEFORE: Final = {b"25": b"h"}


class User:
    """`end_of_program` is the terminal's other end."""

    def __init__(self, steps: Sequence[Sequence[str]]) -> None:
        self._steps = [(wanted.encode(), keys.encode()) for wanted, keys in steps]
        self._steps += [(b"", b"\x11"), (b"", b"\x03\x03")] * 3  # leave, whatever is in the way
        self._master, self.end_of_program = pty.openpty()
        fcntl.ioctl(self.end_of_program, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        os.set_blocking(self._master, False)
        self._before = termios.tcgetattr(self.end_of_program)
        self._seen = bytearray()
        self._looked = 0
        self._since = time.monotonic()

    def let_go(self) -> None:
        """In the program's process: this end is not its own, and it must see when we hang up."""
        os.close(self._master)

    def look(self) -> None:
        """Takes what was written, and types."""
        with suppress(OSError):
            while part := os.read(self._master, 65536):
                self._seen += part
        if not self._steps:
            return
        wanted, keys = self._steps[0]
        waited = time.monotonic() - self._since
        if wanted:
            plain = re.sub(rb"\x1b\[[0-9;?<>]*[A-Za-z]", b"", bytes(self._seen[self._looked :]))
            if wanted not in plain and waited < PATIENCE:
                return
        elif waited < (PAUSE if len(self._steps) > 6 else 1.0):
            return
        self._looked = len(self._seen)
        with suppress(OSError):
            os.write(self._master, keys)
        del self._steps[0]
        self._since = time.monotonic()

    def end(self, home: Path) -> list[str]:
        """What is not as it was before, once the program has ended; what it wrote outside of its
        screen goes to where stderr would be."""
        with suppress(OSError):
            while part := os.read(self._master, 65536):
                self._seen += part
        found = []
        if termios.tcgetattr(self.end_of_program) != self._before:
            found.append("the terminal's attributes are others")
        last = dict(_MODES.findall(bytes(self._seen)))
        found += [
            f"terminal mode {mode.decode()} is left"
            for mode, state in last.items()
            if state != _AS_BEFORE.get(mode, b"l")
        ]
        outside = bytes(self._seen).rpartition(b"\x1b[?1049l")[2]
        (home / ".err").write_bytes(re.sub(rb"\x1b\[[0-9;?<>]*[A-Za-z]", b"", outside))
        (home / ".out").write_bytes(bytes(self._seen))
        for descriptor in (self._master, self.end_of_program):
            os.close(descriptor)
        return found
