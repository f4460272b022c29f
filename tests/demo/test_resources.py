"""Resources, prompts and completion of the demo."""

import mcp_types as types
import pytest

from tests.demo.client import connected

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


async def test_subscribers_of_the_counter_are_told() -> None:
    async with connected() as (session, client):
        await session.call_tool("count", {})
        assert "ResourceUpdatedNotification" not in client.heard
        await session.subscribe_resource("demo://counter")
        await session.call_tool("count", {})
        await client.until_heard("ResourceUpdatedNotification")
        (content,) = (await session.read_resource("demo://counter")).contents
        assert isinstance(content, types.TextResourceContents)
        assert content.text == '{"counter": 2}'
        await session.unsubscribe_resource("demo://counter")
        client.heard.clear()
        await session.call_tool("count", {})
        assert "ResourceUpdatedNotification" not in client.heard


async def test_resources_templates_and_prompts() -> None:
    async with connected() as (session, _):
        for resource in (await session.list_resources()).resources:
            assert (await session.read_resource(resource.uri)).contents
        templates = (await session.list_resource_templates()).resource_templates
        assert len(templates) == 2
        await session.read_resource("demo://countries/japan/cities/Kobe")
        assert {prompt.name for prompt in (await session.list_prompts()).prompts} == {
            "introduce",
            "trip",
        }
        trip = await session.get_prompt("trip", {"country": "japan", "city": "Kobe"})
        assert [message.role for message in trip.messages] == ["user", "user", "assistant"]


async def test_completion_knows_what_was_chosen_before() -> None:
    async with connected() as (session, _):
        ref = types.PromptReference(type="ref/prompt", name="trip")
        countries = await session.complete(ref, {"name": "country", "value": "j"})
        assert countries.completion.values == ["japan"]
        cities = await session.complete(ref, {"name": "city", "value": "K"}, {"country": "japan"})
        assert cities.completion.values == ["Kobe", "Kyoto"]
        assert (await session.complete(ref, {"name": "days", "value": ""})).completion.values == []
