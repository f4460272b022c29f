"""A process that has everything loaded and is forked for each run.

Reads jobs, one JSON object a line, and answers each with what became of it. A run has a home, a
directory for temporary files and a session of its own. Whatever it leaves behind comes to this
process, which is the subreaper of all, and is told as a survivor.
"""

import ctypes
import fcntl
import gc
import importlib
import json
import os
import signal
import sys
import tempfile
import termios
import threading
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.torture import sessions
from tests.torture.seam import Torture
from tests.torture.user import User

LOADED = (
    "inspector.cli.main", "inspector.cli.headless", "inspector.cli.running",
    "inspector.cli.linting", "inspector.cli.lint_report", "inspector.cli.lint_output",
    "inspector.workbench", "httpx",
    "inspector.transport.stdio", "inspector.transport.http_auto", "inspector.active_lint",
    "inspector.journal.loading", "inspector.export.html", "inspector.compare.recordings",
    "inspector.auth.authority", "inspector.tui.start", "inspector.tui.screens.main",
    "inspector.tui.screens.export", "inspector.tui.views.tools", "inspector.tui.views.registry",
)  # fmt: skip
"""Loaded once and for all runs."""
GRACE = 4.0
"""Seconds that what a run leaves behind has to end by itself."""


def main() -> None:
    """Serves stdin until it ends."""
    ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)
    for name in LOADED:
        importlib.import_module(name)
    gc.freeze()
    for line in sys.stdin:
        job = json.loads(line)
        print(json.dumps(_run(job)), flush=True)


def _run(job: dict[str, Any]) -> dict[str, Any]:
    home = Path(job["home"])
    report = home / ".report"
    user = User(job["steps"]) if job["steps"] else None
    pid = os.fork()
    if pid == 0:
        code = 71
        try:
            code = _child(job, home, report, user)
        except BaseException:  # noqa: BLE001 - the end of this process, which nobody else sees
            traceback.print_exc()
        finally:
            os._exit(code)
    ended = _ended(pid, job["seconds"], user)
    survivors = _survivors()
    told = json.loads(report.read_text()) if report.exists() else {"calls": [], "failed": "?"}
    return {
        "code": ended,
        "survivors": survivors,
        "terminal": user.end(home) if user is not None else [],
        "out": (home / ".out").read_bytes().decode("utf-8", "replace"),
        "err": (home / ".err").read_bytes().decode("utf-8", "replace"),
        **told,
    }


def _ended(pid: int, seconds: float, user: User | None) -> int | None:
    """The exit code; negative for a signal, None where it had to be killed."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if user is not None:
            user.look()
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.005)
    with suppress(OSError):
        os.kill(pid, signal.SIGUSR1)  # says where it stands
        time.sleep(0.3)
        os.killpg(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return None


def _survivors() -> list[str]:
    """What is still there after a while; it is ended."""
    deadline = time.monotonic() + GRACE
    while True:
        with suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                continue
        left = [
            int(pid)
            for children in Path("/proc/self/task").glob("*/children")
            for pid in children.read_text().split()
        ]
        if not left:
            return []
        if time.monotonic() > deadline:
            break
        time.sleep(0.02)
    told = []
    for pid in left:
        with suppress(OSError):
            told.append(Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:200])
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
    return told


def _child(job: dict[str, Any], home: Path, report: Path, user: User | None) -> int:
    import faulthandler

    os.setsid()
    if user is not None:
        user.let_go()
        fcntl.ioctl(user.end_of_program, termios.TIOCSCTTY, 0)
    os.chdir(home)
    os.environ.clear()
    os.environ.update(job["environ"])
    for number, name, flags in (
        (0, job.get("stdin") or os.devnull, os.O_RDONLY),
        (1, home / ".out", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        (2, home / ".err", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
    ):
        opened = os.open(name, flags, 0o600)
        os.dup2(opened if user is None else user.end_of_program, number)
        os.close(opened)
    sys.stdin, sys.stdout, sys.stderr = open(0), open(1, "w"), open(2, "w")  # noqa: SIM115
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr  # type: ignore[misc]
    tempfile.tempdir = None
    faulthandler.register(signal.SIGUSR1, all_threads=True)
    torture = Torture(at=job["at"], error=job["error"], forever=job["forever"])
    torture.install()
    try:
        code = sessions.SESSIONS[job["session"]].run(job["words"])
        gc.collect()
        threading._shutdown()  # type: ignore[attr-defined]  # as at the end of any program
    finally:
        torture.running = False
        for stream in (sys.stdout, sys.stderr):
            with suppress(OSError, ValueError):
                stream.flush()
        report.write_text(json.dumps({"calls": torture.calls, "failed": torture.failed}))
    return code


if __name__ == "__main__":
    main()
