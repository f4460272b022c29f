"""Drives the zygote: one run after the other, each in a home of its own."""

import contextlib
import json
import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.torture.sessions import SESSIONS, wrong_with

SECONDS: Final = 40.0
"""How long a run may take on a busy machine; a whole session takes one or two."""


class Zygote:
    """Runs sessions; `url` is where the peers of each kind are."""

    def __init__(self, folder: Path, urls: dict[str, str] | None = None) -> None:
        self._folder = folder
        self._urls = urls or {}
        self._process = subprocess.Popen(
            (sys.executable, "-m", "tests.torture.zygote"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            cwd=Path(__file__).parents[2],
            text=True,
        )
        self._count = 0

    def close(self) -> None:
        """Ends the zygote."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(30)

    def run(
        self, name: str, at: int = 0, error: int = 0, *, forever: bool = False
    ) -> dict[str, Any]:
        """One run; `wrong` are the promises that it broke."""
        session = SESSIONS[name]
        self._count += 1
        home = self._folder / f"{self._count}"
        (home / "tmp").mkdir(parents=True)
        for path, content in session.before.items():
            (home / path).parent.mkdir(exist_ok=True, mode=0o700)
            (home / path).write_bytes(content)
        kept = {key: os.environ[key] for key in ("PATH", "LANG", "LC_ALL") if key in os.environ}
        job = {
            "session": name,
            "words": [
                word.replace("{home}", str(home)).replace("{url}", self._urls.get(session.peer, ""))
                for word in session.words
            ],
            "home": str(home),
            "stdin": session.stdin,
            "steps": session.steps,
            "environ": {
                **kept,
                "HOME": str(home),
                "MCP_INSPECT_HOME": str(home),
                "TMPDIR": str(home / "tmp"),
                "PYTHON_KEYRING_BACKEND": "keyring.backends.null.Keyring",
                "TERM": "xterm-256color",
                **session.environ,
            },
            "at": at,
            "error": error,
            "forever": forever,
            "seconds": SECONDS,
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(job) + "\n")
        self._process.stdin.flush()
        told: dict[str, Any] = json.loads(self._process.stdout.readline())
        told["wrong"] = wrong_with(name, home, told)
        if not told["wrong"]:
            shutil.rmtree(home)
        return told


@contextlib.contextmanager
def zygote(folder: Path, urls: dict[str, str] | None = None) -> Iterator[Zygote]:
    """A zygote that ends with the block."""
    running = Zygote(folder, urls)
    try:
        yield running
    finally:
        running.close()


def sample(calls: int, share: int, seed: int) -> list[tuple[int, int]]:
    """Which calls fail, and with which of their errors: `share` of them, or all for 0."""
    drawn = random.Random(seed)
    numbers = range(1, calls + 1)
    chosen = sorted(drawn.sample(numbers, min(share, calls))) if share else numbers
    return [(number, drawn.randrange(60)) for number in chosen]
