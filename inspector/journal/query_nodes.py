"""What a filter is made of: predicates over one entry, and over many entries at once.

A node answers for one entry (`test`) and, for a range of entries, with a mask of one byte each:
exact, or a superset whose hits are tested one by one. Decides how masks combine. Which words make
which nodes is left to `query_terms` and `query_text`. Pure.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from inspector.errors import UsageError
from inspector.journal.journal import Journal

_FLIP: Final = bytes([1, *[0] * 255])


class FilterError(UsageError):
    """A filter that cannot be read. `column` counts characters from 0."""

    def __init__(self, message: str, column: int) -> None:
        super().__init__(message, kind="filter")
        self.column = column


@dataclass(frozen=True, slots=True)
class Mask:
    """One byte for each entry of a range: 0 does not match, 1 matches; where the mask is not
    `exact`, 1 is a perhaps."""

    hits: bytes
    exact: bool


class Node(Protocol):
    """A predicate. `cost` orders the parts of a conjunction: 0 reads columns, 1 a body, 2 parses
    it."""

    @property
    def cost(self) -> int: ...

    def test(self, journal: Journal, number: int) -> bool:
        """Whether one entry matches."""
        ...

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """The entries from `start` up to `stop`; None where each has to be tested."""
        ...


@dataclass(frozen=True, slots=True)
class Everything:
    """The empty filter."""

    cost: int = 0

    def test(self, journal: Journal, number: int) -> bool:
        """Every entry matches."""
        return True

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """All of them."""
        return Mask(b"\1" * (stop - start), True)


class All:
    """Matches where all parts match; cheap parts are asked first."""

    def __init__(self, parts: list[Node]) -> None:
        self._parts = sorted(parts, key=lambda part: part.cost)
        self.cost = max(part.cost for part in parts)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether all parts match."""
        return all(part.test(journal, number) for part in self._parts)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """The intersection of the masks that there are."""
        found: Mask | None = None
        exact = True
        for part in self._parts:
            if found is not None and 1 not in found.hits:
                return found
            mask = part.mask(journal, start, stop)
            if mask is None:
                exact = False
            else:
                exact = exact and mask.exact
                hits = mask.hits if found is None else _both(found.hits, mask.hits)
                found = Mask(hits, False)
        return Mask(found.hits, exact) if found is not None else None


class AnyOf:
    """Matches where one part matches."""

    def __init__(self, parts: list[Node]) -> None:
        self._parts = sorted(parts, key=lambda part: part.cost)
        self.cost = max(part.cost for part in parts)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether one part matches."""
        return any(part.test(journal, number) for part in self._parts)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """The union of the masks; None where a part has none."""
        found, exact = bytes(stop - start), True
        for part in self._parts:
            mask = part.mask(journal, start, stop)
            if mask is None:
                return None
            found, exact = _either(found, mask.hits), exact and mask.exact
        return Mask(found, exact)


@dataclass(frozen=True, slots=True)
class Not:
    """Matches where its part does not."""

    part: Node

    @property
    def cost(self) -> int:
        """That of its part."""
        return self.part.cost

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the part does not match."""
        return not self.part.test(journal, number)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """The complement, where the part's mask is exact."""
        mask = self.part.mask(journal, start, stop)
        if mask is None or not mask.exact:
            return None
        return Mask(mask.hits.translate(_FLIP), True)


@dataclass(frozen=True, slots=True)
class ByteColumn:
    """Matches where a column of small numbers has one of the values of a table of 256."""

    column: Callable[[Journal, int, int], bytes]
    table: bytes
    cost: int = 0

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry's value is in the table."""
        return self.table[self.column(journal, number, number + 1)[0]] == 1

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """One pass in C."""
        return Mask(self.column(journal, start, stop).translate(self.table), True)


@dataclass(frozen=True, slots=True)
class Each:
    """Matches where a function of the entry says so."""

    matches: Callable[[Journal, int], bool]
    cost: int = 0

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the function says so."""
        return self.matches(journal, number)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """Asked one by one where only columns are read; otherwise left to the caller."""
        if self.cost:
            return None
        return Mask(bytes(self.matches(journal, each) for each in range(start, stop)), True)


def table_of(values: "set[int] | frozenset[int]") -> bytes:
    """A table of 256 for `ByteColumn`."""
    return bytes(1 if value in values else 0 for value in range(256))


def _both(one: bytes, other: bytes) -> bytes:
    bits = int.from_bytes(one, "little") & int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")


def _either(one: bytes, other: bytes) -> bytes:
    bits = int.from_bytes(one, "little") | int.from_bytes(other, "little")
    return bits.to_bytes(len(one), "little")
