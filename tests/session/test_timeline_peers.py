"""States out of recordings of real servers are those that the live sessions had."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.timeline import Timeline
from inspector.journal.timeline_readings import items_of
from inspector.journal.timeline_values import ConnectionAt, Phase
from inspector.protocol.messages import Json
from inspector.protocol.versions import Era
from inspector.session.catalog import KINDS
from inspector.session.roots import Root
from inspector.session.session import Session
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.session.scene import soon
from tests.session.timeline_script import live, told

RECORDINGS = Path(__file__).resolve().parent.parent / "recordings"


@pytest.fixture(params=["stdio", "http"])
def modern(request: pytest.FixtureRequest) -> Iterator[Target]:
    """The modern server over each transport."""
    if request.param == "stdio":
        yield real.modern_server()
        return
    port = real.free_port()
    with real.running(real.modern_server("http", port), port) as origin:
        yield Target(url=f"{origin}/mcp")


@pytest.fixture(params=["stdio", "http", "sse"])
def everything(request: pytest.FixtureRequest) -> Iterator[Target]:
    """npm's server-everything over each transport."""
    if request.param == "stdio":
        yield real.everything()
        return
    with real.everything_url(request.param) as url:
        yield Target(url=url)


def bench_on(target: Target, path: Path, protocol: str) -> Workbench:
    """A workbench that records."""
    roots = (Root("file:///srv/data", "data"),)
    return Workbench(target, options=Options(protocol=protocol, record=path, roots=roots))


async def play(session: Session, tool: str, **arguments: Json) -> None:
    """All lists, a call, the log level, a subscription; as far as the server declares it."""
    for kind in KINDS:
        await soon(session.catalog.refresh(kind))
    made = await soon(session.call_tool(tool, arguments))
    await soon(made.wait())
    if session.state.declares("logging"):
        await soon(session.set_log_level("error"))
    resources = session.catalog["resources"].items
    if (
        resources
        and isinstance(resources[0], dict)
        and session.state.declares("resources", "subscribe")
    ):
        await soon(session.subscribe(str(resources[0]["uri"])))


def copied(journal: Journal, path: Path) -> Journal:
    """What the recording of a journal holds by now."""
    journal.file.tick(float("inf"))
    twin = path.with_name(f"{path.stem}-{len(journal)}.jsonl")
    shutil.copyfile(path, twin)
    return load_recording(twin)


def as_of_now(journal: Journal) -> ConnectionAt:
    """The state as of the last entry."""
    seen = Timeline(journal).state_at(len(journal)).current
    assert seen is not None
    return seen


async def at_rest(bench: Workbench) -> None:
    """Until everything that the server has asked is answered, or waits for a person."""

    def holds() -> bool:
        journal = bench.journal
        asked = {ask.entry for ask in bench.session.inbox.open}
        waiting = {
            number
            for number in journal.correlator.open_requests()
            if journal.directions[number] == Direction.RECEIVED
        }
        return waiting <= asked

    await soon(bench.changes.until(holds))


async def compare(bench: Workbench, path: Path) -> None:
    """The live state against that of the journal, and of its recording."""
    await at_rest(bench)
    was = live(bench.session)
    for journal in (bench.journal, copied(bench.journal, path)):
        assert len(journal) == len(bench.journal)
        shown = told(journal, as_of_now(journal), was)
        if shown["why"].startswith("The probe by server/discover brought no answer."):
            assert was["why"].startswith("The probe by server/discover ")
            was["why"] = shown["why"]  # a time that ran out, or an HTTP status, is no message
        assert {key: (shown[key], was[key]) for key in was if shown[key] != was[key]} == {}


@pytest.mark.peer
@pytest.mark.parametrize("protocol", ["modern", "auto"])
async def test_a_modern_server_is_told_as_it_was(
    modern: Target, protocol: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    async with bench_on(modern, path, protocol) as bench:
        assert (await soon(bench.connect())).ready
        await play(bench.session, "work")
        await compare(bench, path)
        await soon(bench.session.call_tool("introduce", {}))
        await soon(bench.session.inbox.wait_open())
        await compare(bench, path)
        assert [one.key for one in as_of_now(bench.journal).asks]
        assert as_of_now(bench.journal).opening.era is Era.MODERN


@pytest.mark.peer
@pytest.mark.parametrize("package", real.PYTHON_SERVERS)
@pytest.mark.parametrize("protocol", ["handshake", "2025-03-26", "auto"])
async def test_python_servers_are_told_as_they_were(
    package: str, protocol: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    async with bench_on(real.python_server(package), path, protocol) as bench:
        assert (await soon(bench.connect())).ready
        await play(bench.session, "add", a=2, b=3)
        await compare(bench, path)
    assert as_of_now(load_recording(path)).phase is Phase.CLOSED


@pytest.mark.peer
@pytest.mark.node
@pytest.mark.parametrize("protocol", ["handshake", "auto"])
async def test_server_everything_is_told_as_it_was(
    everything: Target, protocol: str, tmp_path: Path
) -> None:
    path = tmp_path / "r.jsonl"
    async with bench_on(everything, path, protocol) as bench:
        assert (await soon(bench.connect())).ready
        await play(bench.session, "echo", message="hello")
        await compare(bench, path)
        assert as_of_now(bench.journal).transport == bench.session.transport.kind
        if protocol == "handshake":  # else the era is remembered, of which no message tells
            await soon(bench.reconnect())
            await compare(bench, path)
            assert as_of_now(bench.journal).number == 2
    assert as_of_now(load_recording(path)).phase.over or not everything.command


@pytest.mark.parametrize(("name", "tools"), [("demo", 10), ("everything-http", 10)])
def test_the_recordings_of_the_scenes_are_ready_until_their_end(name: str, tools: int) -> None:
    journal = load_recording(RECORDINGS / f"{name}.jsonl")
    timeline = Timeline(journal)
    phases = []
    for number in range(1, len(journal) + 1):
        seen = timeline.state_at(number).current
        assert seen is not None
        if seen.phase not in phases:
            phases.append(seen.phase)
    assert phases[:3] == [Phase.CONNECTING, Phase.NEGOTIATING, Phase.READY]
    assert phases[-1] is Phase.CLOSED
    last = as_of_now(journal)
    assert last.open == ()
    assert last.opening.server_info["name"]
    assert len(items_of(journal, last.lists["tools"])) >= tools
