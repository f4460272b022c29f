"""A whole recording at once, for whoever has no screen to draw meanwhile.

How it is read, and what is salvaged, is decided in `inspector.journal.reading`.
"""

import os
from pathlib import Path
from typing import BinaryIO

from inspector.errors import RecordingError
from inspector.journal.journal import Journal
from inspector.journal.reading import LOST as LOST
from inspector.journal.reading import RecordingReader
from inspector.journal.recording import temporary
from inspector.journal.reopened import ReopenedFile

BLOCK = 1024 * 1024


def load_piped(pipe: BinaryIO, label: str) -> Journal:
    """The journal in a recording that comes through `pipe`, which is read to its end.

    RecordingError as of `load_recording`, and where there is no room to keep it.
    """
    try:
        descriptor = temporary()
    except OSError as error:
        raise RecordingError(f"no temporary file for {label}: {error.strerror}") from error
    file = ReopenedFile(descriptor, None, 0)
    try:
        while piece := pipe.read(BLOCK):
            rest = memoryview(piece)
            while rest:
                rest = rest[os.write(descriptor, rest) :]
    except OSError as error:
        raise RecordingError(f"cannot read {label}: {error.strerror}") from error
    return _loaded(RecordingReader(file, label))


def load_recording(path: Path) -> Journal:
    """The journal in a recording, as far as it was written until now.

    RecordingError where the file cannot be read, is no recording, or is of a newer format.
    """
    return _loaded(RecordingReader.open(path))


def _loaded(reader: RecordingReader) -> Journal:
    while reader.step(BLOCK):
        pass
    if reader.problem:
        raise RecordingError(f"cannot read {reader.label}: {reader.problem}")
    reader.settle()
    return reader.journal
