"""The entry under the cursor stays where it is, whatever comes and goes around it."""

import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from textual.pilot import Pilot

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.query import compile_filter
from inspector.lint.judge import Judge
from inspector.tui.widgets.traffic import TrafficList
from tests.tui.test_traffic import ANSWER, CALL, NOTE, Host, a_list, add

FILTERS = (
    "", "method:tools/call", "kind:notification", "is:pending", "is:marked", "rule:*", "-kind:http",
)  # fmt: skip


@asynccontextmanager
async def hosted() -> AsyncIterator[tuple[Host, Journal, TrafficList, Pilot[None]]]:
    async with a_list(60) as (journal, rows, pilot):
        app = pilot.app
        assert isinstance(app, Host)
        yield app, journal, rows, pilot


def caught_up(rows: TrafficList) -> None:
    rows.tick()
    for _ in range(1000):
        if not rows.index.behind:
            break
        rows.tick()
    rows.tick()


class Traffic:
    """Appends whatever may come."""

    def __init__(self, journal: Journal, chance: random.Random) -> None:
        self.journal = journal
        self.chance = chance
        self.judge = Judge(journal)
        self.open: list[int] = []
        self.calls = 0

    def go_on(self) -> None:
        journal, chance = self.journal, self.chance
        for _ in range(chance.randrange(1, 12)):
            match chance.randrange(6):
                case 0:
                    self.calls += 1
                    self.open.append(self.calls)
                    journal.frame(Direction.SENT, CALL % self.calls, connection=1)
                case 1 if self.open:
                    answered = self.open.pop(chance.randrange(len(self.open)))
                    journal.frame(Direction.RECEIVED, ANSWER % answered, connection=1)
                case 2:
                    journal.frame(Direction.RECEIVED, b"stray", connection=1)
                case 3:
                    sent = journal.frame(
                        Direction.SENT, CALL % (10_000 + len(journal)), connection=1
                    )
                    facts = HttpFacts("POST", "http://x", status=200)
                    journal.http(facts, connection=1, frame=sent)
                case 4:
                    flagged = chance.randrange(1, len(journal) + 1)
                    journal.flag(flagged, Flag.MARKED, chance.random() < 0.7)
                case _:
                    journal.frame(Direction.RECEIVED, NOTE, connection=1)
        if chance.random() < 0.5:
            self.judge.finish()


@pytest.mark.parametrize("seed", range(12))
async def test_the_entry_stays_on_its_row_under_all_that_comes_and_goes(seed: int) -> None:
    chance = random.Random(seed)
    async with hosted() as (app, journal, rows, pilot):
        traffic = Traffic(journal, chance)
        for _ in range(4):
            traffic.go_on()
        caught_up(rows)
        rows.stop_at(chance.randrange(len(rows.index)))
        rows.scroll_lines_to(rows.cursor - chance.randrange(rows.page_height))
        rows.go_to(rows.cursor)
        rows.cursor_moved()
        anchor, row = rows.entry, rows.cursor - rows.top
        themes = sorted(app.available_themes)
        carriers = False
        for _ in range(25):
            match chance.randrange(5):
                case 0:
                    text = chance.choice(FILTERS)
                    rows.set_filter(compile_filter(text) if text else None, carriers=carriers)
                case 1:
                    carriers = not carriers
                    rows.set_filter(rows._filter, carriers=carriers)
                case 2:
                    app.theme = chance.choice(themes)
                case 3:
                    await pilot.resize_terminal(
                        chance.choice((60, 100, 160)), chance.choice((10, 14))
                    )
                case _:
                    traffic.go_on()
            caught_up(rows)
            await pilot.pause()
            assert anchor is not None
            line = rows.index.line_of(anchor)
            if line is None:
                continue
            assert rows.entry == anchor
            assert rows.cursor == line
            lowest = max(0, len(rows.index) - rows.page_height)
            assert rows.top == max(0, min(line - row, lowest))
            assert rows.unseen == sum(number > rows._seen for number in rows.index)
        rows.set_filter(None, carriers=False)
        caught_up(rows)
        rows.action_last()
        assert rows.follow
        assert rows.entry == rows.index[len(rows.index) - 1]


async def test_new_entries_are_those_that_came_after_what_was_in_the_window() -> None:
    async with hosted() as (_, journal, rows, _pilot):
        rows.stop_at(20)
        assert rows.unseen == 0
        add(journal, 5)
        caught_up(rows)
        assert rows.unseen == 5
        journal.flag(3, Flag.MARKED)
        rows.set_filter(compile_filter("is:marked"), carriers=False)
        caught_up(rows)
        assert rows.unseen == 0  # none of the new ones is shown
        rows.set_filter(None, carriers=False)
        caught_up(rows)
        assert rows.unseen == 5
        rows.action_page(100)
        assert rows.unseen == 0


async def test_entries_that_begin_to_match_come_in_above_without_a_jump() -> None:
    async with hosted() as (_, journal, rows, _pilot):
        for number in range(20, 50):
            journal.flag(number, Flag.MARKED)
        rows.set_filter(compile_filter("is:marked"), carriers=False)
        caught_up(rows)
        rows.stop_at(20)
        entry, row = rows.entry, rows.cursor - rows.top
        for number in range(3, 12):
            journal.flag(number, Flag.MARKED)
        caught_up(rows)
        assert len(rows.index) == 39
        assert rows.entry == entry
        assert rows.cursor - rows.top == row
        for number in range(3, 12):
            journal.flag(number, Flag.MARKED, False)
        caught_up(rows)
        assert len(rows.index) == 30
        assert rows.entry == entry
        assert rows.cursor - rows.top == row


async def test_a_list_that_was_hidden_for_a_while_is_as_it_was() -> None:
    async with hosted() as (_, journal, rows, pilot):
        rows.stop_at(20)
        rows.scroll_lines_to(17)
        rows.go_to(21)
        entry, row = rows.entry, rows.cursor - rows.top
        rows.display = False
        await pilot.pause()
        add(journal, 30)
        caught_up(rows)
        rows.display = True
        await pilot.pause()
        caught_up(rows)
        assert rows.entry == entry
        assert rows.cursor - rows.top == row
