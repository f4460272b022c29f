"""The line at the end of a terminal's stderr: shown, replaced, taken away, left out elsewhere."""

import asyncio
import io
import signal
import sys

import pytest
from rich.cells import cell_len

from inspector.cli.waiting_line import replace_line, waiting_line
from inspector.render.safe import DANGEROUS
from tests.cli.running import Runner
from tests.cli.terminal import terminal
from tests.servers.hostile_texts import TEXTS


class Stderr(io.TextIOWrapper):
    """Collects what is written, and says whether it is a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        self.taken = io.BytesIO()
        super().__init__(self.taken, encoding="utf-8")
        self._terminal = terminal

    def getvalue(self) -> str:
        return self.taken.getvalue().decode("utf-8")

    def isatty(self) -> bool:
        return self._terminal


async def written(monkeypatch: pytest.MonkeyPatch, *, terminal: bool, wanted: bool = True) -> str:
    """What waiting for three things writes."""
    stderr = Stderr(terminal=terminal)
    monkeypatch.setattr(sys, "stderr", stderr)
    words = iter(["one", "one", "two", "three"])
    over = asyncio.Event()

    def next_words() -> str:
        if (word := next(words)) == "three":
            over.set()
        return word

    with waiting_line(next_words, wanted=wanted):
        if terminal and wanted:
            async with asyncio.timeout(60):
                await over.wait()
    return stderr.getvalue()


async def test_words_replace_each_other_and_are_taken_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin = "\r\x1b[K"
    assert await written(monkeypatch, terminal=True) == "".join(
        (begin, "one", begin, "two", begin, "three", begin)
    )


async def test_a_file_and_who_does_not_want_it_get_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    assert await written(monkeypatch, terminal=False) == ""
    assert await written(monkeypatch, terminal=True, wanted=False) == ""


async def test_words_are_made_visible_and_fit_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    stderr = Stderr(terminal=True)
    monkeypatch.setattr(sys, "stderr", stderr)
    monkeypatch.setattr("inspector.cli.waiting_line._columns", lambda: 20)
    for text in TEXTS.values():
        replace_line(text)
    shown = stderr.getvalue().split("\r\x1b[K")[1:]
    assert len(shown) == len(TEXTS)
    for line in shown:
        assert cell_len(line) < 20
        assert DANGEROUS.search(line) is None


def test_who_waits_for_a_session_at_a_terminal_is_told_what_for(run: Runner) -> None:
    mute = (sys.executable, "-c", "import sys; sys.stdin.read()")
    with terminal(run.command("info", "--protocol", "modern", "--", *mute), run.environ) as user:
        user.wait_for("no answer to server/discover yet, 1 s")
        user.wait_for("no answer to server/discover yet, 2 s")
        user.process.send_signal(signal.SIGINT)
        assert user.end() == 130
