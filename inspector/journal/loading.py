"""Reads a recording back into a journal, whatever its bytes are.

Decides what is salvaged: every line whose length and checksum hold. Damaged lines are counted in
bytes (`Journal.dropped_bytes`); entries missing in the middle become events "entry-lost", so that
the numbers of the others stay what they were. Relations and error flags are computed anew. Only
`RecordingError` leaves. Nothing that a recording says is ever executed.
"""

from pathlib import Path
from typing import BinaryIO, Final

from inspector.errors import RecordingError
from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Kind
from inspector.journal.facts import ASIDE, decode_facts
from inspector.journal.glance import from_stored, glance
from inspector.journal.journal import Journal
from inspector.journal.lines import FORMAT, Line, header_format, read_line
from inspector.journal.recording import RecordingFile

LONGEST_LINE: Final = 2 * 1024**3
SHORTEST_LINE: Final = 100
"""No line is shorter: so many bytes must be damaged for each entry that may be missing."""
BUFFER: Final = 1024 * 1024
LOST: Final = "entry-lost"


def load_recording(path: Path) -> Journal:
    """The journal in a recording, for reading; notes and marks made on it are not kept.

    RecordingError where the file cannot be read, is no recording, or is of a newer format.
    """
    journal = Journal(file=RecordingFile.reopened(path))
    try:
        with path.open("rb", buffering=BUFFER) as stream:
            _Loader(journal, path).load(stream)
    except OSError as error:
        raise RecordingError(f"cannot read {path}: {error.strerror}") from error
    return journal


class _Loader:
    def __init__(self, journal: Journal, path: Path) -> None:
        self._journal = journal
        self._path = path
        self._offset = 0
        self._damaged = 0  # bytes since the last good line

    def load(self, stream: BinaryIO) -> None:
        first = stream.readline(LONGEST_LINE)
        self._check_header(first)
        self._offset = len(first)
        while line := stream.readline(LONGEST_LINE):
            read = read_line(line)
            if read is not None and self._take(read, line):
                self._damaged = 0
            else:
                self._damaged += len(line)
                self._journal.dropped_bytes += len(line)
            self._offset += len(line)

    def _check_header(self, first: bytes) -> None:
        number = header_format(first)
        if number is None:
            raise RecordingError(f"{self._path} is no recording of mcp-inspect")
        if number == 0:
            self._journal.dropped_bytes = len(first)
        elif number > FORMAT:
            raise RecordingError(
                f"{self._path} is of format {number}, this version reads up to {FORMAT}",
                hint="open it with a newer mcp-inspect",
            )

    def _take(self, line: Line, text: bytes) -> bool:
        journal = self._journal
        count = len(journal)
        if line.change is not None:
            if not 1 <= line.number <= count:
                return False
            journal.set_flags(line.number, line.flags, line.change)
            return True
        gap = line.number - count - 1
        if not 0 <= gap <= self._damaged // SHORTEST_LINE:
            return False
        stored = text[line.start : line.start + line.length]
        try:
            body = from_stored(stored, line.form)
        except ValueError:
            return False
        for _ in range(gap):
            self._add_lost(line)
        self._add(line, body)
        return True

    def _add_lost(self, before: Line) -> None:
        columns = self._journal.columns
        columns.count = columns.add(
            Kind.EVENT,
            Direction.LOCAL,
            before.connection,
            before.monotonic,
            before.wall,
            columns.intern(LOST),
            self._offset,
            0,
            0,
            0,
            0,
        )

    def _add(self, line: Line, body: bytes) -> None:
        journal, columns, kind = self._journal, self._journal.columns, Kind(line.kind)
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
            self._offset + line.start,
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
