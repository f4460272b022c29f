"""A program of the nursery is told from one of an interpreter of its own by its start only."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.servers import nursery

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="nurseries are for Linux only")
SCRIPT = """
import atexit, json, os, signal, sys, threading, time
if sys.argv[1] == "tell":
    print(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ), sys.stdin.read()]))
    print("said", file=sys.stderr)
    atexit.register(print, "at exit")
    threading.Timer(0.1, print, ("of a thread",)).start()
    sys.exit(int(sys.argv[2]))
if sys.argv[1] == "die":
    os.kill(os.getpid(), signal.SIGKILL)
if sys.argv[1] == "raise":
    raise ValueError("wrong")
if sys.argv[1] == "stay":
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(9))
print(os.getpid(), flush=True)
sys.stdin.read()
"""


@pytest.fixture
def script(tmp_path: Path) -> str:
    path = tmp_path / "script.py"
    path.write_text(SCRIPT)
    return str(path)


def started(*words: str) -> "subprocess.Popen[bytes]":
    pipe = subprocess.PIPE
    return subprocess.Popen(
        nursery.born("inspector", *words), stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0
    )


def test_it_has_the_words_the_directory_the_environment_and_the_streams(
    script: str, tmp_path: Path
) -> None:
    environ = {"HÉ": "a=b", "EMPTY": "", "LC_ALL": "C.UTF-8"}
    words = nursery.born("inspector", script, "tell", "7", "", "hé")
    assert words[1:3] == ("-I", "-S")  # else this is no test of a nursery
    done = subprocess.run(
        words, input=b"in", capture_output=True, env=environ, cwd=tmp_path, timeout=60, check=False
    )
    first, *rest = done.stdout.decode().splitlines()
    assert json.loads(first) == [["tell", "7", "", "hé"], str(tmp_path), environ, "in"]
    assert rest == ["of a thread", "at exit"]
    assert (done.returncode, done.stderr) == (7, b"said\n")


def test_how_it_ended_is_how_the_process_ends(script: str) -> None:
    with started(script, "die") as killed:
        assert killed.wait(60) == -signal.SIGKILL
    with started(script, "raise") as failed:
        assert b"ValueError: wrong" in failed.communicate(timeout=60)[1]
    assert failed.returncode == 1


@pytest.mark.parametrize(
    ("mode", "number", "code"),
    [("stay", signal.SIGTERM, 9), ("", signal.SIGTERM, -signal.SIGTERM), ("", signal.SIGKILL, -9)],
)
def test_a_signal_reaches_it_and_no_program_outlives_its_process(
    script: str, mode: str, number: int, code: int
) -> None:
    with started(script, mode) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        process.send_signal(number)
        assert process.wait(60) == code
        assert process.stdout.read() == b""  # ends when nobody holds it any more
    with suppress(ProcessLookupError):  # when the nursery has collected it
        for _ in range(10_000):
            os.kill(pid, 0)
            time.sleep(0.001)
        pytest.fail("it lives on")


def test_the_end_of_its_input_is_the_end_of_it(script: str) -> None:
    with started(script, "") as process:
        assert process.communicate(b"", timeout=60)[1] == b""
    assert process.returncode == 0
