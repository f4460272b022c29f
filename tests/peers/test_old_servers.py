"""Old servers, each over every transport it offers: which revision is agreed on, that it can be
used, that nothing of it is left."""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction, Flag, Kind
from inspector.session.pending import Success
from inspector.transport.base import make_transport
from inspector.workbench import Options, Workbench
from tests.cli.running import Runner
from tests.peers import old
from tests.peers.evidence import frames, group_is_gone, lines, together
from tests.peers.exact import exact, result_of
from tests.peers.tapping import tapped
from tests.session.scene import soon

pytestmark = pytest.mark.peer
ALL = [pytest.param(one, id=one.name) for one in old.OLD]
ON_URLS = [
    pytest.param((one, kind), id=f"{one.name}-{kind}")
    for one in old.OLD
    for kind in one.kinds
    if kind != "stdio"
]
BATCH = b'[{"jsonrpc":"2.0","id":901,"method":"ping"},{"jsonrpc":"2.0","id":902,"method":"ping"}]'


@dataclass(frozen=True, slots=True)
class Running:
    """An old server that listens."""

    server: old.Old
    kind: str
    url: str


@pytest.fixture(params=ON_URLS)
def running(request: pytest.FixtureRequest) -> Iterator[Running]:
    server, kind = request.param
    with old.url(server, kind) as url:
        yield Running(server, kind, url)


def bench_on(target: Target, protocol: str = "auto") -> Workbench:
    """Some do not end when their input does; not much time is spent on waiting for that."""
    quick = partial(make_transport, eof_seconds=0.2)
    options = Options(protocol=protocol, no_record=True)
    return Workbench(target, options=options, transport_factory=quick)


async def play(target: Target, protocol: str) -> tuple[str, str, bytes]:
    """The revision agreed on, the transport in use, and what 2 + 3 is."""
    async with bench_on(target, protocol) as bench:
        state = await soon(bench.connect())
        assert state.ready, state.error
        assert state.transport is not None
        assert state.why
        call = await soon(bench.session.call_tool("add", {"a": 2, "b": 3}))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Success), outcome
        return state.revision_text, state.transport.kind, outcome.raw


async def refused(target: Target, revision: str, server: old.Old) -> None:
    """A pinned revision that the server does not speak: both are named, nothing goes on."""
    async with bench_on(target, revision) as bench:
        error = (await soon(bench.connect())).error
        assert error is not None
        assert error.kind == "version"
        assert revision in error.message
        assert server.answer_to(revision) in error.message


async def play_all(target: Target, offers: tuple[str, ...], server: old.Old, kind: str) -> None:
    for offer in offers:
        if offer in old.REVISIONS and server.answer_to(offer) != offer:
            await refused(target, offer, server)
    offers = tuple(o for o in offers if o not in old.REVISIONS or server.answer_to(o) == o)
    turn = asyncio.Semaphore(1 if target.url else 3)  # some serve one session at a time over HTTP

    async def in_turn(offer: str) -> tuple[str, str, bytes]:
        async with turn:
            return await play(target, offer)

    for offer, played in zip(offers, await asyncio.gather(*map(in_turn, offers)), strict=True):
        revision, used, answer = played
        assert (offer, revision) == (offer, server.answer_to(offer))
        assert used == kind
        assert b"5" in answer


@pytest.mark.parametrize("server", ALL)
async def test_an_old_server_agrees_on_a_revision_over_stdio(server: old.Old) -> None:
    every = ("auto", "handshake", *old.REVISIONS)
    offers = every if server.is_node else ("auto", "handshake")
    await play_all(Target(command=old.command(server, "stdio")), offers, server, "stdio")


async def test_an_old_server_agrees_on_a_revision_over_http(running: Running) -> None:
    """The URL of HTTP+SSE is not named as such: the transport is found out."""
    once = running.kind in running.server.once
    offers = ("auto",) if once else ("auto", "handshake", *old.REVISIONS)
    await play_all(Target(url=running.url), offers, running.server, running.kind)


@pytest.mark.parametrize("server", ALL)
def test_a_headless_call_prints_what_came_and_leaves_no_process(
    server: old.Old, run: Runner, tmp_path: Path
) -> None:
    tap = tapped(tmp_path / "log", old.command(server, "stdio"))
    recording = tmp_path / "recording.jsonl"
    done = run("call", "add", "a=2", "b=3", "--json", "--record", str(recording), *tap)
    assert done.code == 0, done
    received = lines(tmp_path / "log.out")
    assert exact(done.stdout) == result_of(received[-1])
    assert frames(recording, "in") == received
    assert frames(recording, "out") == lines(tmp_path / "log.in")
    assert group_is_gone(tmp_path / "log")


def server_of(name: str) -> old.Old:
    return next(one for one in old.OLD if one.name == name)


@pytest.mark.parametrize("name", ["mcp-1.12.4", "ev-2025.8"])
def test_a_client_that_was_told_to_use_sse_does_so_and_one_told_http_is_refused(
    name: str, run: Runner
) -> None:
    with old.url(server_of(name), "sse") as url:
        done = together(
            run,
            {
                "sse": ("info", "--json", "--transport", "sse", url),
                "http": ("info", "--json", "--transport", "http", url),
            },
        )
    assert (done["sse"].code, done["sse"].json["transport"]) == (0, "sse")
    assert (done["http"].code, done["http"].stdout) == (3, "")


async def test_both_answers_to_a_batch_are_taken_and_the_session_goes_on() -> None:
    """2025-03-26 basic: batches; this release still takes them."""
    with old.url(server_of("ev-2025.5"), "http") as url:
        async with bench_on(Target(url=url)) as bench:
            assert (await soon(bench.connect())).ready
            await soon(bench.session.send_raw(BATCH))
            journal = bench.journal

            def answers() -> list[int]:
                found = []
                for number in range(1, len(journal) + 1):
                    row = journal.row(number)
                    if (row.kind, row.direction) == (Kind.RESULT, Direction.RECEIVED):
                        body = json.loads(journal.body(number))
                        if body["id"] in (901, 902):
                            assert not row.flags & Flag.ORPHAN
                            assert row.method == "ping"
                            found.append(body["id"])
                return sorted(found)

            await soon(bench.changes.until(lambda: answers() == [901, 902]))
            call = await soon(bench.session.call_tool("add", {"a": 2, "b": 3}))
            assert isinstance(await soon(call.wait()), Success)
