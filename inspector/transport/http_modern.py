"""Streamable HTTP of the modern era (2026-07-28 basic/transports/streamable-http).

Each request is a POST of its own, answered by JSON or by a stream of its own; there is no session,
no GET stream, no resumption. Decides what an answer means for its request and that closing a
stream is how a request is cancelled. Which headers a request carries is the strategy's business.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError, PeerViolation
from inspector.journal.entries import Direction
from inspector.protocol.headers import ACCEPT, ACCEPT_BOTH, CONTENT_TYPE, JSON_TYPE
from inspector.protocol.messages import JsonObject, MessageKind, RequestId, read_envelope
from inspector.transport.base import (
    Closed,
    Outgoing,
    Scope,
    Sink,
    Transport,
    TransportFacts,
)
from inspector.transport.http_client import Answer, HttpClient
from inspector.transport.http_errors import answer_error, status_error
from inspector.transport.http_follow import Follower
from inspector.transport.http_stream import EventStream, answers, split_messages

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

LEFT_OPEN_SECONDS: Final = 5.0
"""How long a stream may stay open after its response."""


class ModernHttp(Transport):
    """One endpoint that keeps nothing between two requests."""

    kind = "http"
    closing_cancels = True

    def __init__(
        self,
        target: Target,
        journal: "Journal",
        connection: int,
        *,
        left_open: float = LEFT_OPEN_SECONDS,
    ) -> None:
        self._target = target
        self._journal = journal
        self._connection = connection
        self._client = HttpClient(target, journal, connection)
        self._follower = Follower(journal, connection, self._no_resuming, self._deliver, left_open)
        self._scope = Scope()
        self._sink: Sink | None = None
        self._posts: dict[RequestId, asyncio.Task[None]] = {}
        self._closing = False
        self._state = "closed"

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(
            self.kind,
            self._target.label,
            url=self._target.url,
            streams=self._follower.open_streams,
            state=self._state,
        )

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        await self._scope.enter()
        self._state = "open"

    async def send(self, outgoing: Outgoing) -> int:
        if not self._scope.entered or self._closing:
            raise ConnectionFailed("the connection is closed", kind="closed", fault="us")
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        task = self._scope.spawn(self._post(outgoing, number), "http-post")
        if (about := _about(outgoing)) is not None:
            self._posts[about] = task
        return number

    def hand_over(self) -> None:
        """Another transport speaks for this connection from now on; this one only closes."""
        self._sink = None

    async def abandon(self, request_id: RequestId) -> None:
        """Closes the stream, which is what tells the server (basic/patterns/cancellation)."""
        task = self._posts.pop(request_id, None)
        if task is not None and not task.done():
            self._event("stream-closed", {"about": request_id, "reason": "nobody waits any more"})
            task.cancel()

    async def close(self) -> None:
        self._closing = True
        try:
            await self._scope.leave()
        finally:
            await self._client.close()
            if self._state != "closed" and self._sink is not None:
                self._state = "closed"
                self._sink.closed(Closed("closed by us", expected=True))

    # Sending ----------------------------------------------------------------------------------

    async def _post(self, outgoing: Outgoing, number: int) -> None:
        about = _about(outgoing)
        headers = ((ACCEPT, ACCEPT_BOTH), (CONTENT_TYPE, JSON_TYPE), *outgoing.headers)
        try:
            answer = await self._client.exchange(
                "POST", self._client.url, headers, outgoing.raw, frame=number
            )
            async with answer:
                await self._take(about, answer, outgoing.method or "a message")
        except InspectorError as error:
            self._fail(about, error, None, outgoing.method)
        finally:
            if about is not None and self._posts.get(about) is asyncio.current_task():
                del self._posts[about]

    async def _take(self, about: RequestId | None, answer: Answer, what: str) -> None:
        if answer.is_stream:
            await self._follow(about, answer, what)
        elif answer.is_json:
            self._take_body(about, answer, await answer.read(), what)
        elif answer.ok:
            if about is not None:
                error = answer_error(answer.status, answer.media, answer.body, what)
                self._fail(about, error, answer.number, what)
        else:
            if read_envelope(answer.body).kind is not MessageKind.MALFORMED:
                self._deliver(answer.body, about, answer.number, "POST")
            error = status_error(answer.status, answer.reason, answer.headers, answer.body, what)
            self._fail(about, error, answer.number, what)

    def _take_body(self, about: RequestId | None, answer: Answer, body: bytes, what: str) -> None:
        answered = about is None
        if body.strip():
            for raw in split_messages(body):
                self._deliver(raw, about, answer.number, "POST")
                answered = answered or (about is not None and answers(raw, about))
        if not answered:
            error = (
                PeerViolation(f"the HTTP answer to {what} holds no response to it")
                if body.strip()
                else answer_error(answer.status, answer.media, b"", what)
            )
            self._fail(about, error, answer.number, what)

    async def _follow(self, about: RequestId | None, answer: Answer, what: str) -> None:
        stream = EventStream(about, "POST", resumable=False)
        failure = await self._follower.follow(stream, answer, what)
        if failure is not None:
            failure.hint = failure.hint or "the request is lost; to send it again is a new request"
            self._fail(about, failure, answer.number, what)

    async def _no_resuming(self, stream: EventStream) -> Answer:
        raise ConnectionFailed("streams are not resumed in this revision", fault="us")

    # Reporting --------------------------------------------------------------------------------

    def _deliver(self, raw: bytes, about: RequestId | None, http: int, stream: str) -> None:
        number = self._journal.frame(
            Direction.RECEIVED, raw, connection=self._connection, http=http, stream=stream
        )
        if self._sink is not None:
            self._sink.received(number, raw, about)

    def _fail(
        self, about: RequestId | None, error: InspectorError, number: int | None, what: str
    ) -> None:
        if self._closing:
            return
        if about is None:
            self._event("not-delivered", {"message": what, "reason": error.message})
        elif self._sink is not None:
            self._sink.failed(about, error, number)

    def _event(self, name: str, facts: JsonObject) -> None:
        self._journal.event(name, facts, connection=self._connection)


def _about(outgoing: Outgoing) -> RequestId | None:
    """The id of the request that is sent; None for anything else."""
    return outgoing.id if outgoing.kind is MessageKind.REQUEST else None
