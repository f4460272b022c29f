"""What the demo declares, and its pages."""

import jsonschema_rs
import mcp_types as types
import pytest
from mcp import MCPError

from tests.demo.client import all_tools, connected

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


async def test_everything_is_declared() -> None:
    async with connected() as (session, _):
        capabilities = session.server_capabilities
        assert capabilities is not None
        assert capabilities.tools is not None
        assert capabilities.tools.list_changed
        assert capabilities.resources is not None
        assert capabilities.resources.subscribe
        assert capabilities.prompts is not None
        assert capabilities.logging is not None
        assert capabilities.completions is not None


async def test_the_tools_come_in_pages_with_valid_schemas_and_annotations() -> None:
    async with connected() as (session, _):
        first = await session.list_tools()
        assert len(first.tools) == 10
        assert first.next_cursor
        tools = await all_tools(session)
        assert len({tool.name for tool in tools}) == len(tools) > 20
        for tool in tools:
            jsonschema_rs.validator_for(tool.input_schema)
            assert tool.description
        kinds = str([tool.input_schema for tool in tools])
        for word in (
            "oneOf",
            "anyOf",
            "$ref",
            "enum",
            "pattern",
            "maximum",
            "additionalProperties",
        ):
            assert word in kinds
        assert any(tool.annotations and tool.annotations.read_only_hint for tool in tools)
        assert any(tool.output_schema for tool in tools)


async def test_a_wrong_cursor_is_refused() -> None:
    async with connected() as (session, _):
        with pytest.raises(MCPError):
            await session.list_tools(params=types.PaginatedRequestParams(cursor="nonsense!"))
