"""The main screen: tabs, the four sizes of the traffic pane, small terminals."""

import pytest

from inspector.tui.screens.main import frames_per_second
from tests.tui.world import main, rows, running, traffic, wait_for


async def test_number_keys_change_tabs_and_letters_in_a_field_do_not() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("8")
        assert main(app).tab == "logs"
        await pilot.press("alt+1")
        assert main(app).tab == "server"


async def test_traffic_pane_goes_through_its_four_sizes() -> None:
    async with running() as (app, pilot):
        seen = [main(app).traffic_size]
        for _ in range(4):
            await pilot.press("ctrl+t")
            seen.append(main(app).traffic_size)
        assert seen == ["third", "half", "all", "hidden", "third"]


async def test_ctrl_g_goes_into_the_traffic_and_back() -> None:
    async with running() as (app, pilot):
        await wait_for(pilot, lambda: main(app).tab == "tools")
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: traffic(app).has_focus_within)
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: not traffic(app).has_focus_within)


async def test_a_small_and_a_tiny_terminal_are_survived() -> None:
    async with running(size=(80, 24)) as (app, pilot):
        await pilot.press("ctrl+g", "enter")
        await pilot.resize_terminal(1, 2)
        await pilot.resize_terminal(20, 5)
        await pilot.resize_terminal(200, 60)
        assert app.is_running


async def test_opening_a_detail_in_a_low_terminal_makes_room() -> None:
    async with running(size=(80, 24)) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        await pilot.press("enter")
        await wait_for(pilot, lambda: main(app).traffic_size == "half")


async def test_a_filter_asked_for_by_a_view_is_put_into_the_traffic_pane() -> None:
    async with running() as (app, pilot):
        app.filter_traffic("kind:request")
        await wait_for(pilot, lambda: rows(app).filtered)
        await wait_for(pilot, lambda: traffic(app).has_focus_within)


def test_fewer_frames_over_ssh(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    assert frames_per_second() == 20
    monkeypatch.setenv("SSH_CONNECTION", "1 2 3 4")
    assert frames_per_second() == 10
