"""`mcp-inspect lint` over real processes: what is linted, in which form, and exit codes."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from tests.cli.running import DEMO, Runner, scripted
from tests.cli.terminal import terminal
from tests.servers import real

RECORDINGS = Path(__file__).parent.parent / "recordings"
TOOLS = (
    '{"tools":[{"name":"a b","inputSchema":{"type":"object"}},'
    '{"name":"twice","description":"d\\u001b[31m","inputSchema":{"type":"object"}},'
    '{"name":"twice","description":"d","inputSchema":{"type":"string"}}]}'
)
SLOPPY = scripted(
    tools_list=TOOLS,
    resources_list='{"resources":[],"nextCursor":null}',
    resources_templates_list='{"resourceTemplates":[]}',
    prompts_list='{"prompts":[]}',
    ping="{}",
)
KEYS = {"rule", "severity", "revision", "message", "entries", "pointer", "page"}

GOLDEN = """\
error tool/input-schema-invalid
      A tool's schema is not valid
      https://modelcontextprotocol.io/specification/2025-11-25/server/tools
      #7 ← tools/list result  /result/tools/2/inputSchema/type
        The inputSchema of "twice" must be of type object at its root.
        "string"

warn  tool/name-charset
      A tool's name has other characters than it should
      https://modelcontextprotocol.io/specification/2025-11-25/server/tools
      #7 ← tools/list result  /result/tools/0/name
        The name "a b" should have only letters, digits, _, - and . in it.
        "a b"

1 error, 1 warning  2025-11-25, 17 entries
not looked at:
  not offered by the server: completions, logging
  offered, but no result was seen of: tools/call, resources/read, prompts/get
  rules that need --active: page/bad-cursor-code
"""


def rules_of(found: dict[str, object]) -> set[str]:
    listed = found["findings"]
    assert isinstance(listed, list)
    return {str(one["rule"]) for one in listed}


def test_a_server_that_is_right_is_told_nothing_and_the_exit_code_is_0(run: Runner) -> None:
    done = run("lint", *DEMO)
    assert done.code == 0, done.stdout
    assert done.stdout.startswith("nothing found  2025-11-25, ")
    assert "offered, but no result was seen of: tools/call" in done.stdout


def test_what_people_read(run: Runner) -> None:
    done = run("lint", "--rule", "tool/input-schema-invalid", "--rule", "tool/name-charset",
               "--rule", "page/bad*", *SLOPPY)  # fmt: skip
    assert done.stdout == GOLDEN
    assert done.code == 1


def test_json_has_exactly_the_promised_members(run: Runner) -> None:
    done = run("lint", "--json", *SLOPPY)
    assert done.code == 1
    assert set(done.json) == {"findings", "revision", "entries"}
    findings = done.json["findings"]
    assert isinstance(findings, list)
    assert all(set(one) == KEYS for one in findings)
    assert done.json["revision"] == "2025-11-25"
    assert {"tool/name-duplicate", "page/null-cursor"} <= rules_of(done.json)


@pytest.mark.parametrize(
    ("threshold", "globs", "code"),
    [
        ("error", ("tool/name-*",), 0),
        ("warn", ("tool/name-*",), 1),
        ("warn", ("tool/no-description",), 0),
        ("info", ("tool/no-description",), 1),
        ("info", ("tool/no-description", "-tool/*"), 0),
        ("error", ("-tool/input-schema-invalid",), 0),
    ],
)
def test_the_exit_code_is_that_of_the_gravest_chosen_finding(
    run: Runner, threshold: str, globs: tuple[str, ...], code: int
) -> None:
    chosen = [word for glob in globs for word in ("--rule", glob)]
    assert run("lint", "--fail-on", threshold, *chosen, *SLOPPY).code == code


def test_only_the_lists_are_asked_for(run: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    run("lint", "--record", str(kept), *DEMO)
    lines = [json.loads(line) for line in kept.read_text().splitlines()]
    sent = {line["raw"]["method"] for line in lines if line.get("dir") == "out" and "raw" in line}
    assert {"tools/list", "resources/list", "resources/templates/list", "prompts/list"} <= sent
    assert not sent & {"tools/call", "resources/read", "prompts/get", "logging/setLevel"}


# -- recordings --


def test_a_recording_is_judged_as_its_session_was(run: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    live = run("lint", "--json", "--record", str(kept), *SLOPPY)
    again = run("lint", "--json", str(kept))
    assert again.json == live.json
    assert again.code == live.code == 1


def test_a_recording_may_come_by_stdin(run: Runner) -> None:
    text = (RECORDINGS / "demo-modern.jsonl").read_text()
    done = run("lint", "-", "--json", stdin=text)
    assert done.code == 0
    assert rules_of(done.json) == {"dep/feature"}
    assert done.json["revision"] == "2026-07-28"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "nothing to lint is named"),
        (("nowhere.jsonl",), "neither a recording (there is no such file) nor a server"),
        (("localhost:8000/mcp",), "it lacks http:// or https://"),
        (("here.jsonl", "http://127.0.0.1:1/mcp"), "both 'here.jsonl' and a server are given"),
        (("here.jsonl", "--active"), "--active needs a server"),
        (("here.jsonl", "other.jsonl"), "unexpected word 'other.jsonl'"),
        (("here.jsonl", "--rule", "toll/*"), "no rule matches 'toll/*'"),
        (("here.jsonl", "--json", "--format", "sarif"), "exclude each other"),
    ],
)
def test_what_is_wrong_with_the_words_is_said(
    run: Runner, words: tuple[str, ...], said: str
) -> None:
    (run.home / "here.jsonl").write_text((RECORDINGS / "demo.jsonl").read_text())
    done = run("lint", *words)
    assert done.code == 2
    message = json.loads(done.stderr)["error"]["message"] if "--json" in words else done.stderr
    assert said in message


def test_a_program_that_is_taken_for_a_recording_gets_the_right_words(run: Runner) -> None:
    (run.home / "server.py").write_text("print('hello')\n")
    done = run("lint", "server.py")
    assert done.code == 3
    assert "mcp-inspect lint -- server.py" in done.stderr


# -- servers with which no session comes about --


def test_the_banner_of_a_server_that_never_answers_is_told_and_the_timeout_decides(
    run: Runner,
) -> None:
    done = run("lint", "--timeout", "5", "--", "sh", "-c", "echo Welcome; exec sleep 60")
    assert done.code == 5
    assert "stdio/stdout-pollution" in done.stdout
    assert "no session" in done.stdout
    assert "initialize got no answer in 5" in done.stderr  # as long as it really was


def test_a_server_that_dies_at_once_is_told_with_its_last_words(run: Runner) -> None:
    program = "import sys; sys.stdin.readline(); print('no licence', file=sys.stderr); sys.exit(3)"
    done = run("lint", "--json", "--", sys.executable, "-c", program)
    assert done.code == 3
    assert rules_of(done.json) == {"rpc/request-unanswered"}
    assert done.json["revision"] is None
    assert json.loads(done.stderr)["error"]["kind"] == "exited"


def test_a_server_that_breaks_off_among_its_lists_leaves_the_findings_so_far(
    run: Runner,
) -> None:
    done = run("lint", "--json", *scripted(tools_list=TOOLS, resources_list="EXIT"))
    assert done.code == 4
    assert {"tool/name-duplicate", "rpc/request-unanswered"} <= rules_of(done.json)


# -- other forms --


def test_sarif_points_into_the_lines_of_the_recording(run: Runner, tmp_path: Path) -> None:
    kept = tmp_path / "kept.jsonl"
    done = run("lint", "--format", "sarif", "--record", str(kept), *SLOPPY)
    (only,) = json.loads(done.stdout)["runs"]
    lines = kept.read_text().splitlines()
    assert only["results"]
    for result in only["results"]:
        assert only["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        place = result["locations"][0]["physicalLocation"]
        line = json.loads(lines[place["region"]["startLine"] - 1])
        assert line["n"] == result["properties"]["entries"][0]
        assert place["artifactLocation"]["uri"] == kept.as_uri()


def test_junit_fails_for_what_is_grave_and_skips_what_was_not_tried(run: Runner) -> None:
    done = run("lint", "--format", "junit", *SLOPPY)
    root = ElementTree.fromstring(done.stdout)
    cases = {str(one.get("name")).partition(":")[0]: one for one in root.iter("testcase")}
    assert cases["tool/input-schema-invalid"].find("failure") is not None
    assert cases["tool/name-duplicate"].find("failure") is None
    assert "twice" in str(cases["tool/name-duplicate"].findtext("system-out"))
    assert cases["page/bad-cursor-code"].find("skipped") is not None
    assert not [name for name in cases if name.startswith("http/")]
    suite = root.find("testsuite")
    assert suite is not None
    assert suite.get("failures") == str(len(list(root.iter("failure"))))
    assert suite.get("tests") == str(len(cases))


def test_all_rules_can_be_listed(run: Runner) -> None:
    listed = run("lint", "--list-rules", "--json", "--rule", "http/*").json["rules"]
    assert isinstance(listed, list)
    found = {one["id"]: one for one in listed}
    assert found["http/bind-all"]["active"] is True
    assert found["http/request-202"]["severities"]["2025-11-25"] == "error"
    assert "  needs --active\n" in run("lint", "--list-rules").stdout


def test_on_a_terminal_it_fits_80_columns_and_has_colours(run: Runner) -> None:
    with terminal(run.command("lint", *SLOPPY), run.environ) as person:
        person.wait_for("not looked at")
        assert person.end() == 1
        text = person.text
    assert "\x1b[1;31m" in text
    bare = re.sub(r"\x1b\[[0-9;]*[mK]|\r", "", text)
    lines = [line for line in bare.split("\n") if "https://" not in line]
    assert max(map(len, lines)) <= 80


def test_portability_is_told_only_where_it_is_asked_for(run: Runner) -> None:
    assert not [r for r in rules_of(run("lint", "--json", *SLOPPY).json) if r.startswith("host/")]
    done = run("lint", "--portability", "--fail-on", "warn", "--rule", "host/*", *SLOPPY)
    assert done.code == 0
    assert "portability between hosts (no violations)" in done.stdout
    assert "host/tool-name" in done.stdout


def test_nothing_of_the_interface_is_loaded() -> None:
    program = (
        "import sys\nfrom inspector.__main__ import main\n"
        f"sys.argv = ['mcp-inspect', 'lint', {str(RECORDINGS / 'demo.jsonl')!r}]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([n for n in sys.modules if n.split('.')[0] in ('textual', 'httpx', 'pydantic')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=os.environ
    )
    assert done.stdout.splitlines()[-1] == "[]"


def test_other_commands_load_no_linter() -> None:
    program = (
        "import sys\nfrom inspector.__main__ import main\nsys.argv = ['mcp-inspect', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print([n for n in sys.modules if n.startswith('inspector.lint')])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "[]"


@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
def test_servers_of_others_break_nothing_that_must_be(run: Runner, package: str) -> None:
    target = real.python_server(package)
    done = run("lint", "--active", "--json", "--", *target.command)
    assert done.code == 0, done.stdout
    assert "active: tools/call of a tool that does not exist" in done.stderr


@pytest.mark.node
def test_the_official_server_of_npm_breaks_nothing_that_must_be(run: Runner) -> None:
    done = run("lint", "--json", "--", *real.everything().command)
    assert done.code == 0, done.stdout


@pytest.mark.node
@pytest.mark.parametrize("transport", ["http", "sse"])
def test_it_breaks_nothing_over_http_either(run: Runner, transport: str) -> None:
    with real.everything_url(transport) as url:
        done = run("lint", "--json", url)
    assert done.code == 0
    assert rules_of(done.json) == set()


@pytest.mark.peer
@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
def test_the_servers_of_others_over_http_break_nothing(run: Runner, package: str) -> None:
    with real.python_url(package, "http") as url:
        done = run("lint", "--json", "--fail-on", "info", url)
    assert done.code == 0, done.stdout
