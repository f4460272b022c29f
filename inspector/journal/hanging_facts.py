"""What the last entries of a connection say of why an answer does not come: looked up, not judged.

Decides what is looked at (a bounded number of the latest entries, and the requests that are open)
and reads it out of the columns; bodies are read only of the few entries that will be named. What
the facts mean is decided by `inspector.journal.hanging`. Pure.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from inspector.journal.entries import Direction, Flag, HttpFacts, Kind
from inspector.journal.facts import decode_facts, http_facts
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import asks_or_goes_on
from inspector.protocol.messages import JsonObject

WINDOW: Final = 3_000
"""The latest entries that are looked at."""
OPEN_SHOWN: Final = 50
"""Open requests that are told of, the oldest ones."""
NAMED: Final = 5
"""Entries of one kind of evidence that are kept, the latest ones."""
ROUNDS_READ: Final = 20
"""Results that are read to see whether they ask for input."""
READ_AT_MOST: Final = 64 * 1024
LISTEN: Final = "subscriptions/listen"
"""A request that is meant to stay open."""
ROUND_METHODS: Final = frozenset({"tools/call", "prompts/get", "resources/read"})

_SETTLED: Final = int(Flag.PENDING | Flag.CANCELLED)
_EVENTS: Final = frozenset(
    {
        "spawned", "exited", "spawn-failed", "stdout-closed", "write-stalled", "write-resumed",
        "line-cut", "line-too-long", "session-expired", "stream-lost", "stream-waits", "stream-cut",
        "not-delivered", "http-broken", "stdin-closed", "no-event-stream",
        "event-stream-failed", "stream-left-open",
    }
)  # fmt: skip


@dataclass(slots=True)
class Seen:
    """What was found. Numbers are entries, 0 where there is none; lists have the oldest first.

    `ours` are the open requests that the server has to answer, `theirs` those that we have to;
    `more_open` counts those that are not told of. `sent` and `received` are the last message each
    way, `heard` the last byte of any kind from the server, `answer` the last answer of it that fits
    a request. `lost` are requests that are waited for no longer though nobody answered or withdrew
    them, `rounds` are answers that ask for input and that nothing went on with; `progress` has
    the last report for each request, `events` the last of each name.
    """

    connection: int = 0
    began: int = 0
    ours: list[int] = field(default_factory=list)
    theirs: list[int] = field(default_factory=list)
    more_open: int = 0
    sent: int = 0
    received: int = 0
    heard: int = 0
    answer: int = 0
    mistyped: list[int] = field(default_factory=list)
    orphans: list[int] = field(default_factory=list)
    duplicates: list[int] = field(default_factory=list)
    stray: list[int] = field(default_factory=list)
    malformed: list[int] = field(default_factory=list)
    timed_out: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    stderr: list[int] = field(default_factory=list)
    http: list[int] = field(default_factory=list)
    rounds: list[int] = field(default_factory=list)
    progress: dict[int, int] = field(default_factory=dict)
    events: dict[str, int] = field(default_factory=dict)
    transport: str = ""


def current_connection(journal: Journal) -> tuple[int, int]:
    """The latest connection that stands beside no other, and its first entry; (0, 0) where there
    is none."""
    columns = journal.columns
    begins = columns.known.get("connection")
    if begins is None:
        return 0, 0
    # From the end: `index` of arrays goes forward only, so that stretches are looked through.
    stop = columns.count + 1
    while stop > 1:
        start = max(1, stop - 65_536)
        found = [
            number
            for number in _places(journal, begins, start, stop)
            if columns.kinds[number] == Kind.EVENT
        ]
        for number in reversed(found):
            if "aside" not in decode_facts(journal.body(number)):
                return columns.connections[number], number
        stop = start
    return 0, 0


def _places(journal: Journal, method: int, start: int, stop: int) -> Iterator[int]:
    column = journal.columns.method_ids
    while True:
        try:
            start = column.index(method, start, stop) + 1
        except ValueError:
            return
        yield start - 1


def look(journal: Journal) -> Seen:
    """Looks at the latest connection."""
    seen = Seen()
    seen.connection, seen.began = current_connection(journal)
    if not seen.connection:
        return seen
    columns, connection = journal.columns, min(seen.connection, 0xFFFF)
    said = decode_facts(journal.body(seen.began)).get("transport")
    seen.transport = said if isinstance(said, str) else ""
    waiting = [
        number
        for number in journal.correlator.open_requests()
        if columns.connections[number] == connection
        and columns.methods[columns.method_ids[number]] != LISTEN
    ]
    seen.more_open = max(0, len(waiting) - OPEN_SHOWN)
    for number in waiting[:OPEN_SHOWN]:
        sent = columns.directions[number] == Direction.SENT
        (seen.ours if sent else seen.theirs).append(number)
    read = 0
    for number in range(columns.count, max(seen.began, columns.count - WINDOW), -1):
        if columns.connections[number] != connection:
            continue
        kind, direction = columns.kinds[number], columns.directions[number]
        if kind == Kind.EVENT:
            name = columns.methods[columns.method_ids[number]]
            if name in _EVENTS:
                seen.events.setdefault(name, number)
            continue
        if direction == Direction.RECEIVED:
            seen.heard = seen.heard or number
        if kind == Kind.STDERR:
            _keep(seen.stderr, number)
        elif kind == Kind.HTTP:
            _keep(seen.http, number, 200)
        elif kind <= Kind.MALFORMED:
            if direction == Direction.SENT:
                seen.sent = seen.sent or number
                if columns.flags[number] & Flag.TIMED_OUT:
                    _keep(seen.timed_out, number)
                elif kind == Kind.REQUEST and not (
                    columns.partners[number] or columns.flags[number] & _SETTLED
                ):
                    _keep(seen.lost, number)
            else:
                read += _received(journal, seen, number, kind, may_read=read < ROUNDS_READ)
    for found in (
        seen.mistyped, seen.orphans, seen.duplicates, seen.stray, seen.malformed,
        seen.timed_out, seen.lost, seen.stderr, seen.http, seen.rounds,
    ):  # fmt: skip
        found.reverse()
    return seen


def _received(journal: Journal, seen: Seen, number: int, kind: int, *, may_read: bool) -> int:
    """Takes a message of the server; whether its body was read."""
    columns = journal.columns
    flags = columns.flags[number]
    if kind == Kind.MALFORMED:
        _keep(seen.stray if flags & Flag.STRAY else seen.malformed, number)
        return 0
    seen.received = seen.received or number
    if flags & Flag.ID_TYPE_MISMATCH:
        _keep(seen.mistyped, number)
    elif flags & Flag.ORPHAN:
        _keep(seen.orphans, number)
    elif flags & Flag.DUPLICATE:
        _keep(seen.duplicates, number)
    elif kind in (Kind.RESULT, Kind.ERROR):
        seen.answer = seen.answer or number
    method = columns.methods[columns.method_ids[number]]
    if kind == Kind.NOTIFICATION and method == "notifications/progress":
        if columns.partners[number]:
            seen.progress.setdefault(columns.partners[number], number)
    elif (
        kind == Kind.RESULT
        and method in ROUND_METHODS
        and may_read
        and columns.sizes[number] <= READ_AT_MOST
    ):
        request = columns.partners[number]
        gone_on = columns.links.children(number) or columns.links.children(request)
        if asks_or_goes_on(journal.body(number)) == "input_required" and not gone_on:
            _keep(seen.rounds, number)
        return 1
    return 0


def _keep(found: list[int], number: int, most: int = NAMED) -> None:
    if len(found) < most:
        found.append(number)


def exchange_of(journal: Journal, number: int) -> tuple[int, HttpFacts] | None:
    """The HTTP exchange that carried a message, once its response head is there."""
    carrier = journal.columns.http[number]
    if not carrier or carrier > len(journal):
        return None
    return carrier, http_facts(journal.body(carrier))


def open_stream(journal: Journal, seen: Seen) -> tuple[int, HttpFacts] | None:
    """The last GET of the connection, which asks for a stream of the server's own messages."""
    for number in reversed(seen.http):
        if not journal.columns.partners[number] and journal.row(number).method == "GET":
            return number, http_facts(journal.body(number))
    return None


def event_facts(journal: Journal, seen: Seen, name: str) -> tuple[int, JsonObject] | None:
    """The last event of a name, and what it says."""
    number = seen.events.get(name, 0)
    return (number, decode_facts(journal.body(number))) if number else None
