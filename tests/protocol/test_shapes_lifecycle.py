"""Shapes of how a connection begins."""

import pytest

from inspector.protocol.messages import Json
from tests.protocol.verdicts import valid_in


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("ClientCapabilities", {}, "ABCDE"),
        ("ClientCapabilities", {"elicitation": 5}, "AB"),
        ("ClientCapabilities", {"elicitation": {"form": 5}}, "ABC"),
        ("ClientCapabilities", {"sampling": {"tools": True}}, "ABC"),
        ("ClientCapabilities", {"roots": {"listChanged": "yes"}}, "E"),
        ("ClientCapabilities", {"tasks": {"requests": {"sampling": 1}}}, "ABCE"),
        ("ClientCapabilities", {"extensions": {"a/b": 1}}, "ABCD"),
        ("ServerCapabilities", {"completions": True}, "A"),
        ("ServerCapabilities", {"logging": {}}, "ABCDE"),
        ("ServerCapabilities", {"resources": {"subscribe": 1}}, ""),
        ("ServerCapabilities", {"tasks": {"requests": {"tools": {"call": 1}}}}, "ABCE"),
        ("InitializeResult", {"protocolVersion": "x", "capabilities": {}}, ""),
        (
            "InitializeResult",
            {
                "protocolVersion": "x",
                "capabilities": {},
                "serverInfo": {"name": "n", "version": "1"},
            },
            "ABCD",
        ),
        (
            "DiscoverResult",
            {
                "resultType": "complete",
                "supportedVersions": ["2026-07-28"],
                "capabilities": {},
                "ttlMs": 0,
                "cacheScope": "public",
            },
            "E",
        ),
        ("PingRequest", {"method": "ping"}, "ABC"),
        ("PingRequest", {"jsonrpc": "2.0", "id": 1, "method": "ping"}, "ABCD"),
        (
            "InitializedNotification",
            {"jsonrpc": "2.0", "method": "notifications/initialized"},
            "ABCD",
        ),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions
