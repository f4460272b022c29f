"""How many recordings stay in the state directory: the oldest go first, none that is in use.

In use is a file whose lock somebody holds: a running inspection, or one that has it open.
"""

import fcntl
import os
import re
import stat
from pathlib import Path
from secrets import token_hex
from time import gmtime, strftime
from typing import Final

from inspector.config.paths import foreign_link

FILES_KEPT: Final = 50
BYTES_KEPT: Final = 2 * 1024**3

_OURS: Final = re.compile(r"[0-9]{8}T[0-9]{6}Z-[0-9]+-[0-9a-f]{8}\.jsonl")


def private_directory(path: Path) -> None:
    """Makes sure of a directory that nobody else can look into. OSError (PermissionError where it
    belongs to somebody else) where that cannot be."""
    if foreign_link(path) is not None:
        raise PermissionError(1, "a link that another user made leads there", str(path))
    for missing in (*reversed(path.parents), path):  # `parents=True` would follow the umask
        if not missing.exists():
            missing.mkdir(mode=0o700, exist_ok=True)
    facts = path.stat()
    if facts.st_uid != os.geteuid():
        raise PermissionError(1, "it belongs to another user", str(path))
    if stat.S_IMODE(facts.st_mode) & 0o077:
        path.chmod(0o700)


def new_name(directory: Path, wall: float) -> Path:
    """A name for a recording that begins now; names sort by time."""
    stamp = strftime("%Y%m%dT%H%M%SZ", gmtime(wall))
    return directory / f"{stamp}-{os.getpid()}-{token_hex(4)}.jsonl"


def recordings(directory: Path) -> list[Path]:
    """Our recordings in a directory, the one that was written to last at the end."""
    return [path for _, _, path in _found(directory)]


def _found(directory: Path) -> list[tuple[float, int, Path]]:
    """When each recording was written to last, its size, and its path; ascending."""
    found: list[tuple[float, int, Path]] = []
    try:
        paths = list(directory.iterdir())
    except FileNotFoundError:
        return []
    for path in paths:
        if not _OURS.fullmatch(path.name):
            continue
        try:
            facts = path.lstat()
        except OSError:
            continue
        if stat.S_ISREG(facts.st_mode):
            found.append((facts.st_mtime, facts.st_size, path))
    return sorted(found)


def prune(
    directory: Path, *, files_kept: int = FILES_KEPT, bytes_kept: int = BYTES_KEPT
) -> list[Path]:
    """Removes the oldest recordings until a new one fits the limits. Returns what went; what
    cannot be removed stays, without an error."""
    found = _found(directory)
    files, size, gone = len(found), sum(item[1] for item in found), []
    for _, length, path in found:
        if files < files_kept and size <= bytes_kept:
            break
        if _remove_unused(path):
            gone.append(path)
            files -= 1
            size -= length
    return gone


def _remove_unused(path: Path) -> bool:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink()
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
