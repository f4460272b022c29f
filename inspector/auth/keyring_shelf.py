"""The user's keyring as a shelf, and which keyrings deserve the name.

`keyring` and its backends are imported when this module is first used, never before. A backend
that keeps plain text, one that keeps nothing and one that only fails are no keyrings to us.
"""

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final

from inspector.auth.shelf import lock
from inspector.errors import InspectorError

if TYPE_CHECKING:
    from keyring.backend import KeyringBackend

SERVICE: Final = "mcp-inspect"
INDEX: Final = "index"
"""The account that lists the others, since a keyring cannot be asked for them."""

_NO_KEYRINGS: Final = ("keyring.backends.fail", "keyring.backends.null", "keyrings.alt")
_TELLING: Final = frozenset({"KeyringLocked", "NoKeyringError", "PasswordSetError", "InitError"})
"""keyring's own errors, whose texts are a library's words and codes."""
_LONGEST: Final = 300
_GOOD: Final = 1
"""The priority from which on keyring itself recommends a backend."""


class KeyringShelf:
    """Texts as passwords of the service `mcp-inspect`."""

    def __init__(self, backend: "KeyringBackend", folder: Path) -> None:
        self._backend = backend
        self._folder = folder
        self.place = f"your keyring ({backend.name})"

    def get(self, name: str) -> str | None:
        """The password of an account."""
        with _Asking("cannot be read"):
            return self._backend.get_password(SERVICE, name)

    def put(self, name: str, text: str) -> None:
        """Sets the password of an account; the index knows of it first."""
        names = self.names()
        if name not in names:
            self._set(INDEX, "\n".join((*names, name)))
        self._set(name, text)

    def remove(self, name: str) -> bool:
        """Deletes an account."""
        there = self.get(name) is not None
        if there:
            with _Asking("did not delete what it keeps"):
                self._backend.delete_password(SERVICE, name)
        names = self.names()
        if name in names:
            self._set(INDEX, "\n".join(other for other in names if other != name))
        return there

    def names(self) -> tuple[str, ...]:
        """The accounts in the index."""
        return tuple(dict.fromkeys((self.get(INDEX) or "").split()))

    def locked(self) -> AbstractContextManager[None]:
        """A lock on a file: keyrings have none."""
        return lock(self._folder)

    def _set(self, name: str, text: str) -> None:
        with _Asking("did not keep it", secret=True):
            self._backend.set_password(SERVICE, name, text)


def find_keyring() -> "KeyringBackend | None":
    """The user's keyring; None where there is none that keeps secrets secret.

    Raises InspectorError where the one that the user configured cannot be loaded.
    """
    with _Asking("cannot be loaded"):
        import keyring

        found = keyring.get_keyring()
        chained = getattr(found, "backends", None)  # of keyring's chainer
        return _first_good(chained if isinstance(chained, Iterable) else (found,))


def _first_good(backends: "Iterable[KeyringBackend]") -> "KeyringBackend | None":
    for backend in backends:
        if not type(backend).__module__.startswith(_NO_KEYRINGS) and backend.priority >= _GOOD:
            return backend
    return None


class _Asking:
    """Around a question to a backend. Backends raise what they like (those of D-Bus, say, errors
    of three libraries), so whatever comes out is the keyring's failure. Where a secret was handed
    over, only the texts of keyring's own errors are told."""

    def __init__(self, what: str, *, secret: bool = False) -> None:
        self._what = what
        self._secret = secret

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _: type[BaseException] | None, error: BaseException | None, __: TracebackType | None
    ) -> None:
        if not isinstance(error, Exception) or isinstance(error, InspectorError):
            return
        why = type(error).__name__
        if not self._secret or why in _TELLING:
            why = str(error)[:_LONGEST] or why
        raise InspectorError(
            f"your keyring {self._what}: {why}",
            hint="unlock it and try again, or add --no-store to keep tokens in memory only",
            kind="store",
            fault="config",
        ) from None
