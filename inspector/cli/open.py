"""`mcp-inspect open`: the interface on a recording: finished, damaged, or still being written.

Decides which recording is meant and where keys come from when it stands on stdin. How it is read is
decided in `inspector.journal.reading`, in which rhythm in `inspector.recording_source`.
"""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from inspector.cli import skeleton
from inspector.cli.commands import HELP, Command
from inspector.errors import UsageError

if TYPE_CHECKING:
    from inspector.recording_source import RecordingSource
    from inspector.workbench import Workbench

STDIN: Final = "-"
STDIN_LABEL: Final = "standard input"
TERMINAL: Final = "/dev/tty"
EXITS: Final = """\b
Exit codes:
  0      done
  2      wrong usage, no terminal, or nothing was recorded yet
  3      FILE cannot be read, is no recording, or is one of a newer version
  70     a crash of mcp-inspect itself
  128+n  ended by signal n
"""


@click.command("open", cls=Command, epilog=EXITS, context_settings=HELP)
@click.argument("file", metavar="[FILE]", required=False)
def open_(file: str | None) -> None:
    """The interface on a recording.

    \b
    mcp-inspect open                    the newest recording of your own
    mcp-inspect open session.jsonl
    zcat session.jsonl.gz | mcp-inspect open -

    A recording that is still being written is followed. What is damaged in it is left out, and the
    screen says how much that is. Marks and notes are kept in the file where it is yours to write
    and nobody else has it open. Nothing in it is ever run.
    """
    from inspector.cli.main import Settled

    if not sys.stdout.isatty() or not (file == STDIN or sys.stdin.isatty()):
        raise UsageError(
            "the interface needs a terminal",
            hint="without one use: mcp-inspect export FILE --format json",
        )
    if file == STDIN:
        if sys.stdin.isatty():
            raise UsageError(
                "stdin is the keyboard", hint="cat FILE | mcp-inspect open -, or name the file"
            )
        source = _piped()
    else:
        from inspector.recording_source import RecordingSource

        source = RecordingSource.open(Path(file) if file is not None else _newest())
    raise Settled(_show(source))


def _newest() -> Path:
    """The recording in the state directory that was written to last."""
    from inspector.config.paths import state_dir
    from inspector.journal.retention import recordings

    found = recordings(state_dir())
    if not found:
        raise UsageError("nothing was recorded yet", hint="name a file: mcp-inspect open FILE")
    return found[-1]


def _piped() -> "RecordingSource":
    """The recording on stdin, whose place the keyboard takes."""
    from inspector.recording_source import RecordingSource

    pipe = os.dup(sys.stdin.fileno())
    try:
        keyboard = os.open(TERMINAL, os.O_RDWR)
    except OSError as error:
        os.close(pipe)
        raise UsageError(
            f"there is no keyboard: {TERMINAL} cannot be opened ({error.strerror})",
            hint="name the file instead of -",
        ) from error
    os.dup2(keyboard, sys.stdin.fileno())
    os.close(keyboard)
    return RecordingSource.piped(pipe, STDIN_LABEL)


def _show(source: "RecordingSource") -> int:
    from inspector.cli.starting import user_settings
    from inspector.config.targets import Target
    from inspector.session.options import Options
    from inspector.tui.start import start

    source.held = True  # the screen lets go of it when it has drawn the first lines
    options = Options(no_record=True)
    target = Target(name=source.path.name if source.path is not None else source.label)

    def make(_: Target) -> "Workbench":
        from inspector.workbench import Workbench

        return Workbench(target, options=options, journal=source.journal, source=source)

    return start(
        target,
        options,
        theme=user_settings().theme,
        make=make,
        connect=False,
        taken_over=skeleton.handed_over,
    )
