"""The page about an item says everything, and whose words they are."""

from inspector.tui.views.tools_about import AboutItem, claims_line
from inspector.tui.views.tools_items import read_items
from tests.tui.test_tools import ItemServer, choose, tools_on
from tests.tui.test_tools_items import listed
from tests.tui.world import wait_for


def test_hints_are_named_as_claims_of_the_server() -> None:
    tool = read_items(listed("tools", {"name": "a", "annotations": {"readOnlyHint": True}}))[0].what
    assert tool is not None
    assert claims_line(tool).plain == "the server claims: read-only\n"  # type: ignore[arg-type]


async def test_f7_opens_the_page_follows_the_cursor_and_closes_again() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await choose(pilot, view, "add")
        await pilot.press("f7")
        await wait_for(pilot, lambda: len(view.query(AboutItem)) == 1)
        await choose(pilot, view, "echo")
        await wait_for(pilot, lambda: len(view.query(AboutItem)) == 1)
        await pilot.press("f7")
        await wait_for(pilot, lambda: not view.query(AboutItem) and not view.has_class("-about"))


async def test_the_page_of_any_item_can_be_opened() -> None:
    async with tools_on(ItemServer()) as (_, pilot, view):
        await pilot.press("f7")
        for item in list(view.rows.items):
            await choose(pilot, view, item.name)
            await wait_for(pilot, lambda: len(view.query(AboutItem)) == 1)
