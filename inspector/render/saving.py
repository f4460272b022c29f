"""Writes content of a server into a directory the user chose, under a name that we made.

Nothing the server says gets into the name, nothing is overwritten, and no link is followed.
"""

import os
import re
from pathlib import Path
from typing import Final

from inspector.errors import UsageError

TRIES: Final = 1000


def save_new(directory: Path, stem: str, extension: str, data: bytes) -> Path:
    """Writes `data` to a new file `stem[-n]extension` in `directory` and returns its path.

    Readable for the user only. Raises UsageError where it cannot be written.
    """
    name = re.sub(r"[^a-z0-9-]+", "-", stem.lower()).strip("-") or "content"
    suffix = extension if re.fullmatch(r"\.[a-z0-9]{1,8}", extension) else ".bin"
    place = directory.expanduser()
    try:
        # Opened once, so that the directory cannot be exchanged between check and write.
        folder = os.open(place, os.O_RDONLY | os.O_DIRECTORY)
    except OSError as error:
        raise UsageError(f"cannot save into {place}: {error.strerror}") from error
    try:
        for number in range(TRIES):
            chosen = f"{name}{f'-{number}' if number else ''}{suffix}"
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
            try:
                file = os.open(chosen, flags, 0o600, dir_fd=folder)
            except FileExistsError:
                continue
            with os.fdopen(file, "wb") as opened:
                opened.write(data)
            return place / chosen
    except OSError as error:
        raise UsageError(f"cannot save into {place}: {error.strerror}") from error
    finally:
        os.close(folder)
    raise UsageError(f"cannot save into {place}: there are {TRIES} such files already")
