"""The parts of the filter language that columns decide: methods, numbers, times, states.

Decides how a column is compared for many entries at once, in C passes wherever there is one. Which
keys lead here is left to `query_terms`. Pure.
"""

from array import array
from collections.abc import Callable, Iterable
from itertools import compress
from math import ceil, floor
from sys import byteorder
from time import localtime
from typing import Final

from inspector.journal.columns import Columns
from inspector.journal.entries import Flag, Kind
from inspector.journal.journal import Journal
from inspector.journal.query_nodes import NO, YES, Mask, Reads, both, either, table_of

Range = tuple[float, float]
"""A number matches from the first up to and with the second."""

LOW: Final = 0 if array("H", [1]).tobytes()[0] == 1 else 1
"""Where the lower byte of a 16-bit column stands."""
_OUTCOMES: Final = table_of(
    {int(Kind.RESULT), int(Kind.ERROR), int(Kind.BATCH), int(Kind.MALFORMED)}
)
_PENDING: Final = int(Flag.PENDING)
_REQUEST: Final = int(Kind.REQUEST)
_HTTP: Final = int(Kind.HTTP)


class Methods:
    """Which methods are wanted; each is looked at once."""

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._table = b""
        self._journal: Journal | None = None

    def table(self, journal: Journal) -> bytes:
        """`YES` or `NO` for each method of a journal."""
        if self._journal is not journal:
            self._journal, self._table = journal, b""
        known = len(self._table)
        if known < len(journal.methods):
            new = journal.methods[known:]
            self._table += bytes(YES if self._wanted(method) else NO for method in new)
        return self._table

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """By one pass in C, where no more methods than a byte can number are there."""
        ids = journal.columns.method_ids[start:stop]
        table = self.table(journal)
        if len(table) <= 256:
            return ids.tobytes()[LOW::2].translate(table.ljust(256, b"\0"))
        return bytes(map(table.__getitem__, ids))


class Method:
    """Matches by the interned method."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._methods = Methods(wanted)
        self.mask = self._methods.mask

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry's method is wanted."""
        return self._methods.table(journal)[journal.method_ids[number]] == YES


class Compared:
    """Matches where a column compares with a number."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(
        self,
        column: Callable[[Columns], "array[int] | array[float]"],
        operator: str,
        wanted: float | Range,
    ) -> None:
        self._column = column
        self._fits = compared(operator, wanted)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry's number fits."""
        return bool(self._fits((self._column(journal.columns)[number],))[0])

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """One pass over the column."""
        return self._fits(self._column(journal.columns)[start:stop]).translate(_YES)


class Size:
    """Matches by the bytes of the body, compared a byte of the number at a time."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, operator: str, wanted: float | Range) -> None:
        first, last = wanted if isinstance(wanted, tuple) else (wanted, wanted)
        first, last = min(first, _U32 + 1), min(last, _U32 + 1)
        self._first, self._after = ceil(first), floor(last) + 1
        if operator == ">":
            self._first = floor(first) + 1
        if operator == "<":
            self._after = ceil(last)
        if operator in (">", ">="):
            self._after = _U32 + 1
        if operator in ("<", "<="):
            self._first = 0

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the size lies there."""
        return self._first <= journal.columns.sizes[number] < self._after

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """At least the first, and not at least what comes after the last."""
        sizes = journal.columns.sizes[start:stop]
        if byteorder == "big":
            sizes.byteswap()
        raw = sizes.tobytes()
        planes = [raw[place::4] for place in range(4)]
        found = _at_least(planes, self._first)
        if self._after > _U32:
            return found
        return both(found, _at_least(planes, self._after).translate(_FLIP))


def _at_least(planes: list[bytes], wanted: int) -> bytes:
    """`YES` where the number whose bytes stand in the planes, lowest first, is not smaller."""
    size = len(planes[0])
    if wanted > _U32:
        return bytes(size)
    found = b"\3" * size
    for place, plane in enumerate(planes):
        byte = wanted >> 8 * place & 0xFF
        if plane.count(0) == size:
            found = found if byte == 0 else bytes(size)
            continue
        equal = plane.translate(bytes(byte) + b"\3" + bytes(255 - byte))
        more = plane.translate(bytes(byte + 1) + b"\3" * (255 - byte))
        found = either(more, both(equal, found))
    return found


class Connection:
    """Matches by the connection, through a table of what numbers fit."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, operator: str, wanted: int | Range) -> None:
        self._table = compared(operator, wanted)(range(1 << 16)).translate(_YES)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether its number fits."""
        return self._table[journal.columns.connections[number]] == YES

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """One pass in C where there are few connections."""
        numbers = journal.columns.connections[start:stop]
        if journal.connections < 256:
            return numbers.tobytes()[LOW::2].translate(self._table[:256])
        return bytes(map(self._table.__getitem__, numbers))


class Numbered:
    """Matches by the entry's own number."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, operator: str, wanted: int | tuple[int, int]) -> None:
        first, last = 0, 1 << 63
        if isinstance(wanted, tuple):
            first, last = wanted
        elif operator in (">", ">="):
            first = wanted + (operator == ">")
        elif operator in ("<", "<="):
            last = wanted - (operator == "<")
        else:
            first = last = wanted
        self._first, self._last = first, last

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the number lies there."""
        return self._first <= number <= self._last

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """No, yes, no."""
        first = min(max(self._first, start), stop)
        end = min(max(self._last + 1, first), stop)
        return bytes(first - start) + b"\3" * (end - first) + bytes(stop - end)


class Latency:
    """Matches outcomes by the milliseconds since their request."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, operator: str, wanted: float | Range) -> None:
        self._fits = compared(operator, wanted)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry is such an outcome."""
        latency = journal.columns.latency(number)
        return latency is not None and bool(self._fits((latency * 1000,))[0])

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Only outcomes are looked at."""
        columns = journal.columns
        found = columns.kinds[start:stop].tobytes().translate(_OUTCOMES)
        partners, times = columns.partners, columns.monotonic
        asked, answered = compress(partners[start:stop], found), compress(times[start:stop], found)
        spent = [(end - times[one]) * 1000 for end, one in zip(answered, asked, strict=True)]
        hits = bytearray(stop - start)
        for number in compress(compress(range(start, stop), found), self._fits(spent)):
            if 0 < partners[number] < number:
                hits[number - start] = YES
        return bytes(hits)


class Status:
    """Matches by the HTTP status of an entry, or of the exchange that carried it."""

    cost = 0
    reads = Reads.FOLLOWERS

    def __init__(self, operator: str, wanted: float | Range) -> None:
        self._fits = compared(operator, wanted)

    def test(self, journal: Journal, number: int) -> bool:
        """Whether there is a status, and it fits."""
        status = status_of(journal, number)
        return status > 0 and bool(self._fits((status,))[0])

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Nothing to do where no HTTP is."""
        there = journal.columns.http[start:stop]
        hits = bytearray(stop - start)
        if any(there):
            numbers = list(compress(range(start, stop), there))
            found = [status_of(journal, number) for number in numbers]
            for number, status, fits in zip(numbers, found, self._fits(found), strict=True):
                if fits and status:
                    hits[number - start] = YES
        return bytes(hits)


def status_of(journal: Journal, number: int) -> int:
    """The HTTP status of an entry or of the exchange that carried it; 0 where there is none."""
    columns = journal.columns
    http = columns.http[number]
    if columns.kinds[number] == _HTTP or not http or http > columns.count:
        return http if columns.kinds[number] == _HTTP else 0
    return columns.http[http]


class TimeOfDay:
    """Matches by the time of day, in seconds since midnight: where this machine is, as lists show
    it, or in UTC."""

    cost = 0
    reads = Reads.NOTHING_ELSE

    def __init__(self, operator: str, wanted: float, *, utc: bool) -> None:
        self._fits = compared(operator, wanted)
        self._utc = utc

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry came then."""
        return self.mask(journal, number, number + 1) == b"\3"

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """One pass over the column; clocks change at full hours."""
        walls = journal.columns.wall[start:stop]
        if self._utc:
            return self._fits([wall % 86400 for wall in walls]).translate(_YES)
        ahead = {hour: _ahead(hour * 3600) for hour in {wall // 3600 for wall in walls}}
        if len(set(ahead.values())) == 1:
            one = next(iter(ahead.values()))
            return self._fits([(wall + one) % 86400 for wall in walls]).translate(_YES)
        return self._fits([(wall + ahead[wall // 3600]) % 86400 for wall in walls]).translate(_YES)


def _ahead(wall: float) -> int:
    """Seconds by which the clocks here are ahead of UTC at a moment."""
    try:
        return localtime(wall).tm_gmtoff
    except (OverflowError, ValueError, OSError):
        return 0


class Unanswered:
    """Matches requests that have no outcome, whether somebody still waits for it or not."""

    cost = 0
    reads = Reads.FLAGS | Reads.FOLLOWERS

    def test(self, journal: Journal, number: int) -> bool:
        """Whether it is such a request."""
        columns = journal.columns
        if columns.flags[number] & _PENDING:
            return True
        return columns.kinds[number] == _REQUEST and not columns.partners[number]

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Only requests are looked at, beside the flags."""
        columns = journal.columns
        pending = flags_low(journal, start, stop).translate(_IS_PENDING)
        requests = columns.kinds[start:stop].tobytes().translate(_IS_REQUEST)
        partners = columns.partners
        hits = bytearray(pending)
        for number in compress(range(start, stop), requests):
            if not partners[number]:
                hits[number - start] = YES
        return bytes(hits)


def kinds(journal: Journal, start: int, stop: int) -> bytes:
    """The column, for `ByteColumn`."""
    return journal.columns.kinds[start:stop].tobytes()


def directions(journal: Journal, start: int, stop: int) -> bytes:
    """The column, for `ByteColumn`."""
    return journal.columns.directions[start:stop].tobytes()


def flags_low(journal: Journal, start: int, stop: int) -> bytes:
    """The lower half of the column."""
    return journal.columns.flags[start:stop].tobytes()[LOW::2]


def flags_high(journal: Journal, start: int, stop: int) -> bytes:
    """The upper half of the column."""
    return journal.columns.flags[start:stop].tobytes()[1 - LOW :: 2]


def compared(operator: str, wanted: float | Range) -> Callable[[Iterable[float]], bytes]:
    """What compares many numbers at once: 1 for each that fits, else 0."""
    if isinstance(wanted, tuple):
        first, last = wanted
        return lambda values: bytes([first <= value <= last for value in values])
    one = wanted
    found: dict[str, Callable[[Iterable[float]], bytes]] = {
        ">=": lambda values: bytes([value >= one for value in values]),
        "<=": lambda values: bytes([value <= one for value in values]),
        ">": lambda values: bytes([value > one for value in values]),
        "<": lambda values: bytes([value < one for value in values]),
    }
    return found.get(operator, lambda values: bytes([value == one for value in values]))


_YES: Final = bytes([NO, YES, *[0] * 254])
_FLIP: Final = bytes([YES, NO, NO, NO, *[0] * 252])
_U32: Final = 0xFFFF_FFFF
_IS_REQUEST: Final = table_of({_REQUEST})
_IS_PENDING: Final = bytes(YES if value & _PENDING else NO for value in range(256))
