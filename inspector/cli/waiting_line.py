"""One line at the end of a terminal's stderr that says what is waited for, and is taken away.

Where stderr is no terminal there is no such line. What it says is decided by whoever waits; here
it is made visible, and as narrow as the terminal: of a line that wraps only the end is taken away.
"""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from inspector.cli import streams

EVERY: Final = 0.1
"""Seconds between two looks at what there is to say."""
_BEGIN: Final = "\r\x1b[K"
_COLUMNS: Final = 80
"""Where nobody says how wide the terminal is."""


@contextmanager
def waiting_line(words: Callable[[], str], *, wanted: bool = True) -> Iterator[None]:
    """Shows `words()`, of whoever they are, until the block ends."""
    if not wanted or not sys.stderr.isatty():
        yield
        return
    loop = asyncio.get_running_loop()
    handle: list[asyncio.TimerHandle] = []
    shown = ""

    def look() -> None:
        nonlocal shown
        if (text := words()) != shown:
            shown = text
            replace_line(text)
        handle[:] = [loop.call_later(EVERY, look)]

    look()
    try:
        yield
    finally:
        handle[0].cancel()
        if shown:
            replace_line("")


def replace_line(text: str) -> None:
    """Draws `text` in place of what stands in the terminal's last line."""
    from inspector.render.safe import one_line

    streams.write_text(sys.stderr, _BEGIN + one_line(text, _columns() - 1))


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _COLUMNS
    except (OSError, ValueError):  # no terminal at all
        return _COLUMNS
