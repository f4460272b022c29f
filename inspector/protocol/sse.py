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
REST_KEPT: Final = 256 * 1024
"""How many bytes of an event that never ends are kept to be shown."""

_BOM: Final = b"\xef\xbb\xbf"
_RETRY_DIGITS: Final = 15
_LONGEST_NAME: Final = 16


@dataclass(frozen=True, slots=True)
class SseEvent:
    """One event.

    `event` is "message" where no name was given. `data` is the joined data lines, empty for an
    event that only sets `id` or `retry` (a priming event of 2025-11-25): such an event carries no
    message. `id` and `retry` (milliseconds) are None where this event does not set them; an
    empty `id` forgets the last one.
    """

    event: str
    data: bytes
    id: str | None
    retry: int | None


class SseParser:
    """Reads one stream, and holds no more than the event that is under way. `comments` counts
    comment lines, `last_event_id` is what a reconnect sends as Last-Event-ID ("" for none),
    `unfinished` is how many bytes of an event wait for its end. `ignored` collects, for whoever
    empties it, the lines that mean nothing: comments and unknown fields."""

    def __init__(self, cap: int = DEFAULT_CAP) -> None:
        self.comments = 0
        self.ignored: list[bytes] = []
        self.last_event_id = ""
        self._cap = cap
        self._start: bytes | None = b""
        self._after_return = False
        self._line = bytearray()
        self._raw = bytearray()
        self._done = 0
        self._size = 0
        self._violation: PeerViolation | None = None
        self._clear_fields()

    def _clear_fields(self) -> None:
        self._event = ""
        self._data = bytearray()
        self._id: str | None = None
        self._retry: int | None = None
        self._seen = False

    @property
    def unfinished(self) -> int:
        """How many bytes came since the last event ended."""
        return len(self._start or b"") + self._done + len(self._line)

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
                    if self._done:
                        self._keep(line)
                    continue
            self._size += len(line)
            if self._size > self._cap:
                self._line += line[: max(0, REST_KEPT - len(self._line))]
                self._violation = PeerViolation(
                    f"an SSE event is larger than {self._cap} bytes",
                    hint="the connection is closed, since the rest of it cannot be read",
                )
                if events:
                    return events
                raise self._violation
            if not line.endswith((b"\n", b"\r")):
                self._line += line
                continue
            self._after_return = line.endswith(b"\r")
            if self._line:
                self._line += line
                whole, self._line = self._line, bytearray()
                self._end_of_line(whole, events)
            else:
                self._end_of_line(line, events)
        return events

    def rest(self) -> bytes:
        """The unfinished event, which the end of the stream discards; the beginning of it where it
        is long."""
        room = REST_KEPT - len(self._raw)
        return bytes((self._start or b"") + self._raw + self._line[: max(0, room)])

    def _keep(self, text: bytes | bytearray) -> None:
        self._done += len(text)
        if (room := REST_KEPT - len(self._raw)) > 0:
            self._raw += text[:room]

    def _without_bom(self, chunk: bytes) -> bytes:
        if self._start is None:
            return chunk
        begun = self._start + chunk
        if len(begun) < len(_BOM) and _BOM.startswith(begun):
            self._start = begun
            return b""
        self._start = None
        return begun.removeprefix(_BOM)

    def _end_of_line(self, text: bytes | bytearray, events: list[SseEvent]) -> None:
        end = len(text) - (2 if text.endswith(b"\r\n") else 1)
        if not end:
            if self._seen:
                events.append(self._take_event())
            if self._done:
                self._raw, self._done = bytearray(), 0
                self._clear_fields()
            self._size = 0
            return
        if text.startswith(b":"):
            self.comments += 1
            self._ignore(text, end)
            if self._done:
                self._keep(text)
            else:
                # Keep-alives of a quiet stream are no part of the event to come.
                self._size -= len(text)
            return
        colon = text.find(b":", 0, end)
        name = bytes(text[: min(colon if colon >= 0 else end, _LONGEST_NAME)])
        start = end if colon < 0 else colon + 1 + text.startswith(b" ", colon + 1, end)
        if self._field(name, text, start, end):
            self._seen = True
        else:
            self._ignore(text, end)
        self._keep(text)

    def _ignore(self, text: bytes | bytearray, end: int) -> None:
        if len(self.ignored) < IGNORED_KEPT:
            self.ignored.append(bytes(text[:end]))

    def _field(self, name: bytes, text: bytes | bytearray, start: int, end: int) -> bool:
        if name == b"data":
            with memoryview(text) as view:
                self._data += view[start:end]
            self._data += b"\n"
            return True
        value = text[start:end]
        match name:
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
        with memoryview(self._data) as view:
            joined = bytes(view[:-1])
        return SseEvent(self._event or "message", joined, self._id, self._retry)
