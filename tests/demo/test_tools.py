"""Arguments and results of every kind, as the official client reads them."""

import pytest
from mcp import MCPError

from tests.demo.client import connected

pytestmark = pytest.mark.filterwarnings("ignore::mcp.shared.exceptions.MCPDeprecationWarning")


async def test_structured_results() -> None:
    async with connected() as (session, _):
        assert (await session.call_tool("add", {"a": 1, "b": 2})).structured_content == {"sum": 3}
        circle = {"shape": {"kind": "circle", "radius": 1}}
        assert not (await session.call_tool("area", circle)).is_error
        tree = {"tree": {"name": "a", "children": [{"name": "b", "children": [{"name": "c"}]}]}}
        found = await session.call_tool("measure_tree", tree)
        assert found.structured_content == {"nodes": 3, "depth": 3}
        order = {
            "customer": "Ada",
            "address": {"street": "A 1", "city": "Bern", "postcode": "3000"},
            "items": [{"article": "tea", "quantity": 2, "price": 1.5}],
        }
        receipt = (await session.call_tool("order", {"order": order})).structured_content
        assert isinstance(receipt, dict)
        assert receipt["total"] == 3.0
        wrong = await session.call_tool("order", {"order": {**order, "items": []}})
        assert wrong.is_error


async def test_one_content_block_of_every_kind() -> None:
    async with connected() as (session, _):
        everything = await session.call_tool("everything", {})
        assert {block.type for block in everything.content} == {
            "text",
            "image",
            "audio",
            "resource_link",
            "resource",
        }
        assert (await session.call_tool("draw", {})).content[0].type == "image"
        assert (await session.call_tool("play", {})).content[0].type == "audio"


async def test_both_kinds_of_failure() -> None:
    async with connected() as (session, _):
        assert (await session.call_tool("fail", {"message": "as asked"})).is_error
        with pytest.raises(MCPError) as caught:
            await session.call_tool("refuse", {})
        assert caught.value.error.data == {"reason": "demo", "retry": False}


async def test_progress_is_reported_at_every_step() -> None:
    async with connected() as (session, _):
        seen: list[float] = []

        async def on_progress(progress: float, total: float | None, message: str | None) -> None:
            seen.append(progress)

        arguments = {"steps": 4, "seconds": 0}
        await session.call_tool("slow", arguments, progress_callback=on_progress)
        assert seen == [0, 1, 2, 3, 4]
