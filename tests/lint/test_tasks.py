"""The rules of tasks."""

from pathlib import Path

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.lint.bench import PREFIX, Case, Step, ask, check, http, ok, play, say

TIMES: JsonObject = {"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:00Z"}
OLD: JsonObject = {"taskId": "t", "ttl": 1000, **TIMES}
NEW: JsonObject = {"taskId": "t", "ttlMs": 1000, **TIMES}
FORM: Json = {
    "method": "elicitation/create",
    "params": {"message": "Who?", "requestedSchema": {"type": "object", "properties": {}}},
}
ALLOWED: JsonObject = {"extensions": {"io.modelcontextprotocol/tasks": {}}, "elicitation": {}}
SERVES: JsonObject = {"tools": {}, "extensions": {"io.modelcontextprotocol/tasks": {}}, "tasks": {}}


def status(word: str) -> Step:
    return say("notifications/tasks/status", **OLD, status=word)


def got(number: int, word: str, **more: Json) -> list[Step]:
    return [ask(number, "tasks/get", taskId="t"), ok(number, **NEW, status=word, **more)]


RESULT = [ask(1, "tasks/result", taskId="t")]
ANSWER = [ask(8, "tasks/update", taskId="t", inputResponses={"k": {"action": "decline"}}), ok(8)]
MADE = [ask(1, "tools/call", name="a"), ok(1, resultType="task", **NEW, status="working")]

CASES = (
    Case(
        "task/illegal-transition",
        "D",
        [status("completed"), status("working")],
        [status("working"), status("completed")],
        server=SERVES,
    ),
    Case(
        "task/illegal-transition",
        "E",
        [*got(1, "cancelled"), *got(2, "working")],
        [*got(1, "working"), *got(2, "cancelled")],
        server=SERVES,
        client=ALLOWED,
    ),
    Case(
        "task/missing-timestamps",
        "D",
        [
            say(
                "notifications/tasks/status",
                taskId="t",
                ttl=1,
                status="working",
                createdAt="2026-01-01T00:00:00Z",
            )
        ],
        [status("working")],
        server=SERVES,
    ),
    Case(
        "task/related-missing",
        "D",
        [*RESULT, ok(1, content=[])],
        [*RESULT, ok(1, content=[], _meta={PREFIX + "related-task": {"taskId": "t"}})],
        server=SERVES,
    ),
    Case(
        "task/unsolicited",
        "E",
        MADE,
        [ask(1, "tools/call", name="a"), ok(1, content=[])],
        server=SERVES,
        client={},
    ),
    Case(
        "task/input-key-reuse",
        "E",
        [
            *got(1, "input_required", inputRequests={"k": FORM}),
            *ANSWER,
            *got(2, "working"),
            *got(3, "input_required", inputRequests={"k": FORM}),
        ],
        [
            *MADE,
            *got(2, "input_required", inputRequests={"k": FORM}),
            *ANSWER,
            *got(3, "working"),
            *got(4, "input_required", inputRequests={"l": FORM}),
        ],
        server=SERVES,
        client=ALLOWED,
    ),
    Case(
        "task/failed-for-is-error",
        "E",
        got(1, "failed", result={"content": [], "isError": True}),
        got(1, "completed", result={"content": [], "isError": True}),
        server=SERVES,
        client=ALLOWED,
    ),
)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_each_rule_is_broken_by_one_recording_and_kept_by_another(
    case: Case, tmp_path: Path
) -> None:
    check(case, tmp_path)


def test_a_word_on_a_task_may_be_overtaken_on_another_stream(tmp_path: Path) -> None:
    def told(status: str) -> JsonObject:
        times: JsonObject = {"createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01"}
        return {"taskId": "t", "status": status, "ttl": None, **times}

    late = say("notifications/tasks/status", **told("working"))
    steps = [
        *(ask(1, "tasks/get", taskId="t"), http(), ok(1, **told("completed"))),
        (get := http(200, "text/event-stream", method="GET")),
        late,
    ]
    server: JsonObject = {"tasks": {"list": {}, "cancel": {}}}
    case = Case("none", "D", steps, (), transport="http", server=server)
    assert play(case, steps, tmp_path / "a.jsonl", [get, late]) == []
    again = play(case, steps, tmp_path / "b.jsonl")
    assert {each.rule for each in again} == {"task/illegal-transition"}
