import asyncio
import fcntl
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import RecordingError, UsageError
from inspector.journal.entries import Flag
from inspector.journal.recording import RecordingFile
from inspector.recording_source import FIRST, FRAMES, RecordingSource
from inspector.workbench import Workbench
from tests.journal.conversation import Conversation, recorded, request

SECONDS = 20.0


async def _until(condition: Callable[[], bool]) -> None:
    async with asyncio.timeout(SECONDS):
        while not condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


def _bench(source: RecordingSource) -> Workbench:
    return Workbench(Target(()), journal=source.journal, source=source)


async def test_a_workbench_reads_its_recording_and_says_how_far_it_is(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 3000)
    talk.journal.close()
    source = RecordingSource.open(tmp_path / "r")
    assert (len(source.journal), source.reading) == (0, True)
    async with _bench(source) as bench:
        await _until(lambda: not source.reading)
        assert len(bench.journal) == len(talk.journal)
        assert source.progress == 1.0
        assert bench.recording is None
        assert bench.changes.snapshot()["journal"] > 0
        assert (source.problem, source.not_kept) == ("", "")


async def test_a_recording_that_is_being_written_is_followed(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = Conversation(file=RecordingFile.create(path))
    source = RecordingSource.open(path)
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) == 1)
        number = talk.sent(request(1, name="add"))
        talk.journal.tick()
        await _until(lambda: len(bench.journal) == number)
        assert source.following
        assert bench.journal.body(number) == talk.journal.body(number)
        with pytest.raises(UsageError, match="still"):
            bench.journal.note(number, "look")
        bench.journal.flag(number, Flag.MARKED)
        assert "another program" in source.not_kept


async def test_half_a_last_line_is_no_damage_while_somebody_writes(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = recorded(tmp_path / "whole", 10)
    talk.journal.close()
    content = (tmp_path / "whole").read_bytes()
    path.write_bytes(content[:-40])
    holder = os.open(path, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)  # as whoever records does
    source = RecordingSource.open(path)
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) == len(talk.journal) - 1)
        await _until(lambda: source.following)
        assert source.problem == ""
        with path.open("ab") as file:
            file.write(content[-40:])
        await _until(lambda: len(bench.journal) == len(talk.journal))
        os.close(holder)
        await _until(lambda: not source.following)
        assert source.problem == ""


async def test_a_torn_last_line_is_told_when_nobody_writes(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 10)
    talk.journal.close()
    content = (tmp_path / "r").read_bytes()
    (tmp_path / "torn").write_bytes(content[:-40])
    torn = len(content) - 40 - content.rfind(b"\n", 0, -1) - 1
    source = RecordingSource.open(tmp_path / "torn")
    async with _bench(source):
        await _until(lambda: source.problem != "")
        assert source.problem == f"{torn} bytes of it could not be read"


async def test_what_comes_through_a_pipe_is_read_while_it_comes(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 20)
    talk.journal.close()
    content = (tmp_path / "r").read_bytes()
    ours, theirs = os.pipe()
    os.write(theirs, content[:700])
    source = RecordingSource.piped(ours, "standard input")
    assert source.following
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) > 1)
        os.write(theirs, content[700:])
        os.close(theirs)
        await _until(lambda: len(bench.journal) == len(talk.journal))
        await _until(lambda: not source.following)
        assert source.path is None
        bench.journal.flag(2, Flag.MARKED)
        assert "pipe" in source.not_kept


def test_a_pipe_that_brings_something_else_is_refused() -> None:
    ours, theirs = os.pipe()
    os.write(theirs, b"hello\n")
    os.close(theirs)
    with pytest.raises(RecordingError, match="no recording"):
        RecordingSource.piped(ours, "standard input")


async def test_a_file_that_is_cut_while_it_is_shown_is_told(tmp_path: Path) -> None:
    talk = recorded(tmp_path / "r", 10)
    talk.journal.close()
    source = RecordingSource.open(tmp_path / "r")
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) == len(talk.journal))
        os.truncate(tmp_path / "r", 500)
        await _until(lambda: "shorter" in source.problem)
        assert not source.following


async def test_another_file_under_the_same_name_is_told(tmp_path: Path) -> None:
    recorded(tmp_path / "r", 10).journal.close()
    recorded(tmp_path / "other", 5).journal.close()
    source = RecordingSource.open(tmp_path / "r")
    async with _bench(source):
        await _until(lambda: not source.reading)
        (tmp_path / "other").rename(tmp_path / "r")
        await _until(lambda: "another file" in source.problem)


async def test_no_more_than_the_first_lines_are_read_before_they_are_painted(
    tmp_path: Path,
) -> None:
    recorded(tmp_path / "r", 3000).journal.close()
    source = RecordingSource.open(tmp_path / "r")
    source.held = True
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) > 0)
        await asyncio.sleep(0.05)
        assert len(bench.journal) == FIRST
        assert FIRST <= 2 * 24
        for _ in range(FRAMES):
            assert source.held
            source.let_go()
        await _until(lambda: len(bench.journal) == 3001)


async def test_nothing_waits_any_longer_in_a_recording_that_ended(tmp_path: Path) -> None:
    path = tmp_path / "r"
    talk = recorded(tmp_path / "whole", 10)
    talk.journal.close()
    path.write_bytes((tmp_path / "whole").read_bytes())
    holder = os.open(path, os.O_RDONLY)
    fcntl.flock(holder, fcntl.LOCK_EX)
    source = RecordingSource.open(path)
    async with _bench(source) as bench:
        await _until(lambda: len(bench.journal) == len(talk.journal))
        end = bench.journal.row(len(bench.journal)).monotonic
        await _until(lambda: bench.journal.clock.monotonic() > end)
        os.close(holder)
        await _until(lambda: not source.following)
        assert bench.journal.clock.monotonic() == end
