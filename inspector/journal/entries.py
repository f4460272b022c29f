"""What a journal entry is when somebody looks at it: plain immutable values.

Decides the numbers that columns and recordings store for directions, kinds and flags. How entries
are kept, correlated, filtered and written is left to the other modules of this room.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from typing import Final


class Direction(IntEnum):
    """Which way it went. `SENT` is client to server; `LOCAL` never crossed the wire."""

    SENT = 0
    RECEIVED = 1
    LOCAL = 2


class Kind(IntEnum):
    """What an entry is. 0 to 5 are the numbers of `inspector.protocol.messages.MessageKind`."""

    REQUEST = 0
    RESULT = 1
    ERROR = 2
    NOTIFICATION = 3
    BATCH = 4
    MALFORMED = 5
    HTTP = 6
    STDERR = 7
    EVENT = 8
    NOTE = 9

    @property
    def is_frame(self) -> bool:
        """Whether entries of this kind are bytes of the wire, and not facts about it."""
        return self <= Kind.MALFORMED


class Flag(IntFlag):
    """States of an entry; several can hold at once. Stored in 16 bits."""

    PENDING = 1 << 0
    """A request (or a batch with one) that nobody has answered yet."""
    LATE = 1 << 1
    """An outcome that came after its request had timed out or been cancelled."""
    ORPHAN = 1 << 2
    """An outcome that answers nothing we know of."""
    DUPLICATE = 1 << 3
    """A further outcome for a request that has one."""
    ID_TYPE_MISMATCH = 1 << 4
    """An outcome whose id matches an open request but for its JSON type ("1" against 1)."""
    IS_ERROR = 1 << 5
    """An error reply, or a tool result with `isError` true."""
    CANCELLED = 1 << 6
    """A request that a `notifications/cancelled` withdrew."""
    PROBE = 1 << 7
    """Sent by us to find out what the server speaks, not asked for by anybody."""
    MASKED = 1 << 8
    """A secret was replaced before the bytes were kept."""
    MARKED = 1 << 9
    """Marked by a person."""
    OVERSIZED = 1 << 10
    """Longer than the cap: the body is what was kept of it."""
    RESENT = 1 << 11
    """Sent again, or edited and sent, by a person."""
    FORCED = 1 << 12
    """Sent although the capability for it was not negotiated."""
    STRAY = 1 << 13
    """A line on the server's stdout that is no message."""
    ID_REUSED = 1 << 14
    """A request with the id of an earlier request in the same direction and connection."""
    TIMED_OUT = 1 << 15
    """A request whose time ran out on our side."""


NO_FLAGS: Final = Flag(0)


@dataclass(frozen=True, slots=True)
class Row:
    """What a list of entries needs; made from columns, the body is not read.

    `number` counts from 1. `monotonic` and `wall` are seconds (`wall` since the Unix epoch, UTC).
    `method` is the method of a frame; for outcomes that of the request ("" if unknown); for HTTP
    the HTTP method; for events their name. `size` is bytes of the body. `partner` pairs request
    and outcome; notifications (progress, cancelled) and notes point at the entry they are about,
    an HTTP entry at the frame it carried. `latency` is seconds, on outcomes with a partner.
    `http` is the entry number of the HTTP exchange that carried a frame, `status` its HTTP status.
    """

    number: int
    kind: Kind
    direction: Direction
    connection: int
    monotonic: float
    wall: float
    method: str
    size: int
    partner: int | None
    latency: float | None
    http: int | None
    flags: Flag
    status: int | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A row with its body: the bytes as on the wire, or the JSON facts of what is no frame."""

    row: Row
    body: bytes


@dataclass(frozen=True, slots=True)
class HttpFacts:
    """One HTTP exchange, apart from the messages that it carried.

    `started` is on the monotonic clock. `status` is None where no response head arrived, `error`
    then says why. `body` is a response body that is no message (the HTML of a 500), capped by
    whoever read it.
    """

    method: str
    url: str
    request_headers: tuple[tuple[str, str], ...] = ()
    status: int | None = None
    reason: str = ""
    response_headers: tuple[tuple[str, str], ...] = ()
    started: float = 0.0
    error: str = ""
    body: bytes = b""
    http_version: str = ""


@dataclass(frozen=True, slots=True)
class SseFacts:
    """What stood beside the data in the server-sent event that carried a message: its `id` and
    `retry` (milliseconds), None where it set none, and its name, "" where it had none."""

    id: str | None = None
    retry: int | None = None
    event: str = ""


@dataclass(frozen=True, slots=True)
class Clock:
    """The two clocks of a journal: seconds for durations, and seconds since the Unix epoch."""

    monotonic: Callable[[], float]
    wall: Callable[[], float]


SYSTEM_CLOCK: Final = Clock(time.monotonic, time.time)
