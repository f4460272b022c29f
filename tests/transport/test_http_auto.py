"""The choice between Streamable HTTP and HTTP+SSE, against loopback sockets."""

import pytest

from inspector.config.targets import Target
from inspector.journal.entries import Direction, Flag
from inspector.protocol.messages import Sendable
from inspector.protocol.versions import Era
from inspector.transport.base import make_transport
from tests.servers.rude_http import rude_http
from tests.transport.wire import HELLO, wired


async def test_a_streamable_server_is_never_asked_for_the_older_transport() -> None:
    async with rude_http() as peer, wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire:
        await wire.handshake()
        await wire.answer(await wire.poke())
        assert wire.transport.facts.kind == "http"
        assert wire.events("fallback") == []


async def test_an_older_server_is_found_and_every_step_is_journalled() -> None:
    async with (
        rude_http("sse-honest", "/sse") as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        await wire.handshake()
        await wire.answer(await wire.poke())
        assert wire.transport.facts.kind == "sse"
        assert "HTTP 405" in str(wire.events("fallback")[0]["reason"])
        assert wire.events("fallback-taken")
        first, again = [
            e
            for e in wire.entries()
            if e.row.method == "initialize" and e.row.direction is Direction.SENT
        ]
        assert first.body == again.body
        assert Flag.RESENT in again.row.flags
        assert Flag.PENDING not in wire.journal.row(first.row.number).flags
    assert [end.expected for end in wire.sink.ends] == [True]


@pytest.mark.parametrize("status", [400, 404, 405, 410, 418])
async def test_when_both_fail_the_first_refusal_is_told_with_the_second_as_hint(
    status: int,
) -> None:
    async with (
        rude_http(f"init-{status}") as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        failure = await wire.failure(await wire.request("initialize", HELLO))
        assert f"HTTP {status}" in failure.message
        assert "HTTP+SSE was tried too" in failure.hint
        assert "HTTP 405" in failure.hint


@pytest.mark.parametrize("mode", ["init-401", "init-403", "init-429", "init-500"])
async def test_a_refusal_that_says_nothing_of_transports_ends_the_search(mode: str) -> None:
    async with (
        rude_http(mode) as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        await wire.failure(await wire.request("initialize", HELLO))
        assert wire.events("fallback-skipped")
        assert peer.requests("GET") == []


@pytest.mark.parametrize(
    ("revision", "mode", "tried"),
    [
        ("2025-03-26", "init-403", True),
        ("2025-06-18", "init-413", True),
        ("2025-06-18", "init-401", False),
        ("2025-11-25", "init-403", False),
    ],
)
async def test_up_to_2025_06_18_any_4xx_may_mean_the_older_transport(
    revision: str, mode: str, tried: bool
) -> None:
    """2025-03-26, 2025-06-18 basic/transports, backwards compatibility: any 4xx; 2025-11-25: 400,
    404 or 405. Who may not come in stays outside by either transport."""
    async with (
        rude_http(mode) as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        hello: Sendable = {"protocolVersion": revision, "capabilities": {}, "clientInfo": {}}
        await wire.failure(await wire.request("initialize", hello))
        assert bool(peer.requests("GET")) is tried
        assert bool(wire.events("fallback")) is tried


async def test_a_fallback_that_the_revision_does_not_name_says_so() -> None:
    """2025-11-25 basic/transports: 400, 404 or 405."""
    async with (
        rude_http("init-410") as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        await wire.failure(await wire.request("initialize", HELLO))
        assert "names only 400, 404 and 405" in str(wire.events("fallback")[0]["reason"])


async def test_an_error_of_the_modern_era_ends_the_search() -> None:
    async with (
        rude_http("init-modern-error") as peer,
        wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire,
    ):
        failure = await wire.failure(await wire.request("initialize", HELLO))
        assert "-32022" in failure.message
        assert "modern era" in str(wire.events("fallback-skipped")[0]["reason"])
        assert wire.sink.messages[0].about == 1


@pytest.mark.peer
async def test_real_older_python_servers_are_found(python_sse_url: str) -> None:
    async with wired(lambda j, c: make_transport(_at(python_sse_url), j, c)) as wire:
        await wire.handshake()
        assert b'"tools"' in await wire.answer(await wire.request("tools/list"))
        assert wire.transport.facts.kind == "sse"


def _at(url: str) -> Target:
    return Target(url=url)


async def test_after_a_look_at_the_handshake_era_the_modern_one_is_spoken_again() -> None:
    async with rude_http() as peer, wired(lambda j, c: make_transport(_at(peer.url), j, c)) as wire:
        for era in (Era.MODERN, Era.HANDSHAKE, Era.MODERN):
            await wire.transport.speaks(era)
            assert wire.transport.closing_cancels is (era is Era.MODERN)
            await wire.answer(await wire.poke())
    assert [end.expected for end in wire.sink.ends] == [True]
