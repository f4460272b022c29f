"""Writes content of a server into files: of a name that we made, or of one that the user gave.

Nothing the server says gets into the name, nothing is overwritten unasked, and no link is followed.
A file that could not be finished does not stay behind.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from inspector.errors import UsageError

TRIES: Final = 1000
LONGEST: Final = 100
"""Characters of a name that we make."""
_DEVICE: Final = re.compile(r"con|prn|aux|nul|(?:com|lpt)[0-9]")
"""Names that are no files on some systems, or on disks that are shared with them."""


def save_new(directory: Path, stem: str, extension: str, data: bytes) -> Path:
    """Writes `data` to a new file `stem[-n]extension` in `directory` and returns its path.

    Readable for the user only. Raises UsageError where it cannot be written.
    """
    name = re.sub(r"[^a-z0-9-]+", "-", stem.lower())[:LONGEST].strip("-") or "content"
    name = f"content-{name}" if _DEVICE.fullmatch(name) else name
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
            whole = False
            try:
                with os.fdopen(file, "wb") as opened:
                    opened.write(data)
                whole = True
            finally:
                if not whole:
                    with suppress(OSError):
                        os.unlink(chosen, dir_fd=folder)
            return place / chosen
    except OSError as error:
        raise UsageError(f"cannot save into {place}: {error.strerror}") from error
    finally:
        os.close(folder)
    raise UsageError(f"cannot save into {place}: there are {TRIES} such files already")


def write_pieces(path: Path, pieces: Iterable[bytes], *, replace: bool = False) -> None:
    """Writes a new file, readable for the user only, a piece at a time.

    With `replace` a file of that name gives way once the new one is whole. What is raised while
    the pieces are made leaves no file behind. UsageError where it cannot be written.
    """
    place = path.with_name(f".{path.name[:200]}.{os.getpid()}.part") if replace else path
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(place, flags, 0o600)
    except FileExistsError:
        raise UsageError(f"{place} exists already", hint="name another file") from None
    except (OSError, ValueError) as error:
        raise _unwritable(path, error) from None
    whole = False
    try:
        with os.fdopen(descriptor, "wb") as opened:
            for piece in pieces:
                try:
                    opened.write(piece)
                except OSError as error:
                    raise _unwritable(path, error) from None
            try:
                opened.flush()
            except OSError as error:
                raise _unwritable(path, error) from None
        if replace:
            try:
                os.replace(place, path)
            except OSError as error:
                raise _unwritable(path, error) from None
        whole = True
    finally:
        if not whole:
            with suppress(OSError):
                os.unlink(place)


def _unwritable(path: Path, error: OSError | ValueError) -> UsageError:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return UsageError(f"cannot write {path}: {why}")
