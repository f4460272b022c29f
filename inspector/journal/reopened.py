"""A recording that somebody looks at: its file, which may grow, and where notes and marks on it go.

Decides whether a line may be added to the file: it is ours, nobody else has it open, and what was
read is still all of it. Where it may not, marks are kept in memory and notes in a temporary file,
and `not_kept` says why. How lines are read is decided in `inspector.journal.reading`, which reads
the added ones too, like any other.
"""

import errno
import fcntl
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from inspector.errors import UsageError
from inspector.journal.entries import Clock, Direction, Flag, Kind
from inspector.journal.facts import encode_facts
from inspector.journal.journal import Journal
from inspector.journal.lines import LineWriter, flag_line, optional
from inspector.journal.recording import RecordingFile, read_only

_WRITE: Final = os.O_WRONLY | os.O_APPEND | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_HELD: Final = (errno.EWOULDBLOCK, errno.EACCES)


class ReopenedFile(RecordingFile):
    """The file of a recording that is read. `path` is None for one without a name."""

    def __init__(self, descriptor: int, path: Path | None, size: int) -> None:
        super().__init__(descriptor, path)
        self.descriptor = descriptor
        self.recording = False
        self.elsewhere = False
        """Entries were added that are not in the file: it can be read no further."""
        self._set_size(size)

    @classmethod
    def open(cls, path: Path) -> "ReopenedFile":
        """RecordingError where it cannot be read."""
        descriptor, size = read_only(path)
        return cls(descriptor, path, size)

    def _set_size(self, size: int) -> None:
        self._end, self._state = size, (size, [])

    def reaches(self, size: int) -> None:
        """The file was read up to here; while nothing stands elsewhere."""
        if not self.elsewhere:
            self._set_size(size)

    def append(self, line: bytes, now: float) -> int:
        """To a temporary file, for entries that cannot be added to the recording."""
        if not self.elsewhere:
            self.elsewhere = True
            following = RecordingFile.unlinked()
            (_, place), *_ = following._places
            self._others = following  # its descriptor is closed with it
            self._places = (*self._places, (self._end, place))
        return super().append(line, now)

    @property
    def being_written(self) -> bool:
        """Whether another program records to it at this moment."""
        return not self._share()

    def _share(self) -> bool:
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return error.errno not in _HELD  # a file system without locks tells nothing
        return True

    def add(self, line: bytes, *, torn: bool) -> str:
        """Adds a line to the recording itself; `torn` says that its last line has no end. Returns
        why that cannot be ("" where it was done)."""
        if self.path is None:
            return "it was read from a pipe"
        facts = os.fstat(self.descriptor)
        if facts.st_uid != os.geteuid():
            return "it belongs to somebody else"
        if not facts.st_mode & stat.S_IWUSR:
            return "it may not be written"
        try:
            fcntl.flock(self.descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._share()
            return "another program has it open" if error.errno in _HELD else "it cannot be locked"
        try:
            return self._write(facts, b"\n" + line if torn else line)
        finally:
            self._share()

    def _write(self, facts: os.stat_result, line: bytes) -> str:
        assert self.path is not None
        try:
            descriptor = os.open(self.path, _WRITE)
        except OSError as error:
            return f"it cannot be written: {error.strerror}"
        try:
            there = os.fstat(descriptor)
            if (there.st_dev, there.st_ino) != (facts.st_dev, facts.st_ino):
                return "another file has its name now"
            try:
                if os.write(descriptor, line) == len(line):
                    return ""
                reason = "the disk is full"
            except OSError as error:
                reason = f"it cannot be written: {error.strerror}"
            os.ftruncate(descriptor, there.st_size)
            return reason
        except OSError as error:
            return f"it cannot be written: {error.strerror}"
        finally:
            os.close(descriptor)


class ReopenedJournal(Journal):
    """The journal of a recording; its reader fills it. `not_kept` says why marks and notes are
    lost when the recording is closed, "" while none is."""

    file: ReopenedFile

    def __init__(self, file: ReopenedFile) -> None:
        self._last = 0.0, time.monotonic()
        self.growing = False
        """Whether time goes on after the last entry: nothing waits in a recording that ended."""
        super().__init__(file=file, clock=Clock(self._now, time.time))
        self._began = 0.0
        self.not_kept = ""
        self.read_on: Callable[[], str] = str
        """Reads what is there; returns why that is not all of it, "" where it is."""
        self.torn: Callable[[], bool] = bool
        """Whether the last line has no end."""
        self._lines = LineWriter()

    def _now(self) -> float:
        """Seconds since the recording began: what is added goes on from its last entry."""
        entry, then = self._last
        return entry + time.monotonic() - then if self.growing else entry

    def note(self, about: int, text: str) -> int:
        """As `Journal.note`. UsageError while the recording is being read or still grows, for the
        entries to come have their numbers already."""
        with self._lock:
            connection = self.row(about).connection
            if why := self.read_on():
                raise UsageError(f"no note can be added: {why}", hint="mark the entry, or wait")
            number = len(self) + 1
            body, masked = self.redactor.text(encode_facts({"about": about, "text": text}))
            more = optional(about=about, flags=int(Flag.MASKED) if masked else 0)
            line = self._lines.line(
                number, self.clock.wall(), self.clock.monotonic() - self._began, Kind.NOTE,
                Direction.LOCAL, connection, more, body,
            )  # fmt: skip
            if self._kept(line) and not self.read_on() and len(self) == number:
                self._told = number - 1
                self._publish(number)
                return number
            return super().note(about, text)

    def flag(self, number: int, flag: Flag, on: bool = True) -> None:
        """As `Journal.flag`, at any time."""
        with self._lock:
            if not 1 <= number <= len(self):
                raise IndexError(f"there is no entry {number}")
            since = int((self.clock.monotonic() - self._began) * 1e6)
            self._kept(flag_line(number, self.clock.wall(), since, int(flag), on))
            self.set_flags(number, int(flag), on)

    def _kept(self, line: bytes) -> bool:
        if self.file.elsewhere:
            return False
        why = self.file.add(line, torn=self.torn())
        self.not_kept = self.not_kept or why
        return not why

    def arrived(self) -> None:
        """Entries were read; subscribers are told of what is added, not of what was there."""
        self._told = len(self)
        self._last = self.columns.monotonic[self._told], time.monotonic()
