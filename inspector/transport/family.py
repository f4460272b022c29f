"""Who descends from a process: its children and theirs, and those that left it.

Decides what counts as the same process (its number and the moment of its start) and reads the tree
from /proc; where there is none (no Linux) a family has no members. Who is ended, and when, is
`inspector.transport.process`.
"""

import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

HAS_TREE: Final = sys.platform == "linux"
_LIMIT: Final = 10_000
"""Processes looked at in one walk; a bomb must not keep us."""


class Member(NamedTuple):
    """One process: its number, and when it started, in ticks since the system did."""

    pid: int
    started: int

    @property
    def alive(self) -> bool:
        """Whether it is this one still, and no zombie."""
        facts = _facts(self.pid)
        return facts is not None and facts[1] == self.started and facts[0] not in "ZX"

    def send(self, number: int) -> None:
        """A signal to it, where it is there."""
        facts = _facts(self.pid)
        if facts is not None and facts[1] == self.started:
            with suppress(OSError):
                os.kill(self.pid, number)


def member(pid: int) -> Member | None:
    """The process with that number; None where there is none."""
    facts = _facts(pid)
    return Member(pid, facts[1]) if facts is not None else None


def children(pid: int) -> list[int]:
    """Its children, as Linux lists them; empty elsewhere."""
    found: list[int] = []
    with suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with suppress(OSError):
                found += map(int, Path(f"/proc/{pid}/task/{task}/children").read_text().split())
    return found


class Family:
    """The descendants of one process, also those seen once that have lost their parents since."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._seen: dict[int, Member] = {}

    def __contains__(self, pid: int) -> bool:
        known = self._seen.get(pid)
        return known is not None and known == member(pid)

    def adopt(self, pid: int) -> None:
        """This one belongs to it, whatever the tree says."""
        if (one := member(pid)) is not None:
            self._seen[pid] = one

    def look(self) -> None:
        """Takes in who has come, and forgets who has gone."""
        if not HAS_TREE:
            return
        self._seen = {pid: one for pid, one in self._seen.items() if one.alive}
        to_do = [self._pid, *self._seen]
        while to_do and len(self._seen) < _LIMIT:
            for pid in children(to_do.pop()):
                if pid not in self._seen and (one := member(pid)) is not None:
                    self._seen[pid] = one
                    to_do.append(pid)

    def outsiders(self) -> list[Member]:
        """Living members that a signal to the group does not reach."""
        return [one for one in self._seen.values() if one.alive and not _in_group(one, self._pid)]

    def send(self, number: int) -> list[Member]:
        """A signal to every outsider, and on with it where it is stopped; who they were."""
        outsiders = self.outsiders()
        for one in outsiders:
            one.send(number)
            one.send(signal.SIGCONT)
        return outsiders


def _in_group(one: Member, group: int) -> bool:
    try:
        return os.getpgid(one.pid) == group
    except OSError:
        return False


def _facts(pid: int) -> tuple[str, int] | None:
    """State and start; the name before them may hold anything, parentheses too."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
        return fields[0].decode(), int(fields[19])
    except (OSError, IndexError, ValueError):
        return None
