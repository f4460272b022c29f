"""Who descends from a process, also of those that left it."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from inspector.transport.family import HAS_TREE, Family, Member, children, member

pytestmark = pytest.mark.skipif(
    not HAS_TREE, reason="this system does not tell who descends from whom"
)

CODE = """
import os, sys, time
if os.fork() == 0:
    os.setsid()
    print(os.getpid(), flush=True)
    time.sleep(600)
sys.stdin.read()
"""


@pytest.fixture
def parent() -> Iterator["subprocess.Popen[str]"]:
    """A leader with a child that left its group."""
    command = [sys.executable, "-S", "-c", CODE]
    with subprocess.Popen(command, stdin=-1, stdout=-1, text=True, start_new_session=True) as one:
        yield one
        one.kill()


def child_of(parent: "subprocess.Popen[str]") -> int:
    """The pid that it told."""
    assert parent.stdout is not None
    return int(parent.stdout.readline())


def test_one_that_left_the_group_is_known_and_stays_so_without_its_parent(
    parent: "subprocess.Popen[str]",
) -> None:
    pid = child_of(parent)
    family = Family(parent.pid)
    assert family.outsiders() == []
    family.look()
    assert [one.pid for one in family.outsiders()] == [pid]
    parent.kill()
    parent.wait()
    assert children(parent.pid) == []
    family.look()
    assert pid in family
    assert [one.pid for one in family.send(signal.SIGKILL)] == [pid]
    end = time.monotonic() + 60
    while family.outsiders():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_another_process_with_the_same_number_is_no_member(
    parent: "subprocess.Popen[str]",
) -> None:
    pid = child_of(parent)
    family = Family(parent.pid)
    known = member(pid)
    assert known is not None
    family._seen[pid] = Member(pid, known.started - 1)
    assert pid not in family
    family.send(signal.SIGKILL)
    assert known.alive
    family.look()
    assert pid in family  # as itself: it descends from the leader
    family.send(signal.SIGKILL)


def test_who_has_gone_is_nobody() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", ""]) as gone:
        gone.wait()
    assert member(gone.pid) is None
    assert children(gone.pid) == []
    family = Family(gone.pid)
    family.adopt(gone.pid)
    family.look()
    assert family.outsiders() == []
