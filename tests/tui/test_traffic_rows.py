"""How lines of the traffic are painted: the sign of a finding, bars, and no line without need."""

import pytest

from inspector.journal.entries import Direction
from inspector.tui import finding_lines
from inspector.tui.widgets.traffic_rows import SIGNS
from tests.tui.test_traffic import ANSWER, CALL, HEIGHT, a_list, add
from tests.tui.world import text_of


@pytest.mark.parametrize("severity", list(SIGNS))
async def test_the_sign_of_a_finding_appears_when_the_finding_does(severity: str) -> None:
    async with a_list(5) as (_, rows, pilot):
        found: dict[int, str] = {}
        rows.worst_at = found.get
        rows.set_follow(False)
        await pilot.pause()
        before, drawn = text_of(rows).splitlines(), rows.lines_drawn
        rows.tick()
        await pilot.pause()
        assert rows.lines_drawn == drawn
        found[3] = severity
        rows.tick()
        await pilot.pause()
        assert rows.lines_drawn == drawn + 1
        after = text_of(rows).splitlines()
        assert after[2] == SIGNS[severity][0] + before[2][1:]
        assert after[:2] + after[3:] == before[:2] + before[3:]


def test_the_signs_are_those_of_the_findings_tab_and_differ_without_any_colour() -> None:
    assert {str(severity): sign for severity, sign in finding_lines.SIGNS.items()} == SIGNS
    assert len({sign for sign, _ in SIGNS.values()}) == len(SIGNS)


async def test_long_numbers_leave_room_for_the_sign() -> None:
    async with a_list(12_000) as (_, rows, pilot):
        rows.worst_at = lambda number: "error" if number == 12_001 else None
        rows.refresh()
        await pilot.pause()
        assert text_of(rows).splitlines()[-1].startswith("✗12001 ")


async def test_bars_are_shown_where_they_are_wished_for_and_taken_away_again() -> None:
    async with a_list(2) as (journal, rows, pilot):
        journal.frame(Direction.SENT, CALL % 1, connection=1)
        add(journal, 1)
        journal.frame(Direction.RECEIVED, ANSWER % 1, connection=1)
        rows.tick()
        await pilot.pause()
        without = text_of(rows)
        assert rows.toggle_waterfall()
        await pilot.pause()
        shown = text_of(rows).splitlines()
        assert any(sign in shown[3] for sign in "█▌▐")
        assert not any(sign in shown[4] for sign in "█▌▐")
        assert rows.toggle_waterfall()
        await pilot.pause()
        assert text_of(rows) == without


async def test_a_request_that_waits_has_an_open_bar_until_its_answer_comes() -> None:
    async with a_list(2) as (journal, rows, pilot):
        rows.toggle_waterfall()
        journal.frame(Direction.SENT, CALL % 1, connection=1)
        add(journal, 3)
        rows.tick()
        await pilot.pause()
        assert "▶" in text_of(rows).splitlines()[3]
        journal.frame(Direction.RECEIVED, ANSWER % 1, connection=1)
        rows.tick()
        await pilot.pause()
        assert "▶" not in text_of(rows).splitlines()[3]


async def test_bars_cost_no_painted_line_more_under_a_flood() -> None:
    counts = []
    for wanted in (False, True):
        async with a_list(200) as (journal, rows, pilot):
            rows.waterfall = wanted
            rows.refresh()
            await pilot.pause()
            before = rows.lines_drawn
            for _ in range(5):
                journal.frame(Direction.SENT, CALL % len(journal), connection=1)
                add(journal, 250)
                rows.tick()
                await pilot.pause()
            following = rows.lines_drawn - before
            assert 0 < following <= 5 * HEIGHT
            rows.stop_at(20)
            await pilot.pause()
            before = rows.lines_drawn
            for _ in range(5):
                add(journal, 250)
                rows.tick()
                await pilot.pause()
            counts.append((following, rows.lines_drawn - before))
            assert counts[-1][1] <= HEIGHT  # the thumb of the bar may have moved
    assert counts[0] == counts[1]


async def test_rows_are_kept_while_their_bars_change() -> None:
    """The text of a line is not drawn again because the axis has moved."""
    async with a_list(100) as (journal, rows, pilot):
        rows.waterfall = True
        for number in range(4):
            journal.frame(Direction.SENT, CALL % number, connection=1)
            journal.frame(Direction.RECEIVED, ANSWER % number, connection=1)
        rows.tick()
        await pilot.pause()
        texts = 0
        draw = rows._draw

        def counted(*args: object) -> object:
            nonlocal texts
            texts += 1
            return draw(*args)  # type: ignore[arg-type]

        rows._draw = counted  # type: ignore[method-assign,assignment]
        add(journal, 1)
        rows.tick()
        await pilot.pause()
        assert texts == 1
