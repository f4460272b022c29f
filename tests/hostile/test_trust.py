"""Somebody else's config file: nothing of it starts before the whole of it was agreed to, what was
shown is what runs, and any change of what would run asks again."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.config.discovery import find_server
from inspector.config.targets import Target
from inspector.config.trust import TrustStore, describe, needs_trust
from tests.cli.running import Runner
from tests.servers.hostile_texts import TEXTS

WATCHED = """
import os, sys
log = open(os.environ["WATCHED"], "a")
STARTS = ("subprocess.Popen", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.fork",
          "os.forkpty", "socket.connect", "webbrowser.open")
def watch(event, args):
    if event in STARTS:
        print(event, file=log, flush=True)
sys.addaudithook(watch)
from inspector.__main__ import main
main()
"""
"""The program, telling whenever it is about to start another one or to connect."""

Json = dict[str, object]
ENTRY: Json = {
    "command": "tool",
    "args": ["a", "b", "${ARGUMENT}"],
    "env": {"MODE": "x", "SECRET": "${SECRET:-none}"},
    "cwd": "/",
}
PAGE: Json = {"type": "http", "url": "http://127.0.0.1:9/mcp", "headers": {"X-A": "1", "X-B": "2"}}


def found(folder: Path, entry: Json, **environ: str) -> Target:
    """The entry as it is read now."""
    path = folder / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": {"it": entry}}))
    given = {"ARGUMENT": "c", "SECRET": "s3cret", **environ}
    target = find_server("it", path, cwd=folder, home=folder, environ=given).target
    assert target is not None
    assert needs_trust(target)
    return target


CHANGES: dict[str, Json] = {
    "another command": {"command": "other"},
    "a command in a folder": {"command": "./tool"},
    "an argument more": {"args": ["a", "b", "${ARGUMENT}", "d"]},
    "an argument less": {"args": ["a", "b"]},
    "another order": {"args": ["b", "a", "${ARGUMENT}"]},
    "two arguments in one": {"args": ["a b", "${ARGUMENT}"]},
    "an empty argument": {"args": ["a", "b", "${ARGUMENT}", ""]},
    "a letter that looks the same": {"args": ["\u0430", "b", "${ARGUMENT}"]},
    "another value of a variable": {"env": {"MODE": "y", "SECRET": "${SECRET:-none}"}},
    "a variable more": {"env": {"MODE": "x", "SECRET": "${SECRET:-none}", "LD_PRELOAD": "/x"}},
    "a variable less": {"env": {"MODE": "x"}},
    "another name of a variable": {"env": {"mode": "x", "SECRET": "${SECRET:-none}"}},
    "another folder": {"cwd": "/usr"},
    "a page": PAGE | {"command": None},
}
PAGE_CHANGES: dict[str, Json] = {
    "another host": {"url": "http://127.0.0.2:9/mcp"},
    "another port": {"url": "http://127.0.0.1:10/mcp"},
    "another path": {"url": "http://127.0.0.1:9/mcp/"},
    "another scheme": {"url": "https://127.0.0.1:9/mcp"},
    "a query": {"url": "http://127.0.0.1:9/mcp?a"},
    "another transport": {"type": "sse"},
    "another value of a header": {"headers": {"X-A": "2", "X-B": "2"}},
    "another name of a header": {"headers": {"X-C": "1", "X-B": "2"}},
    "another order of headers": {"headers": {"X-B": "2", "X-A": "1"}},
    "a header more": {"headers": {"X-A": "1", "X-B": "2", "X-C": "3"}},
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the config file is; two folders on the PATH have a program called `tool`."""
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "tool").write_text("#!/bin/sh\n")
        (tmp_path / name / "tool").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'first'}:/usr/bin:/bin")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("entry", "changes"), [(ENTRY, CHANGES), (PAGE, PAGE_CHANGES)], ids=["program", "page"]
)
def test_every_change_of_an_entry_asks_again(
    folder: Path, entry: Json, changes: dict[str, Json]
) -> None:
    store = TrustStore(folder / "state" / "trust.json")
    store.trust(found(folder, entry))
    assert store.is_trusted(found(folder, entry))
    still_trusted = []
    for name, change in changes.items():
        changed = {key: value for key, value in (entry | change).items() if value is not None}
        if store.is_trusted(found(folder, changed)):
            still_trusted.append(name)
    assert still_trusted == []
    assert store.is_trusted(found(folder, entry))


def test_what_the_environment_makes_of_an_entry_asks_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = TrustStore(folder / "state" / "trust.json")
    store.trust(found(folder, ENTRY))
    assert not store.is_trusted(found(folder, ENTRY, ARGUMENT="other"))
    assert not store.is_trusted(found(folder, ENTRY, SECRET="other"))
    monkeypatch.setenv("PATH", f"{folder / 'second'}:{folder / 'first'}:/usr/bin:/bin")
    assert not store.is_trusted(found(folder, ENTRY))
    assert f"found as   {folder / 'second' / 'tool'}" in describe(found(folder, ENTRY))
    monkeypatch.setenv("PATH", f"{folder / 'first'}:/usr/bin:/bin")
    assert store.is_trusted(found(folder, ENTRY))
    tool = folder / "first" / "tool"
    tool.rename(folder / "first" / "real")
    tool.symlink_to(folder / "second" / "tool")
    assert not store.is_trusted(found(folder, ENTRY))


def test_where_no_folder_is_named_the_one_that_was_shown_is_part_of_what_was_agreed_to(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = TrustStore(folder / "state" / "trust.json")
    target = Target(("tool", "./server.js"), name="it", source=folder / "x.json")
    store.trust(target)
    assert f"directory  {folder}" in describe(target)
    monkeypatch.chdir(folder / "second")
    assert not store.is_trusted(target)


def test_variables_that_decide_which_code_runs_are_shown_with_their_value(folder: Path) -> None:
    entry = ENTRY | {"env": {"NODE_OPTIONS": "--require ./evil.js", "LD_PRELOAD": "/tmp/x.so",
                             "PATH": "./bin", "API_KEY": "s3cret-value", "MODE": "x"}}  # fmt: skip
    lines = describe(found(folder, entry))
    assert "sets       NODE_OPTIONS=--require ./evil.js" in lines
    assert "sets       LD_PRELOAD=/tmp/x.so" in lines
    assert "sets       PATH=./bin" in lines
    assert {"sets       API_KEY", "sets       MODE"} <= {*lines}
    assert not any("s3cret-value" in line for line in lines)


def test_a_file_that_others_may_write_to_is_told_about(folder: Path) -> None:
    note = "note       others on this machine may change that file"
    target = found(folder, ENTRY)
    (folder / ".mcp.json").chmod(0o644)
    assert note not in describe(target)
    (folder / ".mcp.json").chmod(0o666)
    assert note in describe(target)
    if os.getuid() == 0:
        (folder / ".mcp.json").chmod(0o644)
        os.chown(folder / ".mcp.json", 12345, 12345)
        assert note in describe(target)


def test_a_store_that_somebody_else_could_have_written_is_not_believed(folder: Path) -> None:
    path = folder / "state" / "trust.json"
    store, target = TrustStore(path), found(folder, ENTRY)
    store.trust(target)
    for spoil in _spoiled(path):
        spoil()
        assert not store.is_trusted(target)
        path.unlink()
        store.trust(target)
        assert store.is_trusted(target)


def _spoiled(path: Path) -> list[Callable[[], object]]:
    def linked() -> None:
        path.rename(path.with_name("elsewhere"))
        path.symlink_to(path.with_name("elsewhere"))

    spoils: list[Callable[[], object]] = [lambda: path.chmod(0o666), linked]
    spoils += [lambda: path.write_text("{"), lambda: path.write_text('{"salt": 1}')]
    return [*spoils, *([lambda: os.chown(path, 12345, -1)] if os.getuid() == 0 else [])]


def test_no_process_and_no_connection_comes_before_consent(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    run, log, marker = Runner(home), tmp_path / "log", tmp_path / "marker"
    program = {"command": sys.executable, "args": ["-c", f"open({str(marker)!r}, 'w')"]}
    names = {f"n{number}\n{text}": program for number, text in enumerate(TEXTS.values())}
    names = {name.encode("utf-8", "replace").decode(): entry for name, entry in names.items()}
    entries = {"it": program, "page": PAGE, **names}
    (home / ".mcp.json").write_text(json.dumps({"mcpServers": entries}))
    (home / ".vscode").mkdir()
    (home / ".vscode" / "mcp.json").write_text(json.dumps({"servers": {"auto": program}}))
    hostile = next(name for name in names if "\x1b[2J" in name)
    for words in (
        ("config", "servers"),
        ("info", "--server", "it"),
        ("lint", "--server", "it", "--record", str(tmp_path / "r.jsonl")),
        ("info", "--server", "page"),
        ("matrix", "x", "--server", "auto"),
        ("info", "--server", hostile),
    ):
        done = subprocess.run(
            [sys.executable, "-c", WATCHED, *words],
            capture_output=True,
            env={**run.environ, "WATCHED": str(log)},
            cwd=home,
            stdin=subprocess.DEVNULL,
            timeout=120,
            check=False,
        )
        assert done.returncode == (0 if words[0] == "config" else 2), done.stderr
        assert words[0] == "config" or b"--trust" in done.stderr
        assert b"\x1b" not in done.stderr
    assert log.read_text() == ""
    assert not marker.exists()
    trusted = [sys.executable, "-c", WATCHED, "info", "--server", "it", "--trust"]
    environ = {**run.environ, "WATCHED": str(log)}
    subprocess.run(trusted, capture_output=True, env=environ, cwd=home, timeout=120, check=False)
    assert marker.exists()
    assert "subprocess.Popen" in log.read_text()


def test_what_was_shown_is_what_runs_though_the_file_changes_meanwhile(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer is about the entry in hand; the file is not read again before the start."""
    import click

    from inspector.cli import consent
    from inspector.cli.options import Given, choose

    path = folder / ".mcp.json"
    path.write_text(json.dumps({"mcpServers": {"it": {"command": "tool", "args": ["shown"]}}}))
    chosen = choose(Given(server="it", config=path), "", None)
    assert chosen is not None

    def swap(*_: object, **__: object) -> bool:
        path.write_text(json.dumps({"mcpServers": {"it": {"command": "evil"}}}))
        return True

    monkeypatch.setattr(click, "confirm", swap)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    consent.agree(chosen, trusted=False)
    assert chosen.target.command == ("tool", "shown")
    again = choose(Given(server="it", config=path), "", None)
    assert again is not None
    assert not TrustStore().is_trusted(again.target)
    assert TrustStore().is_trusted(chosen.target)
