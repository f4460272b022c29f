"""Judging runs beside other work, at a pace that suits it, and says when it found something."""

import asyncio
from types import SimpleNamespace

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction
from inspector.lint.judge import Judge
from inspector.session.judging import BUSY, QUIET, Pace, keep_judging, pace
from inspector.workbench import Options, Workbench


async def test_what_comes_is_judged_and_told() -> None:
    async with Workbench(Target(("true",)), options=Options(no_record=True)) as bench:
        judge = bench.begin_judging()
        assert bench.begin_judging() is judge is bench.judge
        connection = bench.journal.begin_connection({"transport": "stdio"})
        bench.journal.frame(Direction.RECEIVED, b"not json", connection=connection)
        async with asyncio.timeout(10):
            await bench.changes.until(lambda: bench.changes["findings"] > 0)
        assert [finding.entries for finding in judge.findings] == [(2,)]


async def test_a_flood_is_caught_up_with() -> None:
    async with Workbench(Target(("true",)), options=Options(no_record=True)) as bench:
        judge = bench.begin_judging()
        connection = bench.journal.begin_connection({"transport": "stdio"})
        for _ in range(3000):
            bench.journal.frame(Direction.RECEIVED, b"not json", connection=connection)
        async with asyncio.timeout(30):
            await bench.changes.until(lambda: judge.version == 3000)
        assert judge.behind == 0


@pytest.mark.parametrize(
    ("came", "seconds", "expected"),
    [(0, 0.02, QUIET), (5, 0.024, QUIET), (120, 0.024, BUSY), (29, 0.1, QUIET), (500, 0.1, BUSY)],
)
def test_a_flood_is_judged_slowly_and_what_it_left_behind_quickly(
    came: int, seconds: float, expected: Pace
) -> None:
    assert pace(came, seconds) is expected


def test_a_single_entry_right_after_another_is_no_flood() -> None:
    assert pace(1, 0.0) is QUIET


def test_others_get_their_turn_between_two_slices() -> None:
    assert BUSY.work < BUSY.rest
    assert QUIET.work <= 0.01


async def test_a_recording_is_read_before_it_is_judged() -> None:
    source = SimpleNamespace(reading=True)
    async with Workbench(Target(("true",)), options=Options(no_record=True)) as bench:
        connection = bench.journal.begin_connection({"transport": "stdio"})
        bench.journal.frame(Direction.RECEIVED, b"not json", connection=connection)
        judge = Judge(bench.journal)
        async with asyncio.TaskGroup() as group, asyncio.timeout(10):
            task = group.create_task(keep_judging(judge, bench.changes, source))
            await asyncio.sleep(0)
            assert judge.behind
            source.reading = False
            await bench.changes.until(lambda: bench.changes["findings"] > 0)
            assert not judge.behind
            task.cancel()


async def test_a_rule_that_fails_ends_the_judging_and_not_the_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fail(self: Judge, seconds: float) -> bool:
        raise RecursionError

    async with Workbench(Target(("true",)), options=Options(no_record=True)) as bench:
        judge = bench.begin_judging()
        monkeypatch.setattr(Judge, "advance", fail)
        connection = bench.journal.begin_connection({"transport": "stdio"})
        bench.journal.frame(Direction.RECEIVED, b"not json", connection=connection)
        async with asyncio.timeout(10):
            await bench.changes.until(lambda: bool(judge.failure))
        assert judge.failure == "RecursionError behind entry 0"
        assert bench.journal.frame(Direction.RECEIVED, b"{}", connection=connection) == 3
