"""One process at a time renews the tokens of a server.

Two that send the same refresh token look like a thief and an owner to a server that rotates, which
then ends both. Decides how long one waits for the other, and that waiting never ends in nothing:
where there can be no lock, or it is held for too long, both go on.
"""

import asyncio
import fcntl
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from inspector.config.paths import private_dir
from inspector.errors import InspectorError

TURN_SECONDS: Final = 40.0
"""How long to wait for another process: as long as its request may take, and a little more."""

_LOOK_SECONDS: Final = 0.05


@asynccontextmanager
async def turn(folder: Path, name: str, seconds: float = TURN_SECONDS) -> AsyncIterator[None]:
    """Inside it is our turn with `name`. The lock is a file in `folder` and ends with the process
    at the latest; nothing else waits for it."""
    handle = _open(folder, name)
    if handle is None:
        yield
        return
    try:
        end = time.monotonic() + seconds
        while not _acquired(handle):  # flock can be asked, not awaited
            if time.monotonic() >= end:
                break
            await asyncio.sleep(_LOOK_SECONDS)
        yield
    finally:
        os.close(handle)


def _open(folder: Path, name: str) -> int | None:
    try:
        path = private_dir(folder) / f"{name}.turn"
        return os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except (OSError, InspectorError):
        return None


def _acquired(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True
