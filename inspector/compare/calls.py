"""The calls of two recordings, matched by operation and arguments, and what came of them.

The k-th call of an operation with the same arguments is compared with the k-th of the other
recording. Decides what a call is (a request of the client other than the housekeeping of a
session; what goes on with it belongs to it), and what of its outcome may differ: places that differ
between equal calls of one recording too vary by themselves and are counted, not named. Pure.
"""

from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from itertools import pairwise
from typing import Final, Literal

from inspector.compare.values import (
    Difference,
    canonical,
    differences,
    without_era,
)
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.exchanges import leg_of
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import member, parsed
from inspector.protocol.messages import Json, JsonObject, raw_members

HOUSEKEEPING: Final = frozenset(
    {
        *("initialize", "server/discover", "ping", "logging/setLevel", "subscriptions/listen"),
        *("tools/list", "resources/list", "resources/templates/list", "prompts/list"),
        *("tasks/get", "tasks/result", "tasks/list", "tasks/update"),
    }
)
"""Requests that make a session, read its lists, or ask how something is going."""
POLLS: Final = frozenset({"tasks/get", "tasks/result"})
"""What goes on with a call and brings its outcome."""
OF_THE_TASK: Final = frozenset(
    {"taskId", "createdAt", "lastUpdatedAt", "ttl", "ttlMs", "pollInterval", "pollIntervalMs"}
)
"""What a task says of itself: never the same twice."""
AGAIN: Final = frozenset({"_meta", "inputResponses", "requestState", "task"})
"""Parameters that say how something is asked for, not what."""
MOST: Final = 200
"""Changed calls that are kept; the rest is counted."""
PLACES: Final = 20
"""Differences that are named of one call."""
COMPARED_FOR_NOISE: Final = 4
"""So many equal calls of one recording are compared to see what varies by itself."""

State = Literal["result", "tool error", "error", "no answer"]


@dataclass(frozen=True, slots=True)
class Operation:
    """A method, and the tool, prompt or resource that it was about ("" for none)."""

    method: str
    name: str = ""


NONE: Final = Operation("")


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: entry 0 where nothing did."""

    state: State
    entry: int = 0


@dataclass(frozen=True, slots=True)
class CallChange:
    """Two calls that are alike and came to something else. `left` and `right` are their requests;
    `differences` are empty where only the kind of outcome tells."""

    left: int
    right: int
    before: Outcome
    after: Outcome
    differences: tuple[Difference, ...] = ()
    operation: Operation = NONE


@dataclass(slots=True)
class Calls:
    """The calls of a recording: requests by what they ask for, ascending; and how long those took
    that brought a result, in seconds, by operation."""

    journal: Journal
    requests: "dict[bytes, array[int]]" = field(default_factory=dict)
    operations: dict[bytes, Operation] = field(default_factory=dict)
    seconds: "dict[Operation, array[float]]" = field(default_factory=dict)
    last: dict[int, int] = field(default_factory=dict)
    """The last request that goes on with a call (a round, another try, a poll of its task)."""

    def __len__(self) -> int:
        return sum(map(len, self.requests.values()))

    def outcome(self, request: int) -> Outcome:
        """What came of a call, or of the last request that goes on with it."""
        columns = self.journal.columns
        last = self.last.get(request, request)
        entry = columns.partners[last]
        if entry <= last or columns.kinds[entry] not in (Kind.RESULT, Kind.ERROR):
            return Outcome("no answer")
        if columns.kinds[entry] == Kind.ERROR:
            return Outcome("error", entry)
        failed = columns.flags[entry] & Flag.IS_ERROR
        return Outcome("tool error" if failed else "result", entry)


@dataclass(frozen=True, slots=True)
class Compared:
    """`matched` calls were compared. `changed` came to something else (the first `MOST`, in
    `changed_count` all of them); `varying` differ only where equal calls differ anyway; `only_left`
    and `only_right` count calls without a counterpart."""

    matched: int
    changed: tuple[CallChange, ...]
    changed_count: int
    varying: int
    only_left: Mapping[Operation, int]
    only_right: Mapping[Operation, int]


def calls_of(journal: Journal, wanted: Callable[[int], bool] = lambda _: True) -> Calls:
    """The calls of a recording; `wanted` says of a request whether it counts."""
    found = Calls(journal)
    columns = journal.columns
    for number in _requests(journal):
        method = columns.methods[columns.method_ids[number]]
        if (leg := leg_of(columns, number)) is not None and leg.first:
            if method in POLLS or method == columns.methods[columns.method_ids[leg.first]]:
                found.last[leg.first] = number
            continue
        if method in HOUSEKEEPING or not wanted(number):
            continue
        params = member(journal.body(number), "params")
        asked = canonical({key: value for key, value in params.items() if key not in AGAIN})
        key = blake2b(f"{method}\n{asked}".encode("utf-8", "replace"), digest_size=12).digest()
        if key not in found.requests:
            found.requests[key] = array("I")
            found.operations[key] = Operation(method, journal.name(number))
        found.requests[key].append(number)
    for key, requests in found.requests.items():
        for number in requests:
            outcome = found.outcome(number)
            if outcome.state == "result":
                took = columns.monotonic[outcome.entry] - columns.monotonic[number]
                found.seconds.setdefault(found.operations[key], array("d")).append(took)
    return found


def compare_calls(
    before: Calls,
    after: Calls,
    ignored: Callable[[str], bool] = lambda _: False,
) -> Compared:
    """What came of equal calls. `ignored` says of a JSON pointer into a result that nobody cares
    how it differs there."""
    changed: list[CallChange] = []
    matched = count = varying = 0
    for key, requests in before.requests.items():
        others = after.requests.get(key)
        if others is None:
            continue
        noise: Collection[str] | None = None
        for one, two in zip(requests, others, strict=False):
            matched += 1
            change = _change(before, one, after, two, ignored)
            if change is None:
                continue
            change = replace(change, operation=before.operations[key])
            if noise is None:
                noise = {*_varies(before, requests), *_varies(after, others)}
            if change.differences and all(one.pointer in noise for one in change.differences):
                varying += 1
                continue
            count += 1
            if len(changed) < MOST:
                changed.append(change)
    return Compared(
        matched, tuple(changed), count, varying, _spare(before, after), _spare(after, before)
    )


def _requests(journal: Journal) -> Iterator[int]:
    columns = journal.columns
    for number in range(1, len(journal) + 1):
        if columns.kinds[number] == Kind.REQUEST and columns.directions[number] == Direction.SENT:
            yield number


def _spare(here: Calls, there: Calls) -> dict[Operation, int]:
    """Calls that have no counterpart, by operation."""
    found: dict[Operation, int] = {}
    for key, requests in here.requests.items():
        more = len(requests) - len(there.requests.get(key, ()))
        if more > 0:
            found[here.operations[key]] = found.get(here.operations[key], 0) + more
    return found


def _change(
    before: Calls, one: int, after: Calls, two: int, ignored: Callable[[str], bool]
) -> CallChange | None:
    was, now = before.outcome(one), after.outcome(two)
    if was.state != now.state:
        return CallChange(one, two, was, now)
    if not was.entry:
        return None
    raw, other = before.journal.body(was.entry), after.journal.body(now.entry)
    if _said(raw) == _said(other):
        return None
    found = differences(_compared(raw), _compared(other), PLACES)
    found = tuple(place for place in found if not ignored(place.pointer))
    return CallChange(one, two, was, now, found) if found else None


def _varies(calls: Calls, requests: "array[int]") -> set[str]:
    """Where the outcomes of equal calls of one recording differ among themselves."""
    found: set[str] = set()
    outcomes = [calls.outcome(one) for one in requests[:COMPARED_FOR_NOISE]]
    bodies = [_compared(calls.journal.body(one.entry)) for one in outcomes if one.entry]
    for one, other in pairwise(bodies):
        found.update(difference.pointer for difference in differences(one, other, PLACES))
    return found


def _said(raw: bytes) -> bytes | None:
    """The result or error as it was sent, None where there is none to be seen."""
    members = raw_members(raw)
    return members.get("result", members.get("error"))


def _compared(raw: bytes) -> Json:
    """A result without what belongs to its era, or an error; in an object of its own."""
    message = parsed(raw)
    if not isinstance(message, dict):
        return {}
    found: JsonObject = {}
    if "result" in message:
        found["result"] = _without_task(without_era(message["result"]))
    if "error" in message:
        found["error"] = message["error"]
    return found


def _without_task(result: Json) -> Json:
    if not isinstance(result, dict):
        return result
    if "taskId" in result:
        return {key: value for key, value in result.items() if key not in OF_THE_TASK}
    if isinstance(result.get("task"), dict):
        return {**result, "task": _without_task(result["task"])}
    return result
