"""Reads a recording into a journal, a slice at a time, whatever its bytes are.

Decides what is salvaged: every line whose length and checksum hold. Damaged lines are counted in
bytes (`Journal.dropped_bytes`); entries missing in the middle become events "entry-lost", so that
the numbers of the others stay what they were. A last line without an end is damage only once
nobody writes it on. Relations and error flags are computed anew. Only `RecordingError` leaves, and
only where a file is opened. Nothing that a recording says is ever executed. When to read is left to
whoever has a reader; how many lines are read at once to `inspector.journal.stored_lines`.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from inspector.errors import RecordingError
from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Kind
from inspector.journal.facts import ASIDE, decode_facts
from inspector.journal.glance import from_stored, glance
from inspector.journal.lines import FORMAT, Line, header_format, read_line
from inspector.journal.reopened import ReopenedFile, ReopenedJournal
from inspector.journal.stored_lines import BLOCK, LineFeed, Quick

SHORTEST_LINE: Final = 100
"""No line is shorter: so many bytes must be damaged for each entry that may be missing."""
CUT_OUT: Final = 1000
"""So many entries at most are believed to be cut out at one place."""
HEADER_LENGTH: Final = 64 * 1024
"""Bytes read when a recording is opened."""
LOST: Final = "entry-lost"
GZIP: Final = b"\x1f\x8b"
BOM: Final = b"\xef\xbb\xbf"


class RecordingReader:
    """One recording being read: opened at once, read on by `advance`, from one thread at a time.

    `journal` has the entries read so far. `problem` is why it can be read no further though there
    is, or was, more ("" while it can).
    """

    def __init__(self, file: ReopenedFile, label: str) -> None:
        """`label` names the recording for a person. RecordingError where it is none, or of a newer
        format; one that nothing was written to yet is no error."""
        self.file = file
        self.label = label
        self.problem = ""
        self.journal = ReopenedJournal(file)
        self.journal.read_on = self._read_on
        self.journal.torn = lambda: bool(self._feed.waiting)
        self._feed = LineFeed()
        self._quick = Quick(self.journal, self._take_line)
        self._read = 0
        self._dropped = 0
        self._lost = 0
        self._damaged = 0  # bytes since the last good line
        self.growing: Callable[[], bool] = lambda: file.being_written
        """Whether somebody writes the recording at this moment."""
        self.size = file.size
        """Bytes of the file, as far as they are known to be there."""
        self._begin()

    @classmethod
    def open(cls, path: Path) -> "RecordingReader":
        """The recording at `path`. RecordingError where that cannot be read or is none."""
        return cls(ReopenedFile.open(path), str(path))

    # -- how far it is --

    @property
    def progress(self) -> float:
        """How much of what is there was read, 0 to 1."""
        return self._read / self.size if self.size else 1.0

    @property
    def complete(self) -> bool:
        """Whether everything that is there was read, as far as the last look tells."""
        return self._read >= self.size or bool(self.problem)

    # -- reading --

    def advance(self, seconds: float) -> bool:
        """Reads on for about so long; whether there is more."""
        deadline = time.perf_counter() + seconds
        while self.step():
            if time.perf_counter() >= deadline:
                return True
        return False

    def first(self, lines: int) -> bool:
        """Reads the first lines, for a screen that is to be painted at once; whether there may be
        more. One block at most is read."""
        block = os.pread(self.file.descriptor, BLOCK, self._read)
        end = 0
        for _ in range(lines):
            end = block.find(b"\n", end) + 1 or len(block)
        return self.step(end) if end else False

    def step(self, length: int = BLOCK) -> bool:
        """Reads one block; whether there may be more."""
        if self.problem:
            return False
        if self.file.elsewhere:
            if os.fstat(self.file.descriptor).st_size > self._read:
                self.problem = "it grew after notes were added here; open it again to see the rest"
            return False
        try:
            block = os.pread(self.file.descriptor, length, self._read)
        except OSError as error:
            self.problem = f"it cannot be read any further: {error.strerror}"
            return False
        if not block:
            self._look()
            return False
        with self.journal._lock:
            self._read += len(block)
            self.size = max(self.size, self._read)
            self.file.reaches(self._read)
            self._take(block)
            self.journal.dropped_bytes = self._dropped
            self.journal.arrived()
        return True

    def settle(self) -> None:
        """Nobody writes any more: a last line without an end is damage (until it goes on)."""
        self.journal.dropped_bytes = self._dropped + self._feed.waiting

    def _look(self) -> None:
        """At the end: whether the file is still what was read."""
        size = os.fstat(self.file.descriptor).st_size
        if size < self._read:
            self.problem = "the file became shorter; what was cut off cannot be shown any more"
            return
        self.size = size
        if (path := self.file.path) is None:
            return
        ours = os.fstat(self.file.descriptor)
        try:
            there = path.stat()
        except OSError:
            return  # it has no name any more, and is read all the same
        if (there.st_dev, there.st_ino) != (ours.st_dev, ours.st_ino):
            self.problem = "another file has its name now; open that one to see it"

    def _read_on(self) -> str:
        """Reads what is there, if that is little; why that is not all."""
        if self.problem or self.file.elsewhere:
            return ""
        if self.advance(0.05):
            return "the recording is still being read"
        if self.growing():
            return "the recording is still being written"
        return ""

    def _begin(self) -> None:
        try:
            first = os.pread(self.file.descriptor, HEADER_LENGTH, 0)
        except OSError as error:
            raise RecordingError(f"cannot read {self.label}: {error.strerror}") from error
        end = first.find(b"\n") + 1
        line = first[:end] if end else first
        if first.startswith(GZIP):
            raise RecordingError(
                f"{self.label} is compressed",
                hint=f"zcat {self.label if self.file.path else 'FILE'} | mcp-inspect open -",
                fault="you",
            )
        number = header_format(line.removeprefix(BOM).replace(b"\r\n", b"\n"))
        if number is None:
            raise RecordingError(
                f"{self.label} is no recording of mcp-inspect",
                hint="name a file that --record wrote",
                fault="you",
            )
        if number > FORMAT:
            raise RecordingError(
                f"{self.label} is of format {number}, this version reads up to {FORMAT}",
                hint="open it with a newer mcp-inspect",
            )
        self._read = len(line)
        self.size = max(self.size, len(line))
        if number == 0:
            self._dropped = self.journal.dropped_bytes = len(line)

    def _take(self, block: bytes) -> None:
        """Takes the whole lines in what was read so far."""
        for lines, offset in self._feed.feed(block, self._read - len(block)):
            self._quick.take(lines, offset)

    def _take_line(self, line: bytes, offset: int) -> bool:
        text = line[:-2] + b"\n" if line.endswith(b"\r\n") else line  # a mailer's line ending
        read = read_line(text)
        if read is not None and self._add_line(read, text, offset):
            self._damaged = 0
        else:
            self._damaged += len(line)
            self._dropped += len(line)
        return not self._damaged

    def _add_line(self, line: Line, text: bytes, offset: int) -> bool:
        journal = self.journal
        count = len(journal)
        if line.change is not None:
            if not 1 <= line.number <= count:
                return False
            journal.set_flags(line.number, line.flags, line.change)
            return True
        gap = line.number - count - 1
        if gap and not 0 < gap <= self._believed():
            return False
        stored = text[line.start : line.start + line.length]
        try:
            body = from_stored(stored, line.form)
        except ValueError:
            return False
        for _ in range(gap):
            self._add_lost(line, offset)
        self._lost += gap
        self._add(line, body, offset)
        return True

    def _believed(self) -> int:
        """How many entries may be missing here: as many as were damaged, or cut out where something
        is damaged, but of all no more than the file had room for."""
        if not self._damaged:
            return 0
        room = self.size // SHORTEST_LINE - self._lost
        return max(self._damaged // SHORTEST_LINE, min(room, CUT_OUT))

    def _add_lost(self, before: Line, offset: int) -> None:
        columns = self.journal.columns
        columns.count = columns.add(
            Kind.EVENT, Direction.LOCAL, before.connection, before.monotonic, before.wall,
            columns.intern(LOST), offset, 0, 0, 0, 0,
        )  # fmt: skip

    def _add(self, line: Line, body: bytes, offset: int) -> None:
        journal, columns, kind = self.journal, self.journal.columns, Kind(line.kind)
        seen = glance(body) if kind.is_frame else None
        if seen is not None:
            kind, method = Kind(seen[0]), seen[1]
        else:
            method = _method_of(kind, body)
        if line.connection > journal.connections:
            journal.connections = line.connection
            if kind is not Kind.EVENT or ASIDE not in decode_facts(body):
                journal.correlator.settle(line.connection)
        about = line.about if line.about <= len(journal) else 0
        number = columns.add(
            kind,
            line.direction,
            line.connection,
            line.monotonic,
            line.wall,
            columns.intern(method),
            offset + line.start,
            len(body),
            line.flags,
            line.http if kind is Kind.HTTP or line.http <= len(journal) else 0,
            0 if kind.is_frame else about,
        )
        if line.form is not Form.JSON:
            columns.stored.add(number, line.length << 1 | (line.form is Form.BASE64))
        if kind is Kind.HTTP and about:
            columns.http[about] = number
        if seen is not None and line.direction != Direction.LOCAL:
            journal.correlator.arrived(number, seen, body)
            if line.direction == Direction.SENT:
                journal.sent += 1
            else:
                journal.received += 1
        columns.count = number


def _method_of(kind: Kind, body: bytes) -> str:
    """What the column `method` holds for entries that are no frames."""
    name = {Kind.HTTP: "method", Kind.EVENT: "event"}.get(kind)
    value = decode_facts(body).get(name) if name is not None else None
    return value if isinstance(value, str) else ""
