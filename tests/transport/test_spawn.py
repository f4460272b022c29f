"""How a server is started, and in which words that fails."""

import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed
from inspector.transport.spawn import child_environment, resolve_program, secrets_of, spawn

PATH_ONLY = {"PATH": "/usr/bin:/bin"}


def test_a_child_sees_the_short_list_and_what_the_target_names() -> None:
    ours = {
        "HOME": "/home/me",
        "PATH": "/bin",
        "SHELL": "() { evil; }",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "LANG": "C.UTF-8",
    }
    assert child_environment({"PATH": "/opt/bin", "X": "1"}, ours) == {
        "HOME": "/home/me",
        "PATH": "/opt/bin",
        "LANG": "C.UTF-8",
        "X": "1",
    }


def test_secrets_are_told_by_the_names_of_variables() -> None:
    env = {"OPENAI_API_KEY": "one", "GITHUB_TOKEN": "two", "DB_PASSWORD": "three", "DEBUG": "four"}
    assert secrets_of(env) == ["one", "two", "three"]


def test_a_program_is_found_on_the_path_of_the_child() -> None:
    assert resolve_program("sh", PATH_ONLY, None).endswith("/sh")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plain").write_text("#!/bin/sh\n")
    lost = tmp_path / "lost"
    lost.write_text("#!/no/such/interpreter\n")
    lost.chmod(0o755)
    data = tmp_path / "data"
    data.write_bytes(b"\x00\x01\x02 not a program")
    data.chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("command", "words", "hint"),
    [
        ("no-such-program-here", "no such program on PATH", "searched /usr/bin:/bin"),
        ("", "the command is empty", "give the program"),
        ("./missing", "missing: no such file", "check the path"),
        ("./plain", "plain: not executable", "chmod +x"),
        (".//", "it is a directory", "name the program"),
        ("./lost", "interpreter in its first line", "head -1"),
        ("./data", "neither a binary for this machine nor a script", "interpreter"),
    ],
)
def test_every_way_to_fail_is_named_with_the_path_and_the_next_step(
    folder: Path, command: str, words: str, hint: str
) -> None:
    with pytest.raises(ConnectionFailed) as caught:
        spawn(Target(command=(command,), cwd=folder), PATH_ONLY)
    assert words in caught.value.message
    assert hint in caught.value.hint
    assert caught.value.kind == "spawn"
    if command.startswith("./") and len(command) > 3:
        assert str(folder) in caught.value.message


def test_a_program_on_the_path_without_the_right_to_run_it_is_named(folder: Path) -> None:
    with pytest.raises(ConnectionFailed, match="not executable"):
        resolve_program("plain", {"PATH": str(folder)}, None)


def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed, match=r"working directory .*gone does not exist"):
        spawn(Target(command=(sys.executable,), cwd=tmp_path / "gone"), PATH_ONLY)


def test_a_nul_byte_in_an_argument_is_refused() -> None:
    with pytest.raises(ConnectionFailed, match="null"):
        spawn(Target(command=(sys.executable, "a\0b")), PATH_ONLY)


def test_a_started_process_has_exactly_the_environment_given() -> None:
    code = "import os, sys; sys.stdout.write(' '.join(sorted(os.environ)))"
    env = {**PATH_ONLY, "ONLY": "this"}
    process = spawn(Target(command=(sys.executable, "-S", "-c", code)), env)
    output, _ = process.communicate(timeout=60)
    assert set(output.decode().split()) - {"LC_CTYPE"} == {"PATH", "ONLY"}
