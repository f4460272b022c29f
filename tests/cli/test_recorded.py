"""A recording is a file, or what comes through stdin."""

import gzip
import io
import sys
from pathlib import Path

import pytest

from inspector.cli.recorded import recorded
from inspector.errors import RecordingError, UsageError
from inspector.journal.loading import load_recording
from tests.cli.running import Runner

DEMO = Path(__file__).parent.parent / "recordings" / "demo.jsonl"


class Terminal(io.BytesIO):
    def isatty(self) -> bool:
        return True


def piped(content: bytes) -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content))


def test_stdin_brings_the_same_as_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", piped(DEMO.read_bytes()))
    came, file = recorded("-"), load_recording(DEMO)
    assert len(came) == len(file) > 0
    assert came.body(len(came)) == file.body(len(file))


def test_what_is_no_recording_is_told_of_stdin_and_not_of_a_file_of_ours(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stdin", piped(b"hello\n"))
    with pytest.raises(RecordingError, match=r"^stdin is no recording"):
        recorded("-")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Terminal()))
    with pytest.raises(UsageError, match="terminal"):
        recorded("-")


@pytest.mark.parametrize("words", [("lint", "-"), ("export", "-"), ("diff", "-", str(DEMO))])
def test_every_command_on_recordings_takes_stdin(run: Runner, words: tuple[str, ...]) -> None:
    assert run(*words, stdin=DEMO.read_text()).code == 0


@pytest.mark.parametrize("command", ["lint", "export"])
def test_what_is_compressed_is_read_with_the_same_command(
    run: Runner, command: str, tmp_path: Path
) -> None:
    packed = tmp_path / "session.jsonl.gz"
    packed.write_bytes(gzip.compress(DEMO.read_bytes(), mtime=0))
    done = run(command, str(packed))
    assert done.code == 3
    assert f"zcat {packed} | mcp-inspect {command} -" in done.stderr
