"""The calls that may fail: wrapped, counted, and made to fail.

Decides what counts: a call to the operating system that this program, or a library on its behalf,
makes while a session runs. What modules need to be imported does not pass through here.
"""

import builtins
import errno
import fcntl
import io
import os
import selectors
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Final

OPENED: Final = ("EMFILE", "EACCES", "ENOSPC", "EIO")
WRITTEN: Final = ("ENOSPC", "EIO")
LOOKED: Final = ("EACCES", "EIO")
MADE: Final = ("EMFILE",)
STARTED: Final = ("EAGAIN", "ENOMEM", "EMFILE", "EACCES")
SENT: Final = ("ECONNRESET", "ETIMEDOUT", "ENETUNREACH")

# No `os.read`: what is read that way are pipes, which do not fail, and a terminal, whose end is
# tried by itself.
_SEAMS: Final[tuple[tuple[Any, str, tuple[str, ...]], ...]] = (
    (builtins, "open", OPENED),
    (io, "open", OPENED),
    (os, "open", OPENED),
    (os, "fdopen", ("EMFILE",)),
    (os, "write", WRITTEN),
    (os, "writev", WRITTEN),
    (os, "pread", ("EIO",)),
    (os, "fsync", WRITTEN),
    (os, "ftruncate", WRITTEN),
    (os, "replace", ("ENOSPC", "EACCES", "EIO")),
    (os, "rename", ("ENOSPC", "EACCES", "EIO")),
    (os, "link", ("ENOSPC", "EACCES")),
    (os, "unlink", ("EACCES", "EIO")),
    (os, "rmdir", ("EACCES", "EIO")),
    (os, "mkdir", ("ENOSPC", "EACCES", "EIO")),
    (os, "chmod", ("EPERM", "EIO")),
    (os, "fchmod", ("EPERM", "EIO")),
    (os, "fstat", ("EIO",)),
    (os, "stat", LOOKED),
    (os, "lstat", LOOKED),
    (os, "listdir", LOOKED),
    (os, "scandir", LOOKED),
    (os, "dup", MADE),
    (os, "pipe", MADE),
    (os, "pidfd_open", MADE),
    (os, "getcwd", ("ENOENT", "EACCES")),
    (fcntl, "flock", ("ENOLCK", "EIO")),
    (tempfile, "mkstemp", OPENED),
    (subprocess.Popen, "__init__", STARTED),
    (selectors.DefaultSelector, "__init__", MADE),
    (socket, "socketpair", MADE),
    (socket.socket, "__init__", MADE),
    (socket.socket, "bind", ("EADDRINUSE", "EACCES")),
    (socket.socket, "listen", ("EADDRINUSE",)),
    (socket.socket, "connect", SENT),
    (socket.socket, "accept", ("EMFILE", "ECONNABORTED")),
    (socket.socket, "recv", ("ECONNRESET", "ETIMEDOUT")),
    (socket.socket, "send", ("ECONNRESET", "EPIPE")),
    (threading.Thread, "start", ("thread",)),
)


_WAKING: Final = ("_read_from_self", "_write_to_self")
"""A loop's bytes to itself: no peer, and nothing that may fail."""


@dataclass
class Torture:
    """`calls` are the calls so far, by name. The call number `at` fails with `error`; with
    `forever` so does each later one that can."""

    at: int = 0
    error: int = 0
    """Which of the errors that the call can have, counted on over their number."""
    forever: bool = False
    calls: list[str] = field(default_factory=list)
    failed: str = ""
    label: str = ""
    running: bool = False
    _inside: set[int] = field(default_factory=set)

    def install(self) -> None:
        """From now on every call passes through here."""
        for holder, name, errors in _SEAMS:
            if hasattr(holder, name):
                setattr(holder, name, self._wrapped(getattr(holder, name), holder, name, errors))
        self.running = True

    def _wrapped(
        self, real: Callable[..., Any], holder: Any, name: str, errors: tuple[str, ...]
    ) -> Callable[..., Any]:
        label = f"{getattr(holder, '__name__', holder)}.{name}"

        def call(*words: Any, **more: Any) -> Any:
            me = threading.get_ident()
            if not self.running or me in self._inside or not _ours():
                return real(*words, **more)
            self._inside.add(me)  # what a call calls is a part of it
            try:
                self.calls.append(label)
                here = len(self.calls)
                if here == self.at or (self.forever and here > self.at and label == self.label):
                    self.label = label
                    word = errors[self.error % len(errors)]
                    self.failed = f"call {here} {label} {word}"
                    raise _error(word)
                return real(*words, **more)
            finally:
                self._inside.discard(me)

        return call


def _error(word: str) -> Exception:
    if word == "thread":
        return RuntimeError("can't start new thread")
    number = getattr(errno, word)
    return OSError(number, os.strerror(number))


def _ours() -> bool:
    """Whether the call is made by this program and not by whoever imports a module."""
    frame: FrameType | None = sys._getframe(2)
    found = False
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith("<frozen importlib") or frame.f_code.co_name in _WAKING:
            return False
        found = found or "/inspector/" in name
        frame = frame.f_back
    return found
