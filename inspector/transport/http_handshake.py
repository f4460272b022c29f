"""Streamable HTTP of the handshake era (2025-03-26 to 2025-11-25, basic/transports).

Decides which headers a message carries, what each kind of answer means for its request, when the
session ends and when a broken stream is resumed. Driving HTTP is `http_client`, what a body means
`http_delivery`, the state of one stream `http_stream`, the wording of failures `http_errors`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from inspector.auth.attempt import Asks
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError
from inspector.journal.entries import Direction
from inspector.protocol.headers import (
    ACCEPT,
    ACCEPT_BOTH,
    CONTENT_TYPE,
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    LAST_EVENT_ID,
    PROTOCOL_VERSION,
    SESSION_ID,
    bits_of,
)
from inspector.protocol.messages import JsonObject, RequestId
from inspector.protocol.versions import Revision
from inspector.transport.after_delete import hint_for_failed_opening
from inspector.transport.base import (
    Closed,
    Outgoing,
    Scope,
    Sink,
    Transport,
    TransportFacts,
    finish,
)
from inspector.transport.http_client import Answer, Headers, HttpClient
from inspector.transport.http_delivery import Delivery, about_of, asks_of, is_message
from inspector.transport.http_errors import answer_error, session_error
from inspector.transport.http_follow import REFUSED_STREAM, Follower
from inspector.transport.http_stream import DEFAULT_RETRY, EventStream

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal

INITIALIZE: Final = "initialize"
INITIALIZED: Final = "notifications/initialized"
DELETE_SECONDS: Final = 2.0
GATE_SECONDS: Final = 5.0
"""How long other messages wait for `initialized` to have arrived, which must come first."""
LISTEN_SECONDS: Final = 0.5
"""How long they wait for the GET stream: some servers send no head before the first event."""
LEFT_OPEN_SECONDS: Final = 2.0
"""How long a stream may stay open after its response."""
STRONG_BITS: Final = 64
"""What can have fewer bits in it is easily guessed."""
ABANDONED_SECONDS: Final = 30.0
"""How long a late answer is still waited for, so that it can be shown."""


@dataclass(frozen=True, slots=True)
class Refusal:
    """An HTTP error in answer to `initialize`: the message, its entry, and what it means."""

    outgoing: Outgoing
    number: int
    answer: Answer
    error: InspectorError


TakeOver = Callable[[Refusal], Awaitable[InspectorError | None]]
"""Asked before a refused `initialize` is reported: None where another transport took it over,
else the error to report."""


class StreamableHttp(Transport):
    """One endpoint; each message is a POST of its own, the server's own messages come by GET."""

    kind = "http"

    def __init__(
        self,
        target: Target,
        journal: "Journal",
        connection: int,
        *,
        take_over: TakeOver | None = None,
        retry: float = DEFAULT_RETRY,
        left_open: float = LEFT_OPEN_SECONDS,
    ) -> None:
        self._target = target
        self._journal = journal
        self._connection = connection
        self._take_over = take_over
        self._retry = retry
        self._client = HttpClient(target, journal, connection)
        self._delivery = Delivery(journal, connection)
        self._client.on_authorizing = self._delivery.authorizing
        self._follower = Follower(journal, connection, self._connect, self._delivery, left_open)
        self._scope = Scope()
        self._session_id = self._other_session = ""
        self._streams_by_get = False
        self._revision: Revision | None = None
        self._listener: asyncio.Task[None] | None = None
        self._posts: dict[RequestId, asyncio.Task[None]] = {}
        self._streams: list[EventStream] = []
        self._gate = asyncio.Event()
        self._gate.set()
        self._closing: asyncio.Task[None] | None = None
        self._state = "closed"

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(
            self.kind,
            self._target.label,
            url=self._client.shown_url,
            session=bool(self._session_id),
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
        if not self._scope.entered or self._closing is not None:
            raise ConnectionFailed("the connection is closed", kind="closed", fault="us")
        if outgoing.method == INITIALIZE:
            self._forget_session()
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        waits_for = self._gate
        if outgoing.method == INITIALIZED:
            self._gate = asyncio.Event()
        task = self._scope.spawn(self._post(outgoing, number, waits_for, self._gate), "http-post")
        if (about := about_of(outgoing)) is not None:
            self._posts[about] = task
        return number

    def hand_over(self) -> None:
        """Another transport speaks for this connection from now on; this one only closes."""
        self._delivery.sink = None

    def negotiated(self, revision: Revision) -> None:
        self._revision = revision

    async def abandon(self, request_id: RequestId) -> None:
        for stream in self._streams:
            stream.abandoned = stream.abandoned or stream.about == request_id
        self._client.stop_authorizing(request_id)
        if (task := self._posts.get(request_id)) is not None:
            asyncio.get_running_loop().call_later(ABANDONED_SECONDS, task.cancel)

    async def close(self) -> None:
        if self._closing is None:
            if not self._scope.entered:
                await self._client.close()
                return
            self._state = "closing"
            self._delivery.over = True
            self._closing = self._scope.spawn(self._end_session(), "http-delete")
        try:
            await finish(self._closing)
        finally:
            await self._scope.leave()
            await self._client.close()
            self._tell_closed()

    # Sending ----------------------------------------------------------------------------------

    def _headers(self, accept: str, *, content: bool = False, opening: bool = False) -> Headers:
        headers = [(ACCEPT, accept)]
        if content:
            headers.append((CONTENT_TYPE, JSON_TYPE))
        if self._session_id:
            headers.append((SESSION_ID, self._session_id))
        if self._revision is not None and not opening:
            headers.append((PROTOCOL_VERSION, self._revision.value))
        return tuple(headers)

    async def _post(
        self, outgoing: Outgoing, number: int, waits_for: asyncio.Event, opens: asyncio.Event
    ) -> None:
        """Sends one message and reads its answer. `initialized` must have arrived before anything
        that is sent after it, and so must the GET stream: a server drops what it wants to send on
        a stream that is not there yet. So these two open the gate that the others wait for."""
        about, opening = about_of(outgoing), outgoing.method == INITIALIZE
        try:
            await self._pass_gate(waits_for, outgoing.method)
            with_session = bool(self._session_id)
            answer = await self._client.exchange(
                "POST",
                self._client.url,
                (*self._headers(ACCEPT_BOTH, content=True, opening=opening), *outgoing.headers),
                outgoing.raw,
                frame=number,
                about=about,
                asks=asks_of(outgoing),
            )
            async with answer:
                if outgoing.method == INITIALIZED:
                    self._begin_listening(answer, opens)
                await self._take_answer(outgoing, number, answer, with_session)
        except InspectorError as error:
            self._delivery.fail(about, error, None, outgoing.method)
        finally:
            if outgoing.method == INITIALIZED and self._listener is None:
                opens.set()
            if about is not None:
                self._posts.pop(about, None)

    async def _pass_gate(self, gate: asyncio.Event, what: str) -> None:
        try:
            async with asyncio.timeout(GATE_SECONDS):
                await gate.wait()
        except TimeoutError:
            reason = "notifications/initialized was not answered in time; sent all the same"
            self._event("sent-unordered", {"message": what, "reason": reason})

    async def _take_answer(
        self, outgoing: Outgoing, number: int, answer: Answer, with_session: bool
    ) -> None:
        if not answer.ok:
            await self._refused(outgoing, number, answer, with_session)
            return
        if session_id := answer.headers.get(SESSION_ID):
            self._note_session(session_id, outgoing.method)
        if answer.is_stream:
            await self._follow(about_of(outgoing), answer, "POST", outgoing.method)
        elif answer.is_json:
            await self._delivery.take_json(outgoing, answer)
        else:
            self._delivery.take_odd(outgoing, answer)

    async def _refused(
        self, outgoing: Outgoing, number: int, answer: Answer, with_session: bool
    ) -> None:
        about = about_of(outgoing)
        error = answer.failure(outgoing.method or "a reply")
        lost = session_error(answer.status, answer.body, about) if with_session else None
        error = lost or error
        if outgoing.method == INITIALIZE and self._take_over is not None:
            left = await self._take_over(Refusal(outgoing, number, answer, error))
            if left is None:
                return
            error = left
        if outgoing.method == INITIALIZE and answer.status == 500:
            url = str(self._client.url)
            error.hint = hint_for_failed_opening(self._journal, self._connection, url)
        if lost is None:
            self._delivery.take_refused(outgoing, answer, error)
        else:  # what it says is about our session, not about this request
            if is_message(answer.body):
                self._delivery.keep(answer.body, answer.number, "POST")
            self._delivery.fail(about, error, answer.number, outgoing.method)
        if answer.status == 404 and with_session:
            self._expire()

    # Streams ----------------------------------------------------------------------------------

    def _begin_listening(self, accepted: Answer, opens: asyncio.Event) -> None:
        if accepted.ok and self._listener is None and self._closing is None:
            self._listener = self._scope.spawn(self._listen(opens), "http-listen")
            asyncio.get_running_loop().call_later(LISTEN_SECONDS, opens.set)
        else:
            opens.set()

    async def _follow(self, about: RequestId | None, answer: Answer, label: str, what: str) -> None:
        stream = EventStream(about, label, self._retry)
        self._streams.append(stream)
        try:
            failure = await self._follower.follow(stream, answer, what)
        finally:
            self._streams.remove(stream)
        if failure is not None:
            self._delivery.fail(about, failure, answer.number, what)

    async def _connect(self, stream: EventStream) -> Answer:
        """A GET that opens or resumes a stream. Raises ConnectionFailed."""
        headers = self._headers(EVENT_STREAM_TYPE)
        if stream.last_event_id:
            headers = (*headers, (LAST_EVENT_ID, stream.last_event_id.strip(" ")))
        with_session = bool(self._session_id)
        answer = await self._client.exchange(
            "GET",
            self._client.url,
            headers,
            about=stream.about,
            asks=Asks.LATER if stream.about is None else Asks.PERSON,
        )
        if answer.is_stream:
            self._streams_by_get = True
            if stream.last_event_id:
                stream.label = "resumed"
            return answer
        await answer.close()
        # Where no GET ever worked, 404 says that there is no such route and not that the session
        # is gone: many frameworks answer so. The next POST would tell.
        if answer.status == 404 and with_session and self._streams_by_get:
            self._expire()
        what = "resuming a stream" if stream.last_event_id else "the event stream"
        if answer.ok:
            error = answer_error(answer.status, answer.media, answer.told, what)
        else:
            error = answer.failure(what)
        final = answer.status < 500 and answer.status not in (408, 429)
        raise ConnectionFailed(
            error.message, hint=error.hint, kind=REFUSED_STREAM if final else "http"
        )

    async def _listen(self, opens: asyncio.Event) -> None:
        """The GET stream for what the server says by itself; that it is not offered is normal."""
        try:
            answer = await self._connect(EventStream(None, "GET"))
        except ConnectionFailed as error:
            name = "no-event-stream" if error.kind == REFUSED_STREAM else "event-stream-failed"
            self._event(name, {"reason": error.message})
            return
        finally:
            opens.set()
        await self._follow(None, answer, "GET", "the event stream")

    # Session ----------------------------------------------------------------------------------

    def _note_session(self, session_id: str, what: str) -> None:
        if what == INITIALIZE:
            self._keep_session(session_id)
        elif session_id not in (self._session_id, self._other_session):
            self._other_session = session_id
            self._journal.redactor.learn(session_id)
            reason = f"the answer to {what} brings a session id; only that of initialize counts"
            self._event("session-id-changed", {"reason": reason})

    def _keep_session(self, session_id: str) -> None:
        if not all("!" <= character <= "~" for character in session_id):
            self._event("session-id-unusable", {"reason": "characters outside 0x21 to 0x7E"})
            return
        self._session_id = session_id
        self._journal.redactor.learn(session_id)
        if (bits := bits_of(session_id)) < STRONG_BITS:
            self._event("session-id-short", {"length": len(session_id), "bits": bits})

    def _forget_session(self) -> None:
        """A new `initialize` begins without the session of the last one. Only one that the user
        sends again finds a revision here: no answer to it is read, so that one stays in force."""
        self._session_id = self._other_session = ""
        self._streams_by_get = False
        if self._listener is not None:
            self._listener.cancel()
            self._listener = None

    def _expire(self) -> None:
        if not self._session_id:
            return
        self._session_id = ""
        self._state = "session expired"
        self._event("session-expired", {})
        if self._delivery.sink is not None:
            self._delivery.sink.session_expired()

    async def _end_session(self) -> None:
        """DELETE, which a server need not offer."""
        for stream in self._streams:
            stream.abandoned = True
        if not self._session_id:
            return
        with suppress(TimeoutError, InspectorError):
            async with asyncio.timeout(DELETE_SECONDS):
                await self._gate.wait()  # what opens the session is not overtaken by its end
                headers = self._headers(ACCEPT_BOTH)
                answer = await self._client.exchange(
                    "DELETE", self._client.url, headers, asks=Asks.NEVER
                )
                await answer.close()
        self._session_id = ""

    def _tell_closed(self) -> None:
        if self._state != "closed" and self._delivery.sink is not None:
            self._state = "closed"
            self._delivery.sink.closed(Closed("closed by us", expected=True))

    def _event(self, name: str, facts: JsonObject) -> None:
        self._delivery.event(name, facts)
