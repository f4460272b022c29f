"""Ending a process with all that descends from it, whatever becomes of us."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.transport import process as module
from inspector.transport.process import Child, signal_name
from inspector.transport.spawn import spawn
from tests.transport.test_stdio import is_gone

ENV = {"PATH": os.defpath}
SLEEP = "import time; time.sleep(600)"


def started(code: str) -> Child:
    return Child(spawn(Target(command=(sys.executable, "-S", "-c", code)), ENV), ENV)


async def test_exit_codes_and_signals_are_told_apart() -> None:
    for code, expected in (
        ("raise SystemExit(4)", (4, "", "exited with code 4")),
        ("import os; os.kill(os.getpid(), 9)", (None, "SIGKILL", "killed by SIGKILL")),
    ):
        child = started(code)
        assert await child.wait(60)
        assert (child.exit_code, child.signal_name, child.describe_end()) == expected
        assert not child.group_alive()
        child.release()


async def test_a_group_outlives_its_leader_until_it_is_signalled() -> None:
    child = started(f"import os\nif os.fork() == 0:\n    {SLEEP}")
    assert await child.wait(60)
    assert child.group_alive()
    assert child.signal_group(signal.SIGKILL)
    assert await child.wait_all(20)
    assert not child.signal_group(signal.SIGKILL)
    child.release()


async def test_waiting_is_bounded() -> None:
    child = started(SLEEP)
    assert not await child.wait(0.01)
    assert not await child.wait_all(0.01)
    assert child.describe_end() == "still running"
    child.signal_group(signal.SIGKILL)
    assert await child.wait_all(20)
    child.release()


async def test_without_pidfds_a_thread_tells_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "pidfd_open", raising=False)
    child = started("raise SystemExit(5)")
    assert await child.wait(60)
    assert child.exit_code == 5
    child.release()


async def test_without_a_shell_there_is_no_guard_and_all_else_works(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(module, "_start_guard", lambda group: None)
    child = started("raise SystemExit(0)")
    assert await child.wait(60)
    child.release()


async def test_the_guard_goes_home_when_all_is_over() -> None:
    child = started("raise SystemExit(0)")
    guard = child._guard
    assert guard is not None
    assert await child.wait(60)
    child.release()
    assert guard.returncode == 0


def test_when_we_are_killed_the_servers_group_dies_although_it_ignores_eof(
    tmp_path: Path,
) -> None:
    code = f"""
import asyncio, sys
from tests.transport.test_process import started
async def main():
    child = started("import os\\nos.fork()\\n{SLEEP}")
    print(child.pid, flush=True)
    await asyncio.sleep(600)
asyncio.run(main())
"""
    host = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert host.stdout is not None
    with host.stdout:
        pid = int(host.stdout.readline())
    os.killpg(pid, 0)
    host.kill()
    host.wait(60)
    asyncio.run(is_gone(pid))


def test_signals_have_names() -> None:
    assert signal_name(11) == "SIGSEGV"
    assert signal_name(99) == "signal 99"
