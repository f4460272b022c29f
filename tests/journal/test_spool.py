import os
import threading

from inspector.journal.spool import LONGEST_FIRST, Spool

SECONDS = 20.0


def _ended(spool: Spool) -> bool:
    for thread in threading.enumerate():
        if thread.name == "spool":
            thread.join(SECONDS)
    return spool.ended


def test_what_comes_through_a_pipe_is_in_the_file() -> None:
    ours, theirs = os.pipe()
    spool = Spool(ours)
    content = b"line\n" * 1000
    os.write(theirs, content)
    spool.first_line()
    os.close(theirs)
    assert _ended(spool)
    assert os.pread(spool.descriptor, len(content) + 1, 0) == content
    assert spool.problem == ""


def test_a_pipe_that_ends_without_a_line_is_waited_for_no_longer() -> None:
    ours, theirs = os.pipe()
    spool = Spool(ours)
    os.write(theirs, b"half")
    os.close(theirs)
    spool.first_line()
    assert _ended(spool)


def test_what_never_becomes_a_line_is_waited_for_no_longer() -> None:
    ours, theirs = os.pipe()
    spool = Spool(ours)
    for _ in range(LONGEST_FIRST // 1024 + 1):
        os.write(theirs, b"x" * 1024)
    spool.first_line()
    assert not spool.ended
    os.close(theirs)
    assert _ended(spool)


def test_a_full_disk_is_told() -> None:
    ours, theirs = os.pipe()
    spool = Spool(ours)
    full = os.open("/dev/full", os.O_WRONLY)
    os.dup2(full, spool.descriptor)
    os.write(theirs, b"line\n")
    os.close(theirs)
    assert _ended(spool)
    assert "No space left" in spool.problem
