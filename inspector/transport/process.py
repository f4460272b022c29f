"""One child process and everything that descends from it: waiting for it, and ending all of it.

Decides how the end of a process is noticed and how its whole group is brought down, leader or no
leader, so that nothing of it is left. What travels through its pipes is `transport.stdio`.

Three things keep orphans away. The child leads its own group, which is signalled as a whole. A
guard, a `sh` that does nothing but wait for our end of a pipe to close, kills that group when we
are killed ourselves. And on Linux we are the subreaper of what descends from us, so that processes
that left the group (daemons) come back to us and are found at the end. What stays undone: when we
are killed by SIGKILL ourselves, daemons that left the group survive, since the guard knows only the
group.
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

_POLL: Final = 0.01
"""Seconds between two looks at a group: nothing tells when a whole group is gone."""

_GUARD: Final = (
    'read -r word || { kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"; } 2>/dev/null; exit 0'
)


class Child:
    """A started process as leader of its own process group, of which we see the end."""

    def __init__(self, process: "subprocess.Popen[bytes]", env: Mapping[str, str]) -> None:
        self.process = process
        self.pid = process.pid
        self.exited = asyncio.Event()
        self._env = env
        self._loop = asyncio.get_running_loop()
        self._pidfd: int | None = None
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

    async def wait_group(self, seconds: float) -> bool:
        """Whether the whole group has gone within that time."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self.exited.wait()
                while True:
                    if not self.group_alive():
                        return True
                    await asyncio.sleep(_POLL)
        return not self.group_alive()

    async def end_daemons(self, seconds: float) -> list[int]:
        """Ends processes that descend from this child but left its group; those it found."""
        found: list[int] = []
        for _ in range(_DAEMON_ROUNDS):
            daemons = [pid for pid in _adopted() if self._is_daemon(pid)]
            if not daemons:
                break
            found.extend(pid for pid in daemons if pid not in found)
            await _end_all(daemons, seconds)
        return found

    def release(self) -> None:
        """Sends the guard home and lets go of the process table; for when all is over."""
        self._stop_watching()
        _living.discard(self)
        if self._guard is not None and self._guard.stdin is not None:
            with contextlib.suppress(OSError):
                self._guard.stdin.write(b"done\n")
            self._guard.stdin.close()
            self._guard.wait()

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

    def _is_daemon(self, pid: int) -> bool:
        """Whether an adopted process comes from this child: it carries the child's environment
        and nothing of ours that was withheld from it (as a browser we opened would).

        Of several living children with the same environment the last one to end answers for
        all daemons, since nothing tells whose they are.
        """
        if any(other is not self and other._env == self._env for other in _living):
            return False
        try:
            group = os.getpgid(pid)
            raw = Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:
            return False
        if group in (os.getpgrp(), *(child.pid for child in _living)):
            return False
        env = dict(pair.partition(b"=")[::2] for pair in raw.split(b"\0") if pair)
        given = {os.fsencode(name): os.fsencode(value) for name, value in self._env.items()}
        withheld = [name for name in os.environb if name not in given]
        return (
            bool(withheld)
            and all(env.get(name) == value for name, value in given.items())
            and not any(name in env for name in withheld)
        )


_living: Final[set[Child]] = set()
_NO_SIGNAL: Final = 0
_DAEMON_ROUNDS: Final = 5


def signal_name(number: int) -> str:
    """ "SIGKILL" for 9, "signal 99" for what has no name."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _start_guard(group: int) -> "subprocess.Popen[bytes] | None":
    try:
        return subprocess.Popen(
            ("/bin/sh", "-c", _GUARD, "mcp-inspect-guard", str(group)),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            start_new_session=True,
        )
    except OSError:
        return None


@cache
def _become_subreaper() -> None:
    """Linux: orphans among our descendants become our children (PR_SET_CHILD_SUBREAPER)."""
    if sys.platform != "linux":
        return
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def _adopted() -> list[int]:
    """Our children, as Linux lists them; empty elsewhere."""
    found: list[int] = []
    tasks = Path("/proc/self/task")
    with contextlib.suppress(OSError):
        for task in os.listdir(tasks):
            with contextlib.suppress(OSError):
                found.extend(int(pid) for pid in (tasks / task / "children").read_text().split())
    return found


async def _end_all(pids: list[int], seconds: float) -> None:
    for number, patience in ((signal.SIGTERM, seconds), (signal.SIGKILL, 1.0)):
        for pid in pids:
            with contextlib.suppress(OSError):
                os.kill(pid, number)
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while True:
                    if _gone(pids):
                        return
                    await asyncio.sleep(_POLL)


def _gone(pids: list[int]) -> bool:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.waitpid(pid, os.WNOHANG)
        with contextlib.suppress(OSError):
            os.kill(pid, 0)
            return False
    return True
