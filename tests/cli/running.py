"""Runs the command line as a user does: a process, with a home of its own. The process is born
loaded where nothing that an interpreter looks at in its environment was asked for."""

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.servers.nursery import born

ODD = Path(__file__).with_name("odd_server.py")
SCRIPTED = Path(__file__).with_name("scripted_server.py")
DEMO = ("--", *born("servers", "-m", "inspector.demo"))
LIMIT = 60.0


def odd(mode: str, log: Path | None = None) -> tuple[str, ...]:
    """The words that end a command with the odd server as target."""
    return ("--", sys.executable, str(ODD), mode, *([str(log)] if log else []))


def scripted(**answers: str) -> tuple[str, ...]:
    """The words that end a command with a server of exactly these answers; `tools_list` is
    `tools/list`."""
    script = {method.replace("_", "/"): text for method, text in answers.items()}
    return ("--", sys.executable, str(SCRIPTED), json.dumps(script))


@dataclass(frozen=True, slots=True)
class Finished:
    """What a run left."""

    code: int
    stdout: str
    stderr: str

    @property
    def json(self) -> dict[str, object]:
        value = json.loads(self.stdout)
        assert isinstance(value, dict)
        return value


@dataclass(frozen=True, slots=True)
class Runner:
    """Starts `python -m inspector` with its files under `home`."""

    home: Path

    @property
    def environ(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("MCP_")}
        return {**kept, "MCP_INSPECT_HOME": str(self.home), "HOME": str(self.home)}

    def command(self, *words: str) -> list[str]:
        """What starts it in an interpreter of its own."""
        return [sys.executable, "-m", "inspector", *words]

    def __call__(self, *words: str, stdin: str = "", **environ: str) -> Finished:
        loaded = born("inspector", "-m", "inspector", *words)
        own = any(name.startswith(("PYTHON", "LANG", "LC_")) for name in environ)
        done = subprocess.run(
            self.command(*words) if own else loaded,
            input=stdin.encode(),
            capture_output=True,
            env={**self.environ, **environ},
            cwd=self.home,
            timeout=LIMIT,
            check=False,
        )
        return Finished(
            done.returncode,
            done.stdout.decode("utf-8", "surrogateescape"),
            done.stderr.decode("utf-8", "surrogateescape"),
        )
