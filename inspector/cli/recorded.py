"""The recording that a word of a command names: a file, or `-` for what comes through stdin."""

import sys
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
    from inspector.journal.loading import load_piped, load_recording

    if word != STDIN:
        try:
            return load_recording(Path(word))
        except RecordingError as error:
            raise _of_this_command(error) from None
    if sys.stdin.isatty():
        raise UsageError("- is a recording on stdin, and stdin is the terminal")
    try:
        return load_piped(sys.stdin.buffer, "stdin")
    except RecordingError as error:
        raise _of_this_command(error) from None


def _of_this_command(error: RecordingError) -> RecordingError:
    context = click.get_current_context(silent=True)
    if context is not None:
        command = f"mcp-inspect {context.info_name} -"
        error.hint = error.hint.replace("mcp-inspect open -", command)
    return error
