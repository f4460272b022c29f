"""One HTTP exchange of MCP: send, follow what may be followed, journal, hand on the answer.

The only place that knows how httpx is driven; both eras' transports share it. Decides what is
verified, which proxies apply and what of an answer is read at once; what an answer means for a
request is left to the transports. Redirects: `http_redirect`, words: `http_errors`.
"""

import asyncio
import base64
import ssl
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from importlib.metadata import PackageNotFoundError, version
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, cast

import httpx

from inspector.auth.policy import is_loopback as is_loopback
from inspector.config.targets import Target, check_url
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import HttpFacts
from inspector.protocol.headers import (
    CONTENT_TYPE,
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    is_sensitive,
    media_type,
)
from inspector.protocol.messages import JsonObject
from inspector.transport.http_body import BODY_CAP, ERROR_CAP, Collected, Decoder, UndecodableBody
from inspector.transport.http_errors import connection_error
from inspector.transport.http_redirect import REDIRECTS, redirect_target

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

Headers = tuple[tuple[str, str], ...]

CONNECT_SECONDS: Final = 10.0
ERROR_BODY_SECONDS: Final = 5.0
"""How long the body of a failure may take; what came until then is kept."""
SHORTEST_COOKIE: Final = 12
"""Cookies as short as a word are masked in headers only: in bodies they would mask the word."""
COOKIES_LEARNED: Final = 20
"""Load balancers set a new cookie with each answer; each one learned slows masking down."""

_HTTP_FAULTS: Final = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, UnicodeEncodeError)


class Answer:
    """A response: its head, and its body either read already (`body`) or still to be read.

    `number` is its HTTP entry in the journal. To be closed by whoever got it.
    """

    def __init__(self, response: httpx.Response, journal: "Journal", connection: int) -> None:
        self.response = response
        self.status = response.status_code
        self.reason = response.reason_phrase
        self.headers = response.headers
        self.media = media_type(response.headers.get(CONTENT_TYPE, ""))
        self.url = response.url
        self.number = 0
        self.body = b""
        self._journal = journal
        self._connection = connection

    @property
    def ok(self) -> bool:
        """Whether the status is a 2xx."""
        return 200 <= self.status < 300

    @property
    def is_stream(self) -> bool:
        """Whether it is a stream of server-sent events."""
        return self.ok and self.media == EVENT_STREAM_TYPE

    @property
    def is_json(self) -> bool:
        """Whether it is a JSON body."""
        return self.ok and self.media == JSON_TYPE

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Lets go of the connection."""
        with suppress(*_HTTP_FAULTS):
            await self.response.aclose()

    async def chunks(self) -> AsyncGenerator[bytes, None]:
        """The decoded body as it comes. Raises ConnectionFailed or PeerViolation; that it broke
        off is journalled."""
        encoding = self.headers.get("Content-Encoding", "")
        decoder = Decoder(encoding)
        count = 0
        chunk = b""
        try:
            stream = cast("AsyncGenerator[bytes, None]", self.response.aiter_raw())
            async with aclosing(stream) as raw:
                async for chunk in raw:
                    for piece in decoder.feed(chunk):
                        count += len(piece)
                        yield piece
        except UndecodableBody:
            coded = base64.b64encode(chunk[:ERROR_CAP]).decode()
            facts: JsonObject = {"http": self.number, "encoding": encoding, "base64": coded}
            self._journal.event("http-undecodable", facts, connection=self._connection)
            raise
        except _HTTP_FAULTS as error:
            failure = connection_error(error, self.url, "sending its answer")
            if self.number:  # else the HTTP entry is still to come
                self._journal.event(
                    "http-broken",
                    {"http": self.number, "bytes": count, "reason": failure.message},
                    connection=self._connection,
                )
            raise failure from None

    async def read(self, cap: int = BODY_CAP) -> bytes:
        """The whole decoded body; where that fails, `body` keeps the beginning of it."""
        collected = Collected(cap)
        whole = False
        try:
            async with aclosing(self.chunks()) as pieces:
                async for piece in pieces:
                    collected.add(piece)
            whole = True
        finally:
            self.body = collected.bytes(None if whole else ERROR_CAP)
        return self.body


class HttpClient:
    """Sends the requests of one connection to one origin."""

    def __init__(self, target: Target, journal: "Journal", connection: int) -> None:
        self.url = httpx.URL(check_url(target.url))
        self._journal = journal
        self._connection = connection
        self._headers = target.headers
        self._cookies: set[str] = set()
        for name, value in target.headers:
            if is_sensitive(name):
                journal.redactor.learn(value.split(None, 1)[-1] if value.strip() else "")
        journal.redactor.learn_url(target.url)
        local = is_loopback(self.url.host)
        self._http = httpx.AsyncClient(
            # Reading the trusted certificates takes longer than a whole local call; an empty
            # context trusts nobody.
            verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            if local and self.url.scheme == "http"
            else True,
            trust_env=not local,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
            limits=httpx.Limits(max_connections=None, max_keepalive_connections=8),
            event_hooks={"response": [_note_redirect]},
            headers={"User-Agent": f"mcp-inspect/{_version()}", "Accept-Encoding": "identity"},
        )

    async def exchange(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        content: bytes | None = None,
        *,
        frame: int | None = None,
    ) -> Answer:
        """One exchange, redirects included; each hop is journalled, `frame` being the entry sent.

        The body of what is neither JSON nor an event stream is read already. Raises
        ConnectionFailed.
        """
        visited = [url]
        while True:
            answer = await self._once(method, visited[-1], headers, content, frame)
            if answer.status not in REDIRECTS:
                return answer
            await answer.close()
            visited.append(
                redirect_target(answer.status, visited[-1], answer.headers.get("Location"), visited)
            )
            if answer.status == 308 and visited[0] == self.url:
                self.url = visited[-1]

    async def close(self) -> None:
        """Closes all connections."""
        await self._http.aclose()

    def _with_own(self, headers: Headers) -> list[tuple[str, str]]:
        """The headers of a message and those of the target, which win."""
        own = {name.lower() for name, _ in self._headers}
        return [*(pair for pair in headers if pair[0].lower() not in own), *self._headers]

    def _learn_cookies(self, cookies: list[str]) -> None:
        for cookie in cookies:
            value = cookie.partition("=")[2].partition(";")[0].strip(' "')
            if len(value) >= SHORTEST_COOKIE and len(self._cookies) < COOKIES_LEARNED:
                self._cookies.add(value)
                self._journal.redactor.learn(value)

    def _unanswered(
        self, request: httpx.Request, started: float, why: str, frame: int | None
    ) -> None:
        """The entry of an exchange that got no response head."""
        headers = _pairs(request.headers)
        facts = HttpFacts(request.method, str(request.url), headers, started=started, error=why)
        self._journal.http(facts, connection=self._connection, frame=frame)

    async def _once(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        content: bytes | None,
        frame: int | None,
    ) -> Answer:
        started = time.monotonic()
        try:
            request = self._http.build_request(
                method, url, headers=self._with_own(headers), content=content
            )
        except _HTTP_FAULTS as error:
            raise connection_error(error, url, "preparing the request") from None
        try:
            response = await self._http.send(request, stream=True)
        except (*_HTTP_FAULTS, OSError) as error:
            failure = _unusable_redirect(request) or connection_error(
                error, url, "waiting for the answer"
            )
            self._unanswered(request, started, failure.message, frame)
            raise failure from None
        except asyncio.CancelledError:
            self._unanswered(request, started, "given up before an answer began", frame)
            raise
        self._learn_cookies(response.headers.get_list("Set-Cookie"))
        answer = Answer(response, self._journal, self._connection)
        settled = False
        try:
            cut = ""
            if not (answer.is_json or answer.is_stream):
                cut = await _read_failure(answer)
            answer.number = self._journal.http(
                HttpFacts(
                    method,
                    str(url),
                    _pairs(request.headers),
                    answer.status,
                    answer.reason,
                    _pairs(answer.headers),
                    started,
                    body=answer.body,
                    http_version=response.http_version,
                ),
                connection=self._connection,
                frame=frame,
            )
            if cut:
                self._journal.event(
                    "http-broken",
                    {"http": answer.number, "bytes": len(answer.body), "reason": cut},
                    connection=self._connection,
                )
            settled = True
        finally:
            if not settled:
                await answer.close()
        return answer


async def _read_failure(answer: Answer) -> str:
    """Reads what a failure says, within bounds; a body that breaks off or goes on too long is kept
    as far as it came. Why it is not whole, "" where it is."""
    try:
        async with asyncio.timeout(ERROR_BODY_SECONDS):
            await answer.read(ERROR_CAP)
    except InspectorError as error:
        return error.message
    except TimeoutError:
        return f"the body did not end within {ERROR_BODY_SECONDS:g} s"
    return ""


async def _note_redirect(response: httpx.Response) -> None:
    """httpx refuses a Location that it cannot read before we see the answer."""
    if response.status_code in REDIRECTS:
        response.request.extensions["redirect"] = (
            response.status_code,
            response.headers.get("Location", ""),
        )


def _unusable_redirect(request: httpx.Request) -> ConnectionFailed | None:
    status, location = request.extensions.get("redirect", (0, ""))
    if not status:
        return None
    shown = ascii(location[:200])
    return ConnectionFailed(
        f"HTTP {status} redirects to {shown}, which is no URL to follow", kind="redirect"
    )


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
