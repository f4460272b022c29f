"""One logical event stream: what of it was seen, over however many connections it took. Pure.

Decides for each event whether it carries a message, repeats one that a resumption replayed, or
only moves the place to resume from; and how long to wait before that (2025-11-25
basic/transports, "Resumability and Redelivery"). Connecting is the transports' business.
"""

import re
from collections import deque
from enum import Enum
from typing import Final

from inspector.protocol.messages import Batch, MessageKind, RequestId, decode, read_envelope
from inspector.protocol.sse import SseEvent

DEFAULT_RETRY: Final = 1.0
LONGEST_RETRY: Final = 300.0
HURRY: Final = ((100, 1.0), (10, 0.1))
"""After that many short connections in a row: at least that many seconds before the next one,
whatever the server asks for. Who is asked for `retry: 0` and closes at once is not hammered."""
LONGEST_BACKOFF: Final = 30.0
BARREN_LIMIT: Final = 5
"""Short connections in a row that bring no event at all, after which a stream is given up."""
LONG_LIVED: Final = 10.0
"""Seconds after which the end of a quiet connection is no fault: proxies close idle streams."""
REMEMBERED_IDS: Final = 10_000
LONGEST_ID: Final = 4096
"""Characters; servers refuse longer headers, and ours would be with every resumption."""
_CONTROLS: Final = re.compile("[\x00-\x1f\x7f]")


class Verdict(Enum):
    """What an event is for."""

    MESSAGE = "message"
    REPLAYED = "replayed"
    PRIMING = "priming"
    UNKNOWN = "unknown"


class EventStream:
    """The state of one logical stream. `about` is the request that it answers, None for the
    stream of the server's own messages; `remark` is what was odd about it and may be why that
    request gets no answer."""

    def __init__(
        self,
        about: RequestId | None,
        label: str,
        retry: float = DEFAULT_RETRY,
        *,
        resumable: bool = True,
    ) -> None:
        self.about = about
        self.resumable = resumable
        self.label = label
        self.answered = False
        self.abandoned = False
        self.last_event_id = ""
        self.remark = ""
        self.barren = 0
        self._short = 0
        self._retry = retry
        self._fruitful = False
        self._earlier: set[tuple[str, int]] = set()
        self._current: deque[tuple[str, int]] = deque(maxlen=REMEMBERED_IDS)

    @property
    def can_resume(self) -> bool:
        """Whether a further connection makes sense after one has ended."""
        if not self.resumable or self.answered or self.abandoned or self.barren > BARREN_LIMIT:
            return False
        return self.about is None or bool(self.last_event_id)

    @property
    def wait(self) -> float:
        """Seconds to wait before the next connection: what the server said, longer after
        connections that brought nothing."""
        least = next((least for count, least in HURRY if self._short > count), 0.0)
        retry = max(self._retry, least)
        if self.barren <= 1:
            return retry
        return max(retry, min(LONGEST_BACKOFF, self._retry * (1 << self.barren - 1)))

    def leg_begins(self) -> None:
        """A connection is made."""
        self._fruitful = False
        self._earlier.update(self._current)
        self._current.clear()
        if len(self._earlier) > 2 * REMEMBERED_IDS:
            self._earlier.clear()

    def leg_ended(self, lasted: float = 0.0) -> None:
        """A connection has ended after so many seconds, or could not be made."""
        self.barren = 0 if self._fruitful or lasted >= LONG_LIVED else self.barren + 1
        self._short = 0 if lasted >= LONG_LIVED else self._short + 1
        self._fruitful = False

    def take(self, event: SseEvent) -> Verdict:
        """Notes what `event` says of the stream, and what is to be done with it."""
        self._fruitful = True
        if event.retry is not None:
            self._retry = min(event.retry / 1000, LONGEST_RETRY)
        if event.id is not None:
            self.last_event_id = event.id
            if not fits_a_header(event.id):
                self.last_event_id = ""
                self.remark = "the server gave an event id that no header can carry"
            if event.id:
                # With its data: some servers count their events anew on each connection.
                seen = (event.id, hash(event.data))
                if seen in self._earlier:
                    return Verdict.REPLAYED
                self._current.append(seen)
        if not event.data:
            return Verdict.PRIMING
        return Verdict.MESSAGE if event.event == "message" else Verdict.UNKNOWN

    def note_message(self, raw: bytes) -> None:
        """A message was handed on; the stream is answered when it is the awaited response."""
        if self.about is not None and not self.answered:
            self.answered = answers(raw, self.about)


def fits_a_header(event_id: str) -> bool:
    """Whether an event id can be sent as `Last-Event-ID`, which is UTF-8."""
    return len(event_id) <= LONGEST_ID and not _CONTROLS.search(event_id)


def answers(raw: bytes, request_id: RequestId) -> bool:
    """Whether `raw` is the response to that request, or a batch that holds it. Ids compare with
    their type; an error without an id answers whatever its exchange was about."""
    envelope = read_envelope(raw)
    if envelope.kind is MessageKind.BATCH:
        batch = decode(raw)
        return isinstance(batch, Batch) and any(
            answers(member, request_id) for member, _ in batch.members
        )
    if envelope.kind is MessageKind.ERROR and envelope.id is None:
        return True
    same = envelope.id == request_id and type(envelope.id) is type(request_id)
    return same and envelope.kind in (MessageKind.RESULT, MessageKind.ERROR)


def split_messages(body: bytes) -> list[bytes]:
    """The messages in a JSON body: one, unless it is several lines of one message each."""
    if read_envelope(body).kind is not MessageKind.MALFORMED:
        return [body]
    lines = [line for line in body.splitlines() if line.strip()]
    if len(lines) > 1 and all(
        read_envelope(line).kind is not MessageKind.MALFORMED for line in lines
    ):
        return lines
    return [body]
