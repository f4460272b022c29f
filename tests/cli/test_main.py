"""Around the commands: help, versions, wrong usage, and what is imported for which of them."""

import json
import subprocess
import sys

import pytest

from inspector.cli.grammar import COMMANDS
from tests.cli.running import Runner, odd


def test_the_version(run: Runner) -> None:
    done = run("--version")
    assert done.code == 0
    assert done.stdout.startswith("mcp-inspect 0.")


def test_help_has_examples_and_exit_codes(run: Runner) -> None:
    done = run("--help")
    assert done.code == 0
    assert "Examples:" in done.stdout
    assert "70     a crash" in done.stdout
    for command in COMMANDS:
        assert f"  {command} " in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(run: Runner, command: str) -> None:
    done = run(command, "--help")
    assert done.code == 0
    assert command in done.stdout


@pytest.mark.parametrize("absent", ["tap", "shell"])
def test_what_does_not_exist_is_not_advertised(run: Runner, absent: str) -> None:
    assert f"  {absent} " not in run("--help").stdout
    assert run(absent).code == 2


@pytest.mark.parametrize(
    "words",
    [
        ("info",),
        ("list", "tools"),
        ("list", "everything", "--", "x"),
        ("list", "tools", "extra", "--", "x"),
        ("call", "--", "x"),
        ("call", "t", "word", "--", "x"),
        ("read", "--", "x"),
        ("prompt", "--", "x"),
        ("request", "--", "x"),
        ("request", "m", "{", "--", "x"),
        ("info", "--nonsense", "--", "x"),
        ("info", "--timeout", "soon", "--", "x"),
        ("info", "--timeout", "0", "--", "x"),
        ("info", "--server", "no-such-server"),
        ("info", "http://h/", "--", "x"),
        ("info", "--protocol", "1999-01-01", "--", "true"),
        ("nonsense",),
        ("config", "nonsense"),
        ("demo", "--", "x"),
        ("--json", "--", "x"),
        ("http://h/", "http://i/"),
        (),
    ],
)
def test_wrong_usage_ends_with_2_and_says_so(run: Runner, words: tuple[str, ...]) -> None:
    done = run(*words)
    assert done.code == 2
    assert done.stdout == ""
    assert done.stderr.startswith("mcp-inspect: ") or json.loads(done.stderr)
    assert "Traceback" not in done.stderr


def test_wrong_usage_is_json_where_json_was_asked(run: Runner) -> None:
    done = run("list", "nothing", "--json", "--", "x")
    assert done.code == 2
    assert json.loads(done.stderr)["error"]["kind"] == "usage"


def test_a_mistyped_command_is_told_the_nearest(run: Runner) -> None:
    assert "did you mean 'list'" in run("lsit", "tools").stderr


def test_the_interface_without_a_terminal_names_the_other_commands(run: Runner) -> None:
    done = run("--", "true")
    assert done.code == 2
    assert "needs a terminal" in done.stderr


def test_options_may_stand_before_the_command(run: Runner) -> None:
    assert run("--json", "--timeout", "30", "info", *odd("default")).json["transport"] == "stdio"


IMPORTS = """
import sys
sys.argv = ["mcp-inspect", *{words!r}]
from inspector.__main__ import main
try:
    main()
except SystemExit as ended:
    print("CODE", ended.code, file=sys.stderr)
print("LOADED", *sorted(name for name in sys.modules if "." not in name), file=sys.stderr)
"""


def loaded(run: Runner, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", IMPORTS.format(words=list(words))],
        capture_output=True,
        env=run.environ,
        timeout=60,
        check=True,
        text=True,
    )
    assert "CODE 0" in done.stderr, done.stderr
    return set(done.stderr.rpartition("LOADED ")[2].split())


@pytest.mark.parametrize(
    "words",
    [
        ("call", "odd", "a=x"),
        ("call", "odd", "--json"),
        ("list", "tools"),
        ("list", "tools", "--json"),
        ("info",),
    ],
)
def test_headless_commands_load_neither_the_interface_nor_what_they_do_not_need(
    run: Runner, words: tuple[str, ...]
) -> None:
    forbidden = {
        *("textual", "textual_image", "prompt_toolkit", "httpx", "httpcore", "pydantic"),
        *("mcp", "mcp_types", "fastmcp", "PIL", "jsonschema_rs", "sqlite3", "keyring"),
    }
    assert not forbidden & loaded(run, *words, *odd("default"))


def test_help_loads_almost_nothing(run: Runner) -> None:
    assert not {"textual", "rich", "msgspec", "asyncio", "httpx", "pydantic"} & loaded(
        run, "--help"
    )
