"""Which era a workbench speaks with a server: chosen, found out once, found out anew."""

from collections.abc import Iterable

import pytest

from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.journal.entries import Flag
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    Request,
    decode,
    encode_error,
)
from inspector.protocol.versions import Era
from inspector.session.era_memory import OUTLIVED_NOTHING
from inspector.transport.base import Transport
from inspector.transport.memory import MemoryTransport
from inspector.workbench import Options, Workbench
from tests.session.scene import soon
from tests.wires import QUIET, TARGET, Wires, agree, events


async def test_another_choice_of_protocol_is_one_reconnect_in_the_same_journal() -> None:
    wires = Wires()
    async with Workbench(TARGET, options=QUIET, transport_factory=wires) as bench:
        await soon(bench.connect())
        spoken = []
        for protocol in ("modern", "2025-11-25", "auto"):
            state = await soon(bench.speak(protocol))
            assert state.ready
            spoken.append(state.revision_text)
        assert spoken == ["2026-07-28", "2025-11-25", "2026-07-28"]
        assert events(bench) == ["connection"] * 4
        assert bench.options.protocol == "auto"
        with pytest.raises(UsageError):
            await soon(bench.speak("1999"))
        assert bench.session.state.ready, "a choice that names nothing ends nothing"


async def test_what_a_dead_process_taught_is_forgotten_with_another_choice() -> None:
    wires = Wires()
    options = Options(no_record=True, protocol="auto")
    async with Workbench(TARGET, options=options, transport_factory=wires) as bench:
        bench._eras.keep(TARGET, Era.HANDSHAKE, OUTLIVED_NOTHING)
        eras = []
        for connecting in (bench.connect, lambda: bench.speak("modern")):
            await soon(connecting())
            eras.append(bench.session.era)
        assert eras == [Era.HANDSHAKE, Era.MODERN]


class Changing(Wires):
    """A server that speaks the eras that it is told to."""

    def __init__(self) -> None:
        super().__init__()
        self.speaks = {"initialize", "server/discover"}

    def __call__(self, target: Target, journal: Journal, connection: int) -> Transport:
        wire = MemoryTransport(journal, connection, self.answer)
        self.made.append(wire)
        return wire

    def answer(self, raw: bytes) -> Iterable[bytes]:
        message = decode(raw)
        if isinstance(message, Request) and message.method not in self.speaks:
            yield encode_error(message.id, -32601, "no such method")
        else:
            yield from agree(raw)


def asked(bench: Workbench) -> list[str]:
    """What the session of now sent to open, probes in brackets."""
    calls = bench.session.calls
    flags = [bench.journal.row(call.entry).flags for call in calls]
    probes = [Flag.PROBE in each for each in flags]
    return [f"({c.method})" if probe else c.method for c, probe in zip(calls, probes, strict=True)]


async def test_a_server_is_asked_for_its_era_once() -> None:
    """2026-07-28 basic/versioning: the era is cached by process or origin."""
    for speaks, first, again in (
        ("initialize", ["(server/discover)", "initialize"], ["initialize"]),
        ("server/discover", ["(server/discover)"], ["server/discover"]),
    ):
        wires = Changing()
        wires.speaks = {speaks}
        options = Options(no_record=True, protocol="auto")
        async with Workbench(TARGET, options=options, transport_factory=wires) as bench:
            assert (await soon(bench.connect())).ready
            assert asked(bench) == first
            state = await soon(bench.reconnect())
            assert state.ready
            assert asked(bench) == again
            assert "not asked again" in state.why.lower()
            await soon(bench.speak("auto"))
            assert asked(bench) == first, "whoever chooses again wants to know anew"


async def test_a_server_that_speaks_another_era_than_before_is_asked_anew() -> None:
    for before, now, era in (
        ("initialize", "server/discover", Era.MODERN),
        ("server/discover", "initialize", Era.HANDSHAKE),
    ):
        wires = Changing()
        wires.speaks = {before}
        options = Options(no_record=True, protocol="auto")
        async with Workbench(TARGET, options=options, transport_factory=wires) as bench:
            await soon(bench.connect())
            wires.speaks = {now}
            state = await soon(bench.reconnect())
            assert state.ready
            assert bench.session.era is era
            assert "era-asked-again" in events(bench)
            assert len(wires.made) == 3
            await soon(bench.reconnect())
            assert bench.session.era is era
            assert len(wires.made) == 4
