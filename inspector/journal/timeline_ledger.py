"""The books of one connection while a timeline goes along: what is open, listed, watched, running.

Decides what a checkpoint keeps (a copy of the tables; what stands in them is immutable and shared)
and what is forgotten when a peer floods. Which entry changes what is decided by
`inspector.journal.timeline_steps`. Pure.
"""

import copy
from array import array
from dataclasses import dataclass
from itertools import islice
from typing import Final

from inspector.journal.timeline_values import (
    LIST_KINDS,
    ListState,
    Opening,
    Phase,
    RootsAt,
    StreamAt,
    SubscriptionAt,
    TaskAt,
)
from inspector.protocol.messages import JsonObject

OPEN_KEPT: Final = 16_384
TASKS_KEPT: Final = 500
WATCHED_KEPT: Final = 10_000
ROUNDS_KEPT: Final = 1_000
STREAMS_KEPT: Final = 100
ROW_BYTES: Final = 128
"""What a row of a table takes, with the value that is in it; an open request takes 4."""


@dataclass(frozen=True, slots=True)
class Reading:
    """One list while it is being read. `request` is the one that is out, `before` what was there
    when the reading began, `cursor` the one that goes on, `seen` all of this reading (as hashes).
    `again` tells that a change was announced meanwhile."""

    kind: str
    state: ListState = "unknown"
    pages: tuple[int, ...] = ()
    error: str = ""
    request: int = 0
    fresh: tuple[int, ...] = ()
    cursor: int | None = None
    seen: frozenset[int] = frozenset()
    again: bool = False


class Ledger:
    """The books of one connection. Tables may be changed; the values in them are replaced.

    `open` are the requests without an answer, oldest first (how many, in a batch), `progress` their
    latest reports as (entry, count), `running` the requests that go on as a task, `rounds` those
    that were answered by questions. `latest` is the newest request of the client, `level` the last
    log level that the server agreed to. `touched` is set where something happened since the last
    copy.
    """

    __slots__ = (
        "_packed",
        "aside",
        "began",
        "error",
        "facts",
        "forgotten",
        "latest",
        "level",
        "lists",
        "number",
        "open",
        "opener",
        "opening",
        "phase",
        "probed",
        "progress",
        "roots",
        "rounds",
        "running",
        "story",
        "streams",
        "tasks",
        "touched",
        "transport",
        "watched",
    )

    def __init__(self, number: int, began: int, facts: JsonObject) -> None:
        self.number = number
        self.began = began
        self.facts = facts
        self.aside = "aside" in facts
        transport = facts.get("transport")
        self.transport = transport if isinstance(transport, str) else ""
        self.phase = Phase.CONNECTING
        self.opening = Opening()
        self.opener = 0
        self.probed = 0
        self.story = ""
        self.error = ""
        self.lists: dict[str, Reading] = {kind: Reading(kind) for kind in LIST_KINDS}
        self.open: dict[int, int] = {}
        self._packed: array[int] | None = None
        self.forgotten = 0
        self.progress: dict[int, tuple[int, int]] = {}
        self.running: dict[int, str] = {}
        self.rounds: dict[int, tuple[int, tuple[tuple[str, str], ...]]] = {}
        self.watched: dict[str, SubscriptionAt] = {}
        self.streams: dict[int, StreamAt] = {}
        self.tasks: dict[str, TaskAt] = {}
        self.roots: RootsAt | None = None
        self.latest = 0
        self.level: str | None = None
        self.touched = True

    def copy(self) -> "Ledger":
        """The books as they stand, to be gone on with; of kept ones too."""
        twin = copy.copy(self)
        for name in _TABLES:
            setattr(twin, name, getattr(self, name).copy())
        if self._packed is not None:
            twin.open = dict.fromkeys(self._packed, 1) | self.open
            twin._packed = None
        return twin

    def kept(self) -> "Ledger":
        """The books as they stand, to be kept: small, and to be copied before they are read."""
        twin = self.copy()
        twin._packed = array("I", twin.open)
        twin.open = {number: left for number, left in twin.open.items() if left > 1}
        return twin

    @property
    def weight(self) -> int:
        """About how many bytes kept books hold."""
        rows = 8 + sum(len(getattr(self, name)) for name in _TABLES)
        return ROW_BYTES * rows + 4 * len(self._packed or ())

    def asked(self, number: int) -> None:
        """A request is open from here on; a batch counts its requests."""
        self.open[number] = self.open.get(number, 0) + 1
        if len(self.open) > OPEN_KEPT:
            self.forgotten += OPEN_KEPT // 2
            self.open = dict(islice(self.open.items(), OPEN_KEPT // 2, None))
            self.progress = {one: seen for one, seen in self.progress.items() if one in self.open}

    def closed(self, request: int) -> bool:
        """A request has its answer, or nobody waits for it; False where it was not open."""
        left = self.open.get(request, 0) - 1
        if left > 0:
            self.open[request] = left
            return True
        if left < 0:
            return False
        del self.open[request]
        if request not in self.running:
            self.progress.pop(request, None)
        return True

    def task(self, task: TaskAt) -> None:
        """Takes what is known of a task; the end of one ends the progress of its call."""
        if task.id not in self.tasks and len(self.tasks) >= TASKS_KEPT:
            self._forget_task(next(iter(self.tasks)))
        self.tasks[task.id] = task
        if task.over and self.running.get(task.request) == task.id:
            del self.running[task.request]
            if task.request not in self.open:
                self.progress.pop(task.request, None)

    def _forget_task(self, task_id: str) -> None:
        task = self.tasks.pop(task_id)
        if self.running.get(task.request) == task_id:
            del self.running[task.request]

    def end(self, phase: Phase, error: str = "") -> None:
        """The connection is over: nothing is open any more, and nothing is being read."""
        self.touched = True
        if not self.phase.over:
            self.phase, self.error = phase, error
        self.open.clear()
        self.progress.clear()
        self.running.clear()
        self.rounds.clear()
        self.streams.clear()
        for kind, reading in self.lists.items():
            if reading.state == "loading":
                kept = reading.fresh or reading.pages
                self.lists[kind] = Reading(kind, "failed", kept, "the connection ended")


_TABLES: Final = (
    "lists",
    "open",
    "progress",
    "running",
    "rounds",
    "watched",
    "streams",
    "tasks",
)
