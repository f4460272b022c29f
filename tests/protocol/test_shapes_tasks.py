"""Shapes of tasks, core and extension."""

import pytest

from inspector.protocol.messages import Json, JsonObject
from tests.protocol.verdicts import valid_in

TASK: JsonObject = {"taskId": "1", "status": "working", "createdAt": "x", "lastUpdatedAt": "y"}
ERROR: JsonObject = {"code": 1, "message": "m"}


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("Task", {**TASK, "ttl": None}, "D"),
        ("Task", TASK, ""),
        ("Task", {**TASK, "ttl": None, "status": "submitted"}, ""),
        ("GetTaskResult", {**TASK, "ttl": 5, "_meta": {}}, "D"),
        ("GetTaskResult", {**TASK, "ttl": 5, "_meta": 1}, ""),
        ("CreateTaskResult", {"task": {**TASK, "ttl": 5}}, "D"),
        ("TaskCreatedResult", {**TASK, "ttlMs": None, "resultType": "task"}, "E"),
        ("TaskCreatedResult", {**TASK, "ttlMs": None, "resultType": "complete"}, ""),
        (
            "ExtensionGetTaskResult",
            {**TASK, "ttlMs": 5, "resultType": "complete", "error": ERROR},
            "E",
        ),
        (
            "ExtensionGetTaskResult",
            {**TASK, "ttlMs": 5, "resultType": "complete", "inputRequests": {"a": {}}},
            "",
        ),
        ("ListTasksResult", {"tasks": [{**TASK, "ttl": 5}], "nextCursor": "x"}, "D"),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions
