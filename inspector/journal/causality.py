"""What led to what: a call as a tree of all that belongs to it, with offsets and durations.

Built over `inspector.journal.exchanges`. Decides which entry hangs under which, what is folded into
one line (many reports of progress, many log messages), and what merely came while nothing else
waited: over stdio the protocol does not say what a log message or a question belongs to. How the
tree is written is decided by `inspector.journal.causality_text` and its neighbours. Pure.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from inspector.journal.columns import Columns, positions
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.protocol.methods import BYSTANDERS

FOLDED_ABOVE: Final = 4
"""So many leaves of one sort hang under an entry on their own; more become one node."""
DEEPEST: Final = 8
"""Levels below the call; what would hang deeper hangs there."""
WINDOW: Final = 20_000
"""Entries looked through for what came while only this call waited."""
ASKS_READ: Final = 16
"""Such questions of which more is looked for than their answer."""


class Role(StrEnum):
    """What an entry is to the one that it hangs under."""

    CALL = "call"
    HTTP = "HTTP"
    PROGRESS = "progress"
    MESSAGE = "message"
    ASK = "ask"
    ROUND = "round"
    FURTHER = "further request"
    CANCELLED = "cancelled"
    OUTCOME = "outcome"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Cause:
    """A node of the tree. `offset` is seconds since the call, `duration` seconds from a request to
    its outcome (None while it waits) or from the first to the last of many. `entries` are more
    than one where the node stands for many; `sure` is False for what only came while nothing else
    waited."""

    entries: tuple[int, ...]
    role: Role
    offset: float
    duration: float | None
    under: "tuple[Cause, ...]"
    sure: bool = True

    @property
    def number(self) -> int:
        """The (first) entry."""
        return self.entries[0]


def causality(journal: Journal, number: int) -> Cause:
    """The tree of the call that an entry belongs to, or of the entry alone."""
    exchanges = Exchanges(journal)
    root, members, unsure = _whole(journal, exchanges, number)
    parents = _parents(exchanges, journal.columns, root, members)
    under: dict[int, list[int]] = {}
    for member in sorted(members - {root}):
        under.setdefault(parents[member], []).append(member)
    return _Growing(journal, root, under, unsure).node(root)


def together(journal: Journal, number: int) -> tuple[int, ...]:
    """All entries that belong to the call of an entry, what probably does included; else those that
    came on the same event stream. Ascending, at least the entry itself."""
    _, members, _ = _whole(journal, Exchanges(journal), number)
    if members == {number}:
        columns = journal.columns
        stream = number if columns.kinds[number] == Kind.HTTP else columns.http[number]
        if stream and columns.kinds[stream] == Kind.HTTP and not columns.partners[stream]:
            end = min(columns.count + 1, max(stream, number) + WINDOW)
            members |= {stream, *positions(columns.http, stream, stream + 1, end)}
    return tuple(sorted(members | {number}))


def _whole(
    journal: Journal, exchanges: Exchanges, number: int
) -> tuple[int, set[int], frozenset[int]]:
    """The call that an entry belongs to, all that belongs to it, and what of that is not sure."""
    probable = probable_cause(journal, exchanges.root(number))
    root = exchanges.root(probable if probable is not None else number)
    members = set(exchanges.of(root))
    unsure = _unsaid(journal, root)
    if unsure:
        asks = [one for one in unsure if journal.kinds[one] == Kind.REQUEST]
        members |= unsure
        members.update(journal.columns.partners[ask] for ask in asks if journal.row(ask).partner)
        for ask in sorted(asks)[:ASKS_READ]:
            members.update(exchanges.of(ask))
        exchanges.complete(members)
    return root, members, unsure


def probable_cause(journal: Journal, number: int) -> int | None:
    """The one call of ours that waited when a question or log message came of which nothing says
    what it belongs to; None where several waited, or none, or something does say it."""
    columns = journal.columns
    if not _says_nothing(columns, number):
        return None
    running = _waiting_at(journal, number, most=2)
    return running[0] if len(running) == 1 else None


def _says_nothing(columns: Columns, number: int) -> bool:
    """Whether an entry came from the server and nothing ties it to a request."""
    if columns.directions[number] != Direction.RECEIVED or columns.http[number]:
        return False
    if columns.partners[number] and columns.kinds[number] != Kind.REQUEST:
        return False
    if columns.kinds[number] == Kind.REQUEST:
        return not [one for one in columns.links.causes(number) if one < number]
    return (
        columns.kinds[number] == Kind.NOTIFICATION
        and columns.methods[columns.method_ids[number]] == "notifications/message"
    )


def _waiting_at(journal: Journal, number: int, *, most: int) -> list[int]:
    """Our calls that waited for their outcome when entry `number` came, newest first; at most so
    many, and of the last `WINDOW` entries."""
    columns = journal.columns
    connection, found = columns.connections[number], list[int]()
    for request in range(number - 1, max(0, number - WINDOW), -1):
        if (
            columns.kinds[request] == Kind.REQUEST
            and columns.directions[request] == Direction.SENT
            and columns.connections[request] == connection
            and not 0 < columns.partners[request] < number
            and (columns.partners[request] or _still_open(columns, request))
            and columns.methods[columns.method_ids[request]] not in BYSTANDERS
        ):
            found.append(request)
            if len(found) >= most:
                break
    return found


def _still_open(columns: Columns, request: int) -> bool:
    return bool(columns.flags[request] & Flag.PENDING)


def _unsaid(journal: Journal, call: int) -> frozenset[int]:
    """What came while this call of ours was the only one that waited, and belongs to nothing."""
    columns = journal.columns
    if (
        columns.kinds[call] != Kind.REQUEST
        or columns.directions[call] != Direction.SENT
        or columns.methods[columns.method_ids[call]] in BYSTANDERS
    ):
        return frozenset()
    outcome = columns.partners[call]
    if not outcome and not _still_open(columns, call):
        return frozenset()
    end = min(outcome or columns.count + 1, call + WINDOW)
    before = _waiting_at(journal, call, most=WINDOW)
    never = columns.count + 1
    others_until = max((columns.partners[one] or never for one in before), default=0)
    found: set[int] = set()
    for number in range(call + 1, end):
        if columns.connections[number] != columns.connections[call]:
            continue
        if columns.directions[number] == Direction.SENT:
            if (
                columns.kinds[number] == Kind.REQUEST
                and columns.methods[columns.method_ids[number]] not in BYSTANDERS
            ):
                others_until = max(others_until, columns.partners[number] or never)
        elif others_until < number and _says_nothing(columns, number):
            found.add(number)
    return frozenset(found)


def _parents(
    exchanges: Exchanges, columns: Columns, root: int, members: set[int]
) -> dict[int, int]:
    """What every member hangs under: what it came of, but rounds and polls under the call."""
    parents: dict[int, int] = {}
    depths: dict[int, int] = {root: 0}
    for member in sorted(members - {root}):
        cause = exchanges.cause(member)
        goes_on = columns.kinds[member] == Kind.REQUEST and columns.links.causes(member)
        if cause is None or goes_on or cause not in depths:
            cause = root
        while depths[cause] >= DEEPEST:
            cause = parents[cause]
        parents[member] = cause
        depths[member] = depths[cause] + 1
    return parents


class _Growing:
    """Makes nodes of one call."""

    def __init__(
        self, journal: Journal, root: int, under: dict[int, list[int]], unsure: frozenset[int]
    ) -> None:
        self._columns = journal.columns
        self._root = root
        self._under = under
        self._unsure = unsure

    def node(self, number: int) -> Cause:
        """One entry and all under it."""
        columns = self._columns
        duration: float | None = None
        outcome = columns.partners[number]
        if columns.kinds[number] in (Kind.REQUEST, Kind.BATCH) and outcome > number:
            duration = columns.monotonic[outcome] - columns.monotonic[number]
        return Cause(
            (number,),
            self._role(number),
            columns.monotonic[number] - columns.monotonic[self._root],
            duration,
            self._children(number),
            number not in self._unsure,
        )

    def _children(self, number: int) -> tuple[Cause, ...]:
        many: dict[tuple[Role, bool], list[Cause]] = {}
        alone: list[Cause] = []
        for each in self._under.get(number, ()):
            child = self.node(each)
            if child.role in (Role.PROGRESS, Role.MESSAGE, Role.FURTHER):
                many.setdefault((child.role, child.sure), []).append(child)
            else:
                alone.append(child)
        for (role, sure), found in many.items():
            if len(found) <= FOLDED_ABOVE:
                alone += found
            else:
                numbers = tuple(one.number for one in found)
                lasted = found[-1].offset - found[0].offset
                alone.append(Cause(numbers, role, found[0].offset, lasted, tuple(found), sure))
        return tuple(sorted(alone, key=lambda one: one.number))

    def _role(self, number: int) -> Role:
        if number == self._root:
            return Role.CALL
        columns = self._columns
        kind = Kind(columns.kinds[number])
        method = columns.methods[columns.method_ids[number]]
        match kind:
            case Kind.HTTP:
                return Role.HTTP
            case Kind.NOTE:
                return Role.NOTE
            case Kind.REQUEST | Kind.BATCH if columns.directions[number] == Direction.RECEIVED:
                return Role.ASK
            case Kind.REQUEST | Kind.BATCH:
                same = columns.method_ids[number] == columns.method_ids[self._root]
                return Role.ROUND if same else Role.FURTHER
            case Kind.NOTIFICATION if method == "notifications/progress":
                return Role.PROGRESS
            case Kind.NOTIFICATION if method == "notifications/cancelled":
                return Role.CANCELLED
            case Kind.NOTIFICATION:
                return Role.MESSAGE
            case _:
                return Role.OUTCOME
