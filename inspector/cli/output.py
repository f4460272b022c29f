"""The owner of stdout, stderr and the exit code.

Results go to stdout, everything else to stderr. What a server sent leaves this program in two ways
only: as JSON, token for token with dangerous characters escaped, or as rich text that passed
`inspector.render.safe`.
"""

import errno
import io
import json
import os
import re
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from textwrap import indent
from typing import TYPE_CHECKING, Final, TextIO, TypeAlias

from inspector.cli import skeleton, streams
from inspector.errors import (
    ConnectionFailed,
    InspectorError,
    PeerViolation,
    RecordingError,
    RequestCancelled,
    RequestTimeout,
    UsageError,
    excerpt,
)

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

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
  0      done
  1      the server answered with an error, or isError; lint found something
  2      wrong usage, or the result cannot be written
  3      cannot start or connect, or authorization is needed
  4      the server broke the protocol, or broke off: no (whole) answer
  5      timeout
  70     a crash of mcp-inspect itself
  128+n  ended by signal n (130: Ctrl+C; 141: whoever read the output is gone)
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
"""Columns of a table that goes to no terminal."""
_SELECTOR: Final = re.compile(rb"\xef\xb8(?:\x8e|\x8f)")
"""What makes an emoji of its base, or text: seen in no text, so it is escaped in JSON."""
_NOT_PLAIN: Final = re.compile(r"[^\n -~]+")
_PADDING: Final = re.compile(r"(?<! ) ++$", re.MULTILINE)
LONGEST: Final = 16 * 1024
"""Characters of a sentence, or of a line of the server's stderr, that are told to people."""
NARROWEST: Final = 24
"""Columns that a paragraph gets on the narrowest terminal, its indentation not counted."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text for people below an indentation (`indent`, cells), or beside `lead` in its first line.

    On a terminal it is wrapped at words and nothing is ever cut off. Elsewhere its lines stay as
    they are, so that they can be searched.
    """

    text: "Text"
    indent: int = 0
    lead: "Text | None" = None


if TYPE_CHECKING:
    Part: TypeAlias = RenderableType | Paragraph


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
        case RequestCancelled():  # what the server asked back was declined
            return SERVER_ERROR
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
        text = _SELECTOR.sub(_selector, indented(raw)) + b"\n"
        self._write(text if _speaks_utf8(sys.stdout) else _ascii(text.decode("utf-8")).encode())

    def result(self, *parts: "Part") -> None:
        """A result for people."""
        _print(sys.stdout, parts)

    def complaint(self, *parts: "Part") -> None:
        """Something for people that is no result."""
        with suppress(BrokenOutput, UsageError):
            _print(sys.stderr, parts)

    def result_text(self, text: str) -> None:
        """Plain text of ours (help, lists of names), or text that is visible already."""
        self._write(text.encode(sys.stdout.encoding or "utf-8", "backslashreplace"))

    def result_xml(self, text: str) -> None:
        """An XML document in UTF-8, whatever the terminal speaks: what is not ASCII stands as
        character references where that is something else."""
        self._write(
            text.encode("utf-8" if _speaks_utf8(sys.stdout) else "ascii", "xmlcharrefreplace")
        )

    def result_bytes(self, content: bytes) -> None:
        """A part of a result as it stands; the caller made it harmless for a terminal."""
        self._write(content)

    def note(self, text: str) -> None:
        """A remark beside the result."""
        from inspector.render.safe import visible

        self._complain(visible(f"mcp-inspect: {excerpt(text, LONGEST)}"))

    def stderr_line(self, line: bytes) -> None:
        """A line that the server wrote to its stderr."""
        from inspector.render.safe import visible

        text = excerpt(line.decode("utf-8", "backslashreplace"), LONGEST)
        self._complain(visible(f"[server] {text}"))

    def failure(self, error: InspectorError) -> int:
        """Says what went wrong, and returns the exit code for it."""
        skeleton.leave()
        if self.as_json:
            facts = {"kind": error.kind, "message": error.message, "hint": error.hint}
            self._complain(_ascii(json.dumps({"error": facts})))
        else:
            from inspector.render.safe import visible

            # No line of what was quoted may pass for one of ours.
            message = excerpt(error.message, LONGEST).replace("\n", "\n  | ")
            self._complain(visible(f"mcp-inspect: {message}", keep_newlines=True))
            if error.hint:
                hint = indent(excerpt(error.hint, LONGEST), "  ")
                self._complain(visible(hint, keep_newlines=True))
        return exit_code_of(error)

    def _write(self, content: bytes) -> None:
        skeleton.leave()
        _send(sys.stdout, content)

    def _complain(self, line: str) -> None:
        skeleton.leave()
        with suppress(OSError):
            streams.write_text(sys.stderr, line + "\n")


def _speaks_utf8(stream: TextIO) -> bool:
    """Whether UTF-8 is what is expected there. A terminal that takes it for Latin-1 finds control
    characters in it."""
    return (stream.encoding or "utf-8").replace("-", "").lower() in ("utf8", "utf8sig")


def _ascii(text: str) -> str:
    """JSON text in ASCII without controls: all else as `\\u` escapes of the same value."""
    return _NOT_PLAIN.sub(lambda found: json.dumps(found[0])[1:-1].replace("\x7f", "\\u007f"), text)


def _selector(found: re.Match[bytes]) -> bytes:
    return json.dumps(found[0].decode()).encode()[1:-1]


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


def _print(stream: TextIO, parts: Sequence["Part"]) -> None:
    skeleton.leave()
    paper = Paper(is_terminal=stream.isatty())
    printed = "".join(map(paper.print, parts))
    _send(stream, printed.encode(stream.encoding or "utf-8", "backslashreplace"))


class Paper:
    """Turns renderables into the text that a terminal, or a pipe, gets."""

    def __init__(self, *, is_terminal: bool) -> None:
        from rich.console import Console
        from rich.style import Style
        from rich.theme import Theme

        self._is_terminal = is_terminal
        self._drawn = io.StringIO()
        self._console = Console(
            file=self._drawn,
            force_terminal=is_terminal or None,
            width=None if is_terminal else FALLBACK_WIDTH,
            soft_wrap=False,
            markup=False,
            highlight=False,
            emoji=False,
            legacy_windows=False,
            theme=Theme({name: Style.parse(style) for name, style in INKS.items()}),
        )

    def print(self, part: "Part") -> str:
        """`part`, to the end of its last line."""
        from rich.text import Text

        if isinstance(part, Paragraph):
            if self._console.color_system is None and not self._is_terminal:
                return _plain(part)
            part = self._laid_out(part)
        if not isinstance(part, Text):
            self._console.print(part)
            # A table pads its lines.
            return self._taken() if self._is_terminal else _PADDING.sub("", self._taken())
        end = "" if part.plain.endswith("\n") else "\n"
        if self._console.color_system is None:
            return part.plain + end
        # Never wrapped: what a server said can be copied and searched as it is.
        self._console.print(part, soft_wrap=True, end=end)
        return self._taken()

    def _taken(self) -> str:
        drawn = self._drawn.getvalue()
        self._drawn.seek(0)
        self._drawn.truncate()
        return drawn

    def _laid_out(self, part: Paragraph) -> "Text":
        """The paragraph as lines that stand as they are."""
        from rich.text import Text

        lead, text = part.lead or Text(), part.text
        first = Text.assemble(lead, " " * (part.indent - lead.cell_len))
        if lead.cell_len > part.indent and "\n" not in lead.plain:
            # It takes room of the first line, whose end would run over the edge otherwise.
            first, text = Text(), Text.assemble(lead, text)
        if self._is_terminal:
            width = max(self._console.width - part.indent, NARROWEST)
            lines = text.wrap(self._console, width, overflow="fold", no_wrap=False)
        else:
            lines = text.split("\n")
        margin = Text(" " * part.indent)
        rows = [Text.assemble(margin if row else first, line) for row, line in enumerate(lines)]
        for row in rows:
            row.rstrip()
        return Text("\n").join(rows or [first])


def _plain(part: Paragraph) -> str:
    """The paragraph where there is neither colour nor width: 10,000 of them are a list."""
    lead = part.lead.plain if part.lead is not None else ""
    margin = " " * part.indent
    lines = part.text.plain.split("\n")
    first = lead + margin[len(lead) :] + lines[0]
    return "\n".join(line.rstrip(" ") for line in (first, *(margin + x for x in lines[1:]))) + "\n"


def _send(stream: TextIO, content: bytes) -> None:
    try:
        streams.write(stream, content)
    except BrokenPipeError:
        raise BrokenOutput from None
    except OSError as error:
        raise _unwritable(error) from None


def _unwritable(error: OSError) -> UsageError:
    """Whoever named the place for our output has to act: a full disk, a closed file."""
    why = "it is closed" if error.errno == errno.EBADF else error.strerror or error
    return UsageError(f"cannot write to stdout: {why}")
