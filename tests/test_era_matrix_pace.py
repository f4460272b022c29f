"""What a server that does not end by itself costs the era matrix."""

import asyncio

from inspector.era_matrix import EraMatrix
from inspector.protocol.versions import REVISIONS
from inspector.transport.base import HURRIED_SECONDS
from inspector.workbench import Workbench
from tests.servers import real
from tests.test_era_matrix import ACCEPTING, ADD, QUIET, events


async def test_a_server_that_does_not_end_by_itself_costs_little_time_per_revision() -> None:
    async with Workbench(real.rude_stdio("ignore-eof"), options=QUIET) as bench:
        matrix = EraMatrix(bench, ADD, policies=ACCEPTING, revisions=REVISIONS[2:4])
        async with asyncio.timeout(110):
            await matrix.run()
        waits = [facts["waitSeconds"] for facts in events(bench.journal, "stdin-closed")]
    assert waits == [HURRIED_SECONDS] * 2
    assert HURRIED_SECONDS <= 0.5
