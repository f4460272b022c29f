"""The probes of a protected server: the token goes with them, and nobody is asked twice."""

import asyncio
from collections.abc import Iterator

import pytest

from inspector.active_lint import ActiveLint
from inspector.config.targets import Target
from inspector.journal.entries import Kind
from inspector.journal.facts import http_facts
from inspector.workbench import Options, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import HONEST


@pytest.fixture(scope="module")
def running() -> Iterator[AuthServer]:
    with serving() as server:
        yield server


@pytest.mark.parametrize("protocol", ["2025-11-25", "2026-07-28"])
async def test_one_log_in_is_good_for_every_probe(running: AuthServer, protocol: str) -> None:
    running.reset(HONEST)
    person = Person()
    target = Target(url=running.url)
    options = Options(no_record=True, protocol=protocol)
    async with Workbench(target, options=options, person=person) as bench, asyncio.timeout(60):
        state = await bench.connect()
        assert state.ready, state.error
        asked = list(person.asked)
        before = len(bench.journal)
        await ActiveLint(bench, lambda _: None).run()
        assert person.asked == asked
        probes = [
            http_facts(bench.journal.body(number))
            for number in range(before + 1, len(bench.journal) + 1)
            if bench.journal.row(number).kind is Kind.HTTP
        ]
        to_us = [one for one in probes if one.url == running.url and one.method == "POST"]
        assert len(to_us) >= 5
        assert 401 not in {one.status for one in to_us}
