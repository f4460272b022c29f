"""Where the traffic pane stands: its sizes, and what takes the focus there."""

from tests.tui.world import main, rows, running, traffic, wait_for


async def test_the_sizes_follow_each_other_and_the_pane_hides() -> None:
    async with running() as (app, pilot):
        seen = []
        for _ in range(4):
            await pilot.press("ctrl+t")
            seen.append((main(app).traffic_size, bool(traffic(app).region.area)))
        assert seen == [("half", True), ("all", True), ("hidden", False), ("third", True)]


async def test_an_entry_is_shown_though_the_pane_was_hidden() -> None:
    async with running() as (app, pilot):
        main(app).set_traffic("hidden")
        main(app).show_entry(1)
        await wait_for(pilot, lambda: rows(app).entry == 1)
        assert main(app).traffic_size == "half"


async def test_the_focus_goes_into_the_pane_and_back() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await pilot.press("ctrl+g")
        assert traffic(app).has_focus_within
        await pilot.press("ctrl+g")
        assert not traffic(app).has_focus_within
