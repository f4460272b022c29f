"""Generated tests, run for real: green on the server of the recording, red where it changed."""

import ast
import re
import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.export.pytest_file import MOST
from tests.export.canary import exported, recording
from tests.export.real_session import Calls, export, record, run_tests
from tests.journal.conversation import Conversation, request, result
from tests.servers import real
from tests.servers.hostile_texts import TEXTS

SERVER = """
import asyncio
from mcp.server.mcpserver import MCPServer

server = MCPServer("shop")

@server.tool()
def price(item: str, count: int = 1) -> str:
    '''What it costs.'''
    return f"{item} costs {count * PRICE}"

server.run("stdio")
"""


def _passed(output: str) -> int:
    found = re.search(r"([0-9]+) passed", output)
    return int(found.group(1)) if found is not None else 0


def test_tests_of_a_session_pass_on_its_server_and_fail_when_it_changes(tmp_path: Path) -> None:
    script = tmp_path / "server.py"
    script.write_text(SERVER.replace("PRICE", "3"))
    target = Target(command=(sys.executable, str(script)), transport="stdio", name="shop")
    calls: Calls = [("price", {"item": "tea", "count": 2}), ("price", {"count": "many"})]
    record(target, tmp_path / "shop.jsonl", [*calls, ("price", {"item": "ü\u202e", "count": 1})])
    generated = tmp_path / "test_shop.py"
    generated.write_bytes(export(tmp_path / "shop.jsonl", "pytest"))
    code, output = run_tests(generated)
    assert (code, _passed(output)) == (0, 4), output
    script.write_text(SERVER.replace("PRICE", "4"))
    code, output = run_tests(generated)
    assert code == 1
    assert "tea costs 6" in output
    assert "tea costs 8" in output
    assert "2 failed" in output, output


@pytest.mark.parametrize("protocol", ["2025-11-25", "2026-07-28"])
def test_the_demo_server_answers_its_tests_as_before(protocol: str, tmp_path: Path) -> None:
    target = Target(command=(sys.executable, "-m", "inspector.demo"), transport="stdio")
    calls: Calls = [("add", {"a": 2, "b": 3}), ("fail", {}), ("forecast", {"city": "Bern"})]
    record(
        target,
        tmp_path / "demo.jsonl",
        [*calls, ("ask_form", {})],
        protocol=protocol,
        prompts=["introduce"],
        resources=["demo://readme"],
    )
    generated = tmp_path / "test_demo.py"
    generated.write_bytes(export(tmp_path / "demo.jsonl", "pytest"))
    code, output = run_tests(generated)
    assert code == 0, output
    assert _passed(output) == 7, output


@pytest.mark.parametrize("transport", ["stdio", "http", "sse"])
def test_server_everything_answers_its_tests_as_before(transport: str, tmp_path: Path) -> None:
    calls: Calls = [
        ("echo", {"message": "a\nb ☂ \u202e"}),
        ("get-sum", {"a": 1, "b": 2.5}),
        ("get-sum", {"a": "x"}),
        ("get-tiny-image", {}),
        ("get-structured-content", {"location": "Chicago"}),
    ]

    def go(target: Target) -> None:
        record(target, tmp_path / "it.jsonl", calls, prompts=["simple-prompt"])
        generated = tmp_path / "test_it.py"
        generated.write_bytes(export(tmp_path / "it.jsonl", "pytest"))
        code, output = run_tests(generated)
        assert code == 0, output
        assert _passed(output) >= 7, output

    if transport == "stdio":
        go(real.everything("stdio"))
        return
    with real.everything_url(transport) as url:
        go(Target(url=url, transport="sse" if transport == "sse" else "http"))


def test_the_names_of_the_tests_are_sentences_and_all_different() -> None:
    talk = Conversation()
    for number, name in enumerate(["add", "add", "a b/c", "☂", *TEXTS.values()], 1):
        talk.sent(request(number, "tools/call", name=name, arguments={}))
        talk.received(result(number, content=[]))
    written = exported(talk.journal, "pytest").decode()
    names = [one.name for one in ast.walk(ast.parse(written)) if isinstance(one, ast.FunctionDef)]
    tests = [name for name in names if name.startswith("test_")]
    assert len(tests) == len(set(tests)) == 4 + len(TEXTS)
    assert tests[:4] == [
        "test_calling_add_answers_as_before",
        "test_calling_add_answers_as_before_time_2",
        "test_calling_a_b_c_answers_as_before",
        "test_calling_it_answers_as_before",
    ]
    assert written.isascii()


def test_arguments_go_out_as_they_were_typed() -> None:
    talk = Conversation()
    line = (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":'
        b'{"a":1.10,"b":123456789012345678901234567890}}}'
    )
    talk.sent(line)
    talk.received(result(1, content=[]))
    strings = [
        one.value
        for one in ast.walk(ast.parse(exported(talk.journal, "pytest")))
        if isinstance(one, ast.Constant)
    ]
    assert line.decode() in strings


def test_equal_calls_with_different_answers_are_compared_by_shape() -> None:
    talk = Conversation()
    for number, said in enumerate(["heads", "tails"], 1):
        talk.sent(request(number, "tools/call", name="toss", arguments={}))
        talk.received(result(number, content=[{"type": "text", "text": said}]))
    assert exported(talk.journal, "pytest").count(b", shape_only=True)") == 2


def test_calls_whose_arguments_are_masked_are_skipped_with_a_reason() -> None:
    written = exported(recording(), "pytest", "key=pin").decode()
    assert "its secrets are masked" in written


def test_a_recording_without_calls_is_refused() -> None:
    talk = Conversation()
    talk.sent(request(1, "ping"))
    with pytest.raises(UsageError) as caught:
        exported(talk.journal, "pytest")
    assert caught.value.kind == "nothing"


def test_the_first_calls_of_very_many_become_tests() -> None:
    talk = Conversation()
    for number in range(1, MOST + 3):
        talk.sent(request(number, "tools/call", name="t", arguments={}))
        talk.received(result(number, content=[]))
    assert exported(talk.journal, "pytest").count(b"\ndef test_") == MOST


def test_a_file_imports_pytest_and_the_standard_library_only() -> None:
    tree = ast.parse(exported(recording(), "pytest"))
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {one.name.partition(".")[0] for node in imported for one in node.names}
    assert names - set(sys.stdlib_module_names) == {"pytest"}
