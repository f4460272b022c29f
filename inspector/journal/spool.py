"""A pipe that is kept in a file without a name, so that it can be read like any recording.

Decides nothing about what comes through it. A thread of its own reads, and ends with the pipe; a
full disk ends it too, and `problem` says so.
"""

import os
import threading
from typing import Final

from inspector.errors import RecordingError
from inspector.journal.recording import temporary

PIECE: Final = 256 * 1024
LONGEST_FIRST: Final = 64 * 1024


class Spool:
    """What came through a pipe so far, in the file `descriptor`."""

    def __init__(self, pipe: int) -> None:
        """Takes over the descriptor of the pipe. RecordingError where there is no room for it."""
        try:
            handle = temporary()
        except OSError as error:
            raise RecordingError(
                f"no temporary file for standard input: {error.strerror}"
            ) from error
        self.descriptor = handle
        self.problem = ""
        self.ended = False
        self._pipe = pipe
        self._first = threading.Event()
        self._thread = threading.Thread(target=self._copy, name="spool", daemon=True)
        self._thread.start()

    def first_line(self) -> None:
        """Waits until a line, or what is too long for one, is there, or the pipe has ended."""
        self._first.wait()

    def _copy(self) -> None:
        size = 0
        try:
            while piece := os.read(self._pipe, PIECE):
                rest = memoryview(piece)
                while rest:
                    rest = rest[os.write(self.descriptor, rest) :]
                size += len(piece)
                if b"\n" in piece or size > LONGEST_FIRST:
                    self._first.set()
        except OSError as error:
            self.problem = f"standard input could not be kept: {error.strerror}"
        finally:
            os.close(self._pipe)
            self.ended = True
            self._first.set()
