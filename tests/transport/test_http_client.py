"""Driving HTTP: proxies, headers, journalling, and what happens when nobody answers."""

from pathlib import Path

import httpx
import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, UsageError
from inspector.journal.entries import Kind
from inspector.journal.facts import http_facts
from inspector.journal.journal import Journal
from inspector.transport.http_client import HttpClient, is_loopback
from tests.servers.real import free_port
from tests.servers.rude_http import rude_http


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("localhost", True),
        ("LOCALHOST.", True),
        ("api.localhost", True),
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost.evil.example", False),
        ("10.0.0.1", False),
        ("example.com", False),
        ("", False),
    ],
)
def test_loopback_is_recognised_by_name_and_address(host: str, local: bool) -> None:
    assert is_loopback(host) is local


@pytest.mark.parametrize("host", ["999.1.1.1", "a\u202eb.example", "x" * 70_000])
def test_an_address_that_no_request_can_go_to_is_refused(host: str) -> None:
    journal = Journal()
    with pytest.raises(UsageError, match="cannot be connected to") as caught:
        HttpClient(Target(url=f"http://{host}/"), journal, 1)
    assert len(str(caught.value)) < 500
    journal.close()


async def test_a_proxy_is_never_asked_for_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    dead = f"http://127.0.0.1:{free_port()}"
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.setenv(name, dead)
    async with rude_http() as peer:
        journal = Journal()
        client = HttpClient(Target(url=peer.url), journal, 1)
        answer = await client.exchange("GET", client.url, ())
        assert answer.status == 405
        await client.close()
        journal.close()


async def test_a_proxy_of_the_environment_is_asked_for_other_hosts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async with rude_http() as proxy:
        monkeypatch.setenv("HTTP_PROXY", proxy.origin)
        journal = Journal()
        client = HttpClient(Target(url="http://server.invalid/mcp"), journal, 1)
        answer = await client.exchange("GET", client.url, ())
        assert answer.status == 405
        assert proxy.seen[0].path == "http://server.invalid/mcp"
        await client.close()
        journal.close()


@pytest.mark.parametrize(
    "proxy", ["socks5://me:pAssw0rd@127.0.0.1:1", "ftp://me:pAssw0rd@127.0.0.1", "::::"]
)
def test_a_proxy_of_the_environment_that_cannot_be_used_is_named(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ALL_PROXY", proxy)
    with pytest.raises(ConnectionFailed, match="proxy") as caught:
        HttpClient(Target(url="https://server.invalid/mcp"), Journal(), 1)
    assert "ALL_PROXY" in caught.value.hint
    assert caught.value.fault == "you"
    assert "pAssw0rd" not in f"{caught.value.message}{caught.value.hint}"


def test_certificates_of_the_environment_that_cannot_be_read_are_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / "nothing.pem"))
    with pytest.raises(ConnectionFailed, match="certificates") as caught:
        HttpClient(Target(url="https://server.invalid/mcp"), Journal(), 1)
    assert "SSL_CERT_FILE" in caught.value.hint


async def test_the_targets_own_headers_win_over_ours() -> None:
    async with rude_http() as peer:
        journal = Journal()
        target = Target(url=peer.url, headers=(("accept", "text/plain"), ("X-Own", "1")))
        client = HttpClient(target, journal, 1)
        await client.exchange("GET", client.url, (("Accept", "text/event-stream"),))
        assert peer.seen[0].headers["accept"] == "text/plain"
        assert peer.seen[0].headers["x-own"] == "1"
        assert peer.seen[0].headers["accept-encoding"] == "identity"
        assert peer.seen[0].headers["user-agent"].startswith("mcp-inspect/")
        await client.close()
        journal.close()


async def test_an_exchange_that_fails_is_journalled_with_its_reason() -> None:
    journal = Journal()
    client = HttpClient(Target(url=f"http://127.0.0.1:{free_port()}/mcp"), journal, 1)
    with pytest.raises(ConnectionFailed, match="connection refused") as caught:
        await client.exchange("POST", client.url, (), b"{}")
    assert caught.value.kind == "refused"
    entry = journal.entry(len(journal))
    assert entry.row.kind is Kind.HTTP
    assert http_facts(entry.body).status is None
    assert "connection refused" in http_facts(entry.body).error
    await client.close()
    journal.close()


async def test_a_name_that_does_not_resolve_is_a_dns_failure() -> None:
    journal = Journal()
    client = HttpClient(Target(url="http://no-such-host.invalid/mcp"), journal, 1)
    with pytest.raises(ConnectionFailed, match=r"DNS: the name no-such-host\.invalid") as caught:
        await client.exchange("POST", client.url, (), b"{}")
    assert caught.value.kind == "dns"
    await client.close()
    journal.close()


async def test_plain_http_behind_an_https_url_is_a_tls_failure() -> None:
    async with rude_http() as peer:
        journal = Journal()
        client = HttpClient(Target(url=peer.url.replace("http:", "https:")), journal, 1)
        with pytest.raises(ConnectionFailed, match=r"TLS with .* failed") as caught:
            await client.exchange("POST", client.url, (), b"{}")
        assert caught.value.kind == "tls"
        await client.close()
        journal.close()


async def test_a_header_that_cannot_be_sent_is_our_own_fault() -> None:
    journal = Journal()
    target = Target(url="http://127.0.0.1:9/mcp", headers=(("X-Bad", "line\nbreak"),))
    client = HttpClient(target, journal, 1)
    with pytest.raises(ConnectionFailed) as caught:
        await client.exchange("POST", httpx.URL(target.url), (), b"{}")
    assert caught.value.fault in ("you", "server")
    await client.close()
    journal.close()


def test_a_url_with_a_password_is_refused() -> None:
    journal = Journal()
    with pytest.raises(UsageError):
        HttpClient(Target(url="http://me:secret@127.0.0.1/mcp"), journal, 1)
    journal.close()


async def test_a_secret_of_the_url_and_a_cookie_stay_out_of_what_the_server_repeats() -> None:
    async with rude_http("repeats-secrets") as peer:
        journal = Journal()
        client = HttpClient(Target(url=f"{peer.url}?token=canary-in-url"), journal, 1)
        answer = await client.exchange("POST", client.url, (), b'{"id":1,"method":"tools/call"}')
        await answer.close()
        await client.close()
        kept = journal.body(answer.number)
        assert b"canary" not in kept
        assert answer.body.count(b"canary") == 2
