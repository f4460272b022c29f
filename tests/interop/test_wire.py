"""What the matrix of commands does not show: the very bytes, the processes that are left, batches,
and which transport is taken where the user names it."""

import asyncio
import json
from functools import partial
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction, Flag, Kind
from inspector.session.pending import Lost, Success
from inspector.transport.base import make_transport
from inspector.workbench import Options, Workbench
from tests.cli.running import Runner
from tests.interop import peers
from tests.interop.peers import CALL, Peer
from tests.peers.evidence import frames, group_is_gone, run_tapped, together
from tests.peers.exact import exact, result_of
from tests.servers import real
from tests.session.scene import soon

pytestmark = pytest.mark.peer
BATCH = b'[{"jsonrpc":"2.0","id":901,"method":"ping"},{"jsonrpc":"2.0","id":902,"method":"ping"}]'


def bench_on(target: Target, protocol: str = "auto") -> Workbench:
    """Some do not end when their input does; not much time is spent on waiting for that."""
    quick = partial(make_transport, eof_seconds=0.2)
    options = Options(protocol=protocol, no_record=True)
    return Workbench(target, options=options, transport_factory=quick)


@pytest.mark.parametrize("peer", [pytest.param(peer, id=peer.name) for peer in peers.PEERS])
def test_a_call_prints_what_came_records_what_crossed_and_leaves_no_process(
    peer: Peer, run: Runner, tmp_path: Path
) -> None:
    words = ("call", *CALL[peer.is_everything], "--json")
    met = run_tapped(run, tmp_path / "log", words, peers.command(peer, "stdio"))
    assert met.done.code == 0, met.done
    assert exact(met.done.stdout) == result_of(met.answer_to("tools/call"))
    assert frames(met.recording, "in") == met.received
    assert frames(met.recording, "out") == met.sent
    assert group_is_gone(tmp_path / "log")


@pytest.mark.parametrize("name", ["mcp-1.6.0", "ev-2025.8"])
async def test_what_the_probe_brought_about_is_in_the_journal(name: str) -> None:
    """One that the probe cost its life is started again, another one goes on; both say why."""
    target = Target(command=peers.command(peers.named(name), "stdio"))
    async with bench_on(target) as bench:
        state = await soon(bench.connect())
        assert state.ready
        journal = bench.journal
        rows = [journal.row(number) for number in range(1, len(journal) + 1)]
        probes = [row for row in rows if Flag.PROBE in row.flags]
        assert [row.method for row in probes if row.direction is Direction.SENT] == [
            "server/discover"
        ]
        events = [
            json.loads(journal.body(row.number))["event"] for row in rows if row.kind is Kind.EVENT
        ]
        again = name == "mcp-1.6.0"
        assert events.count("started-again") == (1 if again else 0)
        assert events.count("spawned") == (2 if again else 1)
        assert ("started again" if again else "-32601") in state.why


@pytest.mark.parametrize("name", ["mcp-1.12.4", "ev-2025.8"])
def test_a_client_that_was_told_to_use_sse_does_so_and_one_told_http_is_refused(
    name: str, run: Runner
) -> None:
    with peers.url(peers.named(name), "sse") as url:
        done = together(
            run,
            {
                "sse": ("info", "--json", "--transport", "sse", url),
                "http": ("info", "--json", "--transport", "http", url),
            },
        )
    assert (done["sse"].code, done["sse"].json["transport"]) == (0, "sse")
    assert (done["http"].code, done["http"].stdout) == (3, "")


@pytest.mark.parametrize("name", ["mcp-1.6.0", "mcp", "ev-2025.8"])
def test_where_sse_was_named_no_probe_ends_the_stream(name: str, run: Runner) -> None:
    """An old server ends it, a new one takes a transport that its era does not have."""
    with peers.url(peers.named(name), "sse") as url:
        done = run("info", "--json", "--transport", "sse", "--protocol", "auto", url)
    assert done.code == 0, done
    assert done.json["transport"] == "sse"
    assert done.json["protocolVersion"] == peers.named(name).newest


async def test_both_answers_to_a_batch_are_taken_and_the_session_goes_on() -> None:
    """2025-03-26 basic: batches; this release still takes them."""
    with peers.url(peers.named("ev-2025.5"), "http") as url:
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


async def test_several_sessions_at_once_are_served_by_one_server() -> None:
    with peers.url(peers.named("mcp-1.30.0"), "http") as url:

        async def play(protocol: str) -> str:
            async with bench_on(Target(url=url), protocol) as bench:
                state = await soon(bench.connect())
                assert state.ready, state.error
                call = await soon(bench.session.call_tool("add", {"a": 2, "b": 3}))
                assert isinstance(await soon(call.wait()), Success)
                return state.revision_text

        spoken = await asyncio.gather(*map(play, ("auto", *peers.HANDSHAKE)))
        assert spoken == ["2025-11-25", *peers.HANDSHAKE]


@pytest.mark.parametrize(
    ("name", "by_itself"), [("mcp-1.25.0", False), ("ev-2025.8", False), ("mcp-1.30.0", True)]
)
async def test_a_server_that_was_started_again_does_not_know_the_session(
    name: str, by_itself: bool
) -> None:
    """400 in former years, where the user has to reconnect; 404 brings a new session by itself."""
    peer, port = peers.named(name), real.free_port()
    target = Target(command=peers.command(peer, "http", port))
    asked = {"message": "x"} if peer.is_everything else {"a": 2, "b": 3}
    tool = "echo" if peer.is_everything else "add"
    async with bench_on(Target(url=f"http://127.0.0.1:{port}/mcp")) as bench:
        with real.running(target, port):
            assert (await soon(bench.connect())).ready
            call = await soon(bench.session.call_tool(tool, asked))
            assert isinstance(await soon(call.wait()), Success)
        with real.running(target, port):
            before = bench.session
            call = await soon(before.call_tool(tool, asked))
            outcome = await soon(call.wait())
            assert isinstance(outcome, Lost)
            assert outcome.error.kind == "session"
            assert ("by itself" if by_itself else "reconnect") in outcome.error.hint
            if not by_itself:
                await soon(bench.reconnect())
            await soon(
                bench.changes.until(
                    lambda: bench.session is not before and bench.session.state.ready
                )
            )
            call = await soon(bench.session.call_tool(tool, asked))
            assert isinstance(await soon(call.wait()), Success)
