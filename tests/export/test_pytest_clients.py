"""The client of generated tests: its text is whole Python of the standard library.

What it does is tested by running it against real servers, in `test_pytest_file`.
"""

import ast
import json
import sys
from typing import Any

import pytest

from inspector.export import pytest_clients


@pytest.mark.parametrize("name", ["STDIO", "HTTP", "REPLY"])
def test_each_part_parses_and_imports_nothing(name: str) -> None:
    tree = ast.parse(getattr(pytest_clients, name))
    assert not [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    assert "json" in sys.stdlib_module_names


def test_the_server_is_answered_as_it_was_in_turn_and_the_last_answer_stays() -> None:
    space: dict[str, Any] = {"json": json}
    exec(compile(pytest_clients.REPLY, "reply", "exec"), space)
    answers = {"roots/list": ['{"id":1,"result":{"a":1}}', '{"id":2,"result":{"a":2}}']}
    asked = {"id": "x", "method": "roots/list"}
    found = [json.loads(space["reply"](answers, asked)) for _ in range(3)]
    assert [one["result"]["a"] for one in found] == [1, 2, 2]
    assert {one["id"] for one in found} == {"x"}
    unknown = json.loads(space["reply"](answers, {"id": 5, "method": "elicitation/create"}))
    assert unknown["error"]["code"] == -32601


def test_events_of_a_stream_are_read_line_by_line() -> None:
    space: dict[str, Any] = {}
    exec(compile(pytest_clients.HTTP, "http", "exec"), space)
    raw = [b": comment\r\n", b"event: endpoint\n", b"data: /a\n", b"data:b\n", b"\n", b"\n"]
    assert list(space["events"](raw)) == [("endpoint", "/a\nb")]
