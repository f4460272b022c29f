"""The rules about the schema of a message."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import PREFIX, Case, Step, ask, check, ok, say, tell


def pong(**meta: Json) -> list[Step]:
    return [ask(1, "ping"), ok(1, _meta=meta)]


def call(**meta: Json) -> list[Step]:
    return [ask(1, "tools/call", dict(meta), name="a")]


RELATED: JsonObject = {PREFIX + "related-task": {"taskId": "t"}}
LISTED = ask(1, "tools/list")
TOOL: JsonObject = {
    "name": "a",
    "description": "A.",
    "inputSchema": {"type": "object", "properties": {}},
}

CASES = (
    Case("schema/invalid", "D", [LISTED, ok(1, tools={})], [LISTED, ok(1, tools=[])]),
    Case(
        "schema/invalid",
        "A",
        [LISTED, ok(1, tools=[{**TOOL, "description": 1}])],
        [LISTED, ok(1, tools=[TOOL])],
    ),
    Case(
        "schema/future-field",
        "A",
        [LISTED, ok(1, tools=[{**TOOL, "title": "A"}])],
        [LISTED, ok(1, tools=[TOOL])],
    ),
    Case(
        "schema/future-field",
        "C",
        [tell("notifications/tasks/status", taskId="t")],
        [tell("notifications/roots/list_changed")],
        name="-method",
    ),
    Case(
        "schema/unknown-method",
        "D",
        [say("notifications/own")],
        [say("notifications/tools/list_changed")],
    ),
    Case("schema/removed-method", "E", [ask(1, "ping")], [ask(1, "tools/call", name="a")]),
    Case("meta/key-syntax", "D", pong(**{"a b": 1}), pong(**{"com.example/a_b": 1})),
    Case(
        "meta/reserved-prefix",
        "D",
        pong(**{"io.mcp/own": 1}),
        pong(**RELATED),
    ),
    Case("meta/reserved-prefix", "C", pong(**{"a.b.mcp.c/own": 1}), pong(**{"a.b.c/own": 1})),
    Case(
        "meta/trace-format",
        "E",
        call(traceparent="1"),
        call(traceparent="00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)
