"""How often each method went in each direction on one connection: what a session has exercised.

Grows with the journal, a bounded slice at a time. In the modern era a server asks inside results,
where no message has the method: those questions are counted too, once each. Pure.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Final

from inspector.journal.entries import Direction, Kind
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import described, member, obj, questions
from inspector.protocol.methods import METHODS, Side
from inspector.protocol.versions import Revision

SLICE: Final = 50_000
READ_SLICE: Final = 2_000
"""Entries of a slice while results have to be read."""
READ_LIMIT: Final = 1024 * 1024
_ASKING: Final = b"inputRequests"

Counts = dict[tuple[Direction, str], int]


class MethodCounts:
    """The counts of one connection."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._seen = 0
        self._connection = 0
        self._counts: Counter[tuple[int, int]] = Counter()
        self._inside: Counter[str] = Counter()
        self._of_tasks: set[tuple[str, str]] = set()

    @property
    def behind(self) -> bool:
        """Whether entries wait for the next time."""
        return self._seen < len(self._journal)

    def catch_up(self, connection: int, limit: int = SLICE, *, inside: bool = False) -> None:
        """Takes at most `limit` new entries; another connection begins from nothing. `inside`: look
        into results for questions, as the modern era has them."""
        journal = self._journal
        if connection != self._connection:
            self._connection, self._seen = connection, 0
            self._counts.clear()
            self._inside.clear()
            self._of_tasks.clear()
        limit = min(limit, READ_SLICE) if inside else limit
        begin, end = self._seen + 1, min(len(journal), self._seen + limit) + 1
        if begin == end:
            return
        columns = journal.columns
        frames = zip(
            columns.kinds[begin:end],
            columns.connections[begin:end],
            columns.directions[begin:end],
            columns.method_ids[begin:end],
            strict=True,
        )
        # Counted by whole rows, which needs no Python step for each, then by what is wanted.
        for (kind, where, direction, method_id), count in Counter(frames).items():
            if kind in (Kind.REQUEST, Kind.NOTIFICATION) and where == connection:
                self._counts[direction, method_id] += count
        if inside:
            for number in range(begin, end):
                if columns.kinds[number] in (Kind.RESULT, Kind.NOTIFICATION):
                    self._look_inside(number)
        self._seen = end - 1

    def by_method(self) -> Counts:
        """The counts by direction and name of the method."""
        methods = self._journal.methods
        found = {
            (Direction(direction), methods[method_id]): count
            for (direction, method_id), count in self._counts.items()
        }
        for method, count in self._inside.items():
            key = (Direction.RECEIVED, method)
            found[key] = found.get(key, 0) + count
        return found

    def _look_inside(self, number: int) -> None:
        columns = self._journal.columns
        if columns.connections[number] != self._connection or columns.sizes[number] > READ_LIMIT:
            return
        if columns.directions[number] != Direction.RECEIVED:
            return
        body = self._journal.body(number)
        if _ASKING not in body:
            return
        if columns.kinds[number] == Kind.NOTIFICATION:
            said = member(body, "params")
        else:
            said = member(body, "result")
        if said.get("resultType") == "input_required":
            self._inside.update(
                method for _, method in questions(said.get("inputRequests")) if method
            )
            return
        for part in (said, obj(said.get("task"))):
            task = described(part)
            for key, method in task.asked if task is not None else ():
                # A task says at each poll what it waits for.
                if task is not None and method and (task.id, key) not in self._of_tasks:
                    self._of_tasks.add((task.id, key))
                    self._inside[method] += 1


def uses(
    side: Side,
    path: tuple[str, ...],
    revision: Revision | None,
    counts: Mapping[tuple[Direction, str], int],
) -> Iterable[tuple[str, int]]:
    """The methods that needed a capability of `side`, with how often they went either way."""
    for row in METHODS.values():
        needs = row.needs(revision) if revision is not None else row.capability
        of_extension = path[0] == "extensions"  # declared by both sides
        if needs != path or (row.declared_by != side and not of_extension):
            continue
        total = sum(
            counts.get((direction, row.name), 0)
            for direction in (Direction.SENT, Direction.RECEIVED)
        )
        if total:
            yield row.name, total
