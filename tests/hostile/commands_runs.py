"""Runs command lines by the hundred: a process that has loaded the program, and forks for each.

Every run is a process of its own with file descriptors of its own, which are pipes or a
pseudo-terminal, and goes through the program's own `main`. With `walls=False` what makes text
visible lets everything through: a look that finds nothing then would be blind.
"""

import contextlib
import fcntl
import io
import json
import os
import pty
import select
import signal
import socket
import struct
import subprocess
import sys
import termios
import threading
import traceback
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

ROOT: Final = Path(__file__).parents[2]
LIMIT: Final = 60.0
SIZE: Final = (24, 80)
STREAMS: Final = (
    ("stdin", "r", "surrogateescape"),
    ("stdout", "w", "strict"),
    ("stderr", "w", "backslashreplace"),
)
LOADED: Final = (
    "inspector.cli.main", "inspector.cli.headless", "inspector.cli.linting",
    "inspector.cli.lint_output", "inspector.cli.lint_formats", "inspector.cli.authorizing",
    "inspector.cli.conformance", "inspector.cli.consent", "inspector.export.formats",
    "inspector.compare.recordings", "inspector.render.comparison", "inspector.lint.catalog",
    "inspector.transport.http_modern", "inspector.transport.stdio", "inspector.workbench",
    "inspector.forms.validate", "rich.console", "rich.table", "httpx",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shown:
    """What a run left on its outputs; on a terminal both are one."""

    code: int
    out: bytes
    err: bytes = b""

    @property
    def both(self) -> bytes:
        return self.out + self.err


@dataclass(slots=True)
class Runs:
    """The process that has loaded the program."""

    home: Path
    visited: set[str] = field(default_factory=set)
    """The command words that were run."""
    _process: "subprocess.Popen[bytes] | None" = None
    _socket: socket.socket | None = None

    def start(self) -> None:
        mine, others = socket.socketpair()
        mine.settimeout(LIMIT)
        with others:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.hostile.commands_runs", str(others.fileno())],
                pass_fds=(others.fileno(),),
                cwd=ROOT,
            )
        self._socket = mine

    def stop(self) -> None:
        assert self._process is not None
        assert self._socket is not None
        self._socket.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def pipes(
        self,
        *words: str,
        stdin: bytes = b"",
        walls: bool = True,
        cwd: Path | None = None,
        **environ: str,
    ) -> Shown:
        """A run whose outputs are pipes."""
        ins, outs, errs = os.pipe(), os.pipe(), os.pipe()
        feeding = threading.Thread(target=_feed, args=(ins[1], stdin))
        feeding.start()
        code = self._run(words, (ins[0], outs[1], errs[1]), cwd, environ, walls, tty=False)
        found = _drained({outs[0]: b"", errs[0]: b""})
        feeding.join()
        return Shown(code(), found[outs[0]], found[errs[0]])

    def terminal(
        self,
        *words: str,
        typed: bytes = b"",
        walls: bool = True,
        cwd: Path | None = None,
        size: tuple[int, int] = SIZE,
        **environ: str,
    ) -> Shown:
        """A run on a pseudo-terminal that shows nothing of what is typed."""
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", *size, 0, 0))
        modes = termios.tcgetattr(slave)
        modes[3] &= ~termios.ECHO
        termios.tcsetattr(slave, termios.TCSANOW, modes)
        os.write(master, typed)
        code = self._run(words, (slave, slave, slave), cwd, environ, walls, tty=True)
        shown = _drained({master: b""})[master]
        return Shown(code(), shown)

    def _run(
        self,
        words: tuple[str, ...],
        handles: tuple[int, int, int],
        cwd: Path | None,
        environ: Mapping[str, str],
        walls: bool,
        *,
        tty: bool,
    ) -> Any:
        """Starts the run; what is returned waits for its exit code."""
        assert self._socket is not None
        self.visited.add(next((word for word in words if not word.startswith("-")), ""))
        names = ("PATH", "HOSTILE_NONCE", "VIRTUAL_ENV", "LANG", "LC_ALL", "PYTHONPATH")
        kept = {name: os.environ[name] for name in names if name in os.environ}
        own = {"MCP_INSPECT_HOME": str(self.home), "HOME": str(self.home), "TERM": "xterm-256color"}
        wanted = {
            "words": words,
            "environ": {"PYTHONPATH": str(ROOT), **kept, **own, **environ},
            "cwd": str(cwd or self.home),
            "walls": walls,
            "tty": tty,
        }
        socket.send_fds(self._socket, [json.dumps(wanted).encode() + b"\n"], list(handles))
        for handle in {*handles}:
            os.close(handle)
        here = self._socket
        return lambda: int(here.recv(100))


def _feed(handle: int, content: bytes) -> None:
    with contextlib.suppress(BrokenPipeError), open(handle, "wb") as pipe:
        pipe.write(content)


def _drained(found: dict[int, bytes]) -> dict[int, bytes]:
    """All that comes out until everybody has closed the other ends."""
    waiting = {*found}
    while waiting:
        ready = select.select([*waiting], [], [], LIMIT)[0]
        assert ready, f"it hangs: {[text[-500:] for text in found.values()]}"
        for handle in ready:
            try:
                chunk = os.read(handle, 1 << 16)
            except OSError:  # the other end of a terminal is closed
                chunk = b""
            found[handle] += chunk
            if not chunk:
                waiting.discard(handle)
                os.close(handle)
    return found


@contextlib.contextmanager
def running(home: Path) -> Iterator[Runs]:
    """A process that runs command lines with their files under `home`."""
    runs = Runs(home)
    runs.start()
    try:
        yield runs
    finally:
        runs.stop()


# -- the process itself --


def _walls_off() -> None:
    from inspector.cli import output, streams
    from inspector.render import safe

    safe.visible.__code__ = (lambda text, *, keep_newlines=False: text).__code__
    safe.json_safe.__code__ = (lambda raw: raw).__code__
    vars(output)["json"] = SimpleNamespace(dumps=partial(json.dumps, ensure_ascii=False))
    for room, name in ((output, "_ascii"), (streams, "harmless")):
        getattr(room, name).__code__ = (lambda text: text).__code__


def _become(wanted: Any, handles: list[int]) -> None:
    """Turns this process into one that was started with these words. Does not return."""
    os.setsid()
    for number, handle in enumerate(handles):
        os.dup2(handle, number)
    for handle in {*handles} - {0, 1, 2}:
        os.close(handle)
    if wanted["tty"]:
        fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    os.environ.clear()
    os.environ.update(wanted["environ"])
    os.chdir(wanted["cwd"])
    encoding = os.environ.get("PYTHONIOENCODING", "utf-8")
    for number, (name, mode, errors) in enumerate(STREAMS):
        below = io.FileIO(number, mode, closefd=False)
        raw = io.BufferedWriter(below) if number else io.BufferedReader(below)
        stream = io.TextIOWrapper(raw, encoding, errors, line_buffering=True)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.argv = ["\x1b]0;mcp\x07", *wanted["words"]]
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if not wanted["walls"]:
        _walls_off()
    from inspector.__main__ import main

    code = 1
    try:
        main()
    except SystemExit as done:
        code = int(done.code or 0)
    except BaseException:  # noqa: BLE001 - as the interpreter does
        traceback.print_exc()
    with contextlib.suppress(OSError, ValueError):
        sys.stdout.flush()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.flush()
    os._exit(code)


def serve(number: int) -> None:
    """Forks for each run that is wanted, one after the other."""
    from importlib import import_module

    for name in LOADED:
        import_module(name)
    here = socket.socket(fileno=number)
    while True:
        text, handles, _, _ = socket.recv_fds(here, 1 << 20, 3)
        if not text:
            return
        while not text.endswith(b"\n"):
            text += here.recv(1 << 20)
        child = os.fork()
        if not child:
            here.close()
            _become(json.loads(text), handles)
        for handle in {*handles}:
            os.close(handle)
        _, status = os.waitpid(child, 0)
        here.send(b"%d" % os.waitstatus_to_exitcode(status))


if __name__ == "__main__":
    serve(int(sys.argv[1]))
