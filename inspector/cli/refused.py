"""What the machine refused us: no more descriptors, threads, memory or room, a disk that fails.

Decides which exceptions are no fault of this program, nor of a server, so that they are told like
any other failure and are no crash. Most of them are worded where they happen; these are the rest.
"""

import errno
import os
import re
from typing import Final

from inspector.errors import InspectorError

_HINTS: Final = {
    errno.EMFILE: "raise the limit of open files (ulimit -n), or close something",
    errno.ENFILE: "the whole system has too many files open; close something",
    errno.ENOMEM: "close something, or raise the limit (ulimit -v)",
    errno.EAGAIN: "raise the limit of processes (ulimit -u), or close something",
    errno.ENOSPC: "make room on the disk",
    errno.EDQUOT: "make room: the quota is used up",
    errno.EROFS: "",
    errno.EIO: "look at the disk: dmesg tells more",
    errno.EACCES: "",
    errno.EPERM: "",
    errno.ENOLCK: "",
}
_NO_THREAD: Final = re.compile("start new thread|thread before it is started")


def refused(error: BaseException) -> InspectorError | None:
    """The failure to tell where the machine is at fault for all of `error`, a group included; None
    where this program may be."""
    if isinstance(error, BaseExceptionGroup):
        told = [refused(one) for one in error.exceptions]
        return told[0] if all(told) else None
    if isinstance(error, InspectorError):
        return error
    if isinstance(inner := getattr(error, "error", None), BaseException):  # of a failed worker
        return refused(inner)
    if isinstance(error, MemoryError):
        return _failure("there is no memory left", _HINTS[errno.ENOMEM])
    if isinstance(error, RuntimeError) and _NO_THREAD.search(str(error)):
        return _failure("no thread can be started", _HINTS[errno.EAGAIN])
    if isinstance(error, FileNotFoundError) and error.filename is None:  # of os.getcwd alone
        return _failure("the current directory does not exist any more", "go to another one")
    if not isinstance(error, OSError) or error.errno not in _HINTS:
        return None
    where = f": {os.fsdecode(error.filename)}" if isinstance(error.filename, str | bytes) else ""
    return _failure(f"{error.strerror or os.strerror(error.errno)}{where}", _HINTS[error.errno])


def _failure(what: str, hint: str) -> InspectorError:
    return InspectorError(
        f"the system refused what was needed: {what}", hint=hint, kind="system", fault="config"
    )
