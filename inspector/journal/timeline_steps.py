"""What each entry does to the books of its connection.

Decides which entries matter and which bodies are read, from the columns alone, so that a flood of
anything else costs a look at a table. How a connection opens, how lists are read and how tasks and
subscriptions go is told in modules of their own. Pure: what an entry does depends on the entries
up to it, and on nothing that changes later.
"""

from collections.abc import Callable
from functools import partial
from typing import Final

from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.facts import decode_facts
from inspector.journal.glance import glance
from inspector.journal.journal import Journal
from inspector.journal.timeline_courses import Courses
from inspector.journal.timeline_ledger import Ledger
from inspector.journal.timeline_lists import page_lost
from inspector.journal.timeline_readings import id_of
from inspector.journal.timeline_values import Phase
from inspector.protocol.messages import RequestId, raw_items

CONNECTIONS_KEPT: Final = 256
"""So many connections are told of; those that ended first are forgotten first."""
LOOKED_AT: Final = 200
"""So many open requests are looked at for the one that an event, or a member of a batch, names."""

_REQUEST: Final = int(Kind.REQUEST)
_RESULT: Final = int(Kind.RESULT)
_ERROR: Final = int(Kind.ERROR)
_NOTIFICATION: Final = int(Kind.NOTIFICATION)
_BATCH: Final = int(Kind.BATCH)
_MALFORMED: Final = int(Kind.MALFORMED)
_EVENT: Final = int(Kind.EVENT)
_HTTP: Final = int(Kind.HTTP)
_SENT: Final = int(Direction.SENT)
_GIVEN_UP: Final = int(Flag.CANCELLED | Flag.TIMED_OUT)
_NOT_ITS_OUTCOME: Final = int(Flag.DUPLICATE | Flag.ID_TYPE_MISMATCH)

ENDS: Final = {
    "exited": "the process ended",
    "spawn-failed": "the command could not be started",
    "session-expired": "the server ended the session",
    "stream-lost": "the stream of the server was lost",
}
"""Events that end a connection."""

TRANSPORTS: Final = {"spawned": "stdio", "endpoint": "sse", "fallback-taken": "sse"}
"""Events that tell which transport is spoken."""

Ledgers = dict[int, Ledger]


class Steps:
    """Goes along the entries of a journal. `cost` counts what that took, in looks at an entry;
    reading a body counts as several."""

    def __init__(self, journal: Journal) -> None:
        self.cost = 0
        self._journal = journal
        self._columns = journal.columns
        self._courses = Courses(journal.columns, self._body)
        self._known = -1
        self._progress = self._cancelled = -1
        self._events: dict[int, Callable[[Ledger, int], None]] = {}
        self._connection = -1
        self._delete = -1

    def run(self, ledgers: Ledgers, first: int, last: int) -> None:
        """Takes the entries from `first` to `last` into the books."""
        columns, courses = self._columns, self._courses
        kinds, directions = columns.kinds, columns.directions
        methods, partners = columns.method_ids, columns.partners
        if len(columns.methods) != self._known:
            self._look_up()
        ledger: Ledger | None = None
        connection = -1
        self.cost += last - first + 1
        for number in range(first, last + 1):
            kind, method = kinds[number], methods[number]
            if method >= self._known:
                self._look_up()
            if kind == _EVENT and method == self._connection:
                self._begin(ledgers, number)
                connection = -1
                continue
            if columns.connections[number] != connection:
                connection = columns.connections[number]
                ledger = ledgers.get(connection)
            if ledger is None:
                continue
            ledger.touched = True
            if kind == _NOTIFICATION:
                if method == self._progress:
                    self._advance(ledger, number, partners[number])
                elif method == self._cancelled:
                    self._withdrawn(ledger, number, partners[number])
                elif (note := courses.notes.get(method)) is not None:
                    note(ledger, number, directions[number], self._body(number))
            elif kind == _REQUEST:
                self._asked(ledger, number, method, b"")
            elif kind in (_RESULT, _ERROR, _MALFORMED):
                if partners[number] and not columns.flags[number] & _NOT_ITS_OUTCOME:
                    self._answered(ledger, partners[number], number, kind, b"")
            elif kind == _BATCH:
                self._batch(ledger, number)
            elif kind == _EVENT:
                if (event := self._events.get(method)) is not None:
                    event(ledger, number)
            elif kind == _HTTP:
                if ledger.transport in ("", "auto"):
                    ledger.transport = "http"
                if method == self._delete and ledger.phase is Phase.READY:
                    ledger.end(Phase.CLOSED)  # we have ended the session

    def _body(self, number: int) -> bytes:
        body = self._journal.body(number)
        self.cost += 4 + len(body) // 256
        return body

    def _look_up(self) -> None:
        """The numbers of the methods that matter; new ones may have come."""
        known = self._columns.known
        self._known = len(self._columns.methods)
        self._progress = known.get("notifications/progress", -1)
        self._cancelled = known.get("notifications/cancelled", -1)
        self._connection = known.get("connection", -1)
        self._delete = known.get("DELETE", -1)
        self._events = {known[name]: self._ended for name in ENDS if name in known}
        if "stream-closed" in known:
            self._events[known["stream-closed"]] = self._stream_closed
        if "stdin-closed" in known:
            self._events[known["stdin-closed"]] = _closing
        for name, transport in TRANSPORTS.items():
            if name in known:
                self._events[known[name]] = partial(_turns_out, transport)
        self._courses.look_up(known)

    # -- connections --

    def _begin(self, ledgers: Ledgers, number: int) -> None:
        connection = self._columns.connections[number]
        ledger = Ledger(connection, number, decode_facts(self._body(number)))
        if not ledger.aside:
            for before in ledgers.values():
                if before.open or not before.phase.over:
                    before.end(Phase.CLOSED)
        ledgers.pop(connection, None)
        ledgers[connection] = ledger
        if len(ledgers) > CONNECTIONS_KEPT:
            del ledgers[next(iter(ledgers))]

    def _ended(self, ledger: Ledger, number: int) -> None:
        closing = ledger.phase in (Phase.CLOSING, Phase.CLOSED)
        name = self._columns.methods[self._columns.method_ids[number]]
        ledger.end(Phase.CLOSED if closing else Phase.FAILED, "" if closing else ENDS[name])

    def _stream_closed(self, ledger: Ledger, number: int) -> None:
        """In the modern era a request over HTTP is withdrawn by closing its stream."""
        about = decode_facts(self._body(number)).get("about")
        for request in list(reversed(ledger.open))[:LOOKED_AT]:
            if self._columns.directions[request] == _SENT:
                self.cost += 4
                if id_of(self._journal, request) == about:
                    self._lost(ledger, request)
                    return

    # -- frames --

    def _asked(self, ledger: Ledger, number: int, method: int, member: bytes) -> None:
        """A request; `member` is its text where it stands in a batch."""
        ledger.asked(number)
        if self._columns.directions[number] != _SENT:
            return
        ledger.latest = number
        if ledger.rounds:
            for cause in self._columns.links.causes(number):
                ledger.rounds.pop(cause, None)
        if (course := self._courses.asked.get(method)) is not None:
            course(ledger, number, member or self._body(number))

    def _answered(
        self, ledger: Ledger, request: int, number: int, kind: int, member: bytes
    ) -> None:
        columns = self._columns
        if request not in ledger.open:
            return  # a late one
        if columns.flags[request] & _GIVEN_UP:
            self._lost(ledger, request)
            return
        sent = columns.directions[request] == _SENT
        courses = self._courses.answers if sent else self._courses.replies
        if (course := courses.get(columns.method_ids[request])) is not None:
            course(ledger, request, number, kind, member or self._body(number))
        ledger.closed(request)

    def _advance(self, ledger: Ledger, number: int, request: int) -> None:
        if request in ledger.open or request in ledger.running:
            before = ledger.progress.get(request)
            ledger.progress[request] = (number, 1 if before is None else before[1] + 1)

    def _withdrawn(self, ledger: Ledger, number: int, request: int) -> None:
        if request not in ledger.open:
            return
        directions = self._columns.directions
        own = directions[request] == directions[number]
        if own or self._columns.method_ids[request] == self._courses.listen:
            self._lost(ledger, request)

    def _lost(self, ledger: Ledger, request: int) -> None:
        """Nobody waits for the answer any more."""
        ledger.closed(request)
        self._courses.unlistened(ledger, request)
        page_lost(ledger, request)

    def _batch(self, ledger: Ledger, number: int) -> None:
        """Every member does what it would do alone; an outcome finds its request by its id among
        those that the batch answers."""
        columns, known = self._columns, self._columns.known
        partner = columns.partners[number]
        batches: list[int] = []
        by_id: dict[RequestId | None, int] = {}
        for one in (partner, *columns.links.causes(number)[:LOOKED_AT]):
            if one in ledger.open and columns.kinds[one] == _BATCH:
                batches.append(one)
            elif one in ledger.open:
                self.cost += 4
                by_id[id_of(self._journal, one)] = one
        for member in raw_items(self._body(number)):
            kind, method, request_id, _ = glance(member)
            method_id = known.get(method, -1)
            if kind == _REQUEST:
                self._asked(ledger, number, method_id, member)
            elif kind in (_RESULT, _ERROR):
                request = by_id.pop(request_id, 0) or (batches[0] if batches else 0)
                if request:
                    self._answered(ledger, request, number, kind, member)
            elif (note := self._courses.notes.get(method_id)) is not None:
                note(ledger, number, columns.directions[number], member)


def _closing(ledger: Ledger, number: int) -> None:
    if not ledger.phase.over:
        ledger.phase = Phase.CLOSING


def _turns_out(transport: str, ledger: Ledger, number: int) -> None:
    ledger.transport = transport
