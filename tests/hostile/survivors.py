"""Whoever carries a mark, in its environment or on its command line: found among all processes."""

import os
import re
import secrets
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

STUBBORN: Final = Path(__file__).parents[1] / "servers" / "stubborn.py"
SECONDS: Final = 5.0
"""All of them are gone by then, after the program is."""


def mark() -> str:
    """Random, so that nothing else carries it."""
    return f"mark-{secrets.token_hex(8)}"


def stubborn(mark: str, *kinds: str) -> list[str]:
    """The command of a server with these habits."""
    return [sys.executable, "-S", str(STUBBORN), mark, *kinds]


def carriers(mark: str) -> dict[int, str]:
    """The living ones and their command lines. Ourselves do not count, nor the guards and the
    program that names the server's command, which it does not run."""
    found = {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdigit() or int(folder.name) == os.getpid():
            continue
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes()
            environment = (folder / "environ").read_bytes()
            state = (folder / "stat").read_text().rpartition(")")[2].split()[0]
            server = (
                re.search(rb"-S\0(-c\0import sys, stubborn|[^\0]*stubborn\.py)", words)
                and b"inspector" not in words
            )
            if state not in "ZX" and (
                mark.encode() in environment or (server and mark.encode() in words)
            ):
                found[int(folder.name)] = words.replace(b"\0", b" ").decode("utf-8", "replace")
    return found


def survivors(mark: str, seconds: float = SECONDS) -> dict[int, str]:
    """Who is still there after that time; returns as soon as nobody is. Nobody stays behind."""
    end = time.monotonic() + seconds
    while (left := carriers(mark)) and time.monotonic() < end:
        time.sleep(0.05)
    for pid in left:
        with suppress(OSError):
            os.kill(pid, signal.SIGKILL)
    return left
