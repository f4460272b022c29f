"""A journal that ends at an entry: what stands behind it is hidden, and its clock stands still.

It shares all evidence with the journal that goes on, copies nothing, and refuses to be written to.
Flags and partners of its entries are those of now: what was known as of the entry is told by
`inspector.journal.timeline`.
"""

import threading
from collections.abc import Callable
from typing import Final

from inspector.errors import UsageError
from inspector.journal.columns import Columns
from inspector.journal.entries import Clock, Direction, Flag, Kind, Row
from inspector.journal.journal import Journal, Subscriber
from inspector.protocol.messages import JsonObject

STANDS_STILL: Final = "the past cannot be written to"


class JournalAsOf(Journal):
    """The first `number` entries of `journal`. `sent` and `received` count their frames; `clock`
    shows the time of the last of them."""

    def __init__(self, journal: Journal, number: int) -> None:
        # Nothing of its own but a lock: no file, no columns, no subscribers.
        self._lock = threading.RLock()
        self.whole = journal
        self._number = number
        self.file = journal.file
        self.redactor = journal.redactor
        self.columns = journal.columns
        self.correlator = journal.correlator
        self.opinions = journal.opinions
        self.changes = 0
        self.dropped_bytes = journal.dropped_bytes
        self.connections = journal.connections
        self._names = journal._names
        columns = journal.columns
        monotonic, wall = columns.monotonic[number], columns.wall[number]
        self.clock = Clock(lambda: monotonic, lambda: wall)
        self.sent, self.received = frames(columns, number)

    def __len__(self) -> int:
        return self._number

    def row(self, number: int) -> Row:
        """What a list needs of an entry. IndexError where there is none."""
        if number > self._number:
            raise IndexError(f"entry {number} has not happened yet")
        return super().row(number)

    def subscribe(self, fn: Subscriber) -> Callable[[], None]:
        """Nothing will ever come."""
        return lambda: None

    def begin_connection(self, facts: JsonObject) -> int:
        """Refused."""
        raise UsageError(STANDS_STILL, fault="us")

    def frame(self, direction: Direction, raw: bytes, **beside: object) -> int:
        """Refused."""
        raise UsageError(STANDS_STILL, fault="us")

    def flag(self, number: int, flag: Flag, on: bool = True) -> None:
        """Refused."""
        raise UsageError(STANDS_STILL, fault="us")

    def _put_facts(self, *of: object, **beside: object) -> int:
        raise UsageError(STANDS_STILL, fault="us")

    def tick(self) -> None:
        """Nothing waits to be written."""

    def close(self) -> None:
        """Nothing to close."""


def frames(columns: Columns, number: int) -> tuple[int, int]:
    """How many frames were sent and received up to entry `number`."""
    # Copies: an array that is looked into cannot grow.
    directions = columns.directions[1 : number + 1].tobytes()
    kinds = columns.kinds[1 : number + 1].tobytes()
    # What is no frame has a direction too: exchanges ours, stderr the server's.
    sent = directions.count(Direction.SENT) - kinds.count(Kind.HTTP)
    return sent, directions.count(Direction.RECEIVED) - kinds.count(Kind.STDERR)
