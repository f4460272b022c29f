"""The table of the filter language: every key, what may stand behind it, and what it means.

The parser reads this table and the help text is written from it, so they cannot disagree. Decides
what each key accepts and raises `FilterError` for what it does not. Pure.
"""

import re
from array import array
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from operator import eq, ge, gt, le, lt
from typing import Final, TypeVar

from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.journal import Journal
from inspector.journal.query_nodes import ByteColumn, Each, FilterError, Mask, Node, table_of
from inspector.journal.query_text import Id, Name, glob_pattern

Compare = Callable[[float, float], bool]
T = TypeVar("T")
COMPARISONS: Final[dict[str, Compare]] = {">=": ge, "<=": le, ">": gt, "<": lt, "=": eq, ":": eq}

KINDS: Final[dict[str, frozenset[int]]] = {
    **{kind.name.lower(): frozenset({int(kind)}) for kind in Kind},
    "response": frozenset({int(Kind.RESULT), int(Kind.ERROR)}),
    "frame": frozenset(int(kind) for kind in Kind if kind.is_frame),
}
DIRECTIONS: Final = {
    "in": Direction.RECEIVED,
    "out": Direction.SENT,
    "local": Direction.LOCAL,
}
STATES: Final = {
    "pending": Flag.PENDING,
    "late": Flag.LATE,
    "orphan": Flag.ORPHAN,
    "error": Flag.IS_ERROR,
    "marked": Flag.MARKED,
    "duplicate": Flag.DUPLICATE,
    "mistyped": Flag.ID_TYPE_MISMATCH,
    "reused": Flag.ID_REUSED,
    "cancelled": Flag.CANCELLED,
    "timeout": Flag.TIMED_OUT,
    "stray": Flag.STRAY,
    "oversized": Flag.OVERSIZED,
    "masked": Flag.MASKED,
    "probe": Flag.PROBE,
    "forced": Flag.FORCED,
    "resent": Flag.RESENT,
}
_UNITS: Final = {"": 1, "b": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_NUMBER: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kmgb]?)b?", re.IGNORECASE)
_CLOCK: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?")


@dataclass(frozen=True, slots=True)
class Term:
    """One key: `operators` that may follow it, an example for the help, what it means, and what
    makes a node of operator, value and the value's column."""

    key: str
    operators: str
    example: str
    meaning: str
    make: Callable[[str, str, int], Node]


def _method(operator: str, value: str, column: int) -> Node:
    fits = glob_pattern(value)
    segment = value.lower() + "/" if not re.search(r"[*?\[]", value) else None

    def wanted(method: str) -> bool:
        within = segment is not None and method.lower().startswith(segment)
        return bool(method) and (within or fits.match(method) is not None)

    return Method(wanted)


class Method:
    """Matches by the interned method; each method is looked at once."""

    cost = 0

    def __init__(self, wanted: Callable[[str], bool]) -> None:
        self._wanted = wanted
        self._known: list[bool] = []
        self._journal: Journal | None = None

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the entry's method is wanted."""
        return self._table(journal)[journal.method_ids[number]]

    def mask(self, journal: Journal, start: int, stop: int) -> Mask | None:
        """By a table of 256 where that many methods are enough."""
        table = self._table(journal)
        ids = journal.columns.method_ids[start:stop]
        if len(table) <= 256:
            low = ids.tobytes()[_LOW::2]
            return Mask(low.translate(bytes(table).ljust(256, b"\0")), True)
        return Mask(bytes(table[each] for each in ids), True)

    def _table(self, journal: Journal) -> list[bool]:
        if self._journal is not journal:
            self._journal, self._known = journal, []
        if len(self._known) < len(journal.methods):
            new = journal.methods[len(self._known) :]
            self._known = [*self._known, *(self._wanted(method) for method in new)]
        return self._known


def _name(operator: str, value: str, column: int) -> Node:
    return Name(glob_pattern(value))


def _choice(options: Mapping[str, T], value: str, column: int, what: str) -> T:
    try:
        return options[value.lower()]
    except KeyError:
        known = ", ".join(options)
        raise FilterError(f"unknown {what} {value!r}; there are {known}", column) from None


def _dir(operator: str, value: str, column: int) -> Node:
    way = _choice(DIRECTIONS, value, column, "direction")
    return ByteColumn(_directions, table_of({int(way)}))


def _kind(operator: str, value: str, column: int) -> Node:
    return ByteColumn(_kinds, table_of(_choice(KINDS, value, column, "kind")))


def _is(operator: str, value: str, column: int) -> Node:
    bit = int(_choice(STATES, value, column, "state"))
    high = bit > 0xFF
    byte = bit >> 8 if high else bit
    table = bytes(1 if value & byte else 0 for value in range(256))
    return ByteColumn(_flags_high if high else _flags_low, table)


def _id(operator: str, value: str, column: int) -> Node:
    return Id(value)


def _status(operator: str, value: str, column: int) -> Node:
    if re.fullmatch(r"[1-5]xx", value.lower()):
        first = int(value[0])
        return Each(lambda journal, number: status_of(journal, number) // 100 == first)
    compare, wanted = COMPARISONS[operator], _whole(value, column)

    def fits(journal: Journal, number: int) -> bool:
        status = status_of(journal, number)
        return status > 0 and compare(status, wanted)

    return Each(fits)


def status_of(journal: Journal, number: int) -> int:
    """The HTTP status of an entry or of the exchange that carried it; 0 where there is none."""
    columns = journal.columns
    http = columns.http[number]
    if columns.kinds[number] == Kind.HTTP or not http or http > columns.count:
        return http if columns.kinds[number] == Kind.HTTP else 0
    return columns.http[http]


def _ms(operator: str, value: str, column: int) -> Node:
    compare, wanted = COMPARISONS[operator], _quantity(value, column)

    def fits(journal: Journal, number: int) -> bool:
        latency = journal.columns.latency(number)
        return latency is not None and compare(latency * 1000, wanted)

    return Each(fits)


def _size(operator: str, value: str, column: int) -> Node:
    compare, wanted = COMPARISONS[operator], _quantity(value, column)
    return Each(lambda journal, number: compare(journal.columns.sizes[number], wanted))


def _number(operator: str, value: str, column: int) -> Node:
    compare, wanted = COMPARISONS[operator], _whole(value.removeprefix("#"), column)
    return Each(lambda journal, number: compare(number, wanted))


def _connection(operator: str, value: str, column: int) -> Node:
    wanted = _whole(value, column)
    return Each(lambda journal, number: journal.columns.connections[number] == wanted)


def _after(operator: str, value: str, column: int) -> Node:
    return _time(value, column, ge)


def _before(operator: str, value: str, column: int) -> Node:
    return _time(value, column, lt)


def _time(value: str, column: int, compare: Compare) -> Node:
    if value.startswith("#"):
        wanted_number = _whole(value[1:], column)
        strict = gt if compare is ge else lt
        return Each(lambda journal, number: strict(number, wanted_number))
    clock = _CLOCK.fullmatch(value)
    if clock is not None:
        hour, minute, second = (float(part or 0) for part in clock.groups())
        if hour > 23 or minute > 59 or second >= 60:
            raise FilterError(f"{value!r} is no time of day", column)
        of_day = hour * 3600 + minute * 60 + second
        return Each(lambda journal, number: compare(journal.columns.wall[number] % 86400, of_day))
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        raise FilterError(
            f"{value!r} is no time; write 12:01, 12:01:30 or 2026-01-31T12:01 (UTC)", column
        ) from None
    since = (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()
    return Each(lambda journal, number: compare(journal.columns.wall[number], since))


def _quantity(value: str, column: int) -> float:
    found = _NUMBER.fullmatch(value)
    if found is None:
        raise FilterError(f"{value!r} is no number; write 500, 10k or 1.5M", column)
    return float(found.group(1)) * _UNITS[found.group(2).lower()]


def _whole(value: str, column: int) -> int:
    if not (value.isascii() and value.isdigit() and len(value) < 19):
        raise FilterError(f"{value!r} is no whole number", column)
    return int(value)


def _kinds(journal: Journal, start: int, stop: int) -> bytes:
    return journal.columns.kinds[start:stop].tobytes()


def _directions(journal: Journal, start: int, stop: int) -> bytes:
    return journal.columns.directions[start:stop].tobytes()


def _flags_low(journal: Journal, start: int, stop: int) -> bytes:
    return journal.columns.flags[start:stop].tobytes()[_LOW::2]


def _flags_high(journal: Journal, start: int, stop: int) -> bytes:
    return journal.columns.flags[start:stop].tobytes()[1 - _LOW :: 2]


_LOW: Final = 0 if array("H", [1]).tobytes()[0] == 1 else 1
"""Where the lower byte of a 16-bit column stands."""

_RANGE: Final = ": = > >= < <="
TERMS: Final = (
    Term("method", ":", "method:tools/*", "method, also of the request answered; * and ?", _method),
    Term("name", ":", "name:add", "tool, prompt, resource or task by name; * and ?", _name),
    Term("dir", ":", "dir:in", "direction: " + ", ".join(DIRECTIONS), _dir),
    Term("kind", ":", "kind:request", "kind: " + ", ".join(KINDS), _kind),
    Term("id", ":", "id:7", "JSON-RPC id, as a number or a string", _id),
    Term("is", ":", "is:pending", "state: " + ", ".join(STATES), _is),
    Term("status", _RANGE, "status:401", "HTTP status, also status:4xx, status>=400", _status),
    Term("ms", _RANGE, "ms>500", "milliseconds from request to outcome", _ms),
    Term("size", _RANGE, "size>10k", "bytes of the body, with k or M", _size),
    Term("n", _RANGE, "n>31", "entry number", _number),
    Term("conn", ":", "conn:2", "number of the connection", _connection),
    Term("after", ":", "after:12:01", "not earlier than a UTC time, or after entry #31", _after),
    Term("before", ":", "before:12:30", "earlier than a UTC time, or before entry #31", _before),
)  # fmt: skip
