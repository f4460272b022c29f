"""Shapes of what servers offer."""

import pytest

from inspector.protocol.messages import Json
from tests.protocol.verdicts import valid_in

SCHEMA: Json = {"type": "object"}


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("Tool", {"name": "n", "inputSchema": SCHEMA}, "ABCDE"),
        ("Tool", {"name": "n", "inputSchema": {"type": "string"}}, ""),
        ("Tool", {"name": "n", "inputSchema": {"type": "object", "properties": {"a": True}}}, "E"),
        ("Tool", {"name": "n", "inputSchema": {"type": "object", "$schema": 5}}, "ABC"),
        ("Tool", {"name": "n", "inputSchema": SCHEMA, "outputSchema": {"type": "array"}}, "ABE"),
        ("Tool", {"name": "n", "inputSchema": SCHEMA, "annotations": {"readOnlyHint": 1}}, "A"),
        ("Tool", {"name": "n", "inputSchema": SCHEMA, "execution": {"taskSupport": 1}}, "ABCE"),
        ("CallToolResult", {"content": []}, "ABCD"),
        ("CallToolResult", {"content": [], "isError": None}, ""),
        ("CallToolResult", {"resultType": "complete", "content": []}, "ABCDE"),
        (
            "CallToolResult",
            {"resultType": "complete", "content": [], "structuredContent": 5},
            "ABE",
        ),
        ("CallToolRequestParams", {"name": "n", "arguments": []}, ""),
        ("CallToolRequestParams", {"name": "n", "task": {"ttl": "x"}}, "ABC"),
        ("ListToolsResult", {"tools": [], "nextCursor": None}, ""),
        ("ListToolsResult", {"tools": []}, "ABCD"),
        ("ReadResourceResult", {"contents": [{"uri": "a:b", "text": "t", "blob": ""}]}, "ABCD"),
        ("GetPromptRequestParams", {"name": "n", "arguments": {"a": 1}}, ""),
        ("PromptReference", {"type": "ref/prompt", "name": "n", "title": 1}, "AB"),
        ("ResourceReference", {"type": "ref/resource", "uri": "a:b"}, "AB"),
        ("ResourceTemplateReference", {"type": "ref/resource", "uri": "a:b"}, "CDE"),
        ("LoggingLevel", "trace", ""),
        ("LoggingMessageNotificationParams", {"level": "info", "data": None}, "ABCDE"),
        ("LoggingMessageNotificationParams", {"level": "info"}, ""),
        ("SubscriptionFilter", {"resourceSubscriptions": ["a:b"]}, "E"),
        (
            "CompleteResult",
            {"resultType": "complete", "completion": {"values": ["x"] * 101}},
            "ABCD",
        ),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions
