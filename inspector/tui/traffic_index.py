"""Which journal entries the traffic list shows, and on which line: pure, incremental, bounded.

One unsigned number per shown entry and nothing else, but two bytes for each entry where the filter
looks at flags. Entries are examined in slices, so that a filter over a million entries never holds
the screen; what matches is decided by the filter.

What the filter says of an entry may change later: its flags, what later entries say about it, what
a judge finds. Such entries are examined again, and only these: flags are compared with what they
were, later entries name theirs by their partner, and opinions tell which entries are concerned.
Lines stay ascending by entry number, so that whoever stands on an entry finds it again.
"""

import time
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from itertools import compress
from typing import TYPE_CHECKING, Final

from inspector.journal.entries import Kind, Row
from inspector.journal.query_nodes import Reads, table_of

if TYPE_CHECKING:
    from inspector.journal.journal import Journal
    from inspector.journal.query import Filter

SLICE: Final = 512
"""Entries examined at first between two looks at the clock; more where that was quick."""
MOST: Final = 1 << 16
LEAST: Final = 8
QUICK: Final = 0.001
SLOW: Final = 0.004
AGAIN: Final = 64
"""Entries examined again between two looks at the clock."""
BLOCK: Final = 4096
"""Entries whose flags are compared at once."""

_HTTP: Final = int(Kind.HTTP)
_IS_HTTP: Final = table_of({_HTTP})


def is_carrier(row: Row) -> bool:
    """Whether this is an HTTP exchange that merely carried a message and went well."""
    return (
        row.kind is Kind.HTTP
        and row.partner is not None
        and row.status is not None
        and row.status < 300
    )


class TrafficIndex:
    """Lines of the traffic list: line 0 is the oldest entry shown."""

    def __init__(self, journal: "Journal") -> None:
        self._journal = journal
        self.reset(None, carriers=False)

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, line: int) -> int:
        return self._numbers[line]

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)

    @property
    def scanned(self) -> int:
        """How many entries have been examined."""
        return self._scanned

    @property
    def behind(self) -> int:
        """How many entries wait to be examined; not those that a judge has not come to."""
        return self._last() - self._scanned

    @property
    def unjudged(self) -> int:
        """How many entries wait for the judge, where the filter asks for what it finds."""
        return len(self._journal) - self._last()

    @property
    def shows_carriers(self) -> bool:
        """Whether HTTP exchanges that merely carried a message are shown."""
        return self._carriers

    def reset(self, wanted: "Filter | None", *, carriers: bool) -> None:
        """Begin again with another filter. What was under way is given up."""
        journal = self._journal
        self._filter = wanted
        self._carriers = carriers
        self._numbers = array("I")
        self._scanned = 0
        self._step = SLICE
        self._reads = Reads.NOTHING_ELSE if wanted is None else wanted.reads
        self._flags = bytearray()
        self._state = (0, 0)
        self._again: list[int] = []
        self._opinions = journal.opinions
        self._version = 0 if journal.opinions is None else journal.opinions.version

    def advance(self, seconds: float) -> bool:
        """Examine new entries, and again those of which something changed, for at most about
        `seconds`; whether lines were added or taken away."""
        deadline = time.monotonic() + seconds
        changed = Reads.FINDINGS in self._reads and self._new_judge()
        last = self._last()
        while self._scanned < last:
            first = self._scanned + 1
            stop = self._end_of_slice(first, last)
            begun = time.monotonic()
            changed = self._examine(first, stop) or changed
            now = time.monotonic()
            if now - begun < QUICK:
                self._step = min(self._step * 2, MOST)
            elif now - begun > SLOW:
                self._step = max(self._step // 4, LEAST)
            if now >= deadline:
                return changed
        if self._reads:
            self._collect()
            while self._again:
                changed = self._examine_again() or changed
                if time.monotonic() >= deadline:
                    break
        return changed

    def line_of(self, number: int) -> int | None:
        """The line of entry `number`, None where it is not shown (or not yet examined)."""
        line = self.line_near(number)
        return line if line < len(self._numbers) and self._numbers[line] == number else None

    def line_near(self, number: int) -> int:
        """The line of the first shown entry with at least this number (may be one past the end)."""
        return bisect_left(self._numbers, number)

    def _end_of_slice(self, first: int, last: int) -> int:
        stop = min(first + self._step, last + 1)
        if self._filter is None or not self._filter.reads_bodies:
            return stop
        from inspector.journal.query import slice_end  # loaded by now, and not at the first paint

        return min(stop, slice_end(self._journal, first))

    def _last(self) -> int:
        """The last entry that can be examined: a judge may be behind."""
        opinions = self._journal.opinions
        if Reads.FINDINGS in self._reads and opinions is not None:
            return min(len(self._journal), opinions.judged)
        return len(self._journal)

    def _new_judge(self) -> bool:
        """Begins again where somebody else judges now; whether lines went."""
        if self._journal.opinions is self._opinions:
            return False
        had = len(self._numbers) > 0
        self.reset(self._filter, carriers=self._carriers)
        return had

    def _examine(self, first: int, stop: int) -> bool:
        columns, wanted = self._journal.columns, self._filter
        if Reads.FLAGS in self._reads:  # before they are looked at
            self._flags += columns.flags[first:stop].tobytes()
        if Reads.FOLLOWERS in self._reads:
            told = columns.partners[first:stop]
            self._again += [number for number in told if 0 < number < first]
        shown: Iterable[int] = range(first, stop)
        if wanted is not None:
            shown = wanted.select(self._journal, first, stop)
        hidden = () if self._carriers else self._carriers_in(first, stop)
        if hidden:
            shown = sorted(set(shown).difference(hidden))
        before = len(self._numbers)
        self._numbers.extend(shown)
        self._scanned = stop - 1
        return len(self._numbers) != before

    def _carriers_in(self, first: int, stop: int) -> list[int]:
        columns = self._journal.columns
        kinds = columns.kinds[first:stop].tobytes()
        if _HTTP not in kinds:
            return []
        partners, status = columns.partners, columns.http
        exchanges = compress(range(first, stop), kinds.translate(_IS_HTTP))
        return [each for each in exchanges if 0 < status[each] < 300 and partners[each]]

    def _collect(self) -> None:
        """Notes which entries have to be examined again."""
        journal, opinions = self._journal, self._opinions
        if Reads.FINDINGS in self._reads and opinions is not None:
            version = opinions.version
            if version != self._version:
                self._again += opinions.entries_since(self._version)
                self._version = version
        state = (len(journal), journal.changes)
        if Reads.FLAGS in self._reads and state != self._state:
            self._state = state
            self._collect_flags()
        if len(self._again) > 1:
            self._again = sorted(set(self._again))

    def _collect_flags(self) -> None:
        flags = self._journal.columns.flags
        for first in range(1, self._scanned + 1, BLOCK):
            stop = min(first + BLOCK, self._scanned + 1)
            now = flags[first:stop].tobytes()
            if now == self._flags[2 * first - 2 : 2 * stop - 2]:
                continue
            before = array("H", bytes(self._flags[2 * first - 2 : 2 * stop - 2]))
            for number, (one, other) in enumerate(zip(array("H", now), before, strict=True), first):
                if one != other:
                    self._again.append(number)
            self._flags[2 * first - 2 : 2 * stop - 2] = now

    def _examine_again(self) -> bool:
        """The first of those that wait; whether lines were added or taken away."""
        waiting, self._again = self._again[:AGAIN], self._again[AGAIN:]
        numbers, pieces, done = self._numbers, array("I"), 0
        changed = False
        for number in waiting:
            if not 0 < number <= self._scanned:
                continue
            line = self.line_near(number)
            there = line < len(numbers) and numbers[line] == number
            if self._shows(number) == there:
                continue
            changed = True
            pieces += numbers[done:line]
            done = line
            if there:
                done += 1
            else:
                pieces.append(number)
        if changed:
            self._numbers = pieces + numbers[done:]
        return changed

    def _shows(self, number: int) -> bool:
        if not self._carriers and self._carriers_in(number, number + 1):
            return False
        return self._filter is None or self._filter.matches(self._journal, number)
