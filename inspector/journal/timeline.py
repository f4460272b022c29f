"""The state of every connection as of an entry, derived from the journal alone.

A `Timeline` goes along the entries once and keeps checkpoints, so that any entry is reached by
going on from the checkpoint before it. Decides how far checkpoints lie apart: twice as far
whenever there are too many, or whenever they hold too much, so that memory stays bounded and what
has to be gone along again is a small part of the whole. Opinions are left to whoever reads. It
writes nothing; one thread at a time may use it, while another appends to the journal.
"""

from bisect import bisect_right
from dataclasses import dataclass, replace
from typing import Final

from inspector.journal.entries import Direction, Flag
from inspector.journal.journal import Journal
from inspector.journal.timeline_ledger import Ledger
from inspector.journal.timeline_lists import shown
from inspector.journal.timeline_readings import (
    META_CAPABILITIES,
    META_LOG_LEVEL,
    member,
    obj,
    text,
)
from inspector.journal.timeline_steps import Ledgers, Steps
from inspector.journal.timeline_values import (
    AskAt,
    ConnectionAt,
    OpenRequest,
    ProgressAt,
    StateAt,
    TaskAt,
)
from inspector.protocol.versions import Era

CHECKPOINTS: Final = 256
"""Never more than so many, and where it is long enough at least half as many less one."""
SPACING: Final = 1_000
"""The cost (see `Steps`) of the way between two checkpoints, at first."""
WEIGHT: Final = 4 * 1024 * 1024
"""Bytes that all checkpoints may hold together, about; unless the fewest hold more."""
FEWEST: Final = 16
"""So many checkpoints are kept, whatever they hold."""
STRIDE: Final = 32
"""Entries between two looks at the cost."""

ASKING: Final = frozenset({"sampling/createMessage", "elicitation/create", "roots/list"})
"""Requests of a server that a person may have to answer."""


@dataclass(frozen=True, slots=True)
class _Checkpoint:
    """The books as of entry `number`; a ledger in it is never written to again."""

    number: int
    ledgers: Ledgers
    weight: int


class Timeline:
    """The states of one journal.

    `position` is how far it has gone along, `replayed` how many entries the last `state_at` went
    along again.
    """

    def __init__(self, journal: Journal, *, spacing: int = SPACING) -> None:
        """`spacing` is the cost of the way between two checkpoints, at first."""
        self.replayed = 0
        self._journal = journal
        self._steps = Steps(journal)
        self._books: Ledgers = {}
        self._position = 0
        self._checkpoints = [_Checkpoint(0, {}, 0)]
        self._spacing = spacing
        self._since = 0
        self._near = _Checkpoint(0, {}, 0)

    @property
    def position(self) -> int:
        """The last entry that was gone along."""
        return self._position

    @property
    def checkpoints(self) -> tuple[int, ...]:
        """The entries at which there is a checkpoint."""
        return tuple(kept.number for kept in self._checkpoints)

    @property
    def weight(self) -> int:
        """About how many bytes the checkpoints hold."""
        return sum(kept.weight for kept in self._checkpoints)

    def advance(self, number: int | None = None, *, limit: int | None = None) -> bool:
        """Goes along up to entry `number` (None: the last one there is), `limit` entries at most.
        Whether it has arrived."""
        goal = len(self._journal) if number is None else min(number, len(self._journal))
        stop = goal if limit is None else min(goal, self._position + limit)
        while self._position < stop:
            last = min(stop, self._position + STRIDE - self._position % STRIDE)
            before = self._steps.cost
            self._steps.run(self._books, self._position + 1, last)
            self._since += self._steps.cost - before
            self._position = last
            if self._since >= self._spacing:
                self._keep()
        return self._position >= goal

    def state_at(self, number: int) -> StateAt:
        """The state as of entry `number` (0: before the first). IndexError where there is none."""
        if not 0 <= number <= len(self._journal):
            raise IndexError(f"there is no entry {number}")
        self.advance(number)
        if number == self._position:
            self.replayed = 0
            return self._view(number, self._books, last=number == len(self._journal))
        at = bisect_right(self._checkpoints, number, key=lambda kept: kept.number) - 1
        start = self._checkpoints[at]
        if start.number <= self._near.number <= number:
            start = self._near  # somebody goes along step by step
        books = {key: ledger.copy() for key, ledger in start.ledgers.items()}
        self._steps.run(books, start.number + 1, number)
        self.replayed = number - start.number
        self._near = _Checkpoint(number, books, 0)
        return self._view(number, books, last=False)

    # -- checkpoints --

    def _keep(self) -> None:
        before = self._checkpoints[-1].ledgers
        ledgers: Ledgers = {}
        weight = 0
        for key, ledger in self._books.items():
            kept = before.get(key)
            if kept is None or ledger.touched:
                ledger.touched = False
                kept = ledger.kept()
                weight += kept.weight
            ledgers[key] = kept
        self._checkpoints.append(_Checkpoint(self._position, ledgers, weight + 64 * len(ledgers)))
        self._since = 0
        while len(self._checkpoints) > CHECKPOINTS or (
            self.weight > WEIGHT and len(self._checkpoints) > FEWEST
        ):
            self._checkpoints = self._checkpoints[::2]
            self._spacing *= 2

    # -- what is seen --

    def _view(self, number: int, books: Ledgers, *, last: bool) -> StateAt:
        """`last`: there is nothing after `number`, so that the flags of requests hold as of it."""
        seen = tuple(self._connection(ledger, last) for ledger in books.values())
        return StateAt(number, seen)

    def _connection(self, ledger: Ledger, last: bool) -> ConnectionAt:
        opened = self._open(ledger, last)
        gone = {one.number for one in opened if one.given_up}
        streams = tuple(one for key, one in ledger.streams.items() if key not in gone)
        silent = bool(ledger.streams) and not streams
        opening, level = ledger.opening, ledger.level
        if opening.era is Era.MODERN and ledger.latest:
            # 2026-07-28 basic: each request says what the client can do, and which logs it wants
            meta = obj(member(self._journal.body(ledger.latest), "params").get("_meta"))
            level = text(meta.get(META_LOG_LEVEL)) or None
            if META_CAPABILITIES in meta:
                declared = obj(meta[META_CAPABILITIES])
                opening = replace(opening, client_capabilities=declared)
        return ConnectionAt(
            number=ledger.number,
            began=ledger.began,
            facts=ledger.facts,
            phase=ledger.phase,
            transport=ledger.transport,
            opening=opening,
            lists={kind: shown(reading) for kind, reading in ledger.lists.items()},
            open=opened,
            subscriptions=() if silent else tuple(ledger.watched.values()),
            streams=streams,
            tasks=tuple(_with_progress(task, ledger) for task in ledger.tasks.values()),
            asks=self._asks(ledger, opened),
            roots=ledger.roots,
            log_level=level,
            error=ledger.error,
            forgotten=ledger.forgotten,
        )

    def _open(self, ledger: Ledger, last: bool) -> tuple[OpenRequest, ...]:
        columns = self._journal.columns
        return tuple(
            OpenRequest(
                number=number,
                direction=Direction(columns.directions[number]),
                method=columns.methods[columns.method_ids[number]],
                since=columns.monotonic[number],
                progress=_progress(ledger, number),
                given_up=last and not columns.flags[number] & Flag.PENDING,
            )
            for number in ledger.open
        )

    def _asks(self, ledger: Ledger, opened: tuple[OpenRequest, ...]) -> tuple[AskAt, ...]:
        asks = [
            AskAt(one.number, one.method)
            for one in opened
            if one.direction is Direction.RECEIVED and one.method in ASKING
        ]
        for request, (entry, questions) in ledger.rounds.items():
            asks.extend(AskAt(entry, method, key, request) for key, method in questions)
        for task in ledger.tasks.values():
            asks.extend(AskAt(task.entry, method, key, task.request) for key, method in task.asked)
        return tuple(asks)


def _progress(ledger: Ledger, request: int) -> ProgressAt | None:
    seen = ledger.progress.get(request)
    return None if seen is None else ProgressAt(*seen)


def _with_progress(task: TaskAt, ledger: Ledger) -> TaskAt:
    return replace(task, progress=_progress(ledger, task.request)) if task.request else task
