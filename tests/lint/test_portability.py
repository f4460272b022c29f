"""What hosts are known to make of names, numbers and descriptions of tools."""

import json

import pytest

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.lint.engine import lint
from inspector.lint.portability import RULES, judge
from inspector.lint.rule import Severity
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import REVISIONS

CLOSED: JsonObject = {"type": "object", "additionalProperties": False}


def tool(name: str = "add", **members: Json) -> JsonObject:
    return {"name": name, "description": "d", "inputSchema": CLOSED, **members}


def listed(*tools: JsonObject, times: int = 1) -> Journal:
    journal = Journal()
    number = journal.begin_connection({})
    for round_ in range(times):
        sent = {"jsonrpc": "2.0", "id": round_, "method": "tools/list"}
        answer = {"jsonrpc": "2.0", "id": round_, "result": {"tools": list(tools)}}
        journal.frame(Direction.SENT, json.dumps(sent).encode(), connection=number)
        journal.frame(Direction.RECEIVED, json.dumps(answer).encode(), connection=number)
    return journal


@pytest.mark.parametrize(
    ("broken", "kept", "rule"),
    [
        (tool("calendar.read"), tool("calendar_read"), "host/tool-name"),
        (tool("a" * 65), tool("a" * 50), "host/tool-name"),
        (tool("2d"), tool("_2d"), "host/tool-name-start"),
        (tool("a" * 51), tool("a" * 50), "host/tool-name-room"),
        (tool(description="x" * 1025), tool(description="x" * 1024), "host/description-length"),
    ],
)
def test_each_limit_is_told_where_it_is_passed_and_only_there(
    broken: JsonObject, kept: JsonObject, rule: str
) -> None:
    found = judge(listed(broken))
    assert rule in {one.rule for one in found}
    assert judge(listed(kept)) == []
    (told,) = [one for one in found if one.rule == rule]
    assert told.severity is Severity.INFO
    assert told.page.startswith("https://")
    assert told.entries == (3,)
    assert told.pointer.startswith("/result/tools/0/")
    assert " Repair: " in told.message


def test_a_tool_that_is_listed_again_is_told_once() -> None:
    assert len(judge(listed(tool("a.b"), times=3))) == 1


def test_more_tools_than_a_host_takes_are_told_once() -> None:
    many = [tool(f"t{number}") for number in range(129)]
    (only,) = judge(listed(*many))
    assert only.rule == "host/too-many-tools"
    assert "129 tools" in only.message
    assert judge(listed(*many[:128])) == []


def test_they_are_remarks_in_every_revision_and_no_rules_of_the_linter() -> None:
    for row in RULES:
        assert row.id.startswith("host/")
        assert set(row.severities) == set(REVISIONS)
        assert set(row.severities.values()) == {Severity.INFO}
    assert not [one for one in lint(listed(tool("a.b"))) if one.rule.startswith("host/")]


@pytest.mark.parametrize("odd", [[1, None, {}], [{"name": 7}], [{"name": ""}], "tools", None])
def test_nothing_that_a_server_lists_is_too_odd(odd: Json) -> None:
    journal = Journal()
    number = journal.begin_connection({})
    answer = {"jsonrpc": "2.0", "id": 1, "result": {"tools": odd}}
    sent = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    journal.frame(Direction.SENT, sent, connection=number)
    journal.frame(Direction.RECEIVED, json.dumps(answer).encode(), connection=number)
    assert all(one.rule.startswith("host/") for one in judge(journal))
