"""One inspection from begin to end: sections, sessions one after the other, nothing left over."""

import asyncio
from pathlib import Path

import msgspec
import pytest

from inspector.config.secrecy import secret_arguments
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, UsageError
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    JsonObject,
    encode_json,
)
from inspector.session.asks import Policy
from inspector.session.pending import Lost
from inspector.session.roots import Root
from inspector.transport.base import Closed, Sink, Transport
from inspector.transport.memory import MemoryTransport
from inspector.workbench import Advertise, Options, Phase, Workbench
from tests.session.scene import error, request, soon
from tests.wires import QUIET, TARGET, Wires, events


async def test_a_journal_that_is_handed_in_is_used_though_it_is_empty() -> None:
    journal = Journal()
    async with Workbench(TARGET, options=QUIET, journal=journal) as bench:
        assert bench.journal is journal


async def test_connecting_begins_a_section_and_closing_ends_everything() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        assert bench.session.state.phase is Phase.IDLE
        state = await soon(bench.connect())
        assert state.ready
        assert state.connection == 1
        assert events(bench) == ["connection"]
        assert (await soon(bench.connect())) is state
        assert len(wires.made) == 1
        assert bench.changes["journal"] >= len(bench.journal)
    assert wires.made[0].facts.state == "closed"
    assert bench.session.state.over


async def test_reconnecting_keeps_the_journal_the_roots_and_the_policies() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        first, entries = bench.session, len(bench.journal)
        await soon(first.set_roots([Root("file:///a")]))
        first.inbox.set_policy("sampling", Policy("decline"))
        number = first.calls[-1].number
        await soon(bench.reconnect())
        assert bench.session is not first
        assert first.state.phase is Phase.CLOSED
        assert bench.session.state.connection == 2
        assert len(bench.journal) > entries
        assert bench.session.roots == (Root("file:///a"),)
        assert bench.session.inbox.policies["sampling"].mode == "decline"
        assert bench.session.calls[0].number > number, "numbers go on"


async def test_a_switch_takes_effect_with_the_next_connect() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        assert "sampling" in bench.session.state.client_capabilities
        bench.advertise(Advertise(sampling=False))
        await soon(bench.reconnect())
        assert "sampling" not in bench.session.state.client_capabilities
        assert not bench.session.advertise.sampling


async def test_a_switch_of_the_modern_era_is_in_force_with_the_next_request() -> None:
    """2026-07-28 basic: each request says what the client can do."""
    wires, options = Wires(), Options(no_record=True, protocol="modern")
    async with Workbench(TARGET, options=options, transport_factory=wires) as bench:
        await soon(bench.connect())
        before = await soon(bench.session.request("tools/list", force=True))
        bench.advertise(Advertise(sampling=False))
        assert "sampling" not in bench.session.state.client_capabilities
        after = await soon(bench.session.request("tools/list", force=True))
        sent = [bench.journal.body(call.entry) for call in (before, after)]
        assert [b'"sampling"' in raw for raw in sent] == [True, False]


async def test_switching_goes_on_with_another_target_in_the_same_journal() -> None:
    wires = Wires()
    other = Target(url="https://user:pw@example.test/mcp")
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        await soon(bench.switch(other))
        assert wires.targets == [TARGET, other]
        assert events(bench) == ["connection", "connection"]
        assert not any(
            b"user:pw" in bench.journal.body(number) for number in range(1, len(bench.journal) + 1)
        )


async def test_what_stands_in_the_way_of_connecting_is_state() -> None:
    def refuse(target: Target, journal: Journal, connection: int) -> Transport:
        raise UsageError("nothing to connect to")

    async with Workbench(Target(), options=QUIET, transport_factory=refuse) as bench:
        state = await soon(bench.connect())
        assert state.phase is Phase.FAILED
        assert state.error is not None
        assert state.error.message == "nothing to connect to"


async def test_a_connect_that_hangs_can_be_given_up() -> None:
    wires = Wires(silent=True)
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        async with asyncio.TaskGroup() as group:
            connecting = group.create_task(bench.connect())
            await soon(bench.changes.until(lambda: bench.session.pending != ()))
            assert bench.session.state.phase is Phase.NEGOTIATING
            await soon(bench.disconnect())
        assert connecting.result().phase is Phase.CLOSED
        assert wires.made[0].facts.state == "closed"


async def test_cancelling_the_connect_leaves_nothing_behind() -> None:
    wires = Wires(silent=True)
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        async with asyncio.TaskGroup() as group:
            connecting = group.create_task(bench.connect())
            await soon(bench.changes.until(lambda: bench.session.pending != ()))
            connecting.cancel()
        assert bench.session.state.phase is Phase.CLOSED
        assert wires.made[0].facts.state == "closed"


async def test_two_reconnects_at_once_leave_one_session() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for _ in range(4):
                group.create_task(bench.reconnect())
        assert bench.session.state.ready
        assert [wire.facts.state for wire in wires.made].count("open") == 1


async def test_a_forgotten_session_is_opened_anew_and_open_calls_say_why() -> None:
    """2025-11-25 basic/transports: 404 means a new initialize without the session id."""
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        first = bench.session
        await soon(first.ping())
        call = await soon(first.request("tools/call", {"name": "x"}))
        wires.made[0].expire()
        outcome = await soon(call.wait())
        assert isinstance(outcome, Lost)
        assert outcome.error.kind == "session-expired"
        await soon(bench.changes.until(lambda: bench.session is not first))
        await soon(bench.changes.until(lambda: bench.session.state.ready))
        assert bench.session.state.connection == 2
        assert "session-expired" in events(bench)
        assert wires.made[0].facts.state == "closed"


async def test_a_session_that_never_worked_is_not_opened_again_and_again() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        wires.made[0].expire()
        assert bench.session.state.phase is Phase.FAILED
        assert isinstance(bench.session.state.error, ConnectionFailed)
        assert len(wires.made) == 1


async def test_a_session_that_is_forgotten_at_once_is_renewed_once_and_not_for_ever() -> None:
    """A server that answers 404 to whatever follows `initialize` must not be asked in a circle."""
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        first = bench.session
        for turn in (0, 1):
            call = await soon(bench.session.request("tools/call", {"name": "x"}))
            refused = error(call.id, -32001, "Session not found")
            wires.made[turn].feed(msgspec.json.encode(refused))
            wires.made[turn].expire()
            assert bench.session.state.phase is Phase.FAILED
            if not turn:
                await soon(bench.changes.until(lambda: bench.session is not first))
                await soon(bench.changes.until(lambda: bench.session.state.ready))
        for _ in range(20):
            await asyncio.sleep(0)
        assert len(wires.made) == 2
        assert (await soon(bench.connect())).ready


async def test_a_transport_that_ended_by_itself_is_closed_all_the_same() -> None:
    """A process that closed its stdout still runs, and one that died may leave others behind."""
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        wires.made[0].end(Closed("the server closed its stdout but still runs"))
        assert wires.closed == 0
        await soon(bench.reconnect())
        assert wires.closed == 1
        wires.made[1].end(Closed("and again"))
        await soon(bench.disconnect())
        assert wires.closed == 2


async def test_an_error_inside_comes_out_as_it_is() -> None:
    wires = Wires()

    async def crash() -> None:
        async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
            await soon(bench.connect())
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await crash()
    assert wires.made[0].facts.state == "closed"


async def test_a_server_that_dies_is_state_and_can_be_connected_again() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        wires.made[0].end(Closed("the server exited", exit_code=1))
        assert bench.session.state.phase is Phase.FAILED
        assert (await soon(bench.connect())).ready


async def test_answers_that_can_no_longer_be_sent_are_noted() -> None:
    class Broken(MemoryTransport):
        async def open(self, sink: Sink) -> None:
            await super().open(sink)
            self.feed(msgspec.json.encode(request(1, "ping")))
            self.end(Closed("gone", exit_code=1))

    def make(target: Target, journal: Journal, connection: int) -> Transport:
        return Broken(journal, connection)

    async with Workbench(TARGET, options=QUIET, transport_factory=make) as bench:
        state = await soon(bench.connect())
        assert state.phase is Phase.FAILED
        assert state.error is not None
        assert state.error.message == "gone (exit code 1)"


async def test_secrets_of_the_target_do_not_get_into_the_journal() -> None:
    wires = Wires()
    target = Target(
        command=("server",),
        env={"API_TOKEN": "hunter2-hunter2", "LEVEL": "verbose-logging"},
        headers=(("Authorization", "Bearer abcdef-123456"),),
    )
    async with Workbench(target, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        echo: JsonObject = {"a": "hunter2-hunter2", "b": "abcdef-123456", "c": "verbose-logging"}
        number = await soon(bench.session.notify("notifications/x", echo))
        kept = bench.journal.body(number)
        assert b"hunter2" not in kept
        assert b"abcdef-123456" not in kept
        assert b"verbose-logging" in kept
        assert encode_json(echo) in wires.made[0].sent[-1].raw
        facts = bench.journal.body(1)
        assert b"API_TOKEN" in facts
        assert b"hunter2" not in facts


async def test_recording_is_on_by_default_and_stays_in_the_state_directory(tmp_path: Path) -> None:
    options = Options(state_dir=tmp_path)
    async with Workbench(TARGET, options=options, transport_factory=Wires()) as bench:
        await soon(bench.connect())
        assert bench.recording is not None
        assert tmp_path in bench.recording.parents
        recorded = bench.recording
    assert b"initialize" in recorded.read_bytes()


async def test_a_state_directory_that_cannot_be_used_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    options = Options(state_dir=tmp_path / "file" / "below")
    async with Workbench(TARGET, options=options, transport_factory=Wires()) as bench:
        assert (await soon(bench.connect())).ready
        assert bench.recording is None
        assert bench.recording_problem


async def test_a_chosen_recording_goes_where_the_user_said(tmp_path: Path) -> None:
    chosen = tmp_path / "mine.mcpr"
    options = Options(record=chosen)
    async with Workbench(TARGET, options=options, transport_factory=Wires()) as bench:
        await soon(bench.connect())
    assert b"initialize" in chosen.read_bytes()


async def test_outside_its_block_a_workbench_does_not_connect() -> None:
    bench = Workbench(TARGET, options=QUIET, transport_factory=Wires())
    with pytest.raises(UsageError):
        await bench.connect()
    async with bench:
        pass
    with pytest.raises(UsageError):
        await bench.connect()


def test_a_protocol_that_we_do_not_speak_is_said_before_anything_is_started() -> None:
    with pytest.raises(UsageError, match="cannot speak"):
        Workbench(TARGET, options=Options(protocol="futuristic", no_record=True))


def test_secrets_among_the_arguments_of_a_command_are_known() -> None:
    command = (
        "server",
        "--api-key=k3y-one-value",
        "--token",
        "t0ken-two-value",
        "postgres://user:p4ss-three@host/db",
        "--verbose",
        "--auth",
        "--port=80",
    )
    assert secret_arguments(command) == ["k3y-one-value", "t0ken-two-value", "p4ss-three"]
