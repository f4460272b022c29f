"""Which outcome answers which request, as the messages come by: the columns' partners and flags.

Decides by connection, direction and the id with its type; knows late, duplicate, orphan and
mistyped outcomes, reused ids, batches, progress tokens, cancellations, tasks and request states.
What it remembers of requests is bounded; an outcome of something forgotten is an orphan. Reading
the relations back is left to `inspector.journal.exchanges`. Pure.
"""

from itertools import islice
from typing import Final

from inspector.journal.columns import Columns
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.glance import Glance, glance
from inspector.journal.operations import Operations, TaskTable
from inspector.journal.probes import (
    Key,
    key_of,
    outcome_of,
    ties_of_notification,
    ties_of_request,
)
from inspector.journal.recent import Recent
from inspector.protocol.messages import RequestId, raw_items

OPEN_KEPT: Final = 65_536
"""Unanswered requests remembered for each direction of a connection."""
BATCH_LIMIT: Final = 8 * 1024 * 1024
"""Longer batches are kept whole, their members are not correlated."""

_REQUEST: Final = int(Kind.REQUEST)
_RESULT: Final = int(Kind.RESULT)
_ERROR: Final = int(Kind.ERROR)
_NOTIFICATION: Final = int(Kind.NOTIFICATION)
_BATCH: Final = int(Kind.BATCH)
_MALFORMED: Final = int(Kind.MALFORMED)
_HTTP: Final = int(Kind.HTTP)
_RECEIVED: Final = int(Direction.RECEIVED)
_PENDING: Final = int(Flag.PENDING)
_NOT_PENDING: Final = 0xFFFF & ~_PENDING
_GIVEN_UP: Final = int(Flag.CANCELLED | Flag.TIMED_OUT)
_IS_ERROR: Final = int(Flag.IS_ERROR)
_LATE: Final = int(Flag.LATE)
_ORPHAN: Final = int(Flag.ORPHAN)
_DUPLICATE: Final = int(Flag.DUPLICATE)
_MISTYPED: Final = int(Flag.ID_TYPE_MISMATCH)
_NOT_ITS_OUTCOME: Final = int(Flag.DUPLICATE | Flag.ID_TYPE_MISMATCH)
_REUSED: Final = int(Flag.ID_REUSED)
_CANCELLED: Final = int(Flag.CANCELLED)


class _Side:
    """The requests of one direction of one connection. Values of `open` and `settled` are the
    entry number times 65,536 plus the number of the method: no object of their own."""

    __slots__ = ("open", "settled", "shadowed", "tokens")

    def __init__(self) -> None:
        self.open: dict[Key, int] = {}
        self.settled: Recent[Key, int] = Recent()
        self.shadowed: dict[Key, list[int]] = {}
        self.tokens: Recent[Key, int] = Recent()


class Correlator:
    """Fills in partners, links and flags of entries as they arrive, in order."""

    def __init__(self, columns: Columns) -> None:
        self._columns = columns
        self._sides: dict[int, _Side] = {}  # connection times 4 plus direction
        self._tasks = TaskTable(columns)
        self._operations = Operations(columns)
        self._outstanding: dict[int, int] = {}
        self._progress = columns.intern("notifications/progress")
        self._cancelled = columns.intern("notifications/cancelled")
        self.idle_notifications_from = self._cancelled + 1
        self._listen = columns.intern("subscriptions/listen")
        """Notifications whose method has this number or a higher one tell nothing (yet)."""

    def open_requests(self) -> list[int]:
        """The numbers of all entries that wait for an outcome, ascending. Any thread."""
        flags = self._columns.flags
        waiting: set[int] = set()
        for side in list(self._sides.values()):
            for packed in list(side.open.values()):
                waiting.add(packed >> 16)
            for chain in list(side.shadowed.values()):
                waiting.update(packed >> 16 for packed in list(chain))
        return sorted(number for number in waiting if flags[number] & _PENDING)

    def settle(self, before: int) -> None:
        """Forgets the connections before this one: nobody will answer their requests."""
        for key in [key for key in self._sides if key >> 2 < before]:
            side = self._sides.pop(key)
            chains = [packed for chain in side.shadowed.values() for packed in chain]
            for packed in [*side.open.values(), *chains]:
                self._columns.flags[packed >> 16] &= _NOT_PENDING
        self._outstanding.clear()

    def arrived(self, number: int, seen: Glance, raw: bytes) -> None:
        """Correlates a frame whose columns are in place."""
        kind, method, request_id, _ = seen
        if kind == _NOTIFICATION:
            self._notification(number, self._columns.method_ids[number], raw)
        elif kind == _REQUEST:
            if request_id is not None:
                self._request(number, self._columns.method_ids[number], request_id, raw)
                self._columns.flags[number] |= _PENDING
        elif kind == _BATCH:
            self._batch(number, raw)
        elif kind != _MALFORMED or (request_id is not None and not method):
            self._outcome(number, kind, request_id, raw)

    def _side(self, number: int, *, other: bool = False) -> _Side:
        columns = self._columns
        direction = columns.directions[number]
        if other:
            direction = _RECEIVED - direction
        key = columns.connections[number] << 2 | direction
        side = self._sides.get(key)
        if side is None:
            side = self._sides[key] = _Side()
        return side

    def _request(self, number: int, method: int, request_id: RequestId, raw: bytes) -> None:
        columns, side, key = self._columns, self._side(number), key_of(request_id)
        before = side.open.get(key)
        if before is not None:
            side.shadowed.setdefault(key, []).append(before)
            columns.flags[number] |= _REUSED
        elif side.settled.get(key) is not None:
            columns.flags[number] |= _REUSED
        side.open[key] = number << 16 | method
        if len(side.open) > OPEN_KEPT:
            side.open = dict(islice(side.open.items(), OPEN_KEPT // 2, None))
            side.shadowed.clear()
        ties = ties_of_request(raw)
        if ties.progress is not None:
            side.tokens.put(ties.progress, number)
        if ties.task is not None:
            self._tasks.tie(number, ties.task)
        if ties.modern:
            self._operations.asked(number, method, ties, raw)

    def _notification(self, number: int, method: int, raw: bytes) -> None:
        columns = self._columns
        if method == self._progress:
            token = ties_of_notification(raw).progress
            if token is not None:
                columns.partners[number] = self._side(number, other=True).tokens.get(token) or 0
        elif method == self._cancelled:
            self._withdrawn(number, ties_of_notification(raw).cancelled)
        elif self._tasks:
            task = ties_of_notification(raw).task
            makers = self._tasks.makers(task, number) if task is not None else ()
            if len(makers) == 1:
                columns.partners[number] = makers[0]

    def _withdrawn(self, number: int, key: Key | None) -> None:
        """A cancellation withdraws a request of its own direction; in the modern era a server
        ends a subscription of ours with one (2026-07-28 basic/utilities/cancellation)."""
        if key is None:
            return
        columns = self._columns
        for theirs, side in enumerate((self._side(number), self._side(number, other=True))):
            packed = side.open.get(key)
            if packed is not None:
                request = packed >> 16
                if theirs and packed & 0xFFFF != self._listen:
                    columns.partners[number] = request  # it cannot withdraw what is not its own
                    return
                columns.partners[number] = request
                columns.flags[request] = columns.flags[request] & _NOT_PENDING | _CANCELLED
                return
            packed = side.settled.get(key)
            if packed is not None:
                columns.partners[number] = packed >> 16
                return

    def _outcome(self, number: int, kind: int, request_id: RequestId | None, raw: bytes) -> None:
        columns = self._columns
        if kind == _ERROR:
            columns.flags[number] |= _IS_ERROR
        packed = self._answered(number, kind, request_id)
        if packed:
            columns.method_ids[number] = packed & 0xFFFF
            columns.partners[number] = packed >> 16
        if kind == _RESULT:
            said = outcome_of(raw)
            if said.is_error:
                columns.flags[number] |= _IS_ERROR
            if packed and said.task is not None:
                self._tasks.described(said.task, packed >> 16, created=said.created)
                self.idle_notifications_from = 1 << 16
        operations = self._operations
        if packed and operations.begun and not columns.flags[number] & _NOT_ITS_OUTCOME:
            operations.answered(packed >> 16, kind, raw)

    def _answered(self, number: int, kind: int, request_id: RequestId | None) -> int:
        """Settles the request that an outcome answers; 0 where it answers none."""
        columns, side = self._columns, self._side(number, other=True)
        if request_id is None:
            return self._carried(number, kind, side)
        key = key_of(request_id)
        packed = side.open.pop(key, None)
        if packed is not None:
            self._close(number, side, key, packed)
            return packed
        packed = side.settled.get(key)
        if packed is not None:
            columns.flags[number] |= _DUPLICATE
            return packed
        twin = _twin(key)
        packed = side.open.get(twin) if twin is not None else None
        if packed is not None:
            columns.flags[number] |= _MISTYPED
            return packed
        return self._carried(number, kind, side)

    def _carried(self, number: int, kind: int, side: _Side) -> int:
        """Error replies without a usable id answer the request whose HTTP exchange carried them
        (2025-03-26 basic/transports)."""
        columns = self._columns
        http = columns.http[number]
        request = columns.partners[http] if http and columns.kinds[http] == _HTTP else 0
        if request and kind != _RESULT:
            for key, packed in side.open.items():
                if packed >> 16 == request:
                    del side.open[key]
                    self._close(number, side, key, packed)
                    return packed
        columns.flags[number] |= _ORPHAN
        return 0

    def _close(self, number: int, side: _Side, key: Key, packed: int) -> None:
        columns, request = self._columns, packed >> 16
        side.settled.put(key, packed)
        if side.shadowed and (chain := side.shadowed.get(key)):
            side.open[key] = chain.pop()
            if not chain:
                del side.shadowed[key]
        if columns.flags[request] & _GIVEN_UP:
            columns.flags[number] |= _LATE
        if columns.kinds[request] == _BATCH:
            columns.links.add(number, request)
            left = self._outstanding.get(request, 1) - 1
            self._outstanding[request] = left
            if left > 0:
                columns.partners[request] = columns.partners[request] or number
                return
            self._outstanding.pop(request, None)
        columns.partners[request] = columns.partners[request] or number
        columns.flags[request] &= _NOT_PENDING

    def _batch(self, number: int, raw: bytes) -> None:
        """Each member correlates; the row of the batch stands for all of them. Its partner is the
        first entry it answers, or is answered by; `links` holds the others."""
        if len(raw) > BATCH_LIMIT:
            return
        columns, requests = self._columns, 0
        for member in raw_items(raw):
            kind, method, request_id, _ = glance(member)
            if kind == _REQUEST and request_id is not None:
                self._request(number, columns.intern(method), request_id, member)
                requests += 1
            elif kind == _NOTIFICATION:
                self._notification(number, columns.intern(method), member)
            elif kind in (_RESULT, _ERROR):
                self._member_outcome(number, kind, request_id, member)
        if requests:
            self._outstanding[number] = requests
            columns.flags[number] |= _PENDING

    def _member_outcome(
        self, number: int, kind: int, request_id: RequestId | None, raw: bytes
    ) -> None:
        columns = self._columns
        first = columns.partners[number]
        self._outcome(number, kind, request_id, raw)
        answered = columns.partners[number]
        columns.method_ids[number] = 0
        if answered and answered != first:
            columns.links.add(number, answered)
        columns.partners[number] = first or answered


def _twin(key: Key) -> Key | None:
    """The same id with the other JSON type."""
    if isinstance(key, int):
        return str(key) if -(10**30) < key < 10**30 else None
    digits = key[1:] if key.startswith("-") else key
    return int(key) if digits.isascii() and digits.isdigit() and len(digits) <= 30 else None
