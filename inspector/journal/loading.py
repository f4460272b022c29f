"""A whole recording at once, for whoever has no screen to draw meanwhile.

How it is read, and what is salvaged, is decided in `inspector.journal.reading`.
"""

from pathlib import Path

from inspector.errors import RecordingError
from inspector.journal.journal import Journal
from inspector.journal.reading import LOST as LOST
from inspector.journal.reading import RecordingReader

BLOCK = 1024 * 1024


def load_recording(path: Path) -> Journal:
    """The journal in a recording, as far as it was written until now.

    RecordingError where the file cannot be read, is no recording, or is of a newer format.
    """
    reader = RecordingReader.open(path)
    while reader.step(BLOCK):
        pass
    if reader.problem:
        raise RecordingError(f"cannot read {path}: {reader.problem}")
    reader.settle()
    return reader.journal
