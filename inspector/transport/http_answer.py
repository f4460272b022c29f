"""The answer to one HTTP request: its head, and its body within bounds.

Decides how much of a body is read and what is noted where it breaks off. Getting an answer is
`http_client`, what it means for a request is left to the transports.
"""

import asyncio
import base64
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing, suppress
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self, cast

import httpx

from inspector.errors import InspectorError
from inspector.protocol.headers import CONTENT_TYPE, EVENT_STREAM_TYPE, JSON_TYPE, media_type
from inspector.protocol.messages import JsonObject
from inspector.transport.http_body import BODY_CAP, ERROR_CAP, Collected, Decoder, UndecodableBody
from inspector.transport.http_errors import connection_error, status_error

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

ERROR_BODY_SECONDS: Final = 5.0
"""How long the body of a failure may take; what came until then is kept."""
HTTP_FAULTS: Final = (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, UnicodeEncodeError)


class Answer:
    """A response: its head, and its body either read already (`body`) or still to be read.

    `number` is its HTTP entry in the journal, `hint` what to do where it wants authorization;
    `arriving` hears how many bytes of a body have come. To be closed by whoever got it.
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
        self.hint = ""
        self.arriving: Callable[[int], None] = lambda _: None
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
        with suppress(*HTTP_FAULTS):
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
                    first = count
                    for piece in decoder.feed(chunk):
                        if count > first:  # a little on the wire may be much: others go on
                            await asyncio.sleep(0)
                        count += len(piece)
                        self.arriving(count)
                        yield piece
        except UndecodableBody:
            coded = base64.b64encode(chunk[:ERROR_CAP]).decode()
            facts: JsonObject = {"http": self.number, "encoding": encoding, "base64": coded}
            self._journal.event("http-undecodable", facts, connection=self._connection)
            raise
        except HTTP_FAULTS as error:
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

    async def read_failure(self) -> str:
        """Reads what a failure says, within bounds; a body that breaks off or goes on too long is
        kept as far as it came. Why it is not whole, "" where it is."""
        try:
            async with asyncio.timeout(ERROR_BODY_SECONDS):
                await self.read(ERROR_CAP)
        except InspectorError as error:
            return error.message
        except TimeoutError:
            return f"the body did not end within {ERROR_BODY_SECONDS:g} s"
        return ""

    @property
    def told(self) -> bytes:
        """The body for a message of ours, masked as long as it is whole: half a token is not
        recognized any more."""
        return self._journal.redactor.text(self.body)[0]

    def failure(self, what: str) -> InspectorError:
        """What its status means for `what` ("tools/call", "the event stream")."""
        return status_error(
            self.status, self.reason, self.headers, self.told, what, login=self.hint
        )
