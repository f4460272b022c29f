"""`mcp-inspect matrix` over a real process: exit codes, what is called, what is refused."""

import json
import signal
import sys
from pathlib import Path

import pytest

from inspector.cli.matrix import revisions_of
from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.protocol.versions import HANDSHAKE_REVISIONS, MODERN_REVISIONS, REVISIONS
from tests.cli.running import Runner, odd
from tests.cli.terminal import terminal
from tests.servers import real


def words(target: Target) -> tuple[str, ...]:
    return ("--", *target.command)


def test_a_tool_that_elicits_in_one_era_and_fails_in_the_other_is_seen_at_once(
    run: Runner,
) -> None:
    """fastmcp 4: `ctx.elicit` needs a back-channel, which the modern era does not have."""
    done = run(
        "matrix",
        "erase",
        "path=x",
        "--on-elicitation",
        "accept-defaults",
        *words(real.asking_server("fastmcp")),
    )
    assert done.code == 1
    lines = done.stdout.splitlines()
    assert [line.split()[:4] for line in lines[1:6]] == [
        ["C", "2024-11-05", "✗", "isError"],
        ["C", "2025-03-26", "✗", "isError"],
        ["B", "2025-06-18", "✓", "result"],
        ["B", "2025-11-25", "✓", "result"],
        ["A", "2026-07-28", "✗", "isError"],
    ]
    assert "1 request" in lines[3]
    assert "unavailable on 2026-07-28" in lines[5]
    assert "B  2025-06-18, 2025-11-25 differ from 2026-07-28 at" in lines
    assert any(line.startswith("   /result/isError") for line in lines)
    assert "under each of 5 revisions: what it does, it does each time" in done.stderr


def test_what_agrees_is_said_and_the_exit_code_is_0(run: Runner) -> None:
    done = run("matrix", "add", "a=2", "b:=3", "--json", *words(real.asking_server("fastmcp")))
    assert done.code == 0
    assert done.json["agree"] is True
    assert done.json["groups"] == [[one.value for one in REVISIONS]]
    runs = done.json["runs"]
    assert isinstance(runs, list)
    assert [one["result"]["content"][0]["text"] for one in runs] == ["5"] * 5
    assert {one["outcome"] for one in runs} == {"result"}


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (("--prompt", "review", "code=1"), "review"),
        (("--read", "memo://greeting"), "memo://greeting"),
    ],
)
def test_prompts_and_resources_are_compared_as_well(
    run: Runner, call: tuple[str, ...], name: str
) -> None:
    target = words(real.asking_server("mcp"))
    done = run("matrix", *call, "--protocol", "handshake", "--json", *target)
    assert done.code == 0
    assert done.json["name"] == name
    assert done.json["groups"] == [[one.value for one in HANDSHAKE_REVISIONS]]


def test_results_leave_token_for_token_and_arguments_as_they_were_typed(
    run: Runner, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    done = run(
        "matrix", "odd", "a:=1.10", "--protocol", "2025-06-18", "--json", *odd("default", log)
    )
    assert done.code == 0
    assert '"z": 1.10' in done.stdout
    assert '"a": 1e2' in done.stdout
    assert "\u202e" not in done.stdout
    assert '"arguments":{"a":1.10}' in log.read_text()


def test_an_error_under_the_only_accepted_revision_is_no_success(run: Runner) -> None:
    done = run("matrix", "odd", "--protocol", "2025-06-18", "--json", *odd("error"))
    assert done.code == 1
    (one,) = json.loads(done.stdout)["runs"]
    assert one["error"]["code"] == -32000
    assert one["outcome"] == "error -32000"


def test_where_no_revision_is_accepted_the_reason_is_told(run: Runner) -> None:
    done = run("matrix", "add", "--", sys.executable, "-c", "raise SystemExit(3)")
    assert done.code == 3
    assert done.stdout.count("failed") == 5
    assert "exited with code 3" in done.stderr
    named = json.loads(
        run("matrix", "add", "--json", "--", "/no/such/program").stderr.split("\n")[1]
    )
    assert named["error"]["message"]


def test_a_server_that_never_answers_the_call_is_given_up_in_time(run: Runner) -> None:
    done = run("matrix", "x", "--timeout", "2", "--protocol", "2025-06-18", "--json", *odd("hang"))
    assert done.code == 1
    (one,) = json.loads(done.stdout)["runs"]
    assert (one["accepted"], one["outcome"], one["lost"]["kind"]) == (True, "timeout", "timeout")


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ((), "the tool's name is missing"),
        (("--prompt",), "the prompt's name is missing"),
        (("--read",), "the resource's URI is missing"),
        (("x", "--prompt", "--read"), "exclude each other"),
        (("x", "--prompt", "--args", "{}"), "--args is for tools"),
        (("a:b", "--read", "c=1"), "a resource has no arguments"),
        (("x", "--protocol", "2000-01-01"), "cannot speak the protocol"),
        (("x", "--args", "nonsense"), "is no JSON"),
    ],
)
def test_wrong_usage_starts_nothing(
    run: Runner, tmp_path: Path, given: tuple[str, ...], said: str
) -> None:
    log = tmp_path / "log"
    done = run("matrix", *given, *odd("default", log))
    assert done.code == 2
    assert said in done.stderr
    assert not log.exists()


def test_a_person_cannot_be_asked_for_each_revision(run: Runner) -> None:
    done = run("matrix", "x", "--on-elicitation", "ask", *odd("default"))
    assert done.code == 2
    assert "asks nobody" in done.stderr


def test_the_protocol_option_narrows_the_revisions_down() -> None:
    assert revisions_of(None) == revisions_of("auto") == REVISIONS
    assert revisions_of("handshake") == HANDSHAKE_REVISIONS
    assert revisions_of("modern") == MODERN_REVISIONS
    assert [one.value for one in revisions_of("2025-03-26")] == ["2025-03-26"]
    with pytest.raises(UsageError):
        revisions_of("yesterday")


def test_who_sits_at_a_terminal_sees_how_far_it_is(run: Runner) -> None:
    words = run.command("matrix", "x", "--protocol", "2025-06-18", *odd("hang"))
    with terminal(words, run.environ) as user:
        user.wait_for("2025-06-18 calling …")
        user.process.send_signal(signal.SIGINT)
        assert user.end() == 130


def test_the_help_says_what_the_options_mean_for_a_matrix(run: Runner) -> None:
    here = " ".join(run("matrix", "--help").stdout.split())
    assert "handshake, modern, or the date of one [default: all]" in here
    assert "ask (on a terminal)" not in here
    elsewhere = " ".join(run("call", "--help").stdout.split())
    assert "handshake (default), modern, auto (asks)" in elsewhere
    assert "ask (on a terminal)" in elsewhere
