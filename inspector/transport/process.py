"""One child process and everything that descends from it: waiting for it, and ending all of it.

Decides how the end of a process is noticed and how its whole group is brought down, leader or no
leader, so that nothing of it is left. What travels through its pipes is `transport.stdio`.

Three things keep orphans away. The child leads its own group, which is signalled as a whole,
together with the descendants outside of it: on Linux we look at the tree again and again, and are
the subreaper of what descends from us, so that daemons come back to us. A guard, a `sh` that waits
for our end of a pipe to close and is told of descendants that left the group, ends all of them
when we are killed ourselves. What stays undone: a daemon that left everything within `LOOK_SECONDS`
before we are killed by SIGKILL.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

from inspector.transport.family import HAS_TREE, Family, Member, children, member

_POLL: Final = 0.01
"""Seconds between two looks at a group: nothing tells when a whole group is gone."""

_GUARD_SECONDS: Final = 0.5
"""How long a guard may take to go home."""
LOOK_SECONDS: Final = 0.5
"""Between two looks at who has left the group, of which the guard is told."""

_GUARD: Final = r"""
trap '' HUP INT TERM QUIT
born() {
  read -r facts 2>/dev/null </proc/$1/stat || return 1
  facts=${facts##*) }
  set -- $facts
  pgrp=$3
  shift 19
  start=$1
}
know() {
  case " $all " in *" $1:"*) return;; esac
  born $1 && all="$all $1:$start"
}
walk() {
  for tasks in /proc/$1/task/*/children; do
    kids=
    read -r kids 2>/dev/null <$tasks
    for kid in $kids; do
      case " $all " in *" $kid:"*) ;; *) know $kid && walk $kid;; esac
    done
  done
}
strike() {
  walk $group
  for one in $all; do walk ${one%%:*}; done
  kill -s $1 -- -$group
  for one in $all; do
    born ${one%%:*} && [ $start = ${one##*:} ] && [ $pgrp != $group ] && kill -s KILL ${one%%:*}
  done
}
group=$1
all=
while read -r word pid start; do
  case $word in
    done) exit 0;;
    also) all="$all $pid:$start";;
  esac
done
exec 2>/dev/null
strike TERM
strike CONT
sleep 1
strike KILL
strike KILL
exit 0
"""


class Child:
    """A started process as leader of its own process group, of which we see the end."""

    def __init__(self, process: "subprocess.Popen[bytes]", env: Mapping[str, str]) -> None:
        self.process = process
        self.pid = process.pid
        self.exited = asyncio.Event()
        self._env = env
        self._loop = asyncio.get_running_loop()
        self._pidfd: int | None = None
        self._family = Family(self.pid)
        self._guarded: set[Member] = set()
        self._looking = self._loop.call_later(LOOK_SECONDS, self._look_again)
        self._guard = _start_guard(self.pid)
        _become_subreaper()
        _living.add(self)
        try:
            self._watch()
        except RuntimeError:  # no thread can be started: what nobody watches must not run
            self.signal_group(signal.SIGKILL)
            process.wait()
            self.release()
            raise

    @property
    def exit_code(self) -> int | None:
        """The exit code; None while it runs and where a signal ended it."""
        code = self.process.returncode
        return code if code is not None and code >= 0 else None

    @property
    def signal_name(self) -> str:
        """The signal that ended it ("SIGSEGV"), or empty."""
        code = self.process.returncode
        return signal_name(-code) if code is not None and code < 0 else ""

    def describe_end(self) -> str:
        """How it ended, in words."""
        if not self.exited.is_set():
            return "still running"
        if self.signal_name:
            text = signal.strsignal(-self.process.returncode) or ""
            words = f" ({text.lower()})" if text and text != "Killed" else ""
            return f"killed by {self.signal_name}{words}"
        return f"exited with code {self.exit_code}"

    def said_end(self) -> str:
        """How it ended, as a clause: "the server was killed by SIGKILL"."""
        verb = "is" if not self.exited.is_set() else "was" if self.signal_name else ""
        return " ".join(("the server", verb, self.describe_end())).replace("  ", " ")

    async def wait(self, seconds: float) -> bool:
        """Whether the leader has ended within that time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.exited.wait()
        return self.exited.is_set()

    def signal_all(self, number: int) -> list[int]:
        """Signals every process of the group, and all that left it; the pids of those."""
        self.look()
        self.signal_group(number)
        return [one.pid for one in self._family.send(number)]

    def signal_group(self, number: int) -> bool:
        """Signals every process of the group; False where there is none left."""
        try:
            os.killpg(self.pid, number)
        except ProcessLookupError:
            return False
        except PermissionError:  # macOS says so of a group of zombies
            return False
        return True

    def group_alive(self) -> bool:
        """Whether any process of the group is left, the leader or another one."""
        if not self.exited.is_set():
            return True
        self._reap()
        return self.signal_group(_NO_SIGNAL)

    def outsiders(self) -> list[int]:
        """The living descendants that are not in the group."""
        self.look()
        return [one.pid for one in self._family.outsiders()]

    async def wait_all(self, seconds: float) -> bool:
        """Whether the group and all that left it have gone within that time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.exited.wait()
                while True:
                    if not self.group_alive() and not self.outsiders():
                        return True
                    await asyncio.sleep(_POLL)
        return not self.group_alive() and not self.outsiders()

    def look(self) -> None:
        """Who has come, who has gone. Orphans of ours are taken in, and the guard is told."""
        for pid in children(os.getpid()) if HAS_TREE else ():
            if pid in self._family:
                with contextlib.suppress(OSError):  # it came back to us, and may have ended
                    os.waitpid(pid, os.WNOHANG)
            elif (orphan := self._orphan(pid)) is not None:
                if self._is_mine(pid):
                    self._family.adopt(pid)
                else:  # when we are killed it makes no difference whose it is
                    self._guard_also(orphan)
        self._family.look()
        for one in self._family.outsiders():
            self._guard_also(one)

    def _guard_also(self, one: Member) -> None:
        if one not in self._guarded:
            self._guarded.add(one)
            self._tell_guard(f"also {one.pid} {one.started}\n")

    def release(self) -> None:
        """Sends the guard home and lets go of the process table; for when all is over."""
        self._looking.cancel()
        self._stop_watching()
        _living.discard(self)
        if not _living:  # whatever could have been another one's as well
            self.look()
            self._family.send(signal.SIGKILL)
        if self._guard is not None and self._guard.stdin is not None:
            self._tell_guard("done\n")
            self._guard.stdin.close()
            try:
                self._guard.wait(_GUARD_SECONDS)
            except subprocess.TimeoutExpired:  # somebody stopped it
                self._guard.kill()
                self._guard.wait()

    def _look_again(self) -> None:
        self.look()
        self._looking = self._loop.call_later(LOOK_SECONDS, self._look_again)

    def _tell_guard(self, words: str) -> None:
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.write(words.encode())

    def _watch(self) -> None:
        if hasattr(os, "pidfd_open"):
            with contextlib.suppress(OSError):
                self._pidfd = os.pidfd_open(self.pid)
                self._loop.add_reader(self._pidfd, self._look)
                return
        threading.Thread(target=self._wait_in_thread, name="exit-watch", daemon=True).start()

    def _look(self) -> None:
        if self.process.poll() is not None:
            self._stop_watching()
            self.exited.set()

    def _wait_in_thread(self) -> None:
        self.process.wait()
        with contextlib.suppress(RuntimeError):  # the loop is gone, and with it who cares
            self._loop.call_soon_threadsafe(self.exited.set)

    def _stop_watching(self) -> None:
        if self._pidfd is not None:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = None

    def _reap(self) -> None:
        """Collects members of the group that came back to us as their subreaper."""
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self.pid, os.WNOHANG)[0]:
                continue

    def _orphan(self, pid: int) -> Member | None:
        """A child of ours that we did not start, but this server or another one; else None."""
        one = member(pid)
        if one is None or not one.alive:
            return None
        try:
            if os.getpgid(pid) in (os.getpgrp(), *(child.pid for child in _living)):
                return None
        except OSError:
            return None
        env = _environment(pid)
        withheld = [name for name in os.environb if os.fsdecode(name) not in self._env]
        if not withheld or (env is not None and any(name in env for name in withheld)):
            return None  # started by us with all that we have, as the validator is
        # One that hides where it comes from can be nobody else's, unless a browser was opened.
        return one if self._carries(env) or not _OPENED else None

    def _is_mine(self, pid: int) -> bool:
        """Of several living servers that it could come from the last one to end answers for it,
        since nothing tells whose it is."""
        others = [child for child in _living if child is not self]
        if any(pid in child._family for child in others):
            return False
        if self._carries(_environment(pid)):
            return all(other._env != self._env for other in others)
        return not others

    def _carries(self, env: dict[bytes, bytes] | None) -> bool:
        given = {os.fsencode(name): os.fsencode(value) for name, value in self._env.items()}
        return env is not None and all(env.get(name) == value for name, value in given.items())


_living: Final[set[Child]] = set()
_OPENED: Final[list[str]] = []
"""Programs of the user's that were started beside the servers, and go on without us."""
_NO_SIGNAL: Final = 0


def spare(program: str) -> None:
    """From now on a process that hides where it comes from may be one of this program's."""
    _OPENED.append(program)


def ladder(patience: float) -> tuple[tuple[signal.Signals, float], ...]:
    """The signals in turn, and the seconds after each. Whoever was not known before the first
    SIGKILL, since its parent was not gone yet, gets another."""
    kill = signal.SIGKILL
    return ((signal.SIGTERM, patience), (kill, 1.0), (kill, 0.2), (kill, 0.2))


def end_at_once() -> None:
    """No patience any more: every server and all that descends from it is killed now. Those who
    wait for their ends go on by themselves."""
    for child in tuple(_living):
        child.signal_all(signal.SIGKILL)


def signal_name(number: int) -> str:
    """ "SIGKILL" for 9, "signal 99" for what has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start_guard(group: int) -> "subprocess.Popen[bytes] | None":
    try:
        guard = subprocess.Popen(
            ("/bin/sh", "-c", _GUARD, "mcp-inspect-guard", str(group)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError:
        return None
    assert guard.stdin is not None
    os.set_blocking(guard.stdin.fileno(), False)  # nobody waits for it, whatever was done to it
    return guard


@cache
def _become_subreaper() -> None:
    """Linux: orphans among our descendants become our children (PR_SET_CHILD_SUBREAPER)."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def _environment(pid: int) -> dict[bytes, bytes] | None:
    """None where we may not read it."""
    try:
        raw = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return None
    return dict(pair.partition(b"=")[::2] for pair in raw.split(b"\0") if pair)
