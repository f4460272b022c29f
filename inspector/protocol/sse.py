"""Server-sent events out of a byte stream, as the HTML standard reads them.

Decides where events begin and end and what their fields say; which event carries a message and
what to do with `id` and `retry` is the HTTP transports' business. Work is linear in the bytes fed
and any chunking of the same stream gives the same events.
"""

from dataclasses import dataclass
from typing import Final

from inspector.errors import PeerViolation

DEFAULT_CAP: Final = 256 * 1024 * 1024
"""Largest event kept, in bytes as they stand on the wire."""

IGNORED_KEPT: Final = 1000
"""How many lines that mean nothing wait for somebody to take them."""

_BOM: Final = b"\xef\xbb\xbf"
_RETRY_DIGITS: Final = 15


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event.

    `event` is "message" where no name was given. `data` is the joined data lines, empty for an
    event that only sets `id` or `retry` (a priming event of 2025-11-25): such an event carries no
    message. `id` and `retry` (milliseconds) are None where this event does not set them; an
    empty `id` forgets the last one. `raw` is the event as it came, up to its blank line.
    """

    event: str
    data: bytes
    id: str | None
    retry: int | None
    raw: bytes


class SseParser:
    """Reads one stream. `comments` counts comment lines, `last_event_id` is what a reconnect
    sends as Last-Event-ID ("" for none). `ignored` collects, for whoever empties it, the lines
    that mean nothing: comments and unknown fields."""

    def __init__(self, cap: int = DEFAULT_CAP) -> None:
        self.comments = 0
        self.ignored: list[bytes] = []
        self.last_event_id = ""
        self._cap = cap
        self._start: bytes | None = b""
        self._after_return = False
        self._line: list[bytes] = []
        self._raw: list[bytes] = []
        self._size = 0
        self._violation: PeerViolation | None = None
        self._clear_fields()

    def _clear_fields(self) -> None:
        self._event = ""
        self._data: list[bytes] = []
        self._id: str | None = None
        self._retry: int | None = None
        self._seen = False

    def feed(self, chunk: bytes) -> list[SseEvent]:
        """The events that `chunk` completes.

        Raises PeerViolation where an event grows over the cap; events completed before it are
        delivered first, and the next call raises.
        """
        if self._violation is not None:
            raise self._violation
        events: list[SseEvent] = []
        for line in self._without_bom(chunk).splitlines(keepends=True):
            if self._after_return:
                self._after_return = False
                if line == b"\n":
                    if self._raw:
                        self._raw.append(line)
                    continue
            self._line.append(line)
            self._size += len(line)
            if self._size > self._cap:
                self._violation = PeerViolation(
                    f"an SSE event is larger than {self._cap} bytes",
                    hint="the connection is closed, since the rest of it cannot be read",
                )
                if events:
                    return events
                raise self._violation
            if line.endswith((b"\n", b"\r")):
                self._after_return = line.endswith(b"\r")
                self._end_of_line(events)
        return events

    def rest(self) -> bytes:
        """The unfinished event, which the end of the stream discards."""
        return b"".join([self._start or b"", *self._raw, *self._line])

    def _without_bom(self, chunk: bytes) -> bytes:
        if self._start is None:
            return chunk
        begun = self._start + chunk
        if len(begun) < len(_BOM) and _BOM.startswith(begun):
            self._start = begun
            return b""
        self._start = None
        return begun.removeprefix(_BOM)

    def _end_of_line(self, events: list[SseEvent]) -> None:
        text = self._line[0] if len(self._line) == 1 else b"".join(self._line)
        self._line = []
        line = text.rstrip(b"\r\n")
        if not line:
            if self._seen:
                events.append(self._take_event())
            self._raw = []
            self._size = 0
            self._clear_fields()
            return
        if line.startswith(b":"):
            self.comments += 1
            self._ignore(line)
            if self._raw:
                self._raw.append(text)
            else:
                # Keep-alives of a quiet stream are no part of the event to come.
                self._size -= len(text)
            return
        name, _, value = line.partition(b":")
        if self._field(name, value.removeprefix(b" ")):
            self._seen = True
        else:
            self._ignore(line)
        self._raw.append(text)

    def _ignore(self, line: bytes) -> None:
        if len(self.ignored) < IGNORED_KEPT:
            self.ignored.append(line)

    def _field(self, name: bytes, value: bytes) -> bool:
        match name:
            case b"data":
                self._data.append(value)
            case b"event":
                self._event = value.decode("utf-8", "replace")
            case b"id":
                if b"\0" in value:
                    return False
                self._id = value.decode("utf-8", "replace")
            case b"retry":
                if not value.isdigit() or len(value) > _RETRY_DIGITS:
                    return False
                self._retry = int(value)
            case _:
                return False
        return True

    def _take_event(self) -> SseEvent:
        if self._id is not None:
            self.last_event_id = self._id
        return SseEvent(
            event=self._event or "message",
            data=b"\n".join(self._data),
            id=self._id,
            retry=self._retry,
            raw=b"".join(self._raw),
        )
