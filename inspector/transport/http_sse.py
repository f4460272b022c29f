"""The HTTP+SSE transport of 2024-11-05 (basic/transports): one GET stream, POSTs beside it.

Decides where messages are posted (the `endpoint` event, same origin only) and that the loss of the
stream ends the session, since this transport knows no resumption. Driving HTTP is `http_client`.
"""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import TYPE_CHECKING, Final

import httpx

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError, PeerViolation, excerpt
from inspector.journal.entries import Direction
from inspector.protocol.headers import (
    ACCEPT,
    ACCEPT_BOTH,
    CONTENT_TYPE,
    EVENT_STREAM_TYPE,
    JSON_TYPE,
    PROTOCOL_VERSION,
)
from inspector.protocol.messages import JsonObject, MessageKind, RequestId
from inspector.protocol.sse import SseEvent, SseParser
from inspector.protocol.versions import Revision
from inspector.transport.base import Closed, Outgoing, Scope, Sink, Transport, TransportFacts
from inspector.transport.http_body import BODY_CAP, ERROR_CAP
from inspector.transport.http_client import Answer, HttpClient
from inspector.transport.http_delivery import about_of, asks_of, is_message, without_secrets
from inspector.transport.http_errors import answer_error
from inspector.transport.http_follow import beside, ignored_lines, shown
from inspector.transport.http_redirect import same_origin
from inspector.transport.limit import Limit

if TYPE_CHECKING:
    from inspector.auth.late import TokenSource
    from inspector.journal.journal import Journal

INITIALIZED: Final = "notifications/initialized"
GATE_SECONDS: Final = 5.0
BODY_SECONDS: Final = 2.0
"""How long the body of an answer to a POST is read, which need not have one."""
ENDPOINT_SECONDS: Final = 10.0
"""How long the `endpoint` event may take."""


class HttpSse(Transport):
    """One stream that brings everything, and an endpoint that takes everything."""

    kind = "sse"

    def __init__(
        self,
        target: Target,
        journal: "Journal",
        connection: int,
        *,
        endpoint_seconds: float = ENDPOINT_SECONDS,
    ) -> None:
        self._target = target
        self._journal = journal
        self._connection = connection
        self._endpoint_seconds = endpoint_seconds
        self._client = HttpClient(target, journal, connection)
        self._client.on_authorizing = self._authorizing
        self._opening = Limit(endpoint_seconds)
        self._scope = Scope()
        self._sink: Sink | None = None
        self._endpoint: httpx.URL | None = None
        self._settled = asyncio.Event()
        self._failure: InspectorError | None = None
        self._revision: Revision | None = None
        self._gate = asyncio.Event()
        self._gate.set()
        self._state = "closed"
        self._stream = 0
        """The HTTP entry of the stream, once there is one."""
        self._ended = False

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(
            self.kind,
            self._target.label,
            url=self._client.shown_url,
            session=self._endpoint is not None,
            streams=1 if self._state == "open" else 0,
            state=self._state,
        )

    def authorized_by(self, authority: "TokenSource") -> None:
        self._client.authority = authority

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        await self._scope.enter()
        self._scope.spawn(self._run(), "sse-stream")
        opened = False
        try:
            with suppress(TimeoutError):
                async with self._opening:
                    await self._settled.wait()
            if self._endpoint is None:
                self._note_missing()
                raise self._not_opened()
            opened = True
        finally:
            if not opened:
                self._sink = None
                await self.close()

    async def send(self, outgoing: Outgoing) -> int:
        endpoint = self._endpoint
        if endpoint is None or self._state != "open":
            raise ConnectionFailed("the connection is closed", kind="closed")
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        waits_for = self._gate
        if outgoing.method == INITIALIZED:
            self._gate = asyncio.Event()
        self._scope.spawn(self._post(outgoing, endpoint, number, waits_for, self._gate), "sse-post")
        return number

    def negotiated(self, revision: Revision) -> None:
        self._revision = revision

    async def abandon(self, request_id: RequestId) -> None:
        self._client.stop_authorizing(request_id)

    async def close(self) -> None:
        if self._state == "open":
            self._state = "closing"
        await self._scope.leave()
        await self._client.close()
        self._tell(Closed("closed by us", expected=True))

    async def _post(
        self,
        outgoing: Outgoing,
        endpoint: httpx.URL,
        number: int,
        waits_for: asyncio.Event,
        opens: asyncio.Event,
    ) -> None:
        """Sends one message; as with Streamable HTTP, `initialized` must arrive first. Others
        go side by side: a server may hold one POST until we answer a request of its own."""
        headers = [(ACCEPT, ACCEPT_BOTH), (CONTENT_TYPE, JSON_TYPE), *outgoing.headers]
        if self._revision is not None:
            headers.append((PROTOCOL_VERSION, self._revision.value))
        what = outgoing.method or "a reply"
        error: InspectorError | None = None
        http: int | None = None
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(GATE_SECONDS):
                    await waits_for.wait()
            answer = await self._client.exchange(
                "POST",
                endpoint,
                tuple(headers),
                outgoing.raw,
                frame=number,
                about=about_of(outgoing),
                asks=asks_of(outgoing),
            )
            http = answer.number
            async with answer:
                await self._look_at_body(outgoing, answer)
            if not answer.ok:
                error = answer.failure(what)
        except InspectorError as failure:
            error = failure
        finally:
            if outgoing.method == INITIALIZED:
                opens.set()
        if error is None:
            return
        error = without_secrets(error, self._journal)
        if outgoing.kind is MessageKind.REQUEST and outgoing.id is not None and self._sink:
            self._sink.failed(outgoing.id, error, http)
        else:
            self._event("not-delivered", {"message": what, "reason": error.message})

    async def _look_at_body(self, outgoing: Outgoing, answer: Answer) -> None:
        """A message in the answer to a POST has come the wrong way: it is shown, and whoever waits
        is told, but no client of this transport takes it."""
        if answer.is_json or answer.is_stream:
            with suppress(InspectorError, TimeoutError):
                async with asyncio.timeout(BODY_SECONDS):
                    await answer.read(ERROR_CAP)
            if answer.body and not is_message(answer.body):
                facts: JsonObject = {"http": answer.number, "text": shown(answer.body)}
                self._event("body-ignored", facts)
        if not is_message(answer.body):
            return
        number = self._journal.frame(
            Direction.RECEIVED,
            answer.body,
            connection=self._connection,
            http=answer.number,
            stream="POST",
        )
        about = about_of(outgoing)
        if about is not None and self._sink is not None:
            words = f"a message came in the answer to the POST (entry {number}); "
            self._sink.remark(about, words + "HTTP+SSE takes answers from the event stream only")

    async def _run(self) -> None:
        """Reads the one stream, and tells its end."""
        try:
            answer = await self._client.exchange(
                "GET", self._client.url, ((ACCEPT, EVENT_STREAM_TYPE),)
            )
            async with answer:
                if not answer.is_stream:
                    raise _no_stream(answer)
                self._stream = answer.number
                await self._read(answer)
            self._failure = PeerViolation("the event stream ended")
            self._ended = True
        except InspectorError as error:
            self._failure = without_secrets(error, self._journal)
        self._settled.set()
        if self._state == "open":
            reason = f"{self._failure.message}; HTTP+SSE cannot resume, so the session is over"
            self._event("stream-lost", {"reason": reason})
            self._tell(Closed(reason))

    async def _read(self, answer: Answer) -> None:
        parser = SseParser(BODY_CAP)
        try:
            async with aclosing(answer.chunks()) as chunks:
                await self._read_events(parser, chunks, answer)
        finally:
            if rest := parser.rest():
                facts: JsonObject = {"http": answer.number, "bytes": parser.unfinished}
                self._event("stream-cut", {**facts, "text": shown(rest)})

    async def _read_events(
        self, parser: SseParser, chunks: AsyncGenerator[bytes, None], answer: Answer
    ) -> None:
        async for chunk in chunks:
            for event in parser.feed(chunk):
                self._take(event, answer)
            if self._sink is not None:
                self._sink.arriving(None, parser.unfinished)
            if parser.ignored and (lines := ignored_lines(parser)):
                facts: JsonObject = {"http": answer.number, "text": shown(b"\n".join(lines))}
                self._event("sse-ignored", facts)

    def _take(self, event: SseEvent, answer: Answer) -> None:
        if event.event == "endpoint" and self._endpoint is None:
            self._keep_endpoint(event.data.decode("utf-8", "replace").strip(), answer)
        elif event.event == "message" and event.data:
            number = self._journal.frame(
                Direction.RECEIVED,
                event.data,
                connection=self._connection,
                http=answer.number,
                stream="SSE",
                event=beside(event),
            )
            if self._sink is not None:
                self._sink.received(number, event.data, None)
        else:
            facts: JsonObject = {"event": event.event, "id": event.id, "retry": event.retry}
            self._event("sse-unknown", {**facts, "http": answer.number, "text": shown(event.data)})

    def _keep_endpoint(self, text: str, answer: Answer) -> None:
        """The endpoint may be relative or absolute; another origin would get what is sent."""
        try:
            endpoint = answer.url.join(text)
        except (httpx.InvalidURL, ValueError):
            raise PeerViolation(f"the endpoint event holds no URL: {text[:200]!r}") from None
        if not same_origin(answer.url, endpoint) or endpoint.userinfo:
            bare = endpoint.copy_with(username=None, password=None, query=None)
            shown = excerpt(str(bare))
            self._event("endpoint-refused", {"http": answer.number, "uri": shown})
            raise PeerViolation(
                f"the server wants messages posted to another origin, {shown}; refused",
                hint="the endpoint event must stay on the origin of the stream",
            )
        for name, value in endpoint.params.multi_items():
            if "session" in name.lower():
                self._journal.redactor.learn(value)
        self._event("endpoint", {"uri": self._journal.redactor.url(str(endpoint))})
        self._endpoint = endpoint
        self._state = "open"
        self._settled.set()

    def _authorizing(self, about: RequestId | None, on: bool) -> None:
        """The stream, or that request, waits for a token, or has ended to."""
        if about is None:
            self._opening.pause() if on else self._opening.resume()
        if self._sink is not None:
            self._sink.authorizing(about, on)

    def _note_missing(self) -> None:
        """The stream came, and the endpoint did not: in time, or before the stream ended."""
        if self._stream and (self._ended or self._failure is None):
            late = f"{self._endpoint_seconds:g} s have passed"
            reason = "the stream ended" if self._ended else late
            self._event("endpoint-missing", {"http": self._stream, "reason": reason})

    def _not_opened(self) -> ConnectionFailed:
        failure = self._failure
        if isinstance(failure, ConnectionFailed):
            return failure
        if failure is None:
            text = f"no endpoint event came within {self._endpoint_seconds:g} s"
            return ConnectionFailed(text, hint="is this an HTTP+SSE URL?", kind="sse")
        return ConnectionFailed(failure.message, hint=failure.hint, kind="sse")

    def _tell(self, closed: Closed) -> None:
        self._endpoint = None
        if self._state != "closed":
            self._state = "closed"
            if self._sink is not None:
                self._sink.closed(closed)

    def _event(self, name: str, facts: JsonObject) -> None:
        self._journal.event(name, facts, connection=self._connection)


def _no_stream(answer: Answer) -> InspectorError:
    if answer.ok:
        return answer_error(answer.status, answer.media, answer.told, "GET of the event stream")
    return answer.failure("GET of the event stream")
