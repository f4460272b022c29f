"""What the machine refuses is told as that; what may be our fault is not."""

import errno
import os

import pytest

from inspector.cli.output import exit_code_of
from inspector.cli.refused import refused
from inspector.errors import ConnectionFailed


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.EMFILE, os.strerror(errno.EMFILE)),
        PermissionError(errno.EACCES, "Permission denied", "/etc/shadow"),
        MemoryError(),
        RuntimeError("can't start new thread"),
        FileNotFoundError(errno.ENOENT, "No such file or directory"),
        BaseExceptionGroup("both", [OSError(errno.EIO, "bad"), ConnectionFailed("gone")]),
    ],
)
def test_it_is_a_failure_with_a_kind_and_no_crash(error: BaseException) -> None:
    failure = refused(error)
    assert failure is not None
    assert failure.kind == "system"
    assert exit_code_of(failure) == 3


@pytest.mark.parametrize(
    "error",
    [
        ValueError("x"),
        RuntimeError("no running event loop"),
        OSError(errno.EBADF, "Bad file descriptor"),
        FileNotFoundError(errno.ENOENT, "No such file", "x"),
        OSError("nothing"),
        BaseExceptionGroup("both", [OSError(errno.EIO, "bad"), KeyError("ours")]),
    ],
)
def test_what_may_be_our_fault_stays_a_crash(error: BaseException) -> None:
    assert refused(error) is None


def test_what_a_worker_failed_of_counts() -> None:
    class WorkerFailed(Exception):
        error = RuntimeError("can't start new thread")

    assert refused(WorkerFailed("Worker raised exception")) is not None


def test_the_file_is_named() -> None:
    failure = refused(PermissionError(errno.EACCES, "Permission denied", "/etc/x"))
    assert failure is not None
    assert failure.message.endswith("Permission denied: /etc/x")
