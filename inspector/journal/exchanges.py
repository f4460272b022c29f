"""Which entries belong together: request and outcome, progress, cancellation, asks, tasks.

Reads the relations that `inspector.journal.correlator` found as the messages came by. Decides what
an exchange is: everything that is tied to one request, its HTTP exchange and what that carried, and
the requests that go on with it (polls of its task, rounds, another try). Pure; may be
used from any thread.
"""

from dataclasses import dataclass
from typing import Final

from inspector.journal.columns import Columns, positions
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.journal import Journal

LARGEST: Final = 10_000
"""Entries of an exchange that are handed out; a call with a million progress reports is cut."""
NOTES_READ: Final = 20_000
"""Notes of a journal that are looked through for those about an exchange."""
AFTERMATH: Final = 10_000
"""How many entries after the outcome are searched for what still belongs to the exchange."""
_NOTE: Final = bytes([Kind.NOTE])


@dataclass(frozen=True, slots=True)
class Leg:
    """A request that goes on with an earlier one.

    `first` is the request that the operation began with (0 where that is doubtful), `turn` counts
    the requests that ask for the same, this one included (1: a request of its own kind, as a poll
    of a task is). `doubts` are the requests of which it goes on with one.
    """

    first: int
    turn: int = 1
    doubts: tuple[int, ...] = ()


def leg_of(columns: Columns, number: int) -> Leg | None:
    """How a request goes on with earlier ones; None for one that does not. Quick enough for a row
    that is drawn."""
    here, turn = number, 1
    while True:
        before = [cause for cause in columns.links.causes(here) if cause < here]
        if not before or columns.kinds[before[0]] != Kind.REQUEST:
            break
        turn += columns.method_ids[before[0]] == columns.method_ids[number]
        here = before[0]
    if here != number:
        return Leg(here, turn)
    doubts = tuple(columns.doubts.causes(number))
    return Leg(0, 1, doubts) if doubts else None


class Exchanges:
    """The exchanges of a journal."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._columns = journal.columns

    def partner(self, number: int) -> int | None:
        """The outcome of a request, the request of an outcome, what a notification is about."""
        return self._journal.row(number).partner

    def pending(self) -> tuple[int, ...]:
        """The requests (and batches) that wait for an outcome, oldest first."""
        return tuple(self._journal.correlator.open_requests())

    def is_pending(self, number: int) -> bool:
        """Whether an entry still waits for its outcome."""
        return bool(self._columns.flags[number] & Flag.PENDING)

    def root(self, number: int) -> int:
        """The request that an entry goes back to; the entry itself where it belongs to none."""
        columns = self._columns
        number = self._journal.row(number).number
        seen = {number}
        while True:
            cause = self.cause(number)
            if cause is None or cause in seen or cause > columns.count:
                return number
            seen.add(cause)
            number = cause

    def leg(self, number: int) -> Leg | None:
        """How a request goes on with earlier ones: a round, another try, a poll of a task."""
        return leg_of(self._columns, self._journal.row(number).number)

    def of(self, number: int) -> tuple[int, ...]:
        """All entries of the exchange that an entry belongs to, ascending; at least itself."""
        waiting = [self.root(number)]
        found: set[int] = set(waiting)
        while waiting and len(found) < LARGEST:
            request = waiting.pop()
            for member in self._members(request):
                if member not in found:
                    found.add(member)
                    if self._columns.kinds[member] in (Kind.REQUEST, Kind.BATCH):
                        waiting.append(member)
        self.complete(found)
        return tuple(sorted({number, *sorted(found)[:LARGEST]}))

    def cause(self, number: int) -> int | None:
        """The entry that an entry came of: the request of an outcome or a report, the call on whose
        stream an ask came, the request before this round, the entry that a note is about, the
        message that an HTTP exchange carried. None where nothing says so."""
        columns = self._columns
        kind, partner = columns.kinds[number], columns.partners[number]
        if kind in (Kind.RESULT, Kind.ERROR, Kind.NOTIFICATION, Kind.MALFORMED, Kind.NOTE):
            return partner or self._carrier(number)
        if kind == Kind.HTTP:
            return partner or None
        if kind == Kind.BATCH:
            return partner if 0 < partner < number else None
        if kind == Kind.REQUEST:
            earlier = [cause for cause in columns.links.causes(number) if cause < number]
            return earlier[0] if earlier else self._carrier(number)
        return None

    def _carrier(self, number: int) -> int | None:
        """The request on whose HTTP response stream a message came."""
        columns = self._columns
        http = columns.http[number]
        if not http or columns.directions[number] != Direction.RECEIVED:
            return None
        request = columns.partners[http] if columns.kinds[http] == Kind.HTTP else 0
        return request if request and columns.kinds[request] == Kind.REQUEST else None

    def complete(self, found: set[int]) -> None:
        """Adds the HTTP exchanges that carried what we sent, and the notes about any of it."""
        self._add_carriers(found)
        self._add_notes(found)

    def _add_carriers(self, found: set[int]) -> None:
        columns = self._columns
        for number in tuple(found):
            http = columns.http[number]
            if columns.kinds[number] != Kind.HTTP and http and columns.partners[http] == number:
                found.add(http)

    def _add_notes(self, found: set[int]) -> None:
        columns, at = self._columns, min(found)
        kinds = columns.kinds[: columns.count + 1].tobytes()
        for _ in range(NOTES_READ):
            at = kinds.find(_NOTE, at + 1)
            if at < 0:
                return
            if columns.partners[at] in found:
                found.add(at)

    def _members(self, request: int) -> list[int]:
        columns = self._columns
        outcome = columns.partners[request]
        stop = columns.count + 1
        if outcome > request:
            stop = min(stop, outcome + AFTERMATH)
        found = positions(columns.partners, request, request + 1, stop)
        found += [each for each in columns.links.children(request) if each > request]
        if outcome > request:
            found.append(outcome)
        for number in tuple(found):
            if columns.kinds[number] == Kind.HTTP:
                found += positions(columns.http, number, number + 1, stop)
        # In the HTTP column of an HTTP entry stands its status, which can look like a number.
        return [
            number
            for number in found
            if columns.kinds[number] != Kind.HTTP or columns.partners[number] == request
        ]
