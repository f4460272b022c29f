"""Lines out of a byte stream: the stdio framing, one message per line (basic/transports).

Decides where a line ends and when it is too long to keep; what a line means is
`inspector.protocol.messages`. Work is linear in the bytes fed, however they are chunked.
"""

from dataclasses import dataclass
from typing import Final

DEFAULT_CAP: Final = 256 * 1024 * 1024
"""Longest line kept, in bytes."""

HEAD_BYTES: Final = 4096
"""How much of a line that is too long is kept to show what it was."""


@dataclass(frozen=True, slots=True)
class Oversized:
    """A line longer than the cap: `size` bytes had come when it was given up, the rest of it is
    skipped. `head` is its beginning."""

    size: int
    head: bytes


class LineFramer:
    """Splits a byte stream at newlines; one carriage return before a newline is dropped.

    A line over `cap` bytes is reported once as `Oversized`, as soon as it is known to be too
    long; reading goes on after its newline.
    """

    def __init__(self, cap: int = DEFAULT_CAP) -> None:
        self._cap = cap
        self._parts: list[bytes] = []
        self._size = 0
        self._skipping = False

    def feed(self, chunk: bytes) -> list[bytes | Oversized]:
        """The lines that `chunk` completes, without their line ends, empty lines included."""
        first, newline, others = chunk.partition(b"\n")
        out: list[bytes | Oversized] = []
        self._take(first, out)
        if not newline:
            return out
        self._finish(out)
        lines = others.split(b"\n")
        last = lines.pop()
        if len(others) <= self._cap and b"\r" not in others:
            out.extend(lines)
        else:
            for line in lines:
                self._take(line, out)
                self._finish(out)
        self._take(last, out)
        return out

    def rest(self) -> bytes:
        """What came after the last newline; empty while a line that is too long is skipped."""
        return b"".join(self._parts)

    @property
    def waiting(self) -> int:
        """How many bytes came after the last newline."""
        return self._size

    def _take(self, piece: bytes, out: list[bytes | Oversized]) -> None:
        if self._skipping or not piece:
            return
        self._parts.append(piece)
        self._size += len(piece)
        # One byte more than the cap may be the carriage return that is dropped.
        if self._size > self._cap + 1 or (
            self._size == self._cap + 1 and not piece.endswith(b"\r")
        ):
            self._give_up(out)

    def _give_up(self, out: list[bytes | Oversized]) -> None:
        # No more parts than the head needs: a join of all would double the memory just given up.
        head = bytearray()
        for part in self._parts:
            head += part[: HEAD_BYTES - len(head)]
            if len(head) >= HEAD_BYTES:
                break
        out.append(Oversized(self._size, bytes(head)))
        self._parts = []
        self._skipping = True

    def _finish(self, out: list[bytes | Oversized]) -> None:
        if not self._skipping:
            line = self._parts[0] if len(self._parts) == 1 else b"".join(self._parts)
            out.append(line[:-1] if line.endswith(b"\r") else line)
        self._parts = []
        self._size = 0
        self._skipping = False
