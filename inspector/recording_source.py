"""A recording as what a workbench shows: read in the background, followed while it grows.

Decides the rhythm: short slices, with the screen's thread in between, then a look now and then.
What is read is decided in `inspector.journal.reading`.
"""

import asyncio
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from inspector.errors import RecordingError
from inspector.journal.freed import give_back
from inspector.journal.precedence import PERSON
from inspector.journal.reading import RecordingReader
from inspector.journal.reopened import ReopenedFile, ReopenedJournal
from inspector.journal.spool import Spool

SLICE: Final = 0.008
"""Seconds of reading at a stretch."""
BREATH: Final = 0.002
"""Seconds between two slices, which belong to the screen."""
LOOK: Final = 0.2
"""Seconds between two looks at whether the file grew."""
STILL: Final = 1.0
"""Seconds without growth after which a last line without an end will not get one any more."""
FIRST: Final = 40
"""Lines read before anything is painted."""
FRAMES: Final = 3
"""Frames of the screen in which they are painted."""


class RecordingSource:
    """A recording that a workbench shows. Attributes may be read from any thread.

    `path` is None for one that was read from standard input; `label` names it for a person.
    """

    def __init__(self, reader: RecordingReader, spool: Spool | None = None) -> None:
        self.reader = reader
        self.path = reader.file.path
        self.label = reader.label
        self.following = reader.journal.growing = spool is not None
        """Whether the recording still grows, as far as can be told."""
        self.held = False
        """Whether no more than the first lines are to be read: until these are on the screen."""
        self._frames = 0
        self._spool = spool

    @classmethod
    def open(cls, path: Path) -> "RecordingSource":
        """The recording at `path`. RecordingError where that cannot be read or is none."""
        return cls(RecordingReader.open(path))

    @classmethod
    def piped(cls, descriptor: int, label: str) -> "RecordingSource":
        """The recording that comes through a pipe, whose descriptor is taken over. Waits for its
        first line."""
        spool = Spool(descriptor)
        spool.first_line()
        try:
            file = ReopenedFile(os.dup(spool.descriptor), None, 0)
        except OSError as error:
            raise RecordingError(f"cannot read {label}: {error.strerror}") from error
        reader = RecordingReader(file, label)
        reader.growing = lambda: not spool.ended
        return cls(reader, spool)

    @property
    def journal(self) -> ReopenedJournal:
        """The entries read so far."""
        return self.reader.journal

    @property
    def progress(self) -> float:
        """How much of what is there was read, 0 to 1."""
        return self.reader.progress

    @property
    def reading(self) -> bool:
        """Whether entries that are there already are still being read."""
        return not self.reader.complete

    @property
    def problem(self) -> str:
        """What is wrong with the recording, for a person; "" where nothing is."""
        if why := self.reader.problem or (self._spool.problem if self._spool is not None else ""):
            return why
        dropped = self.journal.dropped_bytes
        return f"{dropped:,} bytes of it could not be read" if dropped else ""

    @property
    def not_kept(self) -> str:
        """Why marks and notes made here are gone when this ends; "" while none is."""
        return self.journal.not_kept

    def let_go(self) -> None:
        """The screen has drawn a frame since the list was there: with the third of them the first
        lines are on it for certain, and more is read."""
        self._frames += 1
        self.held = self.held and self._frames < FRAMES

    async def keep_reading(self, changed: Callable[[], None]) -> None:
        """Reads on, until cancelled; `changed` is called after every slice with something new."""
        reader = self.reader
        reader.first(FIRST)
        changed()
        while self.held:  # noqa: ASYNC110 - another thread lets go
            await asyncio.sleep(BREATH)
        grew, much = time.monotonic(), False
        while True:
            before = reader.size, len(self.journal), self.problem
            if reader.advance(SLICE):
                changed()
                await asyncio.sleep(max(BREATH, PERSON.rest))
                grew, much = time.monotonic(), True
                continue
            if much:
                much = False
                give_back()
            now = time.monotonic()
            if (reader.size, len(self.journal)) != before[:2]:
                grew = now
            following = not reader.problem and self._grows(now - grew < STILL)
            if not following:
                reader.settle()
            if (reader.size, len(self.journal), self.problem) != before or (
                following != self.following
            ):
                self.following = self.journal.growing = following
                changed()
            await asyncio.sleep(LOOK)

    def _grows(self, lately: bool) -> bool:
        return self.reader.growing() or (lately and self._spool is None)
