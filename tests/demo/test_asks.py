"""The demo asks back and speaks unasked."""

import mcp_types as types
import pytest

from tests.demo.client import all_tools, connected, text_of

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


async def test_elicitation_has_every_kind_of_field() -> None:
    async with connected() as (session, client):
        said = text_of(await session.call_tool("ask_form", {}))
        assert "Ada" in said
        (asked,) = client.asked
        assert isinstance(asked, types.ElicitRequestFormParams)
        fields = str(asked.requested_schema)
        for word in ("enum", "enumNames", "oneOf", "anyOf", "array", "email", "date", "uri"):
            assert word in fields
        assert text_of(await session.call_tool("ask_url", {})) == "You chose to accept."
        await client.until_heard("ElicitCompleteNotification")


async def test_sampling_and_roots() -> None:
    async with connected() as (session, _):
        assert text_of(await session.call_tool("ask_model", {})) == "test said: forty-two"
        assert text_of(await session.call_tool("show_roots", {})) == "file:///srv"


async def test_log_messages_keep_to_the_level() -> None:
    async with connected() as (session, client):
        assert text_of(await session.call_tool("log", {})) == "sent 8"
        await session.set_logging_level("error")
        assert text_of(await session.call_tool("log", {})) == "sent 4"
        assert client.heard.count("LoggingMessageNotification") == 12


async def test_the_tool_list_changes_and_says_so() -> None:
    async with connected() as (session, client):
        await session.call_tool("toggle_extra_tool", {})
        await client.until_heard("ToolListChangedNotification")
        assert "extra" in {tool.name for tool in await all_tools(session)}
        await session.call_tool("toggle_extra_tool", {})
        assert "extra" not in {tool.name for tool in await all_tools(session)}
