"""Sends one request of an OAuth flow to an address that was judged, and journals the exchange.

A name is resolved once, every address found is judged, and the connection goes to one of those:
a name that says something else a moment later changes nothing. TLS still verifies the name. Where
the environment names a proxy for the URL, the proxy resolves the name and we can judge the URL
only; nothing on this machine is ever reached through one. No redirect is followed. What an answer
means is the flow's business, what of it may be kept `evidence`'s.
"""

import asyncio
import errno
import socket
import ssl
import time
import urllib.request
import zlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final

import httpx

from inspector.auth.evidence import (
    METADATA_STEPS,
    Headers,
    secrets_received,
    secrets_sent,
    shown_body,
    shown_headers,
)
from inspector.auth.exchange import OAuthRequest, shown
from inspector.auth.policy import Perimeter, Refused, is_loopback, judge_address, judge_url
from inspector.journal.entries import HttpFacts

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

SECONDS: Final = 30.0
"""How long one exchange may take, the resolving of the name included."""
CONNECT_SECONDS: Final = 10.0
LARGEST: Final = 1024 * 1024
"""Longer answers are not read, in bytes before and after decoding."""
_ANY_ZLIB: Final = 47
_PORTS: Final = {"http": 80, "https": 443}

Resolve = Callable[[str, int], Awaitable[tuple[str, ...]]]
"""The addresses of a name. Raises OSError."""


@dataclass(frozen=True, slots=True)
class Received:
    """An answer, and its entry in the journal."""

    status: int
    body: bytes = field(repr=False)
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Unreachable:
    """There was no answer; a clause that says why."""

    reason: str
    entry: int = 0


@dataclass(frozen=True, slots=True)
class Forbidden:
    """The policy forbids the URL, or an address that its name has; nothing was sent."""

    refused: Refused
    entry: int = 0


Outcome = Received | Unreachable | Forbidden


class Sender:
    """Sends requests within one perimeter. Knows its own time limit; never raises for a peer."""

    def __init__(
        self,
        within: Perimeter,
        journal: "Journal",
        *,
        resolve: Resolve | None = None,
        seconds: float = SECONDS,
    ) -> None:
        self._within = within
        self._journal = journal
        self._resolve = resolve or system_resolve
        self._seconds = seconds
        self._tls: ssl.SSLContext | None = None

    async def send(self, request: OAuthRequest, connection: int) -> Outcome:
        """One exchange, journalled; its secrets are learned before that."""
        for secret in secrets_sent(request):
            self._journal.redactor.learn(secret)
        started = time.monotonic()
        try:
            async with asyncio.timeout(self._seconds):
                return await self._send(request, connection, started)
        except TimeoutError:
            why = f"the exchange took more than {self._seconds:g} s"
        except httpx.TimeoutException:
            why = f"no connection within {CONNECT_SECONDS:g} s"
        except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
            why = _why(error)
        except asyncio.CancelledError:
            self._keep_failure(request, connection, started, "given up before the answer was here")
            raise
        entry = self._keep_failure(request, connection, started, why)
        return Unreachable(why, entry)

    async def _send(self, request: OAuthRequest, connection: int, started: float) -> Outcome:
        judged = judge_url(request.url, self._within)
        if isinstance(judged, Refused):
            return self._forbid(request, connection, judged, "")
        url = httpx.URL(request.url)
        port = url.port or _PORTS[url.scheme]
        proxy = proxy_for(url)
        if proxy:
            _check_proxy(proxy)
            return await self._exchange(request, connection, started, proxy=proxy)
        addresses = await self._resolve(url.host, port)
        for address in addresses:
            if refused := judge_address(address, judged.host, self._within):
                return self._forbid(request, connection, refused, address)
        failure: httpx.TransportError | None = None
        for address in addresses:
            try:
                return await self._exchange(request, connection, started, address=address)
            except (httpx.ConnectError, httpx.ConnectTimeout) as error:
                failure = error  # nothing was sent: the next address may do
        raise failure or OSError("the name has no address")

    async def _exchange(
        self,
        request: OAuthRequest,
        connection: int,
        started: float,
        *,
        address: str = "",
        proxy: str = "",
    ) -> Outcome:
        """Asks the host of the URL at `address`, or through `proxy`."""
        url = httpx.URL(request.url)
        headers = [("Host", url.netloc.decode("ascii")), *_OWN_HEADERS, *request.headers]
        async with httpx.AsyncClient(
            verify=self._context(url),
            proxy=proxy or None,
            trust_env=False,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
        ) as client:
            built = client.build_request(
                request.method,
                url.copy_with(host=address) if address else url,
                headers=headers,
                content=request.body or None,
                # What TLS asks for and verifies is the name, not the address.
                extensions={"sni_hostname": url.host} if address else {},
            )
            response = await client.send(built, stream=True)
            try:
                body, problem = await _read(response)
            finally:
                await response.aclose()
        return self._keep(request, connection, started, built, response, body, problem)

    def _keep(
        self,
        request: OAuthRequest,
        connection: int,
        started: float,
        sent: httpx.Request,
        response: httpx.Response,
        body: bytes,
        problem: str,
    ) -> Outcome:
        """Journals an answer, its secrets learned first."""
        for secret in secrets_received(request.step, body):
            self._journal.redactor.learn(secret)
        media = response.headers.get("Content-Type", "")
        whole = not problem or request.step in METADATA_STEPS
        facts = HttpFacts(
            request.method,
            request.url,
            _pairs(sent.headers),
            response.status_code,
            response.reason_phrase,
            shown_headers(request.step, _pairs(response.headers)),
            started,
            problem,
            shown_body(request.step, body, media) if whole else b"",
            response.http_version,
        )
        entry = self._journal.http(facts, connection=connection)
        if problem:
            return Unreachable(problem, entry)
        return Received(response.status_code, body, entry)

    def _keep_failure(
        self, request: OAuthRequest, connection: int, started: float, why: str
    ) -> int:
        facts = HttpFacts(request.method, request.url, request.headers, started=started, error=why)
        return self._journal.http(facts, connection=connection)

    def _forbid(
        self, request: OAuthRequest, connection: int, refused: Refused, address: str
    ) -> Forbidden:
        reason = f"{refused.reason} ({address})" if address else refused.reason
        entry = self._journal.event(
            "oauth-refused",
            {
                "step": request.step.value,
                "url": self._journal.redactor.url(shown(request.url).strip("'")),
                "reason": reason,
                "source": refused.source,
            },
            connection=connection,
        )
        return Forbidden(Refused(reason, refused.source), entry)

    def _context(self, url: httpx.URL) -> ssl.SSLContext:
        """Reading the trusted certificates takes long: done once, and only where TLS is spoken."""
        if url.scheme == "http":
            return ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        if self._tls is None:
            self._tls = httpx.create_ssl_context()
        return self._tls


async def system_resolve(host: str, port: int) -> tuple[str, ...]:
    """What the system says that a name stands for, each address once."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(host.strip("[]"), port, type=socket.SOCK_STREAM)
    return tuple(dict.fromkeys(str(address[0]) for *_, address in found))


def proxy_for(url: httpx.URL) -> str:
    """The proxy that the environment names for `url`; empty for none, and for this machine."""
    if is_loopback(url.host):
        return ""
    proxies = urllib.request.getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all") or ""
    if not proxy or urllib.request.proxy_bypass(url.host):
        return ""
    return proxy if "://" in proxy else f"http://{proxy}"


def _check_proxy(proxy: str) -> None:
    """Raises OSError where we cannot speak through it."""
    try:
        usable = httpx.URL(proxy).scheme in _PORTS and bool(httpx.URL(proxy).host)
    except httpx.InvalidURL:
        usable = False
    if not usable:
        raise OSError(errno.EPROTONOSUPPORT, "the environment names a proxy that is no HTTP proxy")


async def _read(response: httpx.Response) -> tuple[bytes, str]:
    """The decoded body, and what is wrong with it."""
    raw = bytearray()
    try:
        async for chunk in response.aiter_raw():
            raw += chunk
            if len(raw) > LARGEST:
                return b"", f"the answer is longer than {LARGEST} bytes"
    except httpx.HTTPError as error:
        return b"", f"the answer broke off: {_why(error)}"
    return _decoded(bytes(raw), response.headers.get("Content-Encoding", ""))


def _decoded(raw: bytes, encoding: str) -> tuple[bytes, str]:
    """We ask for no coding; who codes all the same is read, within the same limit."""
    match encoding.strip().lower():
        case "" | "identity":
            return raw, ""
        case "gzip" | "x-gzip" | "deflate":
            decoder = zlib.decompressobj(_ANY_ZLIB)
            try:
                body = decoder.decompress(raw, LARGEST + 1)
            except zlib.error:
                return b"", "the answer cannot be decoded"
            if len(body) > LARGEST:
                return b"", f"the answer is longer than {LARGEST} bytes"
            return (body, "") if decoder.eof else (b"", "the answer broke off")
        case other:
            return b"", f"the answer has the content coding {shown(other)}, which was not asked for"


def _why(error: Exception) -> str:
    """What went wrong, as a clause."""
    current: BaseException | None = error
    while current is not None:
        match current:
            case ssl.SSLCertVerificationError():
                return f"its certificate is not trusted: {current.verify_message}"
            case ssl.SSLError():
                return f"TLS failed: {(current.reason or 'no reason given').lower()}"
            case socket.gaierror():
                return f"its name cannot be resolved ({current.strerror})"
            case ConnectionRefusedError():
                return "nothing listens there: connection refused"
            case ConnectionResetError() | BrokenPipeError():
                return "it reset the connection"
        current = current.__cause__ or current.__context__
    match error:
        case httpx.ProxyError():
            return "the proxy refused"
        case httpx.RemoteProtocolError():
            return "it does not speak HTTP properly"
        case httpx.ConnectError():
            return "no connection to any of its addresses"
        case httpx.HTTPError() | httpx.InvalidURL() | ValueError():
            return f"the request cannot be carried out ({type(error).__name__})"
    return getattr(error, "strerror", None) or "no connection"


def _pairs(headers: httpx.Headers) -> Headers:
    return tuple(
        (name.decode("latin-1"), value.decode("utf-8", "backslashreplace"))
        for name, value in headers.raw
    )


def _version() -> str:
    try:
        return version("mcp-inspect")
    except PackageNotFoundError:
        return "0"


_OWN_HEADERS: Final = (
    ("User-Agent", f"mcp-inspect/{_version()}"),
    ("Accept-Encoding", "identity"),
)
