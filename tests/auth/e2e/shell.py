"""The command line as a user runs it, with the scripted browser in $BROWSER."""

import json
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from tests.cli.running import Finished, Runner
from tests.servers import scripted_browser


@dataclass(frozen=True, slots=True)
class Shell:
    """Runs commands in a home of its own; the browser writes down what it was started with."""

    run: Runner
    log: Path

    def __call__(self, *words: str, **environ: str) -> Finished:
        browser = shlex.join([sys.executable, scripted_browser.__file__])
        return self.run(
            *words,
            BROWSER=browser,
            SCRIPTED_BROWSER_LOG=str(self.log),
            PYTHONPATH=str(Path(__file__).resolve().parents[3]),
            **environ,
        )

    @property
    def browsed(self) -> list[list[str]]:
        """The arguments of each start of the browser."""
        if not self.log.exists():
            return []
        return [json.loads(line)["argv"] for line in self.log.read_text().splitlines()]

    def files(self) -> dict[str, bytes]:
        """All files in the home, by their path in it."""
        return {
            str(path.relative_to(self.run.home)): path.read_bytes()
            for path in self.run.home.rglob("*")
            if path.is_file() and path != self.log
        }
