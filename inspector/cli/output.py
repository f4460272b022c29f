"""The owner of stdout, stderr and the exit code.

Results go to stdout, everything else to stderr. What a server sent leaves this program in two ways
only: as JSON, token for token with dangerous characters escaped, or as rich text that passed
`inspector.render.safe`.
"""

import json
import os
import sys
from typing import IO, TYPE_CHECKING, Final

from inspector.cli import skeleton
from inspector.errors import (
    ConnectionFailed,
    InspectorError,
    PeerViolation,
    RecordingError,
    RequestTimeout,
    UsageError,
)

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

DONE: Final = 0
SERVER_ERROR: Final = 1
USAGE: Final = 2
CANNOT_CONNECT: Final = 3
PROTOCOL_BROKEN: Final = 4
TIMED_OUT: Final = 5
CRASHED: Final = 70
SIGNALLED: Final = 128
"""Exit codes; a signal's number is added to the last."""

EXIT_CODES: Final = """\
Exit codes:
  0    done
  1    the server answered with an error (a JSON-RPC error, or a result with isError)
  2    wrong usage
  3    cannot start or connect, or authorization is needed
  4    the server broke the protocol, so that no (whole) answer was possible
  5    timeout
  70   a crash of mcp-inspect itself
  128+n  ended by signal n (130: Ctrl+C)
"""

INKS: Final = {
    "mcp.ok": "green",
    "mcp.error": "bold red",
    "mcp.warn": "yellow",
    "mcp.dim": "dim",
    "mcp.faint": "dim",
    "mcp.accent": "cyan",
    "mcp.primary": "blue",
    "mcp.title": "bold",
    "mcp.sent": "blue",
    "mcp.received": "magenta",
    "mcp.key": "blue",
    "mcp.string": "green",
    "mcp.number": "cyan",
    "mcp.literal": "yellow",
    "mcp.punct": "dim",
    "mcp.token": "reverse",
    "mcp.link": "underline cyan",
    "mcp.code": "magenta",
    "mcp.match": "reverse bold",
}
"""The inks of `inspector.render` in the terminal's own sixteen colours."""

FALLBACK_WIDTH: Final = 100
"""Columns of human output that goes to no terminal."""


class BrokenOutput(Exception):
    """Whoever read our stdout is gone; there is nobody to tell, and nothing left to do."""


def exit_code_of(error: InspectorError) -> int:
    """The exit code that tells a script what kind of failure this was."""
    if error.kind == "timeout":
        return TIMED_OUT
    match error:
        case UsageError():
            return USAGE
        case RequestTimeout():
            return TIMED_OUT
        case PeerViolation():
            return PROTOCOL_BROKEN
        case ConnectionFailed() | RecordingError():
            return CANNOT_CONNECT
        case _:
            return CRASHED if error.kind == "internal" else CANNOT_CONNECT


class Output:
    """Where one command writes. `as_json` chooses the form of results and of our own failures."""

    def __init__(self, *, as_json: bool = False, verbose: bool = False) -> None:
        self.as_json = as_json
        self.verbose = verbose

    def result_json(self, raw: bytes) -> None:
        """A result as JSON text: every token as the server sent it, indented for people."""
        self._write(indented(raw) + b"\n")

    def result(self, *parts: "RenderableType") -> None:
        """A result for people."""
        console = _console(sys.stdout)
        for part in parts:
            _print(console, part)

    def complaint(self, *parts: "RenderableType") -> None:
        """Something for people that is no result."""
        console = _console(sys.stderr)
        for part in parts:
            _print(console, part)

    def result_text(self, text: str) -> None:
        """Plain text of ours (help, lists of names), or text that is visible already."""
        self._write(text.encode("utf-8", "backslashreplace"))

    def note(self, text: str) -> None:
        """A remark beside the result."""
        from inspector.render.safe import visible

        self._complain(visible(f"mcp-inspect: {text}"))

    def stderr_line(self, line: bytes) -> None:
        """A line that the server wrote to its stderr."""
        from inspector.render.safe import visible

        self._complain(visible(f"[server] {line.decode('utf-8', 'backslashreplace')}"))

    def failure(self, error: InspectorError) -> int:
        """Says what went wrong, and returns the exit code for it."""
        skeleton.leave()
        if self.as_json:
            facts = {"kind": error.kind, "message": error.message, "hint": error.hint}
            self._complain(json.dumps({"error": facts}))
        else:
            from inspector.render.safe import visible

            self._complain(visible(f"mcp-inspect: {error.message}", keep_newlines=True))
            if error.hint:
                self._complain(visible(f"  {error.hint}", keep_newlines=True))
        return exit_code_of(error)

    def _write(self, content: bytes) -> None:
        skeleton.leave()
        try:
            sys.stdout.flush()
            sys.stdout.buffer.write(content)
            sys.stdout.buffer.flush()
        except BrokenPipeError:
            raise BrokenOutput from None
        except OSError as error:
            raise _unwritable(error) from None

    def _complain(self, line: str) -> None:
        skeleton.leave()
        try:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
        except (OSError, UnicodeEncodeError):
            return


def indented(raw: bytes) -> bytes:
    """JSON text, harmless for terminals, indented unless it is too odd for that."""
    import msgspec

    from inspector.render.safe import json_safe

    safe = json_safe(raw)
    try:
        return msgspec.json.format(safe, indent=2)
    except (msgspec.DecodeError, RecursionError):
        return safe


def silence_stdout() -> None:
    """Points stdout at nothing, so that closing it at exit cannot fail again."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())
    os.close(sink)


def _console(stream: IO[str]) -> "Console":
    from rich.console import Console
    from rich.style import Style
    from rich.theme import Theme

    class Pipe(Console):
        """Whoever reads may stop reading; rich would leave the program, with another exit code."""

        def on_broken_pipe(self) -> None:
            raise BrokenPipeError

    is_terminal = stream.isatty()
    return Pipe(
        file=stream,
        width=None if is_terminal else FALLBACK_WIDTH,
        soft_wrap=False,
        markup=False,
        highlight=False,
        emoji=False,
        legacy_windows=False,
        theme=Theme({name: Style.parse(style) for name, style in INKS.items()}),
    )


def _print(console: "Console", part: "RenderableType") -> None:
    from rich.text import Text

    skeleton.leave()
    try:
        # Text is never wrapped: what a server said can be copied and searched as it is.
        if isinstance(part, Text):
            console.print(part, soft_wrap=True, end="" if part.plain.endswith("\n") else "\n")
        elif console.is_terminal:
            console.print(part)
        else:
            with console.capture() as captured:
                console.print(part)
            lines = captured.get().splitlines()
            console.file.writelines(f"{line.rstrip()}\n" for line in lines)
        console.file.flush()
    except BrokenPipeError:
        raise BrokenOutput from None
    except OSError as error:
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> UsageError:
    """Whoever named the place for our output has to act: a full disk, a closed file."""
    return UsageError(f"cannot write to stdout: {error.strerror or error}")
