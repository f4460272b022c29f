"""OAuth requests go to addresses that were judged, and leave no secret behind."""

import asyncio
import contextlib
import gzip
import json
import socket
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from inspector.auth.exchange import OAuthRequest, Step, get, post_form
from inspector.auth.policy import perimeter
from inspector.auth.sending import LARGEST, Forbidden, Received, Sender, Unreachable, proxy_for
from inspector.journal.entries import Kind
from inspector.journal.facts import decode_facts, http_facts
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from tests.auth.rig import until
from tests.servers.real import free_port

HERE = perimeter("http://127.0.0.1:1/mcp")
OUTSIDE = perimeter("https://mcp.example/mcp")
CANARY = "canary-Acc3ss-t0ken/value+1"


@dataclass
class Peer:
    """Answers every request with the same bytes, and keeps what came."""

    answer: bytes = b""
    hangs: bool = False
    port: int = 0
    seen: list[bytes] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/token"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError, asyncio.IncompleteReadError):
            head = await reader.readuntil(b"\r\n\r\n")
            self.seen.append(head)
            if self.hangs:
                await reader.read()
            writer.write(self.answer)
            await writer.drain()
        writer.close()


@contextlib.asynccontextmanager
async def peer(answer: bytes = b"", *, hangs: bool = False) -> AsyncIterator[Peer]:
    found = Peer(answer, hangs)
    server = await asyncio.start_server(found.serve, "127.0.0.1", 0)
    found.port = server.sockets[0].getsockname()[1]
    try:
        yield found
    finally:
        server.close()


def http(body: bytes, head: str = "", status: str = "200 OK") -> bytes:
    lines = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n{head}\r\n"
    return lines.encode() + body


def fresh(url: str) -> OAuthRequest:
    return post_form(Step.REFRESH, url, (("refresh_token", "the-refresh-t0ken-1"),))


def answers(*addresses: tuple[str, ...]) -> tuple[list[str], object]:
    """A resolver that says something else each time."""
    asked: list[str] = []
    left = list(addresses)

    async def resolve(host: str, port: int) -> tuple[str, ...]:
        asked.append(host)
        return left.pop(0)

    return asked, resolve


async def test_an_answer_comes_back_and_is_in_the_journal() -> None:
    journal = Journal()
    async with peer(http(b'{"issuer": "x"}', "Content-Type: application/json\r\n")) as server:
        url = server.url
        outcome = await Sender(HERE, journal).send(get(Step.SERVER_METADATA, url), 1)
    assert isinstance(outcome, Received)
    assert (outcome.status, outcome.body) == (200, b'{"issuer": "x"}')
    facts = http_facts(journal.body(outcome.entry))
    assert (facts.method, facts.url, facts.status) == ("GET", url, 200)
    assert facts.body == b'{"issuer": "x"}'


async def test_a_name_that_changes_its_mind_is_asked_once() -> None:
    """The second answer would lead elsewhere: it is never asked for."""
    asked, resolve = answers(("127.0.0.1",), ("169.254.169.254",))
    async with peer(http(b"{}")) as server:
        sender = Sender(HERE, Journal(), resolve=resolve)  # type: ignore[arg-type]
        url = f"http://as.localhost:{server.port}/token"
        outcome = await sender.send(get(Step.SERVER_METADATA, url), 1)
    assert isinstance(outcome, Received)
    assert asked == ["as.localhost"]
    assert f"host: as.localhost:{server.port}".encode() in server.seen[0].lower()


@pytest.mark.parametrize(
    "addresses",
    [
        ("10.0.0.5",),
        ("127.0.0.1",),
        ("169.254.169.254",),
        ("::1",),
        ("fd00::1",),
        ("::ffff:192.168.1.1",),
        ("93.184.216.34", "10.0.0.5"),
        ("2606:2800:220:1:248:1893:25c8:1946", "::"),
    ],
)
async def test_a_public_server_may_not_lead_us_to_addresses_that_are_not(
    addresses: tuple[str, ...],
) -> None:
    _, resolve = answers(addresses)
    journal = Journal()
    sender = Sender(OUTSIDE, journal, resolve=resolve)  # type: ignore[arg-type]
    outcome = await sender.send(fresh("https://as.example/token"), 1)
    assert isinstance(outcome, Forbidden)
    assert journal.row(outcome.entry).method == "oauth-refused"
    assert Kind.HTTP not in [journal.row(n).kind for n in range(1, len(journal) + 1)]


async def test_the_host_that_the_user_chose_may_be_anywhere() -> None:
    _, resolve = answers(("127.0.0.1",))
    sender = Sender(OUTSIDE, Journal(), resolve=resolve)  # type: ignore[arg-type]
    url = f"https://mcp.example:{free_port()}/token"
    outcome = await sender.send(get(Step.SERVER_METADATA, url), 1)
    assert outcome == Unreachable("nothing listens there: connection refused", 1)


async def test_a_url_that_the_policy_forbids_is_never_resolved() -> None:
    asked, resolve = answers()
    sender = Sender(OUTSIDE, Journal(), resolve=resolve)  # type: ignore[arg-type]
    outcome = await sender.send(get(Step.SERVER_METADATA, "https://127.0.0.1/x"), 1)
    assert isinstance(outcome, Forbidden)
    assert asked == []


async def test_another_address_is_tried_where_nothing_listens_at_the_first() -> None:
    _, resolve = answers(("127.0.0.99", "127.0.0.1"))
    async with peer(http(b"{}")) as server:
        sender = Sender(HERE, Journal(), resolve=resolve)  # type: ignore[arg-type]
        url = f"http://as.localhost:{server.port}/token"
        outcome = await sender.send(get(Step.SERVER_METADATA, url), 1)
    assert isinstance(outcome, Received)


async def test_redirects_are_answers() -> None:
    head = "Location: http://127.0.0.1:1/elsewhere\r\n"
    async with peer(http(b"", head, "302 Found")) as server:
        outcome = await Sender(HERE, Journal()).send(fresh(server.url), 1)
    assert isinstance(outcome, Received)
    assert outcome.status == 302
    assert len(server.seen) == 1


GZIP = "Content-Encoding: gzip\r\n"
UNREADABLE = {
    "too long": (http(b"x" * (LARGEST + 1)), "longer than"),
    "a bomb": (http(gzip.compress(b"0" * 50_000_000), GZIP), "longer than"),
    "no gzip": (http(b"no gzip", GZIP), "cannot be decoded"),
    "half a gzip": (http(gzip.compress(b"x" * 99)[:-9], GZIP), "broke off"),
    "another coding": (http(b"{}", "Content-Encoding: br\r\n"), "not asked for"),
    "half a body": (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{}", "broke off"),
    "another protocol": (b"SSH-2.0-nonsense\r\n", "does not speak HTTP"),
    "nothing": (b"", "does not speak HTTP"),
}


@pytest.mark.parametrize("case", UNREADABLE)
async def test_what_cannot_be_read_is_no_answer(case: str) -> None:
    raw, reason = UNREADABLE[case]
    journal = Journal()
    async with peer(raw) as server:
        outcome = await Sender(HERE, journal).send(fresh(server.url), 1)
    assert isinstance(outcome, Unreachable)
    assert reason in outcome.reason
    assert http_facts(journal.body(outcome.entry)).error


async def test_who_compresses_though_nobody_asked_is_read() -> None:
    body = gzip.compress(b'{"access_token": "zipped-t0ken-1"}')
    async with peer(http(body, "Content-Encoding: gzip\r\n")) as server:
        outcome = await Sender(HERE, Journal()).send(fresh(server.url), 1)
    assert isinstance(outcome, Received)
    assert outcome.body == b'{"access_token": "zipped-t0ken-1"}'


async def test_a_server_that_says_nothing_has_only_so_long() -> None:
    journal = Journal()
    async with peer(hangs=True) as server:
        outcome = await Sender(HERE, journal, seconds=0.2).send(fresh(server.url), 1)
    assert isinstance(outcome, Unreachable)
    assert outcome.reason == "the exchange took more than 0.2 s"


async def test_giving_up_ends_the_exchange_and_is_in_the_journal() -> None:
    journal = Journal()
    async with peer(hangs=True) as server, asyncio.TaskGroup() as group:
        task = group.create_task(_ignore(Sender(HERE, journal), fresh(server.url)))
        await until(lambda: server.seen)
        task.cancel()
    assert "given up" in http_facts(journal.body(1)).error


async def _ignore(sender: Sender, request: OAuthRequest) -> None:
    await sender.send(request, 1)


async def test_each_failure_of_the_network_has_its_own_words() -> None:
    async def fails(host: str, port: int) -> tuple[str, ...]:
        raise socket.gaierror(-2, "Name or service not known")

    async def nothing(host: str, port: int) -> tuple[str, ...]:
        return ()

    request = get(Step.SERVER_METADATA, "https://as.example/x")
    lost = await Sender(OUTSIDE, Journal(), resolve=fails).send(request, 1)
    assert isinstance(lost, Unreachable)
    assert lost.reason == "its name cannot be resolved (Name or service not known)"
    empty = await Sender(OUTSIDE, Journal(), resolve=nothing).send(request, 1)
    assert isinstance(empty, Unreachable)
    closed = get(Step.SERVER_METADATA, f"http://127.0.0.1:{free_port()}/x")
    refused = await Sender(HERE, Journal()).send(closed, 1)
    assert isinstance(refused, Unreachable)
    assert "refused" in refused.reason


def test_a_proxy_is_for_other_machines_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    assert proxy_for(httpx.URL("https://as.example/")) == ""
    monkeypatch.setenv("https_proxy", "proxy.example:3128")
    assert proxy_for(httpx.URL("https://as.example/")) == "http://proxy.example:3128"
    for local in ("https://127.0.0.1/", "https://localhost/", "https://[::1]/"):
        assert proxy_for(httpx.URL(local)) == ""
    monkeypatch.setenv("no_proxy", "as.example")
    assert proxy_for(httpx.URL("https://as.example/")) == ""


async def test_through_a_proxy_the_name_is_the_proxys_to_resolve(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked, resolve = answers()
    async with peer(http(b"", status="502 Bad Gateway")) as proxy:
        monkeypatch.setenv("https_proxy", f"http://127.0.0.1:{proxy.port}")
        sender = Sender(OUTSIDE, Journal(), resolve=resolve)  # type: ignore[arg-type]
        outcome = await sender.send(get(Step.SERVER_METADATA, "https://as.example/x"), 1)
    assert outcome == Unreachable("the proxy refused", 1)
    assert proxy.seen[0].startswith(b"CONNECT as.example:443 ")
    assert asked == []


@pytest.mark.parametrize("proxy", ["socks5://me:pAssw0rd@127.0.0.1:1", "ftp://x", "http://[::"])
async def test_a_proxy_that_cannot_be_used_is_named(
    proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("https_proxy", proxy)
    sender = Sender(OUTSIDE, Journal())
    outcome = await sender.send(get(Step.SERVER_METADATA, "https://as.example/x"), 1)
    assert isinstance(outcome, Unreachable)
    assert "proxy" in outcome.reason
    assert "pAssw0rd" not in outcome.reason


CHUNKED = (
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Type: application/json\r\n"
    b"Connection: close\r\n\r\n"
)
JSON = "Content-Type: application/json\r\n"
ODD = CANARY.replace("/", "\\u002f").replace("A", "\\u0041")


def chunked(body: bytes) -> bytes:
    parts = [body[i : i + 7] for i in range(0, len(body), 7)]
    coded = b"".join(f"{len(part):x}\r\n".encode() + part + b"\r\n" for part in parts)
    return CHUNKED + coded + b"0\r\n\r\n"


HTML = "Content-Type: text/html\r\n"
IN_JSON = json.dumps({"access_token": CANARY, "token_type": "Bearer"}).encode()
LEAKY = {
    "honest": http(IN_JSON, JSON),
    "odd escapes": http(f'{{"access_token": "{ODD}"}}'.encode(), JSON),
    "an escaped name": http(f'{{"access\\u005ftoken": "{CANARY}"}}'.encode(), JSON),
    "a form": http(f"access_token={CANARY.replace('+', '%2B')}&token_type=bearer".encode()),
    "a page": http(f"<html><body>Your token: {CANARY}</body></html>".encode(), HTML),
    "in chunks": chunked(IN_JSON),
    "compressed": http(gzip.compress(IN_JSON), GZIP),
    "in a fragment": http(
        b"", f"Location: https://x.example/cb#access_token={CANARY}\r\n", "302 Found"
    ),
    "in a query": http(b"", f"Location: https://x.example/cb?t={CANARY}\r\n", "302 Found"),
    "in headers": http(b"{}", f"Set-Cookie: session={CANARY}\r\nX-Token: {CANARY}\r\n"),
    "nested": http(json.dumps({"error": "x", "more": {"id_token": [CANARY]}}).encode(), JSON),
    "cut off": b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n" + IN_JSON,
}  # fmt: skip


@pytest.mark.parametrize("case", LEAKY)
async def test_no_token_gets_into_journal_or_recording(case: str, tmp_path: Path) -> None:
    path = tmp_path / "recording.jsonl"
    journal = Journal(file=RecordingFile.create(path))
    async with peer(LEAKY[case]) as server:
        await Sender(HERE, journal).send(fresh(server.url), 1)
    journal.close()
    written = path.read_bytes()
    assert b"127.0.0.1" in written
    for look in (CANARY, json.dumps(CANARY)[1:-1], ODD, CANARY.replace("+", "%2B"), "t0ken/value"):
        assert look.encode() not in written
    assert b"the-refresh-t0ken-1" not in written


async def test_what_we_sent_is_masked_where_the_server_repeats_it(tmp_path: Path) -> None:
    sent = "the-refresh-t0ken-1"
    said = f'{{"error": "invalid_grant", "error_description": "no \\u0074oken {sent}"}}'
    path = tmp_path / "recording.jsonl"
    journal = Journal(file=RecordingFile.create(path))
    async with peer(http(said.encode(), JSON, "400 Bad Request")) as server:
        outcome = await Sender(HERE, journal).send(fresh(server.url), 1)
    assert isinstance(outcome, Received)
    assert decode_facts(journal.body(outcome.entry))["status"] == 400
    journal.close()
    assert b"invalid_grant" in path.read_bytes()
    assert sent.encode() not in path.read_bytes()
