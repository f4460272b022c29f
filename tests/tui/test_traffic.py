"""The traffic list: follows, keeps its place, and paints no more than what changed."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from inspector.journal.entries import Direction, Flag
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.tui.widgets import traffic as widget
from inspector.tui.widgets.traffic import TrafficList
from tests.tui.world import text_of

NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}'
CALL = b'{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"add"}}'
ANSWER = b'{"jsonrpc":"2.0","id":%d,"result":{"content":[]}}'
HEIGHT = 10


class Host(App[None]):
    def __init__(self, journal: Journal, exchanges: Exchanges) -> None:
        super().__init__()
        self.rows = TrafficList(journal, exchanges)

    def compose(self) -> ComposeResult:
        yield self.rows


@asynccontextmanager
async def a_list(count: int = 0) -> AsyncIterator[tuple[Journal, TrafficList, Pilot[None]]]:
    """A list on a journal with `count` notifications."""
    journal = Journal()
    exchanges = Exchanges(journal)
    journal.begin_connection({})
    add(journal, count)
    app = Host(journal, exchanges)
    async with app.run_test(size=(100, HEIGHT)) as pilot:
        app.rows.focus()
        while app.rows.index.behind:
            app.rows.tick()
        app.rows.tick()
        await pilot.pause()
        yield journal, app.rows, pilot


def add(journal: Journal, count: int) -> None:
    for _ in range(count):
        journal.frame(Direction.RECEIVED, NOTE, connection=1)


async def test_it_follows_the_newest_entry_until_the_user_moves_away() -> None:
    async with a_list(50) as (journal, rows, pilot):
        assert rows.entry == 51
        add(journal, 5)
        rows.tick()
        assert rows.entry == 56
        await pilot.press("k")
        assert not rows.follow
        add(journal, 7)
        rows.tick()
        assert rows.entry == 55
        assert rows.unseen == 7
        await pilot.press("G")
        assert rows.entry == 63
        assert rows.unseen == 0


async def test_rows_shown_are_rows_sent_in_a_flood_from_another_thread() -> None:
    async with a_list() as (journal, rows, pilot):
        flood = threading.Thread(target=add, args=(journal, 20_000))
        flood.start()
        while flood.is_alive() or rows.index.behind:
            rows.tick()
            await pilot.pause()
        flood.join()
        for _ in range(widget.FRAME_EVERY):
            rows.tick()
        assert list(rows.index) == list(range(1, 20_002))
        assert rows.entry == 20_001


async def test_a_frame_draws_no_more_rows_than_fit_however_many_there_are() -> None:
    for count in (1_000, 200_000):
        async with a_list(count) as (journal, rows, pilot):
            while rows._looking:
                await pilot.pause()
            for _ in range(2 * widget.FRAME_EVERY):  # the last of it, and then nothing for a while
                rows.tick()
            await pilot.pause()
            before = rows.lines_drawn
            add(journal, 250)
            rows.tick()
            await pilot.pause()
            assert 0 < rows.lines_drawn - before <= HEIGHT


async def test_what_runs_faster_than_anybody_reads_is_drawn_in_every_fourth_frame() -> None:
    async with a_list(1_000) as (journal, rows, pilot):
        before, frames = rows.lines_drawn, 0
        for _ in range(8 * widget.FRAME_EVERY):
            add(journal, 250)
            drawn = rows.lines_drawn
            rows.tick()
            await pilot.pause()
            frames += rows.lines_drawn > drawn
        assert 7 <= frames <= 9
        assert rows.lines_drawn - before <= frames * HEIGHT
        for _ in range(widget.FRAME_EVERY):
            rows.tick()
            await pilot.pause()
        assert rows.entry == len(journal)
        assert f"{len(journal)}" in text_of(rows)


async def test_others_have_their_turn_between_two_slices_of_a_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(widget, "TICK_BUDGET", 0.0)
    monkeypatch.setattr(widget, "MANY", 100)
    async with a_list(20_000) as (_, rows, _pilot):
        rows.set_filter(compile_filter("no-such-word"), carriers=False)
        rows.tick()
        seen = set()
        while rows.index.behind:
            seen.add(rows.index.scanned)
            await asyncio.sleep(0)
        assert len(seen) > 3
        assert rows.index.scanned == 20_001


async def test_a_search_without_hits_tells_how_far_it_is_and_when_it_is_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(widget, "TICK_BUDGET", 0.0)
    async with a_list(20_000) as (_, rows, pilot):
        told: list[int] = []
        monkeypatch.setattr(rows, "_status", lambda: told.append(rows.index.behind))
        rows.set_filter(compile_filter("no-such-word"), carriers=False)
        for _ in range(10_000):
            if told and not told[-1]:
                break
            rows.tick()
            await pilot.pause()
        assert told[-1] == len(rows.index) == 0
        assert len(set(told)) > 2
        before = len(told)
        rows.tick()
        assert len(told) == before


async def test_what_can_be_read_as_it_goes_by_is_drawn_in_every_frame() -> None:
    async with a_list(1_000) as (journal, rows, pilot):
        for _ in range(12):
            add(journal, 3)
            rows.tick()
            await pilot.pause()
            assert rows.entry == len(journal)


async def test_a_paused_view_that_does_not_change_paints_nothing() -> None:
    async with a_list(5_000) as (journal, rows, pilot):
        rows.go_to(100)
        rows.tick()
        await pilot.pause()
        before = rows.lines_drawn
        for _ in range(10):
            add(journal, 10)
            rows.tick()
            await pilot.pause()
        assert rows.lines_drawn - before <= HEIGHT  # the bar's thumb may have moved once
        before = rows.lines_drawn
        for _ in range(10):
            rows.tick()
            await pilot.pause()
        assert rows.lines_drawn == before


async def test_only_the_row_whose_state_changed_is_painted_again() -> None:
    async with a_list(3) as (journal, rows, pilot):
        number = journal.frame(Direction.SENT, CALL % 1, connection=1)
        rows.tick()
        rows.set_follow(False)
        await pilot.pause()
        assert "pending" in text_of(rows)
        journal.frame(Direction.RECEIVED, ANSWER % 1, connection=1)
        before = rows.lines_drawn
        rows.tick()
        await pilot.pause()
        assert rows.lines_drawn - before <= 2
        assert not journal.row(number).flags & Flag.PENDING
        assert "pending" not in text_of(rows)
        assert "ok" in text_of(rows)


async def test_a_filter_keeps_the_entry_under_the_cursor() -> None:
    async with a_list(300) as (journal, rows, _pilot):
        number = journal.frame(Direction.SENT, CALL % 1, connection=1)
        add(journal, 300)
        rows.tick()
        assert rows.show_entry(number)
        rows.set_filter(compile_filter("method:tools/*"), carriers=False)
        assert rows.entry == number
        assert rows.count_lines() == 1
        rows.set_filter(None, carriers=False)
        assert rows.entry == number
        assert number in [rows.index[line] for line in rows.visible_lines()]


async def test_the_exchange_of_the_entry_under_the_cursor_is_marked() -> None:
    async with a_list(2) as (journal, rows, _pilot):
        first = journal.frame(Direction.SENT, CALL % 1, connection=1)
        journal.frame(Direction.RECEIVED, ANSWER % 1, connection=1)
        rows.tick()
        rows.show_entry(first)
        assert text_of(rows).count("▎") == 2


async def test_rows_that_a_filter_lets_go_leave_the_one_under_the_cursor_where_it_is() -> None:
    async with a_list(0) as (journal, rows, pilot):
        asked = [
            journal.frame(Direction.SENT, CALL % number, connection=1) for number in range(1, 61)
        ]
        rows.set_filter(compile_filter("is:pending"), carriers=False)
        assert rows.count_lines() == 60
        assert rows.show_entry(asked[30])
        y = rows.cursor - rows.visible_lines().start
        for number in (3, 4, 20):
            journal.frame(Direction.RECEIVED, ANSWER % number, connection=1)
        rows.tick()
        assert rows.count_lines() == 57
        assert rows.entry == asked[30]
        assert rows.index[rows.cursor] == asked[30]
        assert rows.cursor - rows.visible_lines().start == y
        for number in range(32, 61):
            journal.frame(Direction.RECEIVED, ANSWER % number, connection=1)
        rows.tick()
        await pilot.pause()
        assert rows.count_lines() == 28
        shown = text_of(rows)
        assert shown.count("pending") == min(28, HEIGHT)
        assert rows.index[rows.cursor] == asked[30]


async def test_many_entries_are_examined_between_ticks_and_keys_come_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(widget, "TICK_BUDGET", 0.0)
    monkeypatch.setattr(widget, "MANY", 100)
    async with a_list(4_000) as (journal, rows, pilot):
        rows.set_filter(compile_filter("method:notifications/*"), carriers=False)
        behind = rows.index.behind
        assert behind > 100
        rows.tick()
        rows.tick()  # begins no second search
        for _ in range(1000):
            if not rows.index.behind:
                break
            await pilot.pause()
        assert not rows.index.behind
        assert not rows._looking
        for _ in range(widget.FRAME_EVERY):
            rows.tick()
        await pilot.pause()
        assert f"{len(journal)}" in text_of(rows)
