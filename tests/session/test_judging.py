"""Judging runs beside other work and says when it found something."""

import asyncio

from inspector.config.targets import Target
from inspector.journal.entries import Direction
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
