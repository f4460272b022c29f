"""How a server's process is started: its environment, its program, and why that did not work.

Decides what of our own environment a child may see and words every way in which a start can fail.
What the process does afterwards is `inspector.transport.process`.
"""

import errno
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.protocol.headers import is_sensitive

SAFE_NAMES: Final = (
    "HOME",
    "LOGNAME",
    "PATH",
    "SHELL",
    "TERM",
    "USER",
    "LANG",
    "LC_ALL",
    "LC_CTYPE",
    "TMPDIR",
    "TZ",
)
"""What a child sees of our environment; everything else must be named by the target."""


def child_environment(
    target_env: Mapping[str, str], ours: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment of a server: the short safe list and what the target names, which wins.

    Exported shell functions (values that begin with `()`) are never passed on.
    """
    ours = os.environ if ours is None else ours
    safe = {
        name: ours[name] for name in SAFE_NAMES if name in ours and not ours[name].startswith("()")
    }
    return {**safe, **target_env}


def secrets_of(env: Mapping[str, str]) -> list[str]:
    """The values of the variables whose names say that they are secret."""
    return [value for name, value in env.items() if is_sensitive(name.replace("_", "-"))]


def resolve_program(name: str, env: Mapping[str, str], cwd: Path | None) -> str:
    """The absolute path of the program `name`. Raises ConnectionFailed where there is none.

    A name with a slash is looked up from `cwd`, as the operating system does it; others on the
    PATH that the child gets.
    """
    if not name:
        raise _failure("the command is empty", "give the program to start")
    if "/" in name:
        path = Path(os.path.abspath((cwd or Path.cwd()) / Path(name).expanduser()))
        if path.is_dir():
            raise _failure(f"cannot start {path}: it is a directory", "name the program in it")
        if not path.exists():
            raise _failure(f"cannot start {path}: no such file", "check the path")
        if not os.access(path, os.X_OK):
            raise _failure(f"cannot start {path}: not executable", f"chmod +x {path}")
        return str(path)
    search = env.get("PATH", os.defpath)
    found = shutil.which(name, path=search)
    if found is not None:
        return os.path.abspath(found)
    for folder in search.split(os.pathsep):
        candidate = Path(folder or ".") / name
        if candidate.is_file():
            raise _failure(f"cannot start {candidate}: not executable", f"chmod +x {candidate}")
    raise _failure(
        f"cannot start {name}: no such program on PATH",
        f"install it or give its full path; searched {search}",
    )


def spawn(target: Target, env: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    """Starts the target's command in its own session and process group, with three pipes.

    Blocks until the program was executed, which is a matter of milliseconds. Raises
    ConnectionFailed.
    """
    try:
        program = _found(target, env)
    except OSError as error:  # a directory on the way that may not be searched, a disk that fails
        where = f": {error.filename}" if error.filename else ""
        raise _failure(f"cannot start {target.label}: {error.strerror}{where}", "") from None
    try:
        with _nothing_blocked():
            return subprocess.Popen(
                target.command,
                executable=program,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=dict(env),
                cwd=target.cwd,
                bufsize=0,
                start_new_session=True,
            )
    except FileNotFoundError:
        raise _failure(
            f"cannot start {program}: the interpreter in its first line does not exist",
            f"look at its #! line: head -1 {program}",
        ) from None
    except PermissionError as error:
        raise _failure(
            f"cannot start {program}: {error.strerror}", f"check: ls -l {program}"
        ) from None
    except OSError as error:
        if error.errno == errno.ENOEXEC:
            raise _failure(
                f"cannot start {program}: it is neither a binary for this machine nor a script"
                " with a #! line",
                "start its interpreter and give it as argument",
            ) from None
        raise _failure(f"cannot start {program}: {error.strerror}", "") from None
    except ValueError as error:  # a NUL byte in an argument or a variable
        raise _failure(f"cannot start {program}: {error}", "check arguments and env") from None


def _found(target: Target, env: Mapping[str, str]) -> str:
    """The program that is to run. ConnectionFailed where there is none, OSError where that cannot
    be told."""
    if target.cwd is not None and not target.cwd.is_dir():
        raise _failure(
            f"cannot start {target.label}: the working directory {target.cwd} does not exist",
            "create it or change cwd",
        )
    return resolve_program(target.command[0], env, target.cwd)


def not_kept(target: Target, error: OSError | RuntimeError) -> ConnectionFailed:
    """A program that was started could not be talked to, or watched."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return _failure(f"cannot start {target.label}: {why}", "the system lacks what it takes")


@contextmanager
def _nothing_blocked() -> Iterator[None]:
    """Signals that whoever started us had blocked would be blocked in every child, too: it could
    not be asked to end."""
    before = signal.pthread_sigmask(signal.SIG_SETMASK, ())
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _failure(message: str, hint: str) -> ConnectionFailed:
    return ConnectionFailed(message, hint=hint, kind="spawn", fault="config")
