"""What one does with a session, where the two eras differ."""

import pytest

from inspector.errors import Undeclared, UsageError
from inspector.protocol.messages import JsonObject
from tests.session.scene import join, ready, result, soon
from tests.session.test_modern import opened


async def test_subscribing_is_a_request_of_its_own_in_the_handshake_era() -> None:
    async with ready() as s:
        subscribing = s.begin(s.session.subscribe("x://a"))
        sent = await s.client()
        assert sent["method"] == "resources/subscribe"
        assert isinstance(sent["id"], int)
        s.server(result(sent["id"], {}))
        await join(subscribing)
        assert s.session.subscriptions.find("x://a") is not None


async def test_subscribing_opens_a_stream_in_the_modern_era() -> None:
    async with opened() as s:
        s.begin(s.session.subscribe("x://a"))
        assert (await s.client())["method"] == "subscriptions/listen"


async def test_a_tool_with_invalid_header_marks_is_rejected_but_not_on_stdio() -> None:
    """2026-07-28 basic/transports/streamable-http: clients must exclude such tools."""
    field: JsonObject = {"type": "number", "x-mcp-header": "A"}
    schema: JsonObject = {"type": "object", "properties": {"a": field}}
    async with opened() as s:
        looking = s.begin(s.session.catalog.look("tools"))
        asked = await s.client()
        assert isinstance(asked["id"], int)
        s.server(result(asked["id"], {"tools": [{"name": "bad", "inputSchema": schema}]}))
        await join(looking)
        s.wire.kind = "http"
        with pytest.raises(Undeclared, match="x-mcp-header"):
            await soon(s.session.call_tool("bad", {"a": 1}))
        assert s.quiet()
        await soon(s.session.call_tool("bad", {"a": 1}, force=True))
        assert (await s.client())["method"] == "tools/call"
        s.wire.kind = "stdio"
        await soon(s.session.call_tool("bad", {"a": 1}))
        assert (await s.client())["method"] == "tools/call"


async def test_the_handshake_era_cannot_ask_for_no_logs() -> None:
    async with ready() as s:
        with pytest.raises(UsageError, match="no logs"):
            await soon(s.session.set_log_level(None))
