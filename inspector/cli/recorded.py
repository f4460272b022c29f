"""The recording that a word of a command names: a file, or `-` for what comes through stdin."""

import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from inspector.errors import RecordingError, UsageError

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

STDIN: Final = "-"


def recorded(word: str) -> "Journal":
    """The journal in a recording. RecordingError where there is none, UsageError where `-` is the
    terminal."""
    from inspector.journal.loading import load_recording

    if word != STDIN:
        try:
            return load_recording(Path(word))
        except RecordingError as error:
            command = click.get_current_context().info_name
            error.hint = error.hint.replace("mcp-inspect open -", f"mcp-inspect {command} -")
            raise
    if sys.stdin.isatty():
        raise UsageError("- is a recording on stdin, and stdin is the terminal")
    with tempfile.NamedTemporaryFile(prefix="mcp-inspect-", suffix=".jsonl") as kept:
        try:
            shutil.copyfileobj(sys.stdin.buffer, kept)
            kept.flush()
        except OSError as error:
            raise RecordingError(f"cannot read stdin: {error.strerror}") from error
        try:
            return load_recording(Path(kept.name))  # which keeps it open
        except RecordingError as error:
            said = error.message.replace(kept.name, "stdin")
            raise RecordingError(said, hint=error.hint) from None
