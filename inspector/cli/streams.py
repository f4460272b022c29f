"""The standard streams of this process: what a closed one means, how bytes get out whole, and a
wall for what leaves by another door.

One write may take only a part of what it is given (a pipe whose reader goes away), or nothing for
a while (a pipe that somebody made non-blocking); Python's own streams lose the rest of it where
`PYTHONUNBUFFERED` is set. What a failure means for the user is `inspector.cli.output`.
"""

import errno
import io
import os
import re
import sys
from typing import Final, TextIO

_HARMLESS: Final = re.compile(r"[\t\n -~]*")
_CLOSED_AS: Final = {0: os.O_RDONLY, 1: os.O_RDONLY, 2: os.O_RDWR}
"""How a missing stream is opened on /dev/null: writing to a closed stdout must still fail."""


def complete() -> None:
    """Gives this process the standard streams that it was started without, and walls them.

    Otherwise the next file or socket would get the number of one, and be written to.
    """
    for number, flags in _CLOSED_AS.items():
        try:
            os.fstat(number)
        except OSError as error:
            if error.errno != errno.EBADF:
                continue  # it is there, whatever else is wrong with it
            opened = os.open(os.devnull, flags)
            if opened != number:
                os.dup2(opened, number, inheritable=False)
                os.close(opened)
    if sys.stdin is None:
        sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - ours to the end
    if sys.stdout is None:
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - ours to the end
    if sys.stderr is None:
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115 - ours to the end
    sys.stdout, sys.stderr = _walled(sys.stdout), _walled(sys.stderr)


class Walled(io.TextIOWrapper):
    """A standard stream for those who print past `write` and `write_text`: warnings, a library's
    log, the interpreter. What they quote may be a server's."""

    def write(self, text: str) -> int:
        """Writes `text` without anything that a terminal acts on."""
        super().write(harmless(text))
        return len(text)


def harmless(text: str) -> str:
    """`text` with what a terminal would act on, or not show, as visible tokens; what is visible
    already stays."""
    if _HARMLESS.fullmatch(text):
        return text
    from inspector.render.safe import DANGEROUS, token

    return DANGEROUS.sub(lambda found: found[0] if found[0] in "\n\t" else token(found[0]), text)


def _walled(stream: TextIO) -> TextIO:
    """A wall over the descriptor of `stream`; the interface draws on `sys.__stderr__`."""
    if not isinstance(stream, io.TextIOWrapper):
        return stream
    stream.flush()
    below = io.BufferedWriter(io.FileIO(stream.fileno(), "w", closefd=False))
    return Walled(
        below, encoding=stream.encoding, errors=stream.errors, newline="\n", line_buffering=True
    )


def write(stream: TextIO, content: bytes) -> None:
    """Writes all of `content`, after what the stream holds back. Raises OSError."""
    stream.flush()
    try:
        number = stream.fileno()
    except OSError:  # a stream in memory
        stream.buffer.write(content)
        return
    rest = memoryview(content)
    while rest:
        try:
            rest = rest[os.write(number, rest) :]
        except BlockingIOError:
            _wait(number)


def write_text(stream: TextIO, text: str) -> None:
    """Writes `text` in the stream's own encoding; what that lacks goes out as `\\u` escapes."""
    write(stream, text.encode(stream.encoding or "utf-8", "backslashreplace"))


def _wait(number: int) -> None:
    import select

    select.select([], [number], [])
