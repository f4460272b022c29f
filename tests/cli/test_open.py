"""Opening recordings from the command line, at a real terminal."""

import gzip
import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.cli.running import Runner
from tests.cli.terminal import terminal

AT_A_TERMINAL = """
import contextlib, fcntl, os, sys, termios
with contextlib.suppress(OSError):
    os.setsid()
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
os.execv("/bin/sh", ["/bin/sh", "-c", sys.argv[1]])
"""
"""Makes stdin the terminal of the process, as a shell does."""
DEMO = Path(__file__).parents[1] / "recordings" / "demo.jsonl"


@pytest.fixture
def demo(tmp_path: Path) -> Path:
    return Path(shutil.copy(DEMO, tmp_path / "demo.jsonl"))


def test_a_recording_is_shown(run: Runner, demo: Path) -> None:
    with terminal(run.command("open", str(demo)), run.environ) as user:
        user.wait_for("opening ")
        user.wait_for("RECORDING")
        user.wait_for("prompts/get")
        user.process.send_signal(15)
        assert user.end() == 143
    assert demo.read_bytes() == DEMO.read_bytes()


def test_without_a_file_the_newest_recording_is_shown(run: Runner, demo: Path) -> None:
    with terminal(run.command("open"), run.environ) as user:
        assert user.end() == 2
        assert "nothing was recorded yet" in user.text
    state = run.home / "state"
    state.mkdir(parents=True, exist_ok=True)
    for name, age in (("1111aaaa", 200), ("2222bbbb", 100), ("3333cccc", 300)):
        path = state / f"20260101T000000Z-1-{name}.jsonl"
        shutil.copy(demo, path)
        os.utime(path, (1_800_000_000 - age,) * 2)
    with terminal(run.command("open"), run.environ) as user:
        user.wait_for("2222bbbb")
        user.wait_for("RECORDING")
        user.process.send_signal(15)
        assert user.end() == 143


def test_a_recording_on_stdin_is_shown_and_keys_come_from_the_terminal(
    run: Runner, demo: Path
) -> None:
    words = f"cat {demo} | {' '.join(run.command('open', '-'))}"
    with terminal([sys.executable, "-c", AT_A_TERMINAL, words], run.environ) as user:
        user.wait_for("RECORDING")
        user.wait_for("prompts/get")
        user.type("\x03")
        user.wait_for("again to quit")
        user.type("\x03")
        assert user.end() == 0


@pytest.mark.parametrize(
    ("content", "code", "reason", "hint"),
    [
        (None, 3, "No such file", ""),
        (b"hello\n", 3, "is no recording of mcp-inspect", "--record"),
        (b'{"format":99,"program":"mcp-inspect"}\n', 3, "format 99", "newer mcp-inspect"),
        (gzip.compress(b"anything", mtime=0), 3, "is compressed", "zcat"),
    ],
)
def test_what_cannot_be_opened_gives_the_screen_back_and_says_why(
    run: Runner, tmp_path: Path, content: bytes | None, code: int, reason: str, hint: str
) -> None:
    path = tmp_path / "file"
    if content is not None:
        path.write_bytes(content)
    with terminal(run.command("open", str(path)), run.environ) as user:
        assert user.end() == code
    assert user.seen.index(b"\x1b[?1049l") < user.seen.index(reason.encode())
    assert hint in user.text
    assert str(path) in user.text


def test_what_is_no_file_is_refused(run: Runner, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, hint in ((tmp_path, "name a recording in it"), (tmp_path / "pipe", "| mcp-inspect")):
        with terminal(run.command("open", str(path)), run.environ) as user:
            assert user.end() == 3
            assert hint in user.text


def test_without_a_terminal_another_command_is_named(run: Runner, demo: Path) -> None:
    for words in (("open", str(demo)), ("open", "-"), ("open",)):
        done = run(*words)
        assert done.code == 2
        assert "export" in done.stderr
        assert done.stdout == ""


def test_two_files_are_one_too_many(run: Runner, demo: Path) -> None:
    assert run("open", str(demo), str(demo)).code == 2
