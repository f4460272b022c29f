"""Nothing of a config file starts before somebody saw it whole and agreed."""

import json
import sys
from pathlib import Path

import pytest

from tests.cli.running import ODD, Runner
from tests.cli.terminal import terminal


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "started"


def write(run: Runner, marker: Path, *extra: str) -> None:
    entry = {"command": sys.executable, "args": [str(ODD), "default", str(marker), *extra]}
    entries = {"mcpServers": {"mine": {**entry, "env": {"SECRET": "hunter2"}}}}
    (run.home / ".mcp.json").write_text(json.dumps(entries))


def test_without_a_terminal_nothing_starts_and_everything_is_shown(
    run: Runner, marker: Path
) -> None:
    write(run, marker, "an argument\x1b]0;x\x07")
    done = run("info", "--server", "mine")
    assert done.code == 2
    assert not marker.exists()
    assert f"command    {sys.executable}" in done.stderr
    assert f"argument   {ODD}" in done.stderr
    assert "an argument␛]0;x␇" in done.stderr
    assert "sets       SECRET" in done.stderr
    assert "hunter2" not in done.stderr
    assert "--trust" in done.stderr


def test_trust_on_the_command_line_is_for_this_run(run: Runner, marker: Path) -> None:
    write(run, marker)
    assert run("info", "--server", "mine", "--trust").code == 0
    assert marker.exists()
    assert run("info", "--server", "mine").code == 2


def test_a_yes_is_remembered_until_the_entry_changes(run: Runner, marker: Path) -> None:
    write(run, marker)
    words = run.command("info", "--server", "mine", "--config", str(run.home / ".mcp.json"))
    with terminal(words, run.environ) as user:
        user.wait_for("[y/N]")
        assert not marker.exists()
        user.type("y\n")
        user.wait_for("2025-06-18")
        assert user.end() == 0
    assert run("info", "--server", "mine").code == 0
    write(run, marker, "changed")
    assert run("info", "--server", "mine").code == 2


def test_a_no_starts_nothing(run: Runner, marker: Path) -> None:
    write(run, marker)
    words = run.command("info", "--server", "mine", "--config", str(run.home / ".mcp.json"))
    with terminal(words, run.environ) as user:
        user.wait_for("[y/N]")
        user.type("\n")
        assert user.end() == 2
    assert not marker.exists()
    assert run("info", "--server", "mine").code == 2


def test_an_unknown_name_lists_the_known_ones(run: Runner, marker: Path) -> None:
    write(run, marker)
    done = run("info", "--server", "other")
    assert done.code == 2
    assert "known are: mine" in done.stderr


def test_config_servers_lists_and_starts_nothing(run: Runner, marker: Path) -> None:
    write(run, marker)
    done = run("config", "servers")
    assert done.code == 0
    assert "mine" in done.stdout
    assert not marker.exists()
