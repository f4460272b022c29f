"""Tokens end, servers fail, calls are cancelled and users log out in any order: nobody waits for
ever, no clock is left standing, and afterwards everything works."""

import asyncio
import random

import pytest

from inspector.protocol.messages import Sendable
from inspector.session.pending import Call, Success
from inspector.workbench import Phase, Workbench
from tests.auth.e2e.scripted_person import Person
from tests.auth.rig import PATIENCE, bench_for, until
from tests.servers.auth_server import AuthServer, serving
from tests.servers.auth_toggles import Canned

ROUNDS = 6


async def call(bench: Workbench, tool: str) -> Call:
    params: Sendable = {"name": tool, "arguments": {"a": 1, "b": 2} if tool == "add" else {}}
    return await bench.session.request("tools/call", params)


def trouble(server: AuthServer, dice: random.Random) -> None:
    """Something ends, or nothing does."""
    what = dice.choice(["access", "all", "down", "nothing"])
    if what == "all":
        server.rules.tokens.clear()
    elif what != "nothing":
        server.rules.end_access()
    server.turn(canned={"token": (Canned(500), None)} if what == "down" else {})


async def one_round(bench: Workbench, dice: random.Random) -> None:
    calls = [await call(bench, dice.choice(["add", "locked"])) for _ in range(dice.randint(1, 6))]
    authority = bench.authority
    assert authority is not None
    for made in calls:
        for _ in range(dice.randint(0, 400)):
            await asyncio.sleep(0)
        if dice.random() < 0.3:
            await made.cancel()
    if dice.random() < 0.2:
        authority.cancel()
    if dice.random() < 0.1:
        await authority.logout()
    async with asyncio.timeout(PATIENCE):
        for made in calls:
            await made.wait()


@pytest.mark.parametrize("seed", range(6))
async def test_in_whatever_order_it_comes_it_ends_and_works_again(seed: int) -> None:
    dice = random.Random(seed)
    person = Person()
    with serving() as server:
        async with bench_for(
            server, person, protocol=dice.choice(["handshake", "modern"])
        ) as bench:
            assert (await bench.connect()).phase is Phase.READY
            for _ in range(ROUNDS):
                trouble(server, dice)
                await one_round(bench, dice)
            server.turn(canned={})
            authority = bench.authority
            assert authority is not None
            await authority.login(bench.session.state.connection)
            made = await call(bench, "add")
            assert isinstance(await made.wait(), Success)
            await until(lambda: not any(made.waiting_for_us for made in bench.session.calls))
            assert authority.state.phase == "authorized"
        assert server.rules.complaints == []
