"""One HTTP exchange of MCP: send, follow what may be followed, journal, hand on the answer.

The only place that knows how httpx is driven; both eras' transports share it. Decides what is
verified, which proxies apply and what of an answer is read at once; what an answer means for a
request is left to the transports. Redirects: `http_redirect`, words: `http_errors`.
"""

import asyncio
import ssl
import time
from collections.abc import Callable, Coroutine
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, Final, TypeVar

import httpx

from inspector.auth.attempt import Asks, Attempt
from inspector.auth.policy import is_loopback as is_loopback
from inspector.auth.secret import Secret
from inspector.config.secrecy import credentials_in, is_secret_header
from inspector.config.targets import Target, check_url
from inspector.errors import ConnectionFailed, InspectorError, UsageError
from inspector.journal.entries import HttpFacts
from inspector.protocol.headers import SESSION_ID, is_sensitive
from inspector.protocol.messages import RequestId
from inspector.transport.http_answer import HTTP_FAULTS as HTTP_FAULTS
from inspector.transport.http_answer import Answer as Answer
from inspector.transport.http_errors import connection_error
from inspector.transport.http_redirect import REDIRECTS, redirect_target

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal

Headers = tuple[tuple[str, str], ...]
T = TypeVar("T")

CONNECT_SECONDS: Final = 10.0
SHORTEST_COOKIE: Final = 12
"""Cookies as short as a word are masked in headers only: in bodies they would mask the word."""
COOKIES_LEARNED: Final = 20
"""Load balancers set a new cookie with each answer; each one learned slows masking down."""

OWN_TOKEN: Final = "the server refuses the Authorization header that you gave"


class HttpClient:
    """Sends the requests of one connection to one origin, with the token of `authority` unless the
    target has an Authorization header of its own.

    `on_authorizing` hears when the request (None: a stream of nobody's) begins and ends to wait
    for a token.
    """

    def __init__(self, target: Target, journal: "Journal", connection: int) -> None:
        try:
            self.url = httpx.URL(check_url(target.url))
        except httpx.InvalidURL as error:
            raise UsageError(f"{target.url[:200]!r} cannot be connected to: {error}") from None
        self._journal = journal
        self._connection = connection
        self._headers = target.headers
        self._own_token = any(name.lower() == "authorization" for name, _ in target.headers)
        self._authorizing: dict[RequestId, asyncio.Task[object] | None] = {}
        self.authority: TokenSource | None = None
        self.on_authorizing: Callable[[RequestId | None, bool], None] = lambda _, __: None
        self._given: set[str] = set()
        for name, value in target.headers:
            if is_sensitive(name) or is_secret_header(name, value):
                for credentials in credentials_in(value):
                    journal.redactor.learn(credentials)
        journal.redactor.learn_url(target.url)
        self.shown_url = journal.redactor.url(target.url)
        local = is_loopback(self.url.host)
        try:
            self._http = httpx.AsyncClient(
                # Reading the trusted certificates takes longer than a whole local call; an empty
                # context trusts nobody. SSL_CERT_FILE holds for this machine too, proxies do not.
                verify=ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
                if local and self.url.scheme == "http"
                else httpx.create_ssl_context(),
                trust_env=not local,
                follow_redirects=False,
                timeout=httpx.Timeout(None, connect=CONNECT_SECONDS),
                limits=httpx.Limits(max_connections=None, max_keepalive_connections=8),
                event_hooks={"response": [_note_redirect]},
                headers={"User-Agent": f"mcp-inspect/{_version()}", "Accept-Encoding": "identity"},
            )
        except (OSError, ImportError, ValueError, httpx.InvalidURL) as error:
            raise _environment_fault(error) from None

    async def exchange(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        content: bytes | None = None,
        *,
        frame: int | None = None,
        about: RequestId | None = None,
        asks: Asks = Asks.PERSON,
    ) -> Answer:
        """One exchange, redirects and what authorization takes included; each hop is journalled,
        `frame` being the entry sent. `about` is the request that waits for it, `asks` whether a
        person may be asked for its sake.

        The body of what is neither JSON nor an event stream is read already. Raises
        ConnectionFailed.
        """
        authority = self.authority
        if authority is None or self._own_token:
            answer = await self._followed(method, url, headers, content, frame)
            answer.hint = OWN_TOKEN if self._own_token else ""
            return answer
        attempt = Attempt(asks)
        while True:
            sent = await self._token(authority, about)
            authorization = () if sent is None else (("Authorization", f"Bearer {sent.reveal()}"),)
            answer = await self._followed(method, url, (*headers, *authorization), content, frame)
            if answer.status != 401:
                authority.accepted(sent)
            if answer.status not in (401, 403):
                return answer
            again = False
            try:
                challenges = answer.headers.get_list("WWW-Authenticate")
                refused = authority.refused(
                    answer.status, challenges, sent, self._connection, attempt
                )
                again = await (refused if asks is Asks.LATER else self._waiting(about, refused))
            except InspectorError:
                await answer.close()
                raise
            if not again:
                answer.hint = (
                    "" if asks is Asks.PERSON else f"log in: mcp-inspect login {self.shown_url}"
                )
                return answer
            await answer.close()

    def stop_authorizing(self, request_id: RequestId) -> None:
        """Nobody waits any more for that request: where it is still without a token, it ends."""
        task = self._authorizing.get(request_id)
        if task is not None:
            task.cancel()

    async def _token(self, authority: "TokenSource", about: RequestId | None) -> Secret | None:
        if authority.settled:
            return await authority.credential(self._connection)
        return await self._waiting(about, authority.credential(self._connection))

    async def _waiting(self, about: RequestId | None, work: Coroutine[object, object, T]) -> T:
        """Waits for the authority, and says so: the time is not the server's."""
        if about is not None:
            self._authorizing[about] = asyncio.current_task()
        self.on_authorizing(about, True)
        try:
            return await work
        finally:
            self.on_authorizing(about, False)
            if about is not None:
                self._authorizing.pop(about, None)

    async def _followed(
        self,
        method: str,
        url: httpx.URL,
        headers: Headers,
        content: bytes | None,
        frame: int | None,
    ) -> Answer:
        """One exchange with the redirects that may be followed."""
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

    def _with_own(self, headers: Headers) -> list[tuple[bytes, bytes]]:
        """The headers of a message and those of the target, which win. What a server gave us (an
        event id) goes back as the UTF-8 that it was; the user's own are ASCII."""
        own = {name.lower() for name, _ in self._headers}
        ours = [pair for pair in headers if pair[0].lower() not in own]
        return [
            *((name.encode(), value.encode("utf-8", "replace")) for name, value in ours),
            *((name.encode("ascii"), value.encode("ascii")) for name, value in self._headers),
        ]

    def _learn_given(self, headers: httpx.Headers) -> None:
        """Cookies and session ids are known before they can be written down anywhere."""
        cookies = [cookie.partition("=")[2] for cookie in headers.get_list("Set-Cookie")]
        given = [cookie.partition(";")[0].strip(' "') for cookie in cookies]
        for value in (*given, headers.get(SESSION_ID, "")):
            if len(value) >= SHORTEST_COOKIE and len(self._given) < COOKIES_LEARNED:
                self._given.add(value)
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
        except HTTP_FAULTS as error:
            raise connection_error(error, url, "preparing the request") from None
        try:
            response = await self._http.send(request, stream=True)
        except (*HTTP_FAULTS, OSError) as error:
            failure = _unusable_redirect(request) or connection_error(
                error, url, "waiting for the answer"
            )
            self._unanswered(request, started, failure.message, frame)
            raise failure from None
        except asyncio.CancelledError:
            self._unanswered(request, started, "given up before an answer began", frame)
            raise
        self._learn_given(response.headers)
        answer = Answer(response, self._journal, self._connection)
        settled = False
        try:
            cut = ""
            if not (answer.is_json or answer.is_stream):
                cut = await answer.read_failure()
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


def _environment_fault(error: Exception) -> ConnectionFailed:
    """Why no client can be made: httpx reads proxies and certificates from the environment. What
    it says may hold a proxy's password."""
    if isinstance(error, OSError):  # ssl.SSLError is one too
        words = "the trusted certificates that the environment names cannot be read"
        names = "SSL_CERT_FILE and SSL_CERT_DIR"
    else:
        words = "the environment names a proxy that is no HTTP proxy"
        names = "HTTPS_PROXY, HTTP_PROXY and ALL_PROXY, or name the host in NO_PROXY"
    return ConnectionFailed(words, hint=f"look at {names}", kind="environment", fault="you")


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
