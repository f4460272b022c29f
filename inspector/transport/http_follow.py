"""Reading one logical event stream to its end, over as many connections as that takes.

Decides what each event becomes (a frame, a replayed frame, a fact about the stream), when to
connect again and when to give up. How a connection is made is the transport's business, what is
remembered of a stream is `http_stream`.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from typing import TYPE_CHECKING, Final, Protocol

from inspector.errors import ConnectionFailed, InspectorError, PeerViolation, excerpt
from inspector.journal.entries import Direction, Flag, SseFacts
from inspector.protocol.messages import JsonObject, RequestId
from inspector.protocol.sse import SseEvent, SseParser
from inspector.transport.http_body import BODY_CAP
from inspector.transport.http_client import Answer
from inspector.transport.http_stream import EventStream, Verdict
from inspector.transport.pipes import TURN

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

REFUSED_STREAM: Final = "stream"
"""The kind of a ConnectionFailed after which asking for the same stream again is pointless."""
_FINAL: Final = frozenset({REFUSED_STREAM, "redirect", "auth"})
LONG_SECONDS: Final = 1.0
"""How long a stream must have stayed open after its response for that to be told as we leave."""
SHOWN_BYTES: Final = 256 * 1024
"""How much of what is no message one event of the journal keeps."""
COMMENTS_SHOWN: Final = 3
"""Comments of a stream that are journalled one by one; a keep-alive may come every second."""

Connect = Callable[[EventStream], Awaitable[Answer]]
"""Opens or resumes a stream; raises ConnectionFailed."""


class Way(Protocol):
    """Where what was read goes."""

    def deliver(
        self,
        raw: bytes,
        about: RequestId | None,
        http: int,
        stream: str,
        event: SseFacts | None = None,
    ) -> object:
        """Journals a message and hands it on: raw, about, HTTP entry, label of the stream, and what
        stood beside it in its event."""

    def arriving(self, about: RequestId | None, count: int) -> None:
        """So many bytes came of an event that has not ended."""


class Follower:
    """Reads the event streams of one transport; `open_streams` counts the connections."""

    def __init__(
        self,
        journal: "Journal",
        connection: int,
        connect: Connect,
        way: Way,
        left_open: float,
    ) -> None:
        self.open_streams = 0
        self._journal = journal
        self._connection = connection
        self._connect = connect
        self._way = way
        self._left_open = left_open

    async def follow(self, stream: EventStream, answer: Answer, what: str) -> InspectorError | None:
        """Reads from `answer` on; why the awaited response (to `what`) cannot come any more, None
        where it came."""
        failure: InspectorError | None = None
        current: Answer | None = answer
        http = answer.number
        loop = asyncio.get_running_loop()
        while True:
            stream.leg_begins()
            began = loop.time()
            if current is not None:
                http = current.number
                failure = await self._read(stream, current)
            stream.leg_ended(loop.time() - began)
            if isinstance(failure, PeerViolation) or not stream.can_resume:
                break
            wait = stream.wait
            facts: JsonObject = {"about": stream.about, "http": http, "seconds": wait}
            self._event("stream-waits", {**facts, "lastEventId": stream.last_event_id})
            await asyncio.sleep(wait)
            try:
                current = await self._connect(stream)
            except ConnectionFailed as error:
                current, failure = None, error
                if error.kind in _FINAL:
                    break
        if stream.answered:
            return None
        if stream.about is not None and not stream.abandoned:
            self._event("stream-ended", {"about": stream.about, "http": http})
        return failure or _unanswered(stream, what)

    async def _read(self, stream: EventStream, answer: Answer) -> InspectorError | None:
        """Reads one connection; why it broke, None where it ended in order."""
        parser = SseParser(BODY_CAP)
        self.open_streams += 1
        loop = asyncio.get_running_loop()
        try:
            async with answer, asyncio.timeout(None) as over, aclosing(answer.chunks()) as chunks:
                async for chunk in chunks:
                    await self._take_all(stream, parser.feed(chunk), answer)
                    self._way.arriving(stream.about, parser.unfinished)
                    if parser.ignored:
                        self._ignored(stream, parser, answer)
                    if stream.answered and over.when() is None:
                        over.reschedule(loop.time() + self._left_open)
        except InspectorError as error:
            return error
        except TimeoutError:
            self._event("stream-left-open", {"about": stream.about, "http": answer.number})
        except asyncio.CancelledError:  # we leave before that time is over
            until = over.when()
            if until is not None and loop.time() - (until - self._left_open) >= LONG_SECONDS:
                self._event("stream-left-open", {"about": stream.about, "http": answer.number})
            raise
        finally:
            self.open_streams -= 1
            if rest := parser.rest():
                stream.remark = "the last event was cut off: no blank line ended it"
                facts: JsonObject = {"http": answer.number, "bytes": parser.unfinished}
                self._event("stream-cut", {**facts, "text": shown(rest)})
            if parser.comments > COMMENTS_SHOWN:
                self._event("sse-comments", {"http": answer.number, "count": parser.comments})
        return None

    def _ignored(self, stream: EventStream, parser: SseParser, answer: Answer) -> None:
        told = ignored_lines(parser)
        if any(not line.startswith(b":") for line in told):
            stream.remark = stream.remark or "lines came that belong to no event"
        if told:
            facts: JsonObject = {"http": answer.number, "text": shown(b"\n".join(told))}
            self._event("sse-ignored", facts)

    async def _take_all(self, stream: EventStream, came: list[SseEvent], answer: Answer) -> None:
        """Others on the loop have their turn between many events. What was read is kept, also
        where we are to leave meanwhile."""
        left = iter(came)
        loop = asyncio.get_running_loop()
        turn = loop.time() + TURN
        try:
            for event in left:
                self._take(stream, event, answer)
                if loop.time() >= turn:
                    await asyncio.sleep(0)
                    turn = loop.time() + TURN
        finally:
            for event in left:
                self._take(stream, event, answer)

    def _take(self, stream: EventStream, event: SseEvent, answer: Answer) -> None:
        match stream.take(event):
            case Verdict.MESSAGE:
                stream.note_message(event.data)
                to, label = stream.about, stream.label
                self._way.deliver(event.data, to, answer.number, label, beside(event))
            case Verdict.REPLAYED if event.data:
                self._journal.frame(
                    Direction.RECEIVED,
                    event.data,
                    connection=self._connection,
                    http=answer.number,
                    flags=Flag.DUPLICATE,
                    stream="replayed",
                    event=beside(event),
                )
            case verdict:
                if verdict is Verdict.UNKNOWN:
                    name = excerpt(repr(event.event))
                    stream.remark = f"an event named {name} came, and only events"
                    stream.remark += " named 'message' carry messages"
                facts: JsonObject = {"event": event.event, "id": event.id, "retry": event.retry}
                facts |= {"http": answer.number, "text": shown(event.data)}
                self._event(f"sse-{verdict.value}", facts)

    def _event(self, name: str, facts: JsonObject) -> None:
        self._journal.event(name, facts, connection=self._connection)


def _unanswered(stream: EventStream, what: str) -> PeerViolation:
    if stream.abandoned or stream.about is None:
        return PeerViolation(f"the stream of {what} ended")
    if not stream.last_event_id or not stream.resumable:
        return PeerViolation(
            f"the stream ended before the response to {what} came",
            hint=stream.remark or "the server gave no event id, so the stream cannot be resumed",
        )
    return PeerViolation(
        f"the stream was resumed {stream.barren} times and brought no response to {what}",
        hint="the server closes the stream without sending anything",
    )


def beside(event: SseEvent) -> SseFacts | None:
    """What of an event is no part of its message; None for nothing."""
    if event.id is None and event.retry is None:
        return None
    return SseFacts(event.id, event.retry)


def ignored_lines(parser: SseParser) -> list[bytes]:
    """Lines that an event stream allows and that mean nothing: evidence all the same, but of
    comments only the first few of a stream."""
    lines, parser.ignored = parser.ignored, []
    comments = [line for line in lines if line.startswith(b":")]
    room = max(0, COMMENTS_SHOWN - (parser.comments - len(comments)))
    return [*(line for line in lines if not line.startswith(b":")), *comments[:room]]


def shown(raw: bytes) -> str:
    """Bytes that are no message as text for an event of the journal."""
    return raw[:SHOWN_BYTES].decode("utf-8", "backslashreplace")
