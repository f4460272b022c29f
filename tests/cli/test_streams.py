"""Output leaves whole, or the exit code says that it did not."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from inspector.cli import streams
from inspector.render.safe import DANGEROUS, visible
from tests.cli.running import DEMO, Runner, odd
from tests.servers.hostile_texts import NONCE, TEXTS

CLOSED_STDOUT = "cannot write to stdout: it is closed"


def shell(run: Runner, words: tuple[str, ...], redirection: str, **environ: str) -> tuple[int, str]:
    """The exit code and stderr of a command behind a shell's redirection."""
    done = subprocess.run(
        [
            "bash",
            "-c",
            f'"$@" {redirection}; exit ${{PIPESTATUS[0]}}',
            "bash",
            *run.command(*words),
        ],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env={**run.environ, **environ},
        timeout=60,
        check=False,
    )
    return done.returncode, done.stderr.decode()


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_long_result_whose_reader_leaves_early_ends_like_the_signal(
    run: Runner, form: tuple[str, ...], unbuffered: str
) -> None:
    """An unbuffered Python takes a part of what it is given and forgets the rest."""
    words = ("call", "odd", *form, *odd("long"))
    code, told = shell(run, words, "| head -c 5", PYTHONUNBUFFERED=unbuffered)
    assert (code, told) == (141, "")


@pytest.mark.parametrize(
    "words",
    [
        ("call", "odd", *odd("default")),
        ("call", "odd", "--json", *odd("default")),
        ("list", "all", *DEMO),
        ("--help",),
        ("list", "--help"),
        ("--version",),
        ("config", "path"),
    ],
)
def test_a_closed_or_full_stdout_is_said_and_is_no_crash(
    run: Runner, words: tuple[str, ...]
) -> None:
    code, told = shell(run, words, ">&-")
    assert (code, CLOSED_STDOUT in told) == (2, True)
    code, told = shell(run, words, ">/dev/full")
    assert (code, "cannot write to stdout: No space left" in told) == (2, True)


def test_closed_stdin_and_stderr_change_no_exit_code(run: Runner) -> None:
    assert shell(run, ("call", "odd", *odd("default")), "<&- 2>&-")[0] == 0
    assert shell(run, ("info", "--", "/no/such/program"), "2>&-")[0] == 3


def test_everything_arrives_through_a_pipe_that_does_not_block(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    content = os.urandom(2_000_000)
    received: list[bytes] = []

    def read() -> None:
        while chunk := os.read(reading, 65536):
            received.append(chunk)

    reader = threading.Thread(target=read)
    reader.start()
    with open(writing, "w", encoding="utf-8") as stream:
        streams.write(stream, content)
    reader.join(timeout=30)
    os.close(reading)
    assert b"".join(received) == content


def test_what_the_locale_cannot_write_goes_out_as_escapes(run: Runner) -> None:
    done = run("call", "mischief", *DEMO, LC_ALL="C", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    assert done.code == 0
    assert done.stdout.isascii()
    assert "\\u" in done.stdout


def test_what_leaves_by_any_other_door_is_seen_text_too() -> None:
    """A library's log, an exception in a thread, a warning: each may quote a server."""
    script = """
import logging, sys, threading, warnings
from inspector.cli import streams
from tests.servers.hostile_texts import TEXTS
streams.complete()
said = "".join(TEXTS.values())
def fail(): raise ValueError(said)
print(said)
logging.warning(said)
warnings.warn(said)
thread = threading.Thread(target=fail)
thread.start()
thread.join()
fail()
"""
    root = Path(__file__).parents[2]
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, timeout=60, check=False, cwd=root
    )
    assert done.stdout.count(NONCE.encode()) == "".join(TEXTS.values()).count(NONCE)
    assert done.stderr.count(NONCE.encode()) == 4 * "".join(TEXTS.values()).count(NONCE)
    for written in (done.stdout, done.stderr):
        lines = written.decode("utf-8").replace("\n", "").replace("\t", "")
        assert DANGEROUS.search(lines) is None


def test_a_wall_leaves_visible_text_as_it_is() -> None:
    said = "".join(TEXTS.values())
    shown = visible(said, keep_newlines=True)
    assert streams.harmless(shown) == shown
    assert streams.harmless("a\n\tb\x1b[2J") == "a\n\tb␛[2J"


def test_a_descriptor_that_was_closed_is_given_to_nothing_else() -> None:
    script = (
        "import os; from inspector.cli import streams; streams.complete();"
        "import socket; kept = socket.socket(); os.write(2, str(kept.fileno()).encode())"
    )
    command = f"'{sys.executable}' -c \"{script}\" <&- >&-"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=60, check=False)
    assert int(done.stderr) > 2
