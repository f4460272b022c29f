"""Shapes of what clients offer."""

import pytest

from inspector.protocol.messages import Json
from tests.protocol.verdicts import valid_in


def form(**properties: Json) -> Json:
    return {"message": "m", "requestedSchema": {"type": "object", "properties": properties}}


TEXT: Json = {"type": "text", "text": "t"}


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("ElicitRequestParams", form(a={"type": "string", "format": "email"}), "CDE"),
        ("ElicitRequestParams", form(a={"type": "string", "format": "phone"}), ""),
        ("ElicitRequestParams", form(a={"type": "object"}), ""),
        ("ElicitRequestParams", form(a={"type": "array", "items": {"enum": ["x"]}}), ""),
        (
            "ElicitRequestParams",
            form(a={"type": "array", "items": {"type": "string", "enum": ["x"]}}),
            "DE",
        ),
        (
            "ElicitRequestParams",
            form(a={"type": "string", "oneOf": [{"const": "x", "title": "X"}]}),
            "CDE",
        ),
        ("ElicitRequestParams", {"mode": "url", "message": "m", "url": "https://x"}, "E"),
        (
            "ElicitRequestParams",
            {"mode": "url", "message": "m", "url": "https://x", "elicitationId": "1"},
            "DE",
        ),
        ("ElicitResult", {"action": "reject"}, ""),
        ("ElicitResult", {"action": "decline"}, "CDE"),
        ("ElicitResult", {"action": "accept", "content": {"a": ["x"]}}, "DE"),
        ("ElicitResult", {"action": "accept", "content": {"a": None}}, ""),
        ("ListRootsResult", {"roots": [{"uri": "file:///x", "name": None}]}, ""),
        ("ListRootsResult", {"roots": [], "_meta": 1}, "E"),
        ("CreateMessageRequestParams", {"messages": []}, ""),
        ("CreateMessageRequestParams", {"messages": [], "maxTokens": 1, "tools": 1}, "ABC"),
        (
            "CreateMessageRequestParams",
            {"messages": [], "maxTokens": 1, "metadata": {"a": None}},
            "ABCD",
        ),
        ("CreateMessageResult", {"role": "user", "model": "m", "content": TEXT}, "ABCDE"),
        ("CreateMessageResult", {"role": "user", "model": "m", "content": [TEXT]}, "DE"),
        ("ModelPreferences", {"costPriority": 1.5}, ""),
        ("InputRequiredResult", {"resultType": "input_required"}, "E"),
        (
            "InputRequiredResult",
            {"resultType": "input_required", "inputRequests": {"a": {"method": "tools/list"}}},
            "",
        ),
        ("InputResponses", {"a": {"action": "cancel"}, "b": {"roots": []}}, "E"),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions
