"""What only HTTP has to be probed for: origins, and our own other addresses."""

import asyncio
from ipaddress import ip_address

import pytest

from inspector.active_http import NOBODY, HttpProbes, own_addresses
from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.journal import Journal
from inspector.lint.engine import lint
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.servers.checking_http import checking_http

TOKEN = "probe-token-0123456789"


async def probed(target: Target, protocol: str) -> Journal:
    options = Options(no_record=True, protocol=protocol)
    async with Workbench(target, options=options) as bench, asyncio.timeout(60):
        state = await bench.connect()
        assert state.ready, state.error
        await HttpProbes(bench, state.revision, lambda _: None).run()
        await bench.disconnect()
        return bench.journal


def rules(journal: Journal) -> set[str]:
    return {one.rule for one in lint(journal)}


def test_our_own_addresses_are_reachable_from_elsewhere() -> None:
    for address in own_addresses():
        assert not ip_address(address).is_loopback
        assert not ip_address(address).is_link_local


async def test_a_local_server_that_listens_everywhere_is_told() -> None:
    if not [one for one in own_addresses() if ip_address(one).version == 4]:
        pytest.skip("this machine has no address but the loopback one")
    async with checking_http({"everywhere"}) as peer:
        assert "http/bind-all" in rules(await probed(Target(url=peer.url), "2025-11-25"))
    async with checking_http() as peer:
        assert "http/bind-all" not in rules(await probed(Target(url=peer.url), "2025-11-25"))


async def test_no_secret_of_the_user_goes_to_another_address() -> None:
    async with checking_http({"everywhere"}) as peer:
        target = Target(url=peer.url, headers=(("Authorization", f"Bearer {TOKEN}"),))
        journal = await probed(target, "2025-11-25")
    host = "127.0.0.1"
    elsewhere = [
        journal.body(number)
        for number in range(1, len(journal) + 1)
        if journal.row(number).method == "GET" and host.encode() not in journal.body(number)
    ]
    assert len(elsewhere) == len(own_addresses())
    assert not [body for body in elsewhere if b"authorization" in body.lower()]


async def test_the_users_own_headers_go_with_every_probe_of_the_server() -> None:
    async with checking_http() as peer:
        target = Target(url=peer.url, headers=(("X-Tenant", "seven"),))
        journal = await probed(target, "2025-11-25")
    posts = [
        journal.body(number).lower()
        for number in range(1, len(journal) + 1)
        if journal.row(number).method == "POST"
    ]
    assert len(posts) >= 7
    assert [body for body in posts if b'"x-tenant","seven"' not in body] == []


async def test_an_origin_of_nobody_is_sent_with_every_transport() -> None:
    async with checking_http() as peer:
        await probed(Target(url=peer.url), "2025-06-18")
        assert ("POST", NOBODY) in peer.seen


async def test_a_server_that_opens_no_further_session_is_told() -> None:
    options = Options(no_record=True, protocol="2025-11-25")
    async with checking_http() as peer, Workbench(Target(url=peer.url), options=options) as bench:
        state = await bench.connect()
        peer.answer = lambda *_: (500, None)  # type: ignore[method-assign]
        with pytest.raises(InspectorError, match="500"):
            await HttpProbes(bench, state.revision, lambda _: None).run()


@pytest.mark.peer
async def test_the_official_sdk_checks_the_origin_in_both_eras() -> None:
    port = real.free_port()
    with real.running(real.modern_server("http", port), port) as origin:
        journal = await probed(Target(url=f"{origin}/mcp"), "modern")
    assert "http/origin-unchecked" not in rules(journal)
    assert NOBODY.encode() in b"".join(journal.body(n) for n in range(1, len(journal) + 1))


@pytest.mark.peer
async def test_a_server_on_http_and_sse_is_probed_by_its_stream() -> None:
    with real.python_url("mcp", "sse") as url:
        journal = await probed(Target(url=url, transport="sse"), "2024-11-05")
    assert NOBODY.encode() in b"".join(journal.body(n) for n in range(1, len(journal) + 1))
