"""Programs in Python that are born loaded: a fork of a process that has imported what they need.

`born(…)` gives the words that start such a program. They start `newborn.py`, which hands its
directory, environment and standard streams to the nursery, passes signals on, and ends as the
program does; whoever ends it, ends the program. A start costs 20 ms of CPU in place of 200 (the
inspector) to 1300 (a server). One nursery serves all workers of a test run.
"""

import array
import atexit
import contextlib
import fcntl
import gc
import io
import os
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import traceback
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import Final

ROOT: Final = Path(__file__).parents[2]
NEWBORN: Final = Path(__file__).with_name("newborn.py")
ROOM: Final = "NURSERY_OF_TESTS"
"""The variable with the directory of this run's nurseries, and the process that made it."""
INSPECTOR: Final = (
    "inspector.cli.main", "inspector.cli.headless", "inspector.cli.running",
    "inspector.cli.linting", "inspector.cli.lint_output", "inspector.cli.lint_formats",
    "inspector.export.formats", "inspector.compare.recordings", "inspector.render.comparison",
    "inspector.lint.catalog", "inspector.transport.http_auto", "inspector.transport.http_modern",
    "inspector.transport.stdio", "inspector.workbench", "inspector.forms.validate",
    "inspector.forms.cli_args", "inspector.cli.consent", "inspector.config.report",
    "concurrent.futures.thread", "ctypes", "rich.console", "rich.table", "httpx",
)  # fmt: skip
SERVERS: Final = (
    "inspector.demo.server", "mcp.server.mcpserver", "fastmcp.server.server",
    "fastmcp.server.sessions", "fastmcp.server.middleware.dereference", "fastmcp.utilities.cli",
    "fastmcp.server.transforms.catalog", "fastmcp.utilities.version_check", "key_value.aio",
    "anyio._backends._asyncio", "anyio.streams.tls", "anyio.streams.stapled", "uvicorn",
    "uvicorn.loops.auto", "uvicorn.lifespan.on", "uvicorn.protocols.http.auto",
    "uvicorn.protocols.websockets.auto",
)  # fmt: skip
LOADED: Final = {"inspector": INSPECTOR, "servers": SERVERS}


def open_room() -> None:
    """Makes the directory, in the first process of a test run."""
    if ROOM not in os.environ and sys.platform == "linux":
        made = tempfile.mkdtemp(prefix="nursery-")
        os.environ[ROOM] = f"{os.getpid()}:{made}"
        atexit.register(rmtree, made, ignore_errors=True)


def born(kind: str, *words: str) -> tuple[str, ...]:
    """What starts `python WORDS` (`-m MODULE …` or `SCRIPT …`) with all that `kind` has loaded."""
    keeper, _, folder = os.environ.get(ROOM, "").partition(":")
    if not folder:
        return (sys.executable, *words)
    with open(Path(folder, f"{kind}.lock"), "a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        lock.seek(0)
        if not lock.read():
            _open(kind, int(keeper), folder)
            lock.write("open")
    return (sys.executable, "-I", "-S", str(NEWBORN), str(Path(folder, kind)), *words)


def _open(kind: str, keeper: int, folder: str) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(Path(folder, kind)))
        listening.listen(100)  # who comes before everything is loaded waits
        subprocess.Popen(
            [sys.executable, "-m", "tests.servers.nursery", kind, str(listening.fileno()),
             str(keeper)],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            pass_fds=(listening.fileno(),),
            cwd=ROOT,
            env={**os.environ, "HOME": folder},  # no developer's
            start_new_session=True,
        )  # fmt: skip


# -- the nursery itself --


def serve(listening: socket.socket, watched: int) -> None:
    """Forks for whoever comes, passes signals on and exit codes back, until `watched` has ended."""
    talks: dict[int, tuple[socket.socket, int]] = {}
    lives: dict[int, int] = {}
    while True:
        handle = select.select([watched, *lives, *talks, listening.fileno()], [], [])[0][0]
        if handle == watched:
            for _, pid in talks.values():
                _send(pid, signal.SIGKILL)
            return
        if handle in lives:
            talk, pid = talks.pop(lives.pop(handle))
            os.close(handle)
            _, status = os.waitpid(pid, 0)
            with talk, contextlib.suppress(OSError):
                talk.send(b"%d" % os.waitstatus_to_exitcode(status))
        elif handle in talks:
            talk, pid = talks[handle]
            said = b""
            with contextlib.suppress(OSError):
                said = talk.recv(1)
            _send(pid, said[0] if said else signal.SIGKILL)
        else:
            talk, _ = listening.accept()
            pid = _fork(talk, [*talks, *lives, watched, listening.fileno(), talk.fileno()])
            talks[talk.fileno()] = (talk, pid)
            lives[os.pidfd_open(pid)] = talk.fileno()


def _send(pid: int, number: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)
    if number == signal.SIGKILL:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(pid, number)


def _fork(talk: socket.socket, ours: list[int]) -> int:
    streams, asked = _asked(talk)
    pid = os.fork()
    if pid:
        for handle in streams:
            os.close(handle)
        return pid
    code = 1
    try:
        for handle in ours:
            os.close(handle)
        code = _run(_become(streams, asked))
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    finally:
        os._exit(code)


def _asked(talk: socket.socket) -> tuple[list[int], list[bytes]]:
    """Standard streams; then the directory, how many words, the words, the environment."""
    streams = array.array("i")
    _, told, _, _ = talk.recvmsg(1, socket.CMSG_SPACE(3 * streams.itemsize))
    streams.frombytes(told[0][2])
    with talk.makefile("rb") as asked:
        return [*streams], asked.read(int(asked.readline())).split(b"\0")


def _become(streams: list[int], asked: list[bytes]) -> list[str]:
    """Turns this process into the one that was asked for; its words."""
    cwd, count, *fields = asked
    os.setsid()
    for number, handle in enumerate(streams):
        os.dup2(handle, number)
        os.close(handle)
    environ = dict(field.split(b"=", 1) for field in fields[int(count) :])
    os.environ.clear()
    os.environb.update(environ)
    os.chdir(cwd)
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        below = io.FileIO(number, "w" if number else "r", closefd=False)
        raw = io.BufferedWriter(below) if number else io.BufferedReader(below)
        errors = getattr(sys, name).errors
        stream = io.TextIOWrapper(
            raw, "utf-8", errors, line_buffering=number == 2 or below.isatty()
        )
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    return [os.fsdecode(word) for word in fields[: int(count)]]


def _run(words: list[str]) -> int:
    """The program, and what an interpreter does when it has ended; its exit code."""
    code: object = 0
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = words
    try:
        if words[0] == "-m":
            sys.argv = words[1:]
            sys.path[0] = os.getcwd()
            runpy.run_module(words[1], run_name="__main__", alter_sys=True)
        else:
            sys.path[0] = str(Path(words[0]).parent)
            runpy.run_path(words[0], run_name="__main__")
    except SystemExit as done:
        code = done.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
            code = 1
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
        code = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError):
            stream.flush()
    return code if isinstance(code, int) else 0


def main() -> None:
    """`nursery.py KIND LISTENING-SOCKET KEEPER`"""
    kind, number, keeper = sys.argv[1:]
    listening, watched = socket.socket(fileno=int(number)), os.pidfd_open(int(keeper))
    for name in LOADED[kind]:
        with contextlib.suppress(ImportError):  # then what needs it says so itself
            import_module(name)
    gc.freeze()
    serve(listening, watched)


if __name__ == "__main__":
    main()
