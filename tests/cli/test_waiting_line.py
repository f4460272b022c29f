"""The line at the end of a terminal's stderr: shown, replaced, taken away, left out elsewhere."""

import asyncio
import io
import sys

import pytest

from inspector.cli.waiting_line import waiting_line


class Stderr(io.StringIO):
    """Collects what is written, and says whether it is a terminal."""

    def __init__(self, *, terminal: bool) -> None:
        super().__init__()
        self._terminal = terminal

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
