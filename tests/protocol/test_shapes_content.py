"""Shapes of content."""

import pytest

from inspector.protocol.messages import Json
from tests.protocol.verdicts import valid_in

AUDIO: Json = {"type": "audio", "data": "", "mimeType": "audio/wav"}
LINK: Json = {"type": "resource_link", "uri": "a:b", "name": "n"}
TOOL_USE: Json = {"type": "tool_use", "id": "1", "name": "n", "input": {}}


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("TextContent", {"type": "text", "text": "t"}, "ABCDE"),
        ("TextContent", {"type": "text", "text": "t", "_meta": 1}, "AB"),
        ("TextContent", {"type": "text", "text": "t", "annotations": {"priority": 2}}, ""),
        ("TextContent", {"type": "text", "text": "t", "annotations": {"lastModified": 2}}, "AB"),
        ("AudioContent", AUDIO, "BCDE"),
        ("ContentBlock", LINK, "CDE"),
        ("ContentBlock", TOOL_USE, ""),
        ("SamplingMessageContentBlock", TOOL_USE, "DE"),
        ("PromptMessage", {"role": "user", "content": AUDIO}, "BCDE"),
        ("PromptMessage", {"role": "user", "content": LINK}, "CDE"),
        ("PromptMessage", {"role": "system", "content": AUDIO}, ""),
        ("SamplingMessage", {"role": "user", "content": AUDIO}, "BCDE"),
        ("SamplingMessage", {"role": "user", "content": [TOOL_USE]}, "DE"),
        ("ResourceContents", {"uri": "a:b", "mimeType": None}, ""),
        ("BlobResourceContents", {"uri": "a:b", "blob": "not base64!"}, "ABCDE"),
        ("EmbeddedResource", {"type": "resource", "resource": {"uri": "a:b"}}, ""),
        (
            "ToolResultContent",
            {"type": "tool_result", "toolUseId": "1", "content": [], "structuredContent": [1]},
            "E",
        ),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions
