"""Shapes of the base protocol."""

import pytest

from inspector.protocol.messages import Json
from tests.protocol.verdicts import valid_in


@pytest.mark.parametrize(
    ("type_name", "value", "revisions"),
    [
        ("RequestId", 1, "ABCDE"),
        ("RequestId", "1", "ABCDE"),
        ("RequestId", 2**70, "ABCDE"),
        ("RequestId", None, ""),
        ("RequestId", True, ""),
        ("RequestId", 1.5, ""),
        ("JSONRPCError", {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}}, ""),
        ("JSONRPCErrorResponse", {"jsonrpc": "2.0", "error": {"code": 1, "message": "m"}}, "DE"),
        # The official schema reads a request with a null id as a notification.
        ("JSONRPCMessage", {"jsonrpc": "2.0", "id": None, "method": "ping"}, "ABCDE"),
        ("JSONRPCMessage", [{"jsonrpc": "2.0", "method": "x"}], "B"),
        ("JSONRPCMessage", {"jsonrpc": "1.0", "method": "x"}, ""),
        ("Result", {}, "ABCD"),
        ("Result", {"resultType": "anything"}, "ABCDE"),
        ("ProgressNotificationParams", {"progressToken": 1, "progress": 1, "message": 5}, "A"),
        ("ProgressNotificationParams", {"progressToken": 1, "progress": "50"}, ""),
        ("CancelledNotificationParams", {"reason": "r"}, "D"),
        ("Implementation", {"name": "n", "version": "1", "title": 5}, "AB"),
        ("Implementation", {"name": "n", "version": "1", "icons": [{}]}, "ABC"),
        ("RequestParams", {}, "ABCD"),
        ("RequestParams", {"_meta": {"progressToken": []}}, ""),
        ("PaginatedRequestParams", {"cursor": None}, ""),
        # As the official schema has it, JSONObject holds neither null nor fractions.
        ("JSONObject", {"a": {"b": [1, "x", True]}}, "E"),
        ("JSONObject", {"a": None}, ""),
        ("JSONObject", {"a": 1.5}, ""),
        ("CacheableResult", {"resultType": "complete", "ttlMs": -1, "cacheScope": "public"}, ""),
        ("CacheableResult", {"resultType": "complete", "ttlMs": 0, "cacheScope": "public"}, "E"),
    ],
)
def test_what_is_valid_in_which_revision(type_name: str, value: Json, revisions: str) -> None:
    assert valid_in(type_name, value) == revisions


def test_the_modern_era_wants_its_metadata_on_every_request() -> None:
    prefix = "io.modelcontextprotocol/"
    meta: Json = {f"{prefix}protocolVersion": "2026-07-28", f"{prefix}clientCapabilities": {}}
    assert valid_in("RequestParams", {"_meta": meta}) == "ABCDE"
    assert valid_in("RequestParams", {"_meta": {"progressToken": 1}}) == "ABCD"


def test_errors_of_the_protocol_have_their_code_and_data() -> None:
    def reply(code: int, data: Json) -> Json:
        return {"jsonrpc": "2.0", "id": 1, "error": {"code": code, "message": "m", "data": data}}

    version = "UnsupportedProtocolVersionError"
    assert valid_in(version, reply(-32022, {"requested": "x", "supported": ["y"]})) == "E"
    assert valid_in(version, reply(-32022, {"requested": "x"})) == ""
    assert valid_in(version, reply(-32020, {"requested": "x", "supported": ["y"]})) == ""
    assert valid_in("HeaderMismatchError", reply(-32020, None)) == "E"
    assert valid_in("URLElicitationRequiredError", reply(-32042, {"elicitations": []})) == "D"
