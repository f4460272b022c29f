"""What is asked of a server while it is linted, and which failure decides."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from inspector.cli.linting import COMPLETED
from tests.cli.running import Runner, scripted

TEMPLATES = '{"resourceTemplates":[{"name":"t","uriTemplate":"a://{one}/{two}"}]}'
PROMPTS = json.dumps(
    {"prompts": [{"name": "p", "arguments": [{"name": f"a{number}"} for number in range(20)]}]}
)
COMPLETING = (
    '{"protocolVersion":"2025-11-25","serverInfo":{"name":"s","version":"1"},'
    '"capabilities":{"completions":{},"prompts":{},"resources":{}}}'
)


def sent(run: Runner, *words: str) -> list[dict[str, object]]:
    """What was sent, message for message."""
    kept = run.home / "kept.jsonl"
    run("lint", "--record", str(kept), *words)
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    return [line["raw"] for line in lines if line.get("dir") == "out" and "raw" in line]


def methods(messages: list[dict[str, object]]) -> list[str]:
    return [str(one["method"]) for one in messages]


def test_a_few_completions_are_asked_for_where_the_server_has_them(run: Runner) -> None:
    target = scripted(
        initialize=COMPLETING,
        prompts_list=PROMPTS,
        resources_list='{"resources":[]}',
        resources_templates_list=TEMPLATES,
        completion_complete='{"completion":{"values":[]}}',
    )
    asked = [one for one in sent(run, *target) if one["method"] == "completion/complete"]
    assert len(asked) == COMPLETED
    assert asked[0]["params"] == {
        "ref": {"type": "ref/prompt", "name": "p"},
        "argument": {"name": "a0", "value": ""},
    }


@pytest.mark.parametrize(("revision", "asked"), [("2025-06-18", False), ("2025-11-25", True)])
def test_tasks_are_listed_only_where_the_revision_has_them(
    run: Runner, revision: str, asked: bool
) -> None:
    declared = COMPLETING.replace("2025-11-25", revision).replace(
        '"completions":{},"prompts":{},"resources":{}', '"tasks":{"list":{}}'
    )
    target = scripted(initialize=declared, tasks_list='{"tasks":[]}', ping="{}")
    assert ("tasks/list" in methods(sent(run, "--protocol", revision, *target))) is asked


def test_what_is_not_declared_is_not_asked_for(run: Runner) -> None:
    bare = COMPLETING.replace('"completions":{},"prompts":{},"resources":{}', "")
    assert methods(sent(run, *scripted(initialize=bare))) == [
        "initialize",
        "notifications/initialized",
        "ping",
    ]


def test_a_list_that_is_refused_is_a_note_and_no_failure(run: Runner) -> None:
    done = run(
        "lint",
        "--rule",
        "tool/*",
        *scripted(tools_list='ERROR {"code":-32603,"message":"broken"}', ping="{}"),
    )
    assert done.code == 0
    assert "tools/list: the server answered -32603 broken" in done.stderr


@pytest.mark.parametrize(
    ("answer", "code", "rule"),
    [
        ('LINE {"jsonrpc":"2.0","id":$ID,"result":{"tools":}}', 4, "rpc/not-json"),
        ("EXIT", 4, "rpc/request-unanswered"),
    ],
)
def test_what_could_not_be_looked_at_decides_before_the_findings(
    run: Runner, answer: str, code: int, rule: str
) -> None:
    done = run("lint", "--json", *scripted(tools_list=answer))
    assert done.code == code
    findings = done.json["findings"]
    assert isinstance(findings, list)
    assert rule in {one["rule"] for one in findings}
    assert "error" in json.loads(done.stderr.splitlines()[-1])


def test_an_interrupted_run_ends_with_the_signal(run: Runner) -> None:
    silent = "import sys\nfor line in sys.stdin: print('got', file=sys.stderr, flush=True)"
    command = run.command("lint", "-v", "--", sys.executable, "-c", silent)
    process = subprocess.Popen(
        command, env=run.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert process.stderr is not None
    assert b"got" in process.stderr.readline()
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 130


LATE = """
import json, sys, threading
def say(message):
    print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
for line in sys.stdin:
    told = json.loads(line)
    if told.get("method") == "initialize":
        result = {"protocolVersion": "2025-11-25", "capabilities": {},
                  "serverInfo": {"name": "s", "version": "1"}}
        say({"id": told["id"], "result": result})
        threading.Timer(0.2, say, [{"id": "r", "method": "roots/list"}]).start()
    elif told.get("method") == "ping":
        say({"id": told["id"], "result": {}})
"""


def test_what_a_server_asks_a_little_later_is_answered(run: Runner, tmp_path: Path) -> None:
    server = tmp_path / "late.py"
    server.write_text(LATE)
    messages = sent(run, "--", sys.executable, str(server))
    assert [one["result"] for one in messages if one.get("id") == "r"] == [{"roots": []}]
