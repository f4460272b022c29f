"""What a filter is made of: predicates over one entry, and over many entries at once.

A node answers for one entry (`test`) and, for a range of entries, with a mask of one byte each: no,
yes, or a perhaps that is tested one by one. Decides how masks combine. Which words make which
nodes is left to `query_terms` and `query_text`. Pure.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntFlag
from typing import Final, Protocol

from inspector.errors import UsageError
from inspector.journal.journal import Journal

NO: Final = 0
PERHAPS: Final = 1
YES: Final = 3
"""Bit 0: it may match; bit 1: it does. So `and` and `or` of masks are those of their bits."""

Mask = bytes
"""`NO`, `PERHAPS` or `YES` for each entry of a range."""

FEW: Final = 8
"""Where less than one in so many entries is left, they are tested instead of searching all."""

_COMPLEMENT: Final = bytes([YES, PERHAPS, NO, NO, *[0] * 252])
_AT_MOST_PERHAPS: Final = bytes([NO, PERHAPS, PERHAPS, PERHAPS, *[0] * 252])


class FilterError(UsageError):
    """A filter that cannot be read. `column` counts characters from 0."""

    def __init__(self, message: str, column: int, text: str = "") -> None:
        """`text` is the filter, where the place in it is to be told in words, too."""
        there = f"column {column + 1} of the filter, at {text[column : column + 20]!r}"
        end = "the end of the filter" if text else ""
        super().__init__(message, kind="filter", hint=there if text[column:].strip() else end)
        self.column = column


class Reads(IntFlag):
    """What decides about an entry, apart from its bytes and what was known when it came."""

    NOTHING_ELSE = 0
    FLAGS = 1
    """Its flags, which may change at any time."""
    FOLLOWERS = 2
    """Later entries that point at it: an outcome, an HTTP exchange, a note."""
    FINDINGS = 4
    """What whoever judges the journal finds."""


class Node(Protocol):
    """A predicate. `cost` orders the parts of a conjunction: 0 reads columns, 1 a body, 2 parses
    it."""

    @property
    def cost(self) -> int: ...

    @property
    def reads(self) -> Reads: ...

    def test(self, journal: Journal, number: int) -> bool:
        """Whether one entry matches."""
        ...

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """The entries from `start` up to `stop`, which is not beyond the end."""
        ...


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty filter."""

    cost: int = 0
    reads: Reads = Reads.NOTHING_ELSE

    def test(self, journal: Journal, number: int) -> bool:
        """Every entry matches."""
        return True

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """All of them."""
        return b"\3" * (stop - start)


class All:
    """Matches where all parts match; cheap parts are asked first."""

    def __init__(self, parts: Sequence[Node]) -> None:
        self._parts = sorted(parts, key=lambda part: part.cost)
        self.cost = max(part.cost for part in parts)
        self.reads = _reads(parts)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether all parts match."""
        return all(part.test(journal, number) for part in self._parts)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """The intersection. Bodies are not searched where few entries are left."""
        size = stop - start
        found = b"\3" * size
        for part in self._parts:
            left = size - found.count(NO)
            if not left:
                break
            if part.cost and left * FEW < size:
                return found.translate(_AT_MOST_PERHAPS)
            found = both(found, part.mask(journal, start, stop))
        return found


class AnyOf:
    """Matches where one part matches."""

    def __init__(self, parts: Sequence[Node]) -> None:
        self._parts = sorted(parts, key=lambda part: part.cost)
        self.cost = max(part.cost for part in parts)
        self.reads = _reads(parts)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether one part matches."""
        return any(part.test(journal, number) for part in self._parts)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """The union."""
        found = bytes(stop - start)
        for part in self._parts:
            found = either(found, part.mask(journal, start, stop))
        return found


@dataclass(frozen=True, slots=True)
class Not:
    """Matches where its part does not."""

    part: Node

    @property
    def cost(self) -> int:
        """That of its part."""
        return self.part.cost

    @property
    def reads(self) -> Reads:
        """What its part does."""
        return self.part.reads

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the part does not match."""
        return not self.part.test(journal, number)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """The complement."""
        return self.part.mask(journal, start, stop).translate(_COMPLEMENT)


@dataclass(frozen=True, slots=True)
class ByteColumn:
    """Matches where a column of small numbers has one of the values of a table of 256."""

    column: Callable[[Journal, int, int], bytes]
    table: bytes
    reads: Reads = Reads.NOTHING_ELSE
    cost: int = 0

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry's value is in the table."""
        return self.table[self.column(journal, number, number + 1)[0]] == YES

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """One pass in C."""
        return self.column(journal, start, stop).translate(self.table)


def table_of(values: "set[int] | frozenset[int]") -> bytes:
    """A table of 256 for `ByteColumn`."""
    return bytes(YES if value in values else NO for value in range(256))


def both(one: bytes, other: bytes) -> bytes:
    """Where both match."""
    bits = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")


def either(one: bytes, other: bytes) -> bytes:
    """Where one of them matches."""
    bits = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")


def _reads(parts: Sequence[Node]) -> Reads:
    found = Reads.NOTHING_ELSE
    for part in parts:
        found |= part.reads
    return found
