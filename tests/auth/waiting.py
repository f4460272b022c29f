"""A listener that waits for a redirect, and a browser that sends it requests of any kind."""

import asyncio
from collections.abc import Callable
from urllib.parse import parse_qs, urlsplit

from inspector.auth.callback import LoopbackConsent

LIMIT = 30.0
PAGE = "https://auth.example.com/authorize?x=1"
RIGHT = "?code=c0de&state=st4te"


class Wait:
    """A consent that waits, and what it said, opened and took."""

    def __init__(self, **options: object) -> None:
        self.said: list[str] = []
        self.announced: list[str] = []
        self.opened: list[str] = []
        self.browser = asyncio.Event()
        self.asked: list[str] = []
        self.consent = LoopbackConsent(
            self._opener,
            announce=self.announced.append,
            say=self.said.append,
            **options,  # type: ignore[arg-type]
        )
        self.uri = ""
        self.ending: asyncio.Task[None] | None = None

    async def _opener(self, url: str) -> None:
        self.opened.append(url)
        self.browser.set()

    def take(self, redirect: str) -> bool:
        self.asked.append(redirect)
        return parse_qs(urlsplit(redirect).query).get("state") == ["st4te"]

    async def start(self, take: Callable[[str], bool] | None = None) -> "Wait":
        self.uri = await self.consent.open()
        self.ending = asyncio.ensure_future(self.consent.fetch(PAGE, take or self.take))
        await self.browser.wait()
        return self

    @property
    def waiting(self) -> bool:
        return self.ending is not None and not self.ending.done()

    async def end(self) -> None:
        assert self.ending is not None
        async with asyncio.timeout(LIMIT):
            await self.ending

    async def stop(self) -> None:
        if self.ending is not None and not self.ending.done():
            self.ending.cancel()
            await asyncio.wait([self.ending])
        await self.consent.close()

    async def get(self, query: str, **changes: str) -> tuple[int, str]:
        """The status and the page for a browser's GET."""
        parts = urlsplit(self.uri)
        method, host = changes.get("method", "GET"), changes.get("host", parts.netloc)
        path = changes.get("path", parts.path)
        return await self.send(f"{method} {path}{query} HTTP/1.1\r\nHost: {host}\r\n\r\n")

    async def send(self, request: str) -> tuple[int, str]:
        async with asyncio.timeout(LIMIT):
            reader, writer = await self.connect()
            writer.write(request.encode("latin-1"))
            answer = (await reader.read()).decode()
            writer.close()
        return int(answer.split(" ", 2)[1]), answer

    async def connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        parts = urlsplit(self.uri)
        return await asyncio.open_connection(parts.hostname, parts.port)
