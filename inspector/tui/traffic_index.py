"""Which journal entries the traffic list shows, and on which line: pure, incremental, bounded.

One unsigned number per shown entry and nothing else. Entries are examined once, in slices, so that
a filter over a million entries never holds the screen. What matches is decided by the filter.
"""

import time
from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Final

from inspector.journal.entries import Flag, Kind, Row

if TYPE_CHECKING:
    from inspector.journal.journal import Journal
    from inspector.journal.query import Filter

SLICE: Final = 512
"""Entries examined between two looks at the clock."""

WRONG: Final = (
    Flag.IS_ERROR
    | Flag.LATE
    | Flag.ORPHAN
    | Flag.DUPLICATE
    | Flag.ID_TYPE_MISMATCH
    | Flag.STRAY
    | Flag.ID_REUSED
    | Flag.TIMED_OUT
    | Flag.OVERSIZED
)


def is_wrong(row: Row) -> bool:
    """Whether a person who looks for trouble wants to stop at this entry."""
    return (
        row.kind in (Kind.ERROR, Kind.MALFORMED)
        or bool(row.flags & WRONG)
        or (row.kind is Kind.HTTP and (row.status is None or row.status >= 400))
    )


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
        self._numbers = array("I")
        self._scanned = 0
        self._filter: Filter | None = None
        self._carriers = False

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
        """How many entries wait to be examined."""
        return len(self._journal) - self._scanned

    @property
    def shows_carriers(self) -> bool:
        """Whether HTTP exchanges that merely carried a message are shown."""
        return self._carriers

    def reset(self, wanted: "Filter | None", *, carriers: bool) -> None:
        """Begin again with another filter."""
        self._filter = wanted
        self._carriers = carriers
        self._numbers = array("I")
        self._scanned = 0

    def advance(self, seconds: float) -> bool:
        """Examine new entries for at most about `seconds`; whether lines were added."""
        before = len(self._numbers)
        deadline = time.monotonic() + seconds
        while self.behind > 0:
            start, end = self._scanned, min(self._scanned + SLICE, len(self._journal))
            self._numbers.extend(self._sift(start + 1, end + 1))
            self._scanned = end
            if time.monotonic() >= deadline:
                break
        return len(self._numbers) != before

    def line_of(self, number: int) -> int | None:
        """The line of entry `number`, None where it is not shown (or not yet examined)."""
        line = self.line_near(number)
        return line if line < len(self._numbers) and self._numbers[line] == number else None

    def line_near(self, number: int) -> int:
        """The line of the first shown entry with at least this number (may be one past the end)."""
        return bisect_left(self._numbers, number)

    def seek(self, line: int, step: int, wanted: Callable[[int], bool], limit: int) -> int | None:
        """The next line from `line` in direction `step` whose entry is `wanted`; looks at most
        at `limit` lines."""
        last = len(self._numbers)
        for _ in range(limit):
            line += step
            if not 0 <= line < last:
                return None
            if wanted(self._numbers[line]):
                return line
        return None

    def _sift(self, first: int, end: int) -> list[int]:
        journal, wanted = self._journal, self._filter
        kinds = journal.kinds
        carrier = int(Kind.HTTP)
        if self._carriers:
            kept = list(range(first, end))
        else:
            kept = [
                number
                for number in range(first, end)
                if kinds[number] != carrier or not is_carrier(journal.row(number))
            ]
        if wanted is None:
            return kept
        return [number for number in kept if wanted.matches(journal, number)]
