"""The corpus of planted faults over Streamable HTTP: each is told by its rule, and by nothing else.

One session a revision commits those of single calls; those of a whole session have one each.
"""

import asyncio
from pathlib import Path
from typing import Final

import pytest

from inspector.config.targets import Target
from inspector.protocol.messages import JsonObject
from tests.lint.planting import LETTERED, Walk, of_the_command, played, wanted_in
from tests.servers.planted_http import CALLS, STANDING, HttpFault, respond_to
from tests.servers.rude_http import rude_http

LETTERS: Final = "BCDE"


async def commits(walk: Walk, letter: str) -> None:
    """Commits everything, one fault after the other."""
    await walk.session.catalog.refresh("tools")
    for fault in CALLS:
        if letter in fault.only:
            params: JsonObject = {"name": fault.name, "arguments": {}}
            awaited = fault.name != "accepted"
            await walk.step(fault.name, "tools/call", params, "honest", ends=awaited)
            if fault.tells:
                await walk.tells(fault.tells)
                walk.extend(fault.name)


async def _session(letter: str, path: Path) -> Walk:
    async with rude_http(respond=respond_to("", letter)) as peer:
        target = Target(url=peer.url)
        return await played(target, LETTERED[letter], path, lambda walk: commits(walk, letter))


@pytest.fixture(scope="module", params=LETTERS)
def session(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[str, Walk]:
    letter: str = request.param
    path = tmp_path_factory.mktemp("planted") / f"{letter}.jsonl"
    return letter, asyncio.run(_session(letter, path))


@pytest.mark.parametrize("fault", CALLS, ids=str)
def test_a_fault_brings_its_findings_and_no_other(
    session: tuple[str, Walk], fault: HttpFault
) -> None:
    letter, walk = session
    if letter in fault.only:
        letters = fault.only if len(fault.only) < len(LETTERS) else LETTERS
        assert walk.told(fault.name) == wanted_in(fault.wanted, letter, letters)
    else:
        assert fault.name not in walk.spans


def test_what_lies_between_brings_nothing_and_the_command_tells_the_same(
    session: tuple[str, Walk],
) -> None:
    _, walk = session
    assert walk.elsewhere() == set()
    found = [(each.rule, each.severity.value, each.entries[0]) for each in walk.findings]
    assert len(found) > 7
    assert sorted(of_the_command(walk.path)) == sorted(found)


@pytest.mark.parametrize("letter", ["B", "D"])
@pytest.mark.parametrize("fault", STANDING, ids=str)
async def test_a_fault_of_a_whole_session_brings_its_findings_and_no_other(
    fault: str, letter: str, tmp_path: Path
) -> None:
    async def uses(walk: Walk) -> None:
        if fault == "get-primed":
            await walk.tells("stream-waits")
        await walk.step("honest", "tools/call", {"name": "honest", "arguments": {}}, "honest")

    async with rude_http(respond=respond_to(fault, letter)) as peer:
        found = await played(Target(url=peer.url), LETTERED[letter], tmp_path / "a.jsonl", uses)
    told = {(each.rule, each.severity.value) for each in found.findings}
    assert told == wanted_in(STANDING[fault], letter, LETTERS)
