"""The contracts of the headless commands, over a real process: JSON, exit codes, streams."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.odd_server import RESULT, TOOLS_1, TOOLS_2
from tests.cli.running import DEMO, Runner, odd, scripted
from tests.servers import real

ESCAPED = RESULT.replace("\u202e", "\\u202e")


def squeezed(text: str) -> str:
    """JSON text without the white space between its tokens; strings stay as they are."""
    pieces = text.split('"')
    return '"'.join("".join(p.split()) if n % 2 == 0 else p for n, p in enumerate(pieces))


def test_info_is_what_the_server_sent_token_for_token(run: Runner) -> None:
    done = run("info", "--json", *odd("default"))
    assert done.code == 0
    assert list(done.json) == [
        "protocolVersion",
        "transport",
        "serverInfo",
        "capabilities",
        "clientCapabilities",
        "instructions",
    ]
    assert '"serverInfo":{"name":"odd","version":"1.10","n":1.10}' in squeezed(done.stdout)
    assert done.json["protocolVersion"] == "2025-06-18"
    assert done.json["transport"] == "stdio"
    assert done.json["instructions"] is None
    assert done.stderr == ""


def test_a_list_has_all_pages_verbatim_invalid_items_included(run: Runner) -> None:
    done = run("list", "tools", "--json", *odd("default"))
    assert done.code == 0
    assert squeezed(done.stdout) == squeezed(f'{{"tools":[{TOOLS_1},{TOOLS_2}]}}')


def test_an_item_that_cannot_be_read_hides_no_other(run: Runner) -> None:
    done = run("list", "tools", "--json", *odd("deep"))
    assert done.code == 4
    assert squeezed(done.stdout) == squeezed(
        '{"tools":[{"name":"a","n":1.10},{"name":"b"},{"name":"c"},{"name":"d"}]}'
    )
    assert "tools: item 2: inputSchema cannot be read" in done.stderr
    assert "and 1 more" in done.stderr
    people = run("list", "tools", *odd("deep"))
    assert people.stdout.split() == ["a", "b", "c", "d"]


def test_all_has_four_lists_and_a_refused_one_hides_no_other(run: Runner) -> None:
    done = run("list", "all", "--json", *odd("default"))
    assert done.code == 1
    assert list(done.json) == ["tools", "resources", "resourceTemplates", "prompts"]
    assert done.json["resourceTemplates"] == []
    assert isinstance(done.json["tools"], list)
    assert len(done.json["tools"]) == 5
    assert "resource templates: the server answered -32601 none" in done.stderr


def test_a_list_that_cannot_be_read_hides_no_other(run: Runner) -> None:
    target = scripted(
        tools_list='LINE {"jsonrpc":"2.0","id":$ID,"error":"no"}',
        resources_list='{"resources":[{"uri":"a:b","n":1.10}]}',
        resources_templates_list='{"resourceTemplates":[]}',
        prompts_list="EXIT",
    )
    done = run("list", "all", "--json", *target)
    assert done.code == 4
    assert squeezed(done.stdout) == squeezed(
        '{"tools":[],"resources":[{"uri":"a:b","n":1.10}],"resourceTemplates":[],"prompts":[]}'
    )
    notes = done.stderr.splitlines()
    assert notes[0] == "mcp-inspect: tools: the answer cannot be read: its error is not an object"
    assert notes[1].startswith("mcp-inspect: prompts: the server exited with code 7")
    problem = json.loads(notes[-1])["error"]
    assert problem["hint"] == 'it sent: {"jsonrpc":"2.0","id":2,"error":"no"}'


@pytest.mark.parametrize("answer", ["{}", '{"tools":null}', '{"tools":{"a":1}}', "[]", "null"])
def test_an_answer_without_the_list_is_a_breach_and_no_empty_list(run: Runner, answer: str) -> None:
    done = run("list", "tools", "--json", *scripted(tools_list=answer))
    assert (done.code, done.stdout) == (4, "")
    problem = json.loads(done.stderr)["error"]
    assert problem["kind"] == "protocol"
    assert "has no list 'tools'" in problem["message"]


def test_a_single_list_that_is_refused_is_the_servers_error(run: Runner) -> None:
    done = run("list", "templates", "--json", *odd("default"))
    assert done.code == 1
    assert squeezed(done.stdout) == '{"error":{"code":-32601,"message":"none"}}'


@pytest.mark.parametrize(
    ("word", "key"),
    [
        ("tools", "tools"),
        ("resources", "resources"),
        ("templates", "resourceTemplates"),
        ("prompts", "prompts"),
    ],
)
def test_what_is_not_offered_is_an_empty_list_with_a_note(
    run: Runner, word: str, key: str, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    done = run("list", word, "--json", *odd("bare", log))
    assert done.code == 0
    assert done.json == {key: []}
    assert "the server does not offer" in done.stderr
    assert "/list" not in log.read_text()


def test_a_list_whose_pages_go_in_a_circle_is_given_and_named(run: Runner) -> None:
    done = run("list", "tools", "--json", *odd("loop"))
    assert done.code == 4
    assert isinstance(done.json["tools"], list)
    assert "tools:" in done.stderr


def test_a_result_leaves_token_for_token_and_harmless(run: Runner) -> None:
    done = run("call", "odd", "--json", *odd("default"))
    assert done.code == 0
    assert squeezed(done.stdout) == squeezed(ESCAPED)
    assert "\u202e" not in done.stdout


def test_the_arguments_arrive_as_they_were_typed(run: Runner, tmp_path: Path) -> None:
    log = tmp_path / "log"
    run("call", "odd", "a:=1.10", "b=x", "--json", *odd("default", log))
    assert '"arguments":{"a":1.10,"b":"x"}' in log.read_text()
    assert "tools/list" not in log.read_text()


def test_a_tool_that_runs_as_a_task_only_is_called_as_one(run: Runner, tmp_path: Path) -> None:
    """2025-11-25 basic/utilities/tasks: `execution.taskSupport` of the tool decides."""
    log = tmp_path / "log"
    done = run("call", "odd", "a:=1.10", "--json", *odd("task", log))
    assert done.code == 0
    assert squeezed(done.stdout) == squeezed(ESCAPED)
    assert '"arguments":{"a":1.10}' in log.read_text()
    methods = [json.loads(line)["method"] for line in log.read_text().splitlines()]
    assert methods[2:] == ["tools/list", "tools/call", "tasks/result"]


def test_an_error_has_exactly_the_members_that_the_server_sent(run: Runner) -> None:
    done = run("call", "odd", "--json", *odd("error"))
    assert done.code == 1
    expected = '{"error":{"code":-32000,"message":"no \\u001b[2J","extra":1.10,"data":null}}'
    assert squeezed(done.stdout) == expected


def test_an_is_error_result_is_a_result_with_exit_code_1(run: Runner) -> None:
    done = run("call", "odd", "--json", *odd("is-error"))
    assert done.code == 1
    assert done.json["isError"] is True
    spoken = run("call", "odd", *odd("is-error"))
    assert spoken.code == 1
    assert "broken" in spoken.stdout


def test_a_result_that_is_no_object_is_printed_and_breaks_the_protocol(run: Runner) -> None:
    done = run("call", "odd", "--json", *odd("no-object"))
    assert squeezed(done.stdout) == '[1,2.50,"\\u202e"]'
    assert done.code == 4
    assert "not an object" in done.stderr


def test_a_full_disk_behind_stdout_is_no_crash_of_ours(run: Runner) -> None:
    command = [sys.executable, "-m", "inspector", "list", "tools", *odd("default")]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
    assert done.returncode == 2
    assert b"cannot write to stdout" in done.stderr


def test_request_sends_anything_whatever_was_negotiated(run: Runner, tmp_path: Path) -> None:
    log = tmp_path / "log"
    done = run("request", "x/y", '{"k": 1.10}', "--json", *odd("bare", log))
    assert done.code == 0
    assert squeezed(done.stdout) == squeezed(ESCAPED)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert lines[-1]["method"] == "x/y"
    assert '"params":{"k": 1.10}' in log.read_text()


def test_a_feature_that_is_not_offered_is_not_used_unasked(run: Runner) -> None:
    done = run("call", "odd", "--json", *odd("bare"))
    assert done.code == 2
    problem = json.loads(done.stderr)["error"]
    assert problem["kind"] == "capability"
    assert "mcp-inspect request tools/call" in problem["hint"]


@pytest.mark.parametrize(
    ("words", "code", "kind"),
    [
        (("call", "odd", "--timeout", "0.5", *odd("hang")), 5, "timeout"),
        (("info", "--timeout", "0.5", *odd("silent")), 5, "timeout"),
        (("call", "odd", *odd("malformed")), 4, "protocol"),
        (("info", "--", "/no/such/program"), 3, None),
        (("info", "--", "false"), 3, None),
        (("info", "http://127.0.0.1:9/mcp"), 3, None),
        (("call", "odd", *odd("die")), 4, None),
        (("info", *odd("refuse")), 3, None),
    ],
)
def test_our_failures_are_json_on_stderr_with_their_exit_code(
    run: Runner, words: tuple[str, ...], code: int, kind: str | None
) -> None:
    command, *rest = words
    done = run(command, "--json", *rest)
    assert (done.code, done.stdout) == (code, "")
    problem = json.loads(done.stderr.splitlines()[-1])["error"]
    assert set(problem) == {"kind", "message", "hint"}
    assert problem["message"]
    if kind is not None:
        assert problem["kind"] == kind


def test_stderr_of_the_server_is_shown_when_it_fails_and_is_harmless(run: Runner) -> None:
    done = run("call", "odd", *odd("die"))
    assert "Traceback: something ␛[31mbad␛[0m" in done.stderr
    assert "\x1b" not in done.stderr
    slow = run("call", "odd", "--timeout", "0.5", *odd("hang"))
    assert "[server] the odd server is up" in slow.stderr


def test_a_program_that_ends_at_once_is_asked_about(run: Runner) -> None:
    done = run("info", "--", "true")
    assert done.code == 3
    assert "exited with code 0\n  it wrote nothing to stderr; is it an MCP server" in done.stderr


def test_bytes_that_are_no_answer_are_shown(run: Runner) -> None:
    target = scripted(
        tools_call='LINE {"jsonrpc":"2.0","id":$ID,"result":{},"error":"\\u001b\x1b"}'
    )
    done = run("call", "t", *target)
    assert done.code == 4
    assert '  it sent: {"jsonrpc":"2.0","id":2,"result":{},"error":"\\u001b␛"}' in done.stderr


def test_stderr_of_the_server_is_hidden_unless_wanted(run: Runner) -> None:
    assert run("info", *odd("default")).stderr == ""
    assert "[server] the odd server is up" in run("info", "-v", *odd("default")).stderr


def test_human_output_has_no_escapes_in_a_pipe_and_shows_theirs(run: Runner) -> None:
    for words in (("call", "mischief"), ("list", "all"), ("read", "demo://readme"), ("info",)):
        done = run(*words, *DEMO)
        assert done.code == 0, done.stderr
        assert "\x1b" not in done.stdout
        assert "\u202e" not in done.stdout
    assert "␛]52;c;aGVsbG8=␇" in run("call", "mischief", *DEMO).stdout


def test_an_invalid_item_is_shown_beside_the_valid_ones(run: Runner) -> None:
    done = run("list", "tools", *odd("default"))
    assert done.code == 0
    assert "odd" in done.stdout
    assert 'invalid  "not an object"' in done.stdout
    assert "last␛]0;x␇" in done.stdout


def test_prompts_and_resources_of_the_demo(run: Runner) -> None:
    done = run("prompt", "trip", "country=japan", "city=Kobe", "--json", *DEMO)
    assert done.code == 0
    messages = done.json["messages"]
    assert isinstance(messages, list)
    assert len(messages) == 3
    done = run("read", "demo://settings.json", "--json", *DEMO)
    assert "123456789012345678901234567890" in done.stdout


def test_a_template_instead_of_a_uri_is_sent_and_remarked(run: Runner) -> None:
    refused = 'ERROR {"code":-32002,"message":"unknown"}'
    done = run("read", "demo://{id}", "--json", *scripted(resources_read=refused))
    assert (done.code, done.json) == (1, {"error": {"code": -32002, "message": "unknown"}})
    assert "looks like a template" in done.stderr


@pytest.mark.parametrize("era", ["handshake", "modern"])
def test_policies_answer_for_the_user_in_both_eras(run: Runner, era: str) -> None:
    target = ("--protocol", era, *DEMO)
    assert "You chose to decline" in run("call", "ask_form", *target).stdout
    cancel = run("call", "ask_form", "--on-elicitation", "cancel", *target)
    assert "You chose to cancel" in cancel.stdout
    defaults = run("call", "ask_form", "--on-elicitation", "accept-defaults", *target)
    assert "You chose to decline" in defaults.stdout
    assert "accept-defaults, but no default for name: declined" in defaults.stderr
    canned = run("call", "ask_form", "--on-elicitation", 'answer={"name":"Ada"}', *target)
    assert "{'name': 'Ada'}" in canned.stdout
    said = run("call", "ask_model", "--on-sampling", 'answer="forty-two"', *target)
    assert "said: forty-two" in said.stdout
    refused = run("call", "ask_model", *target)
    assert refused.code == 1


def test_roots_are_offered(run: Runner) -> None:
    done = run("call", "show_roots", "--root", "file:///srv/data", *DEMO)
    assert "file:///srv/data" in done.stdout


def test_a_recording_is_made_only_where_asked(run: Runner, tmp_path: Path) -> None:
    run("info", *odd("default"))
    assert not (run.home / "state").exists()
    file = tmp_path / "kept.jsonl"
    assert run("info", "--record", str(file), *odd("default")).code == 0
    assert "initialize" in file.read_text()


def test_a_reader_that_stops_reading_ends_a_call_like_the_signal_would() -> None:
    words = " ".join([sys.executable, "-m", "inspector", "call", "odd", *odd("long")])
    script = f"{words} | true; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", script], check=False, timeout=60)
    assert done.returncode == 141


def test_info_of_a_modern_server_says_what_it_discovered(run: Runner) -> None:
    done = run("info", "--json", "--protocol", "modern", "--", *real.modern_server().command)
    assert done.code == 0, done.stderr
    assert done.json["protocolVersion"] == "2026-07-28"
    assert done.json["supportedVersions"] == ["2026-07-28"]
    assert '"name":"modern-sdk"' in squeezed(done.stdout)


def test_a_call_goes_on_through_what_a_modern_server_asks_back(run: Runner) -> None:
    policies = ("--on-elicitation", 'answer={"name":"Bob"}', "--on-sampling", "accept-defaults")
    command = ("--protocol", "modern", *policies, "--", *real.modern_server().command)
    done = run("call", "introduce", *command)
    assert done.code == 0, done.stderr
    assert "Bob says" in done.stdout


def test_a_question_that_is_declined_ends_the_call_as_an_error_would(run: Runner) -> None:
    """2026-07-28 basic/patterns/mrtr: a no to sampling is not sent, the client simply stops."""
    policy = ("--on-elicitation", 'answer={"name":"Bob"}')
    command = ("--protocol", "modern", *policy, "--", *real.modern_server().command)
    done = run("call", "introduce", *command)
    assert done.code == 1
    assert "by policy: decline" in done.stderr
