"""Where named texts are kept privately: in memory, or in files that only their owner can read.

A shelf knows nothing of what the texts mean. The keyring is `keyring_shelf`; which shelf is used,
and what happens to a text that is no longer whole, is decided in `store`.
"""

import fcntl
import os
import stat
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Final, Protocol

from inspector.config.paths import private_dir, write_private
from inspector.errors import InspectorError

LOCK_SECONDS: Final = 10.0
"""How long another process may hold the lock; it does so for a few milliseconds."""

_LONGEST: Final = 1 << 20
_SUFFIX: Final = ".json"


class Shelf(Protocol):
    """Named texts. Names are made by `records` and are safe as file names."""

    place: str
    """Where the texts are, in words for a person."""

    def get(self, name: str) -> str | None:
        """The text; None where there is none. Raises InspectorError where it cannot be read or
        must not be believed."""

    def put(self, name: str, text: str) -> None:
        """Keeps a text, wholly or not at all. Raises InspectorError."""

    def remove(self, name: str) -> bool:
        """Deletes a text; whether there was one. Raises InspectorError."""

    def names(self) -> tuple[str, ...]:
        """The names of what is kept. Raises InspectorError."""

    def locked(self) -> AbstractContextManager[None]:
        """While this is held no other process changes anything. Raises InspectorError."""


class MemoryShelf:
    """Texts that end with the process."""

    place = "memory only, until this program ends"

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def get(self, name: str) -> str | None:
        """The text; None where there is none."""
        return self._texts.get(name)

    def put(self, name: str, text: str) -> None:
        """Keeps a text."""
        self._texts[name] = text

    def remove(self, name: str) -> bool:
        """Deletes a text; whether there was one."""
        return self._texts.pop(name, None) is not None

    def names(self) -> tuple[str, ...]:
        """The names of what is kept."""
        return tuple(self._texts)

    def locked(self) -> AbstractContextManager[None]:
        """Nobody else sees this memory."""
        return nullcontext()


class FileShelf:
    """A file of mode 0600 for each text, in a directory of mode 0700.

    Files are replaced atomically. A link, a file of somebody else, and one that others may read or
    write is refused: its text may be known to others, or come from them.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.place = f"{folder} (files that only you can read)"

    def get(self, name: str) -> str | None:
        """The text of a file."""
        path = self._path(name)
        try:
            handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        except OSError as error:
            if path.is_symlink():
                raise _refused(path, "it is a link") from None
            raise _refused(path, error.strerror or "it cannot be opened") from None
        try:
            if why := _distrust(os.fstat(handle)):
                raise _refused(path, why)
            with os.fdopen(handle, "rb", closefd=False) as file:
                content = file.read(_LONGEST + 1)
        except OSError as error:
            raise _refused(path, error.strerror or "it cannot be read") from None
        finally:
            os.close(handle)
        if len(content) > _LONGEST:
            raise _refused(path, "it is too long")
        return content.decode("ascii", "replace")

    def put(self, name: str, text: str) -> None:
        """Writes the file anew, beside the old one, and puts it in its place."""
        write_private(self._path(name), text.encode("ascii"))

    def remove(self, name: str) -> bool:
        """Deletes the file, and what a killed process left of writing it."""
        path = self._path(name)
        for left in self._folder.glob(f".{path.name}.*"):
            with suppress(OSError):
                left.unlink()
        try:
            path.unlink()
        except FileNotFoundError:
            return False
        except OSError as error:
            raise InspectorError(
                f"cannot delete {path}: {error.strerror}", kind="store", fault="config"
            ) from None
        return True

    def names(self) -> tuple[str, ...]:
        """The names of the files; none where the directory is not there or cannot be read."""
        try:
            found = sorted(path.name for path in self._folder.iterdir())
        except OSError:
            return ()
        return tuple(
            name.removesuffix(_SUFFIX)
            for name in found
            if name.endswith(_SUFFIX) and not name.startswith(".")
        )

    def locked(self) -> AbstractContextManager[None]:
        """A lock on a file of that directory."""
        return lock(self._folder)

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}{_SUFFIX}"


@contextmanager
def lock(folder: Path, seconds: float = LOCK_SECONDS) -> Iterator[None]:
    """Holds the lock of `folder`, which ends with the process at the latest.

    Raises InspectorError where another process has it for `seconds`.
    """
    path = private_dir(folder) / "lock"
    try:
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise InspectorError(
            f"cannot lock {path}: {error.strerror}", kind="store", fault="config"
        ) from None
    try:
        _acquire(handle, path, time.monotonic() + seconds)
        yield
    finally:
        os.close(handle)


def _acquire(handle: int, path: Path, deadline: float) -> None:
    while True:
        try:
            return fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise InspectorError(
                    f"another process holds {path}",
                    hint="end it, or add --no-store",
                    kind="store",
                    fault="config",
                ) from None
        except OSError as error:  # a file system without locks
            raise InspectorError(
                f"cannot lock {path}: {error.strerror}", kind="store", fault="config"
            ) from None
        time.sleep(0.01)


def _distrust(facts: os.stat_result) -> str:
    """Why a file of ours cannot be this one; "" where it can."""
    if not stat.S_ISREG(facts.st_mode):
        return "it is no file"
    if facts.st_uid != os.getuid():
        return "it belongs to another user"
    mode = stat.S_IMODE(facts.st_mode)
    return f"others may use it (mode {mode:04o})" if mode & 0o077 else ""


def _refused(path: Path, why: str) -> InspectorError:
    return InspectorError(
        f"{path} is not used: {why}",
        hint="delete it and log in again",
        kind="store",
        fault="config",
    )
