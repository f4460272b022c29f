"""What `lint --active` sends over HTTP: headers that a server must check, and our other addresses.

Decides which request carries which wrong header (`basic/transports`): an Origin and a protocol
version of nobody, no session and an unknown one, each on a ping or `server/discover`. Of a server
on a loopback address it also finds out whether it answers on this machine's other addresses, on the
very same port. What the answers mean is judged by `inspector.lint.probed`.
"""

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from ipaddress import ip_address
from typing import TYPE_CHECKING, Final

import httpx

from inspector.auth.attempt import Asks
from inspector.auth.policy import is_loopback
from inspector.config.targets import Target
from inspector.errors import InspectorError
from inspector.journal.entries import Kind
from inspector.journal.facts import ASIDE as ASIDE_FACT
from inspector.journal.facts import http_facts
from inspector.journal.journal import Journal
from inspector.protocol.headers import (
    ACCEPT,
    AUTHORIZATION,
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    METHOD,
    PROTOCOL_VERSION,
    SESSION_ID,
)
from inspector.protocol.messages import (
    JsonObject,
    MessageKind,
    RequestId,
    Sendable,
    encode_notification,
    encode_request,
)
from inspector.protocol.versions import Era, Revision
from inspector.session.modern import META_CAPABILITIES, META_CLIENT, META_VERSION
from inspector.session.options import own_version
from inspector.transport.base import Closed, Outgoing, Transport
from inspector.transport.http_client import HttpClient
from inspector.transport.http_handshake import StreamableHttp
from inspector.transport.http_modern import ModernHttp

if TYPE_CHECKING:
    from inspector.auth.authority import Authority
    from inspector.workbench import Workbench

ASIDE: Final = "active lint, HTTP"
NOBODY: Final = "http://mcp-inspect.invalid"
"""An origin that belongs to nobody (RFC 2606)."""
NO_VERSION: Final = "1900-01-01"
NO_SESSION: Final = "mcp-inspect-no-such-session"
ANSWER_SECONDS: Final = 10.0
ADDRESS_SECONDS: Final = 3.0
ADDRESSES: Final = 4
"""Of our own addresses, how many are tried."""
_ELSEWHERE: Final = ((socket.AF_INET, "192.0.2.1"), (socket.AF_INET6, "2001:db8::1"))
"""Addresses of nobody (RFC 5737, 3849): the system says from where it would reach them, and sends
nothing."""

Headers = tuple[tuple[str, str], ...]


class HttpProbes:
    """The probes of one server on a URL, which speaks `revision` in the session of `bench`."""

    def __init__(
        self, bench: "Workbench", revision: Revision | None, tell: Callable[[str], None]
    ) -> None:
        self._bench = bench
        self._journal = bench.journal
        self._revision = revision
        self._tell = tell
        self._ids = 0
        self._answers = _Answers()

    async def run(self) -> None:
        """Makes them all. Raises InspectorError where the server cannot be reached."""
        target, session = self._bench.target, self._bench.session
        if session.transport.kind == "sse":  # where the revision cannot be settled by the way
            connection = session.state.connection
            await self._older(target, connection)
            await self._bound(target, connection)
            return
        connection = self._begin()
        if self._revision is not None and self._revision.era is Era.MODERN:
            await self._modern(target, connection)
        else:
            await self._handshake(target, connection)
        await self._bound(target, connection)

    def _begin(self) -> int:
        facts: JsonObject = {
            ASIDE_FACT: ASIDE,
            "url": self._journal.redactor.url(self._bench.target.url),
            "transport": self._bench.session.transport.kind,
            "protocol": self._revision.value if self._revision is not None else "",
        }
        return self._journal.begin_connection(facts)

    # -- by era --

    async def _handshake(self, target: Target, connection: int) -> None:
        """A session, then what it must not accept; the pings without it go by another way."""
        revision = self._revision or Revision.V2025_11_25
        inside = StreamableHttp(target, self._journal, connection)
        outside = StreamableHttp(target, self._journal, connection)
        async with _Opened(inside, self._bench, self._answers):
            opening: dict[str, Sendable] = {
                "protocolVersion": revision.value,
                "capabilities": {},
                "clientInfo": {"name": "mcp-inspect", "version": own_version()},
            }
            await self._send(inside, "initialize", opening)
            if (refused := self._answers.failure) is not None:
                raise refused
            own = ((PROTOCOL_VERSION, revision.value),)
            method = "notifications/initialized"
            raw = encode_notification(method, None)
            await inside.send(Outgoing(raw, MessageKind.NOTIFICATION, None, method, headers=own))
            if revision > Revision.V2025_03_26:
                self._tell(f"active: ping with {PROTOCOL_VERSION}: {NO_VERSION}")
                await self._send(inside, "ping", None, ((PROTOCOL_VERSION, NO_VERSION),))
            self._tell(f"active: ping with Origin: {NOBODY}")
            await self._send(inside, "ping", None, (*own, ("Origin", NOBODY)))
            if inside.facts.session:
                async with _Opened(outside, self._bench, self._answers):
                    self._tell(f"active: ping without {SESSION_ID}")
                    await self._send(outside, "ping", None, own)
                    self._tell(f"active: ping with an unknown {SESSION_ID}")
                    await self._send(outside, "ping", None, (*own, (SESSION_ID, NO_SESSION)))

    async def _modern(self, target: Target, connection: int) -> None:
        """Each request stands for itself (2026-07-28 basic/transports/streamable-http)."""
        assert self._revision is not None
        transport = ModernHttp(target, self._journal, connection)
        meta: dict[str, Sendable] = {
            META_VERSION: self._revision.value,
            META_CAPABILITIES: {},
            META_CLIENT: {"name": "mcp-inspect", "version": own_version()},
        }
        own = ((PROTOCOL_VERSION, self._revision.value), (METHOD, "server/discover"))
        async with _Opened(transport, self._bench, self._answers):
            for headers in ((), (("Origin", NOBODY),)):
                if headers:
                    self._tell(f"active: server/discover with Origin: {NOBODY}")
                await self._send(transport, "server/discover", {"_meta": meta}, (*own, *headers))

    async def _older(self, target: Target, connection: int) -> None:
        """HTTP+SSE: the stream is what opens the session."""
        self._tell(f"active: GET with Origin: {NOBODY}")
        client = HttpClient(target, self._journal, connection)
        client.authority = _authority(self._bench)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await client.exchange(
                    "GET",
                    client.url,
                    ((ACCEPT, EVENT_STREAM_TYPE), ("Origin", NOBODY)),
                    asks=Asks.NEVER,
                )
                await answer.close()
        except TimeoutError:
            self._tell(f"active: no answer within {ANSWER_SECONDS:g} s")
        finally:
            await client.close()

    async def _send(
        self, transport: Transport, method: str, params: Sendable, headers: Headers = ()
    ) -> None:
        self._ids += 1
        raw = encode_request(self._ids, method, params)
        waiting = self._answers.expect(self._ids)
        await transport.send(Outgoing(raw, MessageKind.REQUEST, self._ids, method, headers=headers))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                await waiting.wait()
        except TimeoutError:
            self._tell(f"active: no answer within {ANSWER_SECONDS:g} s")

    # -- our other addresses --

    async def _bound(self, target: Target, connection: int) -> None:
        """Whether a server on the loopback address answers on others of this machine too. Nothing
        of the user's goes there: no headers, no token, no query."""
        home = httpx.URL(target.url)
        if not is_loopback(home.host):
            return
        for address in await asyncio.to_thread(own_addresses):
            there = home.copy_with(host=address, query=None)
            self._tell(f"active: GET {there}, an address of this machine")
            plain = replace(target, headers=(), url=str(there))
            client = HttpClient(plain, self._journal, connection)
            with suppress(TimeoutError, InspectorError):
                async with asyncio.timeout(ADDRESS_SECONDS):
                    answer = await client.exchange(
                        "GET", there, ((ACCEPT, JSON_TYPE),), asks=Asks.NEVER
                    )
                    await answer.close()
            await client.close()


def own_addresses() -> list[str]:
    """The addresses of this machine that are neither loopback nor of one link only."""
    found: dict[str, None] = {}
    for family, elsewhere in _ELSEWHERE:
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((elsewhere, 9))
            found[probe.getsockname()[0]] = None
    with suppress(OSError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None):
            found[str(place[0])] = None
    return [one for one in found if _is_reachable(one)][:ADDRESSES]


def _is_reachable(address: str) -> bool:
    try:
        known = ip_address(address)
    except ValueError:
        return False
    return not (known.is_loopback or known.is_link_local or known.is_unspecified)


def _authority(bench: "Workbench") -> "Authority | None":
    """Who has the tokens, where the session needed one; else nothing of OAuth is loaded."""
    journal = bench.journal
    return bench.authority if _sent_a_token(journal) else None


def _sent_a_token(journal: Journal) -> bool:
    for number in range(1, len(journal) + 1):
        if journal.kinds[number] != Kind.HTTP:
            continue
        facts = http_facts(journal.body(number))
        if any(name.lower() == AUTHORIZATION.lower() for name, _ in facts.request_headers):
            return True
    return False


class _Answers:
    """Who is told of answers: only that there is one counts, the rest stands in the journal.
    `failure` is why the last request got none."""

    def __init__(self) -> None:
        self.failure: InspectorError | None = None
        self._waiting: dict[RequestId, asyncio.Event] = {}

    def expect(self, identifier: RequestId) -> asyncio.Event:
        """Set once that request has an answer, or can get none."""
        self.failure = None
        return self._waiting.setdefault(identifier, asyncio.Event())

    def _settle(self, identifier: RequestId | None) -> None:
        for known, event in self._waiting.items():
            if identifier is None or known == identifier:
                event.set()

    def received(self, number: int, raw: bytes, about: RequestId | None) -> None:
        self._settle(about)

    def failed(self, request_id: RequestId, error: InspectorError, number: int | None) -> None:
        self.failure = error
        self._settle(request_id)

    def remark(self, request_id: RequestId, words: str) -> None:
        pass

    def arriving(self, request_id: RequestId | None, count: int) -> None:
        pass

    def authorizing(self, request_id: RequestId | None, on: bool) -> None:
        pass

    def closed(self, closed: Closed) -> None:
        self._settle(None)

    def session_expired(self) -> None:
        pass


class _Opened:
    """A transport from its opening to its end."""

    def __init__(self, transport: Transport, bench: "Workbench", answers: _Answers) -> None:
        self._transport = transport
        self._bench = bench
        self._answers = answers

    async def __aenter__(self) -> None:
        if (authority := _authority(self._bench)) is not None:
            self._transport.authorized_by(authority)
        await self._transport.open(self._answers)

    async def __aexit__(self, *_: object) -> None:
        await self._transport.close()
