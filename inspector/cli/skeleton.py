"""The first frame: header, tabs and the traffic pane's rule on the alternate screen, before
anything heavy is imported.

Textual paints over it, in the same places. Whoever ends the program before that calls `leave`, so
that the terminal and what is printed on it are as they were. Nothing is painted where a terminal
is not on both ends.
"""

import os
import re
import signal
import sys
from bisect import bisect_right
from itertools import accumulate
from types import FrameType

from inspector.signals import ENDING

_ENTER = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J"
_LEAVE = "\x1b[?25h\x1b[?1049l"
_UNSEEN = re.compile(
    r"[\u034f\u115f\u1160-\u11ff\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0f\uffa0"
    r"\U0001f3fb-\U0001f3ff\U000e0000-\U000e0fff]"
)
"""Letters and marks without a shape of their own; `isprintable` knows all other such characters."""
_MARKS = ("Mn", "Me", "Mc")

TABS = (
    "1 Server",
    "2 Tools",
    "3 Resources",
    "4 Prompts",
    "5 Asks",
    "6 Tasks",
    "7 Findings",
    "8 Logs",
)
"""The tabs as the interface will draw them; a test compares them with its own list."""

CONNECTING = "connecting to"

_painted = False


def paint(target: str, doing: str = CONNECTING) -> None:
    """Enters the alternate screen and writes the header line for `target` ("" for none yet) and
    what is being done to it."""
    global _painted
    if _painted or not (sys.stdout.isatty() and sys.stdin.isatty()):
        return
    if os.environ.get("TERM", "dumb") == "dumb":
        return
    for number in ENDING:
        signal.signal(number, _end)
    try:
        size = os.get_terminal_size(sys.stdout.fileno())
        _painted = True  # before the write, so that a signal in between gives the screen back
        _write(_ENTER + frame(target, size.columns or 80, size.lines or 24, doing))
    except OSError:
        return


def frame(target: str, width: int, height: int, doing: str = CONNECTING) -> str:
    """The whole first frame, with the cursor movements that put its lines in their places."""
    lines = {1: header(target, width, doing)}
    if target and height >= 10:
        gap = "  " if width >= 100 else " "
        lines[2] = gap[1:] + "".join(f"{gap[1:]}{tab}{gap}" for tab in TABS)
        lines[height - (height - 3) // 3] = "── traffic " + "─" * width
    return "".join(f"\x1b[{row};1H{text[:width]}" for row, text in lines.items())


def header(target: str, width: int, doing: str = CONNECTING) -> str:
    """The header line, at most `width` cells wide, without anything a terminal obeys."""
    if not target.isascii() or not target.isprintable():
        target = "".join(map(_seen, target[:width]))
    line = f" mcp-inspect  {doing} {target} …" if target else " mcp-inspect …"
    if target.isascii():
        return line if len(line) < width else line[: max(0, width - 2)] + "…"
    ends = [*accumulate(map(_cells, line))]  # the cell in which each character ends
    return line if ends[-1] < width else line[: bisect_right(ends, max(0, width - 2))] + "…"


def _cells(character: str) -> int:
    from unicodedata import east_asian_width

    return 2 if east_asian_width(character) in "WF" else 1


def _seen(character: str) -> str:
    """The character, or a dot for one that is not seen, or that may be piled upon another."""
    from unicodedata import category

    seen = character.isprintable() and category(character) not in _MARKS
    return character if seen and _UNSEEN.match(character) is None else "·"


def leave() -> None:
    """Goes back to the normal screen, if `paint` left it and nothing else went back already."""
    global _painted
    if not _painted:
        return
    _painted = False
    try:
        _write(_LEAVE)
    except (OSError, ValueError):
        return


def _write(text: str) -> None:
    """Past Python's buffer, which a signal handler may not touch while it is in use."""
    os.write(sys.stdout.fileno(), text.encode(sys.stdout.encoding or "utf-8", "replace"))


def _end(number: int, _: FrameType | None) -> None:
    """A signal before the interface has its own handlers: the screen back, then the exit code."""
    if not _painted and number == signal.SIGINT:  # a question stands in the terminal's last line
        os.write(sys.stderr.fileno(), b"\n")
    leave()
    os._exit(128 + number)


def handed_over() -> None:
    """The interface owns the screen from here on; it also leaves it."""
    global _painted
    _painted = False
