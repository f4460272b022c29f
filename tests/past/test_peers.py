"""Sessions with real servers, looked at again when they had long gone on."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.config.targets import Target
from inspector.past.bench import Past
from inspector.protocol.messages import JsonObject
from inspector.session.catalog import KINDS
from inspector.session.session import Session
from inspector.workbench import Workbench
from tests.past.test_session import differences, looked
from tests.servers import real
from tests.session.scene import soon
from tests.session.test_timeline_peers import at_rest, bench_on

Looks = dict[int, dict[str, Any]]


@pytest.fixture(params=["stdio", "http"])
def modern(request: pytest.FixtureRequest) -> Iterator[Target]:
    """The modern server over each transport."""
    if request.param == "stdio":
        yield real.modern_server()
        return
    port = real.free_port()
    with real.running(real.modern_server("http", port), port) as origin:
        yield Target(url=f"{origin}/mcp")


@pytest.fixture(params=["stdio", "http"])
def everything(request: pytest.FixtureRequest) -> Iterator[Target]:
    """npm's server-everything over each transport."""
    if request.param == "stdio":
        yield real.everything()
        return
    with real.everything_url(request.param) as url:
        yield Target(url=url)


async def look(bench: Workbench, looks: Looks) -> None:
    """What the session knows, once everything has come to rest; again where it moved meanwhile."""
    while True:
        await at_rest(bench)
        number = len(bench.journal)
        seen = looked(bench.session)
        if number == len(bench.journal):
            looks[number] = seen
            return


async def play(bench: Workbench, tool: str, arguments: JsonObject) -> Looks:
    """Lists, calls, a log level and a subscription, with a look after each."""
    session: Session = bench.session
    looks: Looks = {}
    await look(bench, looks)
    for kind in KINDS:
        await soon(session.catalog.refresh(kind))
        await look(bench, looks)
    for _ in range(2):
        await soon((await soon(session.call_tool(tool, arguments))).wait())
        await look(bench, looks)
    if session.state.declares("logging"):
        await soon(session.set_log_level("error"))
        await look(bench, looks)
    resources = session.catalog["resources"].items
    if resources and isinstance(resources[0], dict) and session.state.declares("resources"):
        uri = str(resources[0]["uri"])
        await soon((await soon(session.read_resource(uri))).wait())
        if session.state.declares("resources", "subscribe"):
            await soon(session.subscribe(uri))
        await look(bench, looks)
    return looks


def compare(bench: Workbench, looks: Looks) -> None:
    """Every look against the past as it is told now, the latest first and then in order."""
    past = Past(bench)
    for number in (*sorted(looks, reverse=True), *sorted(looks)):
        seen = past.at(number)
        wrong = differences(bench.journal, seen.session, looks[number])
        assert wrong == {}, (number, len(bench.journal))
        assert len(seen.journal) == number


@pytest.mark.peer
@pytest.mark.node
async def test_server_everything_is_told_as_it_was(everything: Target, tmp_path: Path) -> None:
    async with bench_on(everything, tmp_path / "r.jsonl", "handshake") as bench:
        assert (await soon(bench.connect())).ready
        looks = await play(bench, "echo", {"message": "hello"})
        await soon(bench.reconnect())
        await look(bench, looks)
        compare(bench, looks)
        assert len(looks) >= 9


@pytest.mark.peer
async def test_a_modern_server_is_told_as_it_was(modern: Target, tmp_path: Path) -> None:
    async with bench_on(modern, tmp_path / "r.jsonl", "modern") as bench:
        assert (await soon(bench.connect())).ready
        looks = await play(bench, "work", {})
        await soon(bench.session.call_tool("introduce", {}))
        await soon(bench.session.inbox.wait_open())
        await look(bench, looks)
        ask = bench.session.inbox.open[0]
        await soon(bench.session.inbox.accept(ask.number, {}))
        await soon(bench.changes.until(lambda: not bench.session.inbox.open))
        compare(bench, looks)
        assert any(state == "open" for one in looks.values() for state in one["asked"].values())


@pytest.mark.peer
@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
async def test_python_servers_are_told_as_they_were(package: str, tmp_path: Path) -> None:
    async with bench_on(real.python_server(package), tmp_path / "r.jsonl", "handshake") as bench:
        assert (await soon(bench.connect())).ready
        looks = await play(bench, "add", {"a": 2, "b": 3})
        compare(bench, looks)
