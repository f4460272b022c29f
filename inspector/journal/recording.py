"""The file that the journal's bodies live in: a recording, or an unlinked temporary file.

Decides permissions, when lines reach the file, and what happens when the disk fails: the recording
stops, `failure` says why, and bodies go on to a temporary file, in the end to memory of bounded
size. Appending never raises. One thread at a time appends, any thread reads, without a lock. What
a line looks like is decided in `inspector.journal.lines`, how a file is read back in
`inspector.journal.reading`, how many files are kept in `inspector.journal.retention`.

Flushing needs no thread: a line is written at once where none was for `FLUSH_SECONDS`, else with
`FLUSH_ENTRIES` others or `FLUSH_BYTES`; the owner calls `tick()` at least twice a second to write
what a burst left behind. So kill -9 loses at most that much.
"""

import errno
import fcntl
import os
import stat
import tempfile
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import time
from typing import Final, Self

from inspector.errors import RecordingError, UsageError
from inspector.journal import lines, retention

FLUSH_ENTRIES: Final = 64
FLUSH_SECONDS: Final = 0.5
FLUSH_BYTES: Final = 1024 * 1024
MEMORY_LIMIT: Final = 64 * 1024 * 1024
"""Bytes of bodies kept in memory when not even a temporary file can be written."""
WINDOW: Final = 16 * 1024
"""Bytes read at once, so that the lines of a screen, and their parts, need one read."""

_MODE: Final = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class _Memory:
    """Bodies when every disk failed: the first `MEMORY_LIMIT` bytes, the rest is dropped."""

    def __init__(self) -> None:
        self._kept = bytearray()

    def write(self, data: bytes) -> int:
        room = MEMORY_LIMIT - len(self._kept)
        self._kept += data[: max(room, 0)]
        return len(data)

    def read(self, length: int, position: int) -> bytes:
        return bytes(self._kept[position : position + length])


class RecordingFile:
    """Lines appended by one thread, read back by any thread by their logical offset.

    `path` is None for unlinked files. `failure` is empty until the disk fails; then it says what
    happened, for a person. Offsets count on over all places that the lines went to.
    """

    def __init__(self, descriptor: int, path: Path | None = None) -> None:
        """Takes over the descriptor of an empty file."""
        self.path = path
        self.failure = ""
        self.recording = path is not None
        self._places: tuple[tuple[int, int | _Memory], ...] = ((0, descriptor),)
        self._descriptors = [descriptor]
        self._end = 0
        self._state: tuple[int, list[bytes]] = (0, [])
        """Bytes written, and the lines that wait."""
        self._window = (0, b"")
        """What was read last, and where it begins. What is appended never changes."""
        self._moved = False
        self._flushed_at = float("-inf")
        self._open_temporary: Callable[[], int] = temporary
        weakref.finalize(self, _close_all, self._descriptors)

    @classmethod
    def create(cls, path: Path) -> Self:
        """A recording at a path that the user named. UsageError where something is there
        already, RecordingError where it cannot be written."""
        try:
            descriptor = os.open(path, _MODE, 0o600)
        except FileExistsError as error:
            raise UsageError(
                f"{path} exists already", hint="name another file, or move this one away"
            ) from error
        except OSError as error:
            raise RecordingError(f"cannot record to {path}: {error.strerror}") from error
        return cls._begun(descriptor, path)

    @classmethod
    def create_in(cls, state_dir: Path) -> Self:
        """A recording with a name of its own in a directory that only we can read. Old ones go.
        RecordingError where that cannot be."""
        try:
            retention.private_directory(state_dir)
            retention.prune(state_dir)
            path = retention.new_name(state_dir, time())
            descriptor = os.open(path, _MODE, 0o600)
        except OSError as error:
            raise RecordingError(f"cannot record in {state_dir}: {error.strerror}") from error
        return cls._begun(descriptor, path)

    @classmethod
    def unlinked(cls) -> Self:
        """A file without a name: nothing stays behind. Falls back to memory."""
        try:
            return cls(temporary())
        except OSError as error:
            file = cls(os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC))
            file._places = ((0, _Memory()),)
            file.failure = f"no temporary file: {error.strerror}; bodies are kept in memory"
            return file

    @classmethod
    def _begun(cls, descriptor: int, path: Path) -> Self:
        with suppress(OSError):  # it was made so; some file systems know no permissions
            os.fchmod(descriptor, 0o600)
        _hold(descriptor, fcntl.LOCK_EX)
        file = cls(descriptor, path)
        file.append(lines.header(time()), float("-inf"))
        file._flush(float("-inf"))
        return file

    @property
    def size(self) -> int:
        """Bytes appended so far, those not written yet included."""
        return self._end

    def append(self, line: bytes, now: float) -> int:
        """Appends a whole line; `now` is on the monotonic clock. Returns its offset."""
        offset = self._end
        self._end = end = offset + len(line)
        written, waiting = self._state
        waiting.append(line)
        if (
            len(waiting) >= FLUSH_ENTRIES
            or now - self._flushed_at >= FLUSH_SECONDS
            or end - written >= FLUSH_BYTES
        ):
            self._flush(now)
        return offset

    def tick(self, now: float) -> None:
        """Writes what has waited, and sees whether the recording is still there."""
        self._look_after()
        if self._state[1]:
            self._flush(now)

    def read(self, offset: int, length: int) -> bytes:
        """The bytes at a logical offset; fewer where the file has lost them. Any thread."""
        begin, window = self._window
        at = offset - begin
        if at >= 0 and at + length <= len(window):
            return window[at : at + length]
        part = self._read_some(offset, length)
        if len(part) == length or not part:
            return part
        parts = [part]
        while part and length > len(part):
            offset += len(part)
            length -= len(part)
            part = self._read_some(offset, length)
            parts.append(part)
        return b"".join(parts)

    def _read_some(self, offset: int, length: int) -> bytes:
        # Without a lock: a flush replaces `_state` by a new one when everything is written, and
        # the list of the old state stays as it is. `_places` only ever begins a place at or after
        # what an earlier state calls written.
        written, waiting = self._state
        if offset >= written:
            at, joined = offset - written, b"".join(waiting)
            self._window = written, joined
            return joined[at : at + length]
        start, place, end = 0, self._places[0][1], written
        for begin, candidate in self._places:
            if begin > offset:
                end = min(end, begin)
                break
            start, place = begin, candidate
        length = min(length, end - offset)
        if isinstance(place, _Memory):
            return place.read(length, offset - start)
        try:
            if length >= WINDOW:
                return os.pread(place, length, offset - start)
            window = os.pread(place, min(WINDOW, end - offset), offset - start)
        except OSError:
            return b""
        self._window = offset, window
        return window[:length]

    def _look_after(self) -> None:
        """What others do to a recording while it is written: deleted, it is nobody's any more;
        cut off, what would be written next stood after a hole."""
        start, place = self._places[-1]
        if not self.recording or not isinstance(place, int):
            return
        try:
            facts = os.fstat(place)
        except OSError:
            return
        written = self._state[0]
        if facts.st_nlink == 0:
            self._move_on(place, written, OSError("the file was deleted"))
        elif facts.st_size < written - start:
            self._move_on(place, written, OSError("somebody cut the file off"))

    def _flush(self, now: float) -> None:
        self._look_after()
        written, lines_waiting = self._state
        waiting = b"".join(lines_waiting)
        while True:
            place = self._places[-1][1]
            try:
                _write(place, waiting)
            except OSError as error:
                self._move_on(place, written, error)
                continue
            break
        self._state = (written + len(waiting), [])
        self._flushed_at = now

    def _move_on(self, place: int | _Memory, written: int, error: OSError) -> None:
        """Leaves a place that cannot be written: cuts the torn line off and takes the next."""
        start = self._places[-1][0]
        reason = error.strerror or str(error) or errno.errorcode.get(error.errno or 0, "I/O error")
        if isinstance(place, int):
            try:
                if os.fstat(place).st_size > written - start:
                    os.ftruncate(place, written - start)
            except OSError:
                reason += "; its last line may be torn"
        following: int | _Memory
        try:
            if self._moved:
                raise error
            following = self._open_temporary()
            self._descriptors.append(following)
            rest = "going on without it"
        except OSError:
            following = _Memory()
            rest = "bodies are kept in memory as long as there is room"
        self._moved = True
        what = f"recording {self.path} stopped" if self.recording else "temporary file stopped"
        self.failure = f"{what}: {reason}; {rest}"
        self.recording = False
        kept = self._places if start < written else self._places[:-1]
        self._places = (*kept, (written, following))


def read_only(path: Path) -> tuple[int, int]:
    """Opens a file for reading: descriptor and size. RecordingError where that cannot be; what is
    no regular file (a pipe would block) is refused."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise RecordingError(f"cannot open {path}: {error.strerror}", fault="you") from error
    except ValueError as error:
        raise RecordingError(f"cannot open {path!r}: {error}", fault="you") from error
    facts = os.fstat(descriptor)
    if not stat.S_ISREG(facts.st_mode):
        os.close(descriptor)
        if stat.S_ISDIR(facts.st_mode):
            what, hint = "is a directory", "name a recording in it"
        else:
            what, hint = "is no regular file", f"cat {path} | mcp-inspect open -"
        raise RecordingError(f"cannot open {path}: it {what}", hint=hint, fault="you")
    _hold(descriptor, fcntl.LOCK_SH)
    return descriptor, facts.st_size


def _hold(descriptor: int, how: int) -> None:
    """Keeps retention away from a file in use, and tells readers that it is being written
    (exclusive) or read (shared); where there are no locks the file works as well."""
    with suppress(OSError):
        fcntl.flock(descriptor, how | fcntl.LOCK_NB)


def _write(place: int | _Memory, data: bytes) -> None:
    if isinstance(place, _Memory):
        place.write(data)
        return
    done = os.write(place, data)
    while done < len(data):
        done += os.write(place, memoryview(data)[done:])


def temporary() -> int:
    """A descriptor of a file that has no name (any more). OSError where there can be none."""
    nameless = getattr(os, "O_TMPFILE", 0)
    if nameless:
        with suppress(OSError):  # not every file system knows it
            return os.open(tempfile.gettempdir(), os.O_RDWR | nameless | os.O_CLOEXEC, 0o600)
    descriptor, name = tempfile.mkstemp(prefix="mcp-inspect-")
    try:
        os.unlink(name)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _close_all(descriptors: list[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)
