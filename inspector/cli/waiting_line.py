"""One line at the end of a terminal's stderr that says what is waited for, and is taken away.

Where stderr is no terminal there is no such line. What it says is decided by whoever waits.
"""

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

EVERY: Final = 0.1
"""Seconds between two looks at what there is to say."""
_BEGIN: Final = "\r\x1b[K"


@contextmanager
def waiting_line(words: Callable[[], str], *, wanted: bool = True) -> Iterator[None]:
    """Shows `words()`, which must be safe for a terminal and fit one of its lines, until the block
    ends."""
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
            sys.stderr.write(_BEGIN + text)
            sys.stderr.flush()
        handle[:] = [loop.call_later(EVERY, look)]

    look()
    try:
        yield
    finally:
        handle[0].cancel()
        if shown:
            sys.stderr.write(_BEGIN)
            sys.stderr.flush()
