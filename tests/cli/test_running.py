"""How a run ends: signals cancel the call first, nothing survives, a closed pipe is no crash."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.running import DEMO, LIMIT, Runner, odd


def wait_for(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def start(run: Runner, *words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        run.command(*words),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=run.environ,
    )


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_cancels_the_call_and_ends_with_its_number(
    run: Runner, tmp_path: Path, number: int
) -> None:
    log = tmp_path / "log"
    process = start(run, "call", "odd", "--json", *odd("hang", log))
    try:
        wait_for(lambda: log.exists() and "tools/call" in log.read_text())
        process.send_signal(number)
        out, err = process.communicate(timeout=LIMIT)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 128 + number
    assert out == b""
    assert b"Traceback" not in err
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    called = next(line for line in lines if line["method"] == "tools/call")
    assert lines[-1]["method"] == "notifications/cancelled"
    assert lines[-1]["params"]["requestId"] == called["id"]


def test_a_signal_while_connecting_leaves_no_process(run: Runner, tmp_path: Path) -> None:
    pid_file = tmp_path / "pid"
    code = f"import os, time; open({str(pid_file)!r}, 'w').write(str(os.getpid())); time.sleep(600)"
    process = start(run, "info", "--", sys.executable, "-c", code)
    try:
        wait_for(lambda: pid_file.exists() and bool(pid_file.read_text()))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=LIMIT)
    finally:
        process.kill()
        process.wait()
    assert process.returncode == 130
    with pytest.raises(ProcessLookupError):
        os.kill(int(pid_file.read_text()), 0)


def test_a_closed_pipe_is_no_crash(run: Runner) -> None:
    process = start(run, "list", "tools", "--json", *DEMO)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert process.wait(LIMIT) == 141
    assert errors == b""
