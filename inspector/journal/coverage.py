"""What one connection has exercised, gathered from the journal: names, error codes, faults, pages.

Goes along the entries once, a bounded slice at a time, and reads a body only where a name, a code
or a cursor stands in it. How often each method went is `inspector.journal.method_counts`, which the
Server tab reads too; what could have been tried and was not is `inspector.journal.coverage_items`.
Pure.
"""

from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.hanging_facts import current_connection
from inspector.journal.journal import Journal
from inspector.journal.method_counts import Counts, MethodCounts
from inspector.journal.timeline import Timeline
from inspector.journal.timeline_readings import code_of, cursor_asked, member
from inspector.journal.timeline_values import ConnectionAt
from inspector.protocol.versions import Era

NAMED: Final = frozenset({"tools/call", "prompts/get", "resources/read", "resources/subscribe"})
"""Requests that name what they are about."""
PAGED: Final = frozenset(
    {"tools/list", "prompts/list", "resources/list", "resources/templates/list", "tasks/list"}
)
READ_MOST: Final = 50_000
"""Bodies that are read for names and codes; further calls of a flood are counted by method only."""
READ_LIMIT: Final = 256 * 1024
NAMES_KEPT: Final = 20_000
REQUESTS_KEPT: Final = 10_000
_ORPHAN, _IS_ERROR = int(Flag.ORPHAN), int(Flag.IS_ERROR)
_TIMED_OUT, _CANCELLED = int(Flag.TIMED_OUT), int(Flag.CANCELLED)
_SENT, _RECEIVED = int(Direction.SENT), int(Direction.RECEIVED)
_EVENT, _REQUEST, _NOTIFICATION = int(Kind.EVENT), int(Kind.REQUEST), int(Kind.NOTIFICATION)
_MALFORMED, _RESULT, _ERROR = int(Kind.MALFORMED), int(Kind.RESULT), int(Kind.ERROR)


@dataclass(slots=True)
class Tally:
    """How often something happened, and the first entry where it did."""

    count: int = 0
    entry: int = 0

    def add(self, entry: int) -> None:
        """Once more."""
        self.count += 1
        self.entry = self.entry or entry


@dataclass(slots=True)
class Facts:
    """What a connection has shown. `names` is by method and name, `methods` the first entry of each
    method by direction, `codes` by error code, `events` by name, `pages` by list method. `capped`
    tells that not every call was read for its name."""

    connection: int = 0
    began: int = 0
    names: dict[tuple[str, str], Tally] = field(default_factory=dict)
    methods: dict[tuple[Direction, str], int] = field(default_factory=dict)
    codes: dict[int, Tally] = field(default_factory=dict)
    events: dict[str, Tally] = field(default_factory=dict)
    pages: dict[str, Tally] = field(default_factory=dict)
    refused: Tally = field(default_factory=Tally)
    malformed: Tally = field(default_factory=Tally)
    orphan: Tally = field(default_factory=Tally)
    cancelled: Tally = field(default_factory=Tally)
    timed_out: Tally = field(default_factory=Tally)
    capped: bool = False


class Coverage:
    """The facts of the latest connection of a journal. One thread at a time may use it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._timeline = Timeline(journal)
        self._counts = MethodCounts(journal)
        self._begin(0, 0)

    def _begin(self, connection: int, began: int) -> None:
        self.facts = Facts(connection, began)
        self._at = max(0, began - 1)
        self._reads = 0
        self._requests = array("I")
        self._state: ConnectionAt | None = None

    @property
    def behind(self) -> int:
        """How many entries were not looked at yet."""
        return len(self._journal) - self._at

    def advance(self, limit: int = 5_000) -> bool:
        """Takes at most `limit` more entries; whether all were looked at."""
        connection, began = current_connection(self._journal)
        if connection != self.facts.connection:
            self._begin(connection, began)
        if not connection:
            return True
        arrived = self._timeline.advance(limit=limit)
        if arrived:
            state = self._timeline.state_at(self._timeline.position)
            self._state = state.connection(connection)
        stop = min(len(self._journal), self._at + limit)
        for number in range(self._at + 1, stop + 1):
            self._take(number)
        self._at = stop
        modern = self._state is not None and self._state.opening.era is Era.MODERN
        if self._state is not None:
            self._counts.catch_up(connection, limit, inside=modern)
        return arrived and self._at >= len(self._journal) and not self._counts.behind

    @property
    def state(self) -> ConnectionAt | None:
        """What was negotiated and listed; None before that is known."""
        return self._state

    @property
    def counts(self) -> Counts:
        """How often each method went, as the Server tab tells it."""
        return self._counts.by_method()

    @property
    def journal(self) -> Journal:
        """Where all of it is from."""
        return self._journal

    def settled(self) -> Facts:
        """The facts, with what became of requests later: withdrawn, out of time."""
        flags, facts = self._journal.columns.flags, self.facts
        facts.cancelled, facts.timed_out = Tally(), Tally()
        for number in self._requests:
            if flags[number] & _TIMED_OUT:
                facts.timed_out.add(number)
            elif flags[number] & _CANCELLED:
                facts.cancelled.add(number)
        return facts

    def _take(self, number: int) -> None:
        columns, facts = self._journal.columns, self.facts
        if columns.connections[number] != min(facts.connection, 0xFFFF):
            return
        kind, method = columns.kinds[number], columns.methods[columns.method_ids[number]]
        direction = columns.directions[number]
        if kind == _EVENT:
            facts.events.setdefault(method, Tally()).add(number)
        elif kind in (_REQUEST, _NOTIFICATION):
            if (direction, method) not in facts.methods:
                facts.methods[Direction(direction), method] = number
            if kind == _REQUEST and direction == _SENT:
                self._asked(number, method)
        elif direction != _RECEIVED:
            return
        elif kind == _MALFORMED:
            facts.malformed.add(number)
        elif kind in (_RESULT, _ERROR):
            self._answered(number, kind)

    def _asked(self, number: int, method: str) -> None:
        if len(self._requests) < REQUESTS_KEPT:
            self._requests.append(number)
        if method in NAMED and self._may_read(number):
            key = (method, self._journal.name(number))
            if key in self.facts.names or len(self.facts.names) < NAMES_KEPT:
                self.facts.names.setdefault(key, Tally()).add(number)
        elif (
            method in PAGED
            and self._may_read(number)
            and cursor_asked(self._journal.body(number)) is not None
        ):
            self.facts.pages.setdefault(method, Tally()).add(number)

    def _answered(self, number: int, kind: int) -> None:
        columns, facts = self._journal.columns, self.facts
        if columns.flags[number] & _ORPHAN:
            facts.orphan.add(number)
        if kind == _RESULT:
            if columns.flags[number] & _IS_ERROR:
                facts.refused.add(number)
        elif self._may_read(number):
            code = code_of(member(self._journal.body(number), "error"))
            if code is not None:
                facts.codes.setdefault(code, Tally()).add(number)

    def _may_read(self, number: int) -> bool:
        if self._journal.columns.sizes[number] > READ_LIMIT:
            return False
        self._reads += 1
        if self._reads > READ_MOST:
            self.facts.capped = True
        return self._reads <= READ_MOST


def tallied(found: Mapping[tuple[str, str], Tally], method: str) -> dict[str, Tally]:
    """What was named in requests of `method`."""
    return {name: tally for (of, name), tally in found.items() if of == method}
