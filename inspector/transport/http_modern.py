"""Streamable HTTP of the modern era (2026-07-28 basic/transports/streamable-http).

Each request is a POST of its own, answered by JSON or by a stream of its own; there is no session,
no GET stream, no resumption. Decides that closing a stream is how a request is cancelled. What an
answer means for its request is `http_delivery`, as in the handshake era; which headers a request
carries is the strategy's business.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import Direction
from inspector.protocol.headers import ACCEPT, ACCEPT_BOTH, CONTENT_TYPE, JSON_TYPE
from inspector.protocol.messages import RequestId
from inspector.transport.after_delete import hint_for_failed_opening
from inspector.transport.base import (
    Closed,
    Outgoing,
    Scope,
    Sink,
    Transport,
    TransportFacts,
)
from inspector.transport.http_client import Answer, HttpClient
from inspector.transport.http_delivery import Delivery, about_of, asks_of
from inspector.transport.http_follow import Follower
from inspector.transport.http_stream import EventStream

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal

LOST: Final = (
    "the request is lost, and no stream is resumed in this revision; to call again sends it anew,"
    " under a new id, and may do twice what it does"
)
"""What to do where a request broke off (HM-09)."""
LEFT_OPEN_SECONDS: Final = 2.0
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
        self._delivery = Delivery(journal, connection, lost=LOST)
        self._client.on_authorizing = self._delivery.authorizing
        self._follower = Follower(journal, connection, self._no_resuming, self._delivery, left_open)
        self._scope = Scope()
        self._posts: dict[RequestId, asyncio.Task[None]] = {}
        self._state = "closed"

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(
            self.kind,
            self._target.label,
            url=self._client.shown_url,
            streams=self._follower.open_streams,
            state=self._state,
        )

    def authorized_by(self, authority: "TokenSource") -> None:
        self._client.authority = authority

    async def open(self, sink: Sink) -> None:
        self._delivery.sink = sink
        await self._scope.enter()
        self._state = "open"

    async def send(self, outgoing: Outgoing) -> int:
        if not self._scope.entered or self._delivery.over:
            raise ConnectionFailed("the connection is closed", kind="closed", fault="us")
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        task = self._scope.spawn(self._post(outgoing, number), "http-post")
        if (about := about_of(outgoing)) is not None:
            self._posts[about] = task
        return number

    def hand_over(self) -> None:
        """Another transport speaks for this connection from now on; this one only closes."""
        self._delivery.sink = None

    async def abandon(self, request_id: RequestId) -> None:
        """Closes the stream, which is what tells the server (basic/patterns/cancellation)."""
        task = self._posts.pop(request_id, None)
        if task is not None and not task.done():
            self._delivery.event(
                "stream-closed", {"about": request_id, "reason": "nobody waits any more"}
            )
            task.cancel()

    async def close(self) -> None:
        self._delivery.over = True
        try:
            await self._scope.leave()
        finally:
            await self._client.close()
            if self._state != "closed" and self._delivery.sink is not None:
                self._state = "closed"
                self._delivery.sink.closed(Closed("closed by us", expected=True))

    # Sending ----------------------------------------------------------------------------------

    async def _post(self, outgoing: Outgoing, number: int) -> None:
        about = about_of(outgoing)
        headers = ((ACCEPT, ACCEPT_BOTH), (CONTENT_TYPE, JSON_TYPE), *outgoing.headers)
        try:
            answer = await self._client.exchange(
                "POST",
                self._client.url,
                headers,
                outgoing.raw,
                frame=number,
                about=about,
                asks=asks_of(outgoing),
            )
            async with answer:
                await self._take(outgoing, answer)
        except InspectorError as error:
            error.hint = error.hint or LOST
            self._delivery.fail(about, error, None, outgoing.method)
        finally:
            if about is not None and self._posts.get(about) is asyncio.current_task():
                del self._posts[about]

    async def _take(self, outgoing: Outgoing, answer: Answer) -> None:
        if answer.is_stream:
            await self._follow(outgoing, answer)
        elif answer.is_json:
            await self._delivery.take_json(outgoing, answer)
        elif answer.ok:
            self._delivery.take_odd(outgoing, answer)
        else:
            what = outgoing.method or "a message"
            error = answer.failure(what)
            if what == "server/discover" and answer.status == 500:
                url = str(self._client.url)
                error.hint = hint_for_failed_opening(self._journal, self._connection, url)
            self._delivery.take_refused(outgoing, answer, error)

    async def _follow(self, outgoing: Outgoing, answer: Answer) -> None:
        about = about_of(outgoing)
        stream = EventStream(about, "POST", resumable=False)
        failure = await self._follower.follow(stream, answer, outgoing.method)
        if failure is not None:
            failure.hint = f"{stream.remark}; {LOST}" if stream.remark else LOST
            self._delivery.fail(about, failure, answer.number, outgoing.method)

    async def _no_resuming(self, stream: EventStream) -> Answer:
        raise ConnectionFailed("streams are not resumed in this revision", fault="us")
