"""What a server, and a browser, are born with: of our environment the short list and what was
named, of our descriptors none, no signal ignored, and no terminal to write to."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.transport.browser import open_page
from inspector.transport.spawn import SAFE_NAMES
from tests.hostile.terminal import terminal

ROOT = Path(__file__).parents[2]
PROBE = Path(__file__).with_name("probe_server.py")
SECRETS = {
    "AWS_SECRET_ACCESS_KEY": "x", "GITHUB_TOKEN": "x", "SSH_AUTH_SOCK": "/x", "SHLVL": "3",
    "VIRTUAL_ENV": "/x", "LD_LIBRARY_PATH": "/x", "NODE_OPTIONS": "--x", "ODD ONE": "x",
    "DISPLAY": ":9", "EDITOR": "x", "BEARER": "x", "MCP_INSPECT_ODD": "x", "HTTP_PROXY": "http://x",
    "PYTHONPATH": str(ROOT), "BASH_FUNC_evil%%": "() { x; }", "SHELL": "() { x; }",
}  # fmt: skip
"""What lies around in somebody's environment."""
GIVEN = ("--env", "GIVEN=1")
UNTIDY = """
import os, signal, sys
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR2, signal.SIGCHLD])
for number in range(40, 60):
    os.dup2(2, number)  # may be inherited
from inspector.__main__ import main
main()
"""
"""The program as a careless one starts it."""


def environ(home: Path) -> dict[str, str]:
    safe = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "TERM": "xterm"}
    return {**SECRETS, **safe, "MCP_INSPECT_HOME": str(home / "own"), "TMPDIR": str(home)}


def test_a_server_of_a_command_has_nothing_of_ours(tmp_path: Path) -> None:
    log = tmp_path / "log"
    server = [*GIVEN, "--cwd", str(tmp_path), "--", sys.executable, str(PROBE), str(log)]
    commands = (["info"], ["call", "t"], ["lint"], ["matrix", "t"])
    for words in commands:
        done = subprocess.run(
            [sys.executable, "-c", UNTIDY, *words, *server],
            capture_output=True,
            env=environ(tmp_path),
            cwd="/",
            umask=0o027,
            timeout=120,
            check=False,
        )
        assert done.returncode in (0, 1), done.stderr
    born = [json.loads(line) for line in log.read_text().splitlines()]
    assert len(born) >= len(commands)
    for one in born:
        _is_tidy(one, tmp_path, {"GIVEN"})


def test_a_server_of_the_interface_has_nothing_of_ours_and_no_terminal(tmp_path: Path) -> None:
    log = tmp_path / "log"
    server = [*GIVEN, "--cwd", str(tmp_path), "--", sys.executable, str(PROBE), str(log)]
    program = [sys.executable, "-c", UNTIDY, "--no-record", *server]
    with terminal(program, environ(tmp_path), cwd=Path("/")) as user:
        user.wait_until_shown("ready")
        user.type("\x11")
        assert user.end() == 0
    (born,) = [json.loads(line) for line in log.read_text().splitlines()]
    _is_tidy(born, tmp_path, {"GIVEN"})


def _is_tidy(born: dict[str, object], folder: Path, given: set[str]) -> None:
    names = born["environ"]
    assert isinstance(names, dict)
    assert {name for name in names if name not in SAFE_NAMES} - {"LC_CTYPE"} == given
    assert "SHELL" not in names  # an exported function
    assert born["descriptors"] == [0, 1, 2]
    assert born["cwd"] == str(folder)
    assert born["leads"] is True
    assert born["terminal"] != "open"
    masks = born["signals"]
    assert isinstance(masks, dict)
    blocked, ignored = (int(masks[name], 16) for name in ("SigBlk", "SigIgn"))
    assert blocked == 0
    python_ignores = {signal.SIGPIPE, signal.SIGXFSZ}  # in the server itself, since it is Python
    assert {one for one in signal.Signals if ignored >> (one - 1) & 1} <= python_ignores


@pytest.fixture
def probe(tmp_path: Path) -> Path:
    """A program in C's manners: it ignores nothing by itself."""
    script = tmp_path / "probe"
    script.write_text(f'#!/bin/sh\ngrep Sig /proc/self/status > "{tmp_path}/signals"\n'
                      f'ls /proc/$$/fd > "{tmp_path}/descriptors"\n'
                      f'(: > /dev/tty) 2> "{tmp_path}/terminal"\nexit 0\n')  # fmt: skip
    script.chmod(0o755)
    return script


async def test_a_browser_gets_no_descriptor_no_ignored_signal_and_no_terminal(
    probe: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BROWSER", str(probe))
    os.dup2(2, 77, inheritable=True)
    try:
        await open_page("https://example.com/")
    finally:
        os.close(77)
    numbers = {int(word) for word in (tmp_path / "descriptors").read_text().split()}
    assert numbers <= {0, 1, 2, 10, 11, 255}  # a shell keeps its script and what it redirected
    lines = (line.split() for line in (tmp_path / "signals").read_text().splitlines())
    status = {line[0]: line[1] for line in lines}
    assert int(status["SigBlk:"], 16) == 0
    assert int(status["SigIgn:"], 16) & (1 << (signal.SIGPIPE - 1)) == 0
    assert (tmp_path / "terminal").read_text() != ""
