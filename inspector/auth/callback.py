"""The way to the user's browser and back: a listener on this machine that waits for the redirect.

It hears only GET requests for one path of its own, sent to the very address it listens at, and only
the redirect that the flow recognizes ends the wait, once. Everything else gets a page that says so
and changes nothing. How the browser is started is the caller's business, and what a redirect means
is `authorize`'s.
"""

import asyncio
import secrets
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final
from urllib.parse import urlsplit

from inspector.errors import ConnectionFailed, InspectorError, UsageError

WAIT_SECONDS: Final = 300.0
"""How long the user may take in the browser."""
HEAD_SECONDS: Final = 10.0
"""How long one connection may take to say what it wants."""
LONGEST_HEAD: Final = 64 * 1024
MOST_CONNECTIONS: Final = 64
"""More at once, and the oldest has to go."""

_LOOK_SECONDS: Final = 0.25
_CLOSE_SECONDS: Final = 1.0
_HOSTS: Final = {"127.0.0.1": "127.0.0.1", "localhost": "127.0.0.1", "::1": "::1"}

Opener = Callable[[str], Awaitable[None]]
"""Opens a URL in the user's browser. Raises InspectorError where that is not possible."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a redirect is listened for: `host` as the URI has it, `port` 0 for any free one."""

    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """Host and port as a browser sends them in its Host header."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == 80 else f"{host}:{self.port}"

    @property
    def uri(self) -> str:
        """The redirect URI."""
        return f"http://{self.authority}{self.path}"


def read_place(redirect_uri: str) -> Place | None:
    """Where to listen for redirects to that URI; None where it is not on this machine."""
    try:
        parts = urlsplit(redirect_uri)
        port = parts.port
    except ValueError:
        return None
    if parts.scheme != "http" or parts.hostname not in _HOSTS or "@" in parts.netloc:
        return None
    if parts.query or parts.fragment or not redirect_uri.isascii():
        return None
    return Place(parts.hostname, port or 0, parts.path or "/")


class LoopbackConsent:
    """Consent in a browser on this machine, as `person.Consent` has it.

    `redirect_uri` is the user's choice; without a port any free one will do. `announce` is given
    the URL before the browser opens (`opener`; None: the user opens it), `say` a remark.
    """

    def __init__(
        self,
        opener: Opener | None,
        *,
        announce: Callable[[str], None],
        say: Callable[[str], None],
        redirect_uri: str = "",
        seconds: float = WAIT_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._opener = opener
        self._announce = announce
        self._say = say
        self._chosen = _chosen(redirect_uri)
        self._seconds = seconds
        self._clock = clock
        self._server: asyncio.Server | None = None
        self._place = Place("127.0.0.1", 0, "/")
        self._take: Callable[[str], bool] | None = None
        self._failure: InspectorError | None = None
        self._taken = False
        self._over = asyncio.Event()
        self._connections: dict[asyncio.StreamWriter, None] = {}

    async def open(self, wanted: tuple[str, ...] = ()) -> str:
        """Listens; the redirect URI. Raises ConnectionFailed where nothing can be listened at."""
        fresh = Place("127.0.0.1", 0, f"/callback/{secrets.token_urlsafe(24)}")
        if self._chosen is not None:
            places = [self._chosen]
        else:
            places = [*(place for place in map(read_place, wanted) if place is not None), fresh]
        why = ""
        for place in places:
            try:
                self._server = await asyncio.start_server(
                    self._serve, _HOSTS[place.host], place.port, limit=LONGEST_HEAD
                )
            except OSError as error:
                why = f"{place.authority}: {error.strerror or error}"
                continue
            port = int(self._server.sockets[0].getsockname()[1])
            self._place = Place(place.host, port, place.path)
            return self._place.uri
        raise ConnectionFailed(
            f"cannot listen for the browser's answer at {why}",
            hint="another program may hold that port; with --redirect-uri http://127.0.0.1/callback"
            " any free one is taken",
            kind="auth",
            fault="you",
        )

    async def fetch(self, url: str, take: Callable[[str], bool]) -> None:
        """Opens the browser at `url` and waits until `take` has recognized a redirect.

        Raises ConnectionFailed where none came in time.
        """
        self._take = take
        self._announce(url)
        async with asyncio.TaskGroup() as group:
            # An opener may ask the user first, who may open the address by hand meanwhile.
            opening = group.create_task(self._open_browser(url))
            answered = await self._wait()
            opening.cancel()
        if self._failure is not None:
            raise self._failure
        if not answered:
            raise ConnectionFailed(
                f"no answer came from the browser within {self._seconds / 60:g} minutes",
                hint="log in again, and agree in the page that opens; on another machine than"
                " the browser's add --paste",
                kind="auth",
                fault="you",
            )

    def hand_over(self, redirect: str) -> bool:
        """A redirect that came another way (pasted); whether it was the right one."""
        if not self._taken:
            self._judge(redirect)
        if self._taken:
            self._over.set()
        return self._taken

    def give_up(self, reason: InspectorError) -> None:
        """Ends the wait with `reason`, unless it is over."""
        if not self._taken:
            self._taken, self._failure = True, reason
            self._over.set()

    async def close(self) -> None:
        """Listens no more. The page that was sent last still arrives."""
        server, self._server = self._server, None
        for writer in list(self._connections):
            writer.transport.abort()
        if server is not None:
            server.close()
            with suppress(TimeoutError):
                async with asyncio.timeout(_CLOSE_SECONDS):
                    await server.wait_closed()

    async def _open_browser(self, url: str) -> None:
        if self._opener is None:
            return
        try:
            await self._opener(url)
        except InspectorError as error:
            self._say(f"{error.message}; open the address above yourself")

    async def _wait(self) -> bool:
        """Whether a redirect was taken before the time is over."""
        end = self._clock() + self._seconds
        while not self._over.is_set():
            left = end - self._clock()
            if left <= 0:
                return False
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, _LOOK_SECONDS)):
                    await self._over.wait()
        return True

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._connections[writer] = None
        if len(self._connections) > MOST_CONNECTIONS:
            next(iter(self._connections)).transport.abort()
        try:
            async with asyncio.timeout(HEAD_SECONDS):
                writer.write(await self._answer(reader))
                await writer.drain()
        except (ConnectionError, TimeoutError, asyncio.IncompleteReadError):
            pass
        finally:
            self._connections.pop(writer, None)
            writer.close()
            if self._taken:
                self._over.set()

    async def _answer(self, reader: asyncio.StreamReader) -> bytes:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
        except asyncio.LimitOverrunError:
            return _page(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "That is too long.")
        lines = head.decode("latin-1").split("\r\n")[:-2]
        words = lines[0].split(" ")
        if len(words) != 3 or not words[2].startswith("HTTP/1."):
            return _page(HTTPStatus.BAD_REQUEST, "That is no request of a browser.")
        method, target, _ = words
        if method != "GET":
            return _page(
                HTTPStatus.METHOD_NOT_ALLOWED, "Only GET is answered here.", bare=method == "HEAD"
            )
        fields = [line.partition(":") for line in lines[1:]]
        hosts = [value.strip() for name, _, value in fields if name.strip().lower() == "host"]
        if hosts != [self._place.authority]:
            return _page(HTTPStatus.MISDIRECTED_REQUEST, "That was sent to another host.")
        if target.partition("?")[0] != self._place.path:
            return _page(HTTPStatus.NOT_FOUND, "There is nothing here.")
        return self._judge(f"http://{self._place.authority}{target}")

    def _judge(self, redirect: str) -> bytes:
        """The page for a request at the right place; ends the wait where it is the right one."""
        if self._taken:
            return _page(HTTPStatus.GONE, "The answer has arrived before. Close this page.")
        try:
            self._taken = self._take is not None and self._take(redirect)
        except InspectorError as error:
            self._taken, self._failure = True, error
        if not self._taken:
            return _page(
                HTTPStatus.BAD_REQUEST,
                "This is not the answer that mcp-inspect waits for. It goes on waiting.",
            )
        return _page(
            HTTPStatus.OK,
            "The answer has arrived. Close this page and go back to mcp-inspect, which says what"
            " came of it.",
        )


def _chosen(redirect_uri: str) -> Place | None:
    if not redirect_uri:
        return None
    place = read_place(redirect_uri)
    if place is None:
        raise UsageError(
            f"{redirect_uri!r} cannot be listened at",
            hint="a redirect URI here is http://127.0.0.1:PORT/PATH, or the same without :PORT",
        )
    return place


def _page(status: HTTPStatus, text: str, *, bare: bool = False) -> bytes:
    """An answer whose page holds nothing that the request said. The address of the page carries
    a code: no script runs, nothing is loaded, kept or told to another site."""
    body = (
        "<!doctype html><html lang=en><meta charset=utf-8><title>mcp-inspect</title>"
        "<style>body{font:1.1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:20vh auto;"
        "padding:0 1rem;color-scheme:light dark}</style>"
        f"<h1>mcp-inspect</h1><p>{text}</p></html>\n"
    ).encode("ascii")
    head = [
        f"HTTP/1.1 {status.value} {status.phrase}",
        "Content-Type: text/html; charset=utf-8",
        f"Content-Length: {len(body)}",
        "Content-Security-Policy: default-src 'none'; style-src 'unsafe-inline'; "
        "frame-ancestors 'none'",
        "Cache-Control: no-store",
        "Referrer-Policy: no-referrer",
        "X-Content-Type-Options: nosniff",
        "Connection: close",
        *(("Allow: GET",) if status is HTTPStatus.METHOD_NOT_ALLOWED else ()),
    ]
    return ("\r\n".join(head) + "\r\n\r\n").encode("ascii") + (b"" if bare else body)
