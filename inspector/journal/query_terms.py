"""The table of the filter language: every key, what may stand behind it, and what it means.

The parser reads this table and the help text is written from it, so they cannot disagree. Decides
what each key accepts and raises `FilterError` for what it does not. Pure.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import Final, TypeVar

from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.query_columns import (
    Compared,
    Connection,
    Latency,
    Method,
    Numbered,
    Size,
    Status,
    TimeOfDay,
    Unanswered,
    directions,
    flags_high,
    flags_low,
    kinds,
)
from inspector.journal.query_marks import Judged, Noted
from inspector.journal.query_nodes import NO, YES, ByteColumn, FilterError, Node, Reads, table_of
from inspector.journal.query_text import Id, Name, Word, glob_pattern

T = TypeVar("T")

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
FLAGS: Final = {
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
OPINIONS: Final[dict[str, Callable[[], Node]]] = {
    "lint": Judged,
    "noted": Noted,
    "unanswered": Unanswered,
}
"""States that are no flags."""
STATES: Final = (*list(FLAGS)[:5], *OPINIONS, *list(FLAGS)[5:])

_UNITS: Final = {"": 1, "b": 1, "k": 1_000, "m": 1_000_000, "g": 1_000_000_000}
_NUMBER: Final = re.compile(r"([0-9]+(?:\.[0-9]+)?)([kmgb]?)b?", re.IGNORECASE)
_CLOCK: Final = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2}(?:\.[0-9]+)?))?[zZ]?")
_RANGE: Final = re.compile(r"([^.]+(?:\.[0-9][^.]*)?)\.\.(.+)")


@dataclass(frozen=True, slots=True)
class Term:
    """One key: `operators` that may follow it, an example for the help, what it means, and what
    makes a node of operator, value and the value's column."""

    key: str
    operators: str
    example: str
    meaning: str
    make: Callable[[str, str, int], Node]


def unknown(what: str, value: str, options: Iterable[str], column: int) -> FilterError:
    """The error for a word that is none of those that there are."""
    known, word = list(options), value.lower()
    close = [one for one in known if word and one.startswith(word)]
    close += get_close_matches(word, known, 1, 0.6)
    hint = f"did you mean {close[0]}?" if close else f"there are {', '.join(known)}"
    return FilterError(f"unknown {what} {value!r}; {hint}", column)


def completion(word: str) -> str:
    """What may follow a word that was begun: the rest of a key or of one of its values; empty
    where nothing begins like that."""
    key, colon, values = word.lower().partition(":")
    if not colon:
        known = [f"{term.key}{term.operators[0]}" for term in TERMS]
        return next((one[len(key) :] for one in known if key and one.startswith(key)), "")
    value = values.rpartition("|")[2]
    known = list({"is": STATES, "kind": tuple(KINDS), "dir": tuple(DIRECTIONS)}.get(key, ()))
    return next((one[len(value) :] for one in known if value and one.startswith(value)), "")


def _method(operator: str, value: str, column: int) -> Node:
    fits = glob_pattern(value)
    segment = value.lower() + "/" if not re.search(r"[*?\[]", value) else None

    def wanted(method: str) -> bool:
        within = segment is not None and method.lower().startswith(segment)
        return bool(method) and (within or fits.match(method) is not None)

    return Method(wanted)


def _name(operator: str, value: str, column: int) -> Node:
    return Name(value)


def _text(operator: str, value: str, column: int) -> Node:
    if not value:
        raise FilterError("text: wants something to look for", column)
    return Word(value, text_only=True)


def _choice(options: Mapping[str, T], value: str, column: int, what: str) -> T:
    try:
        return options[value.lower()]
    except KeyError:
        raise unknown(what, value, options, column) from None


def _dir(operator: str, value: str, column: int) -> Node:
    way = _choice(DIRECTIONS, value, column, "direction")
    return ByteColumn(directions, table_of({int(way)}))


def _kind(operator: str, value: str, column: int) -> Node:
    return ByteColumn(kinds, table_of(_choice(KINDS, value, column, "kind")))


def _is(operator: str, value: str, column: int) -> Node:
    word = value.lower()
    if word in OPINIONS:
        return OPINIONS[word]()
    if word not in FLAGS:
        raise unknown("state", value, STATES, column)
    bit = int(FLAGS[word])
    high = bit > 0xFF
    byte = bit >> 8 if high else bit
    table = bytes(YES if value & byte else NO for value in range(256))
    return ByteColumn(flags_high if high else flags_low, table, Reads.FLAGS)


def _rule(operator: str, value: str, column: int) -> Node:
    return Judged(glob_pattern(value))


def _id(operator: str, value: str, column: int) -> Node:
    return Id(value)


def _status(operator: str, value: str, column: int) -> Node:
    if re.fullmatch(r"[1-5]xx", value.lower()):
        if operator not in (":", "="):
            raise FilterError(f"{value} goes with :, as in status:{value}", column)
        first = int(value[0]) * 100
        return Status(":", (first, first + 99))
    return Status(operator, _whole_or_range(operator, value, column))


def _ms(operator: str, value: str, column: int) -> Node:
    return Latency(operator, _quantity_or_range(operator, value, column))


def _size(operator: str, value: str, column: int) -> Node:
    return Size(operator, _quantity_or_range(operator, value, column))


def _number(operator: str, value: str, column: int) -> Node:
    return Numbered(operator, _whole_or_range(operator, value, column))


def _connection(operator: str, value: str, column: int) -> Node:
    return Connection(operator, _whole_or_range(operator, value, column))


def _after(operator: str, value: str, column: int) -> Node:
    return _time(value, column, ">=")


def _before(operator: str, value: str, column: int) -> Node:
    return _time(value, column, "<")


def _time(value: str, column: int, operator: str) -> Node:
    if value.startswith("#"):
        return Numbered(operator[0], _whole(value, column))
    clock = _CLOCK.fullmatch(value)
    if clock is not None:
        hour, minute, second = (float(part or 0) for part in clock.groups())
        if hour > 23 or minute > 59 or second >= 60:
            raise FilterError(f"{value!r} is no time of day", column)
        return TimeOfDay(operator, hour * 3600 + minute * 60 + second, utc=value[-1] in "zZ")
    try:
        since = datetime.fromisoformat(value).timestamp()
    except (ValueError, OverflowError, OSError):
        raise FilterError(
            f"{value!r} is no time; write 12:01, 12:01:30, 2026-01-31T12:01 (Z behind it for UTC),"
            " or #31 for an entry",
            column,
        ) from None
    return Compared(lambda columns: columns.wall, operator, since)


def _quantity_or_range(operator: str, value: str, column: int) -> float | tuple[float, float]:
    parts = _ends(operator, value, column)
    if parts is None:
        return _quantity(value, column)
    return _quantity(parts[0], column), _quantity(parts[1], column + len(parts[0]) + 2)


def _whole_or_range(operator: str, value: str, column: int) -> int | tuple[int, int]:
    parts = _ends(operator, value, column)
    if parts is None:
        return _whole(value, column)
    return _whole(parts[0], column), _whole(parts[1], column + len(parts[0]) + 2)


def _ends(operator: str, value: str, column: int) -> tuple[str, str] | None:
    """Both ends of `1..5`; None for what is no range."""
    found = _RANGE.fullmatch(value)
    if found is None:
        return None
    if operator not in (":", "="):
        raise FilterError(f"a range goes with :, not with {operator}", column)
    return found.group(1), found.group(2)


def _quantity(value: str, column: int) -> float:
    found = _NUMBER.fullmatch(value)
    if found is None:
        raise FilterError(f"{value!r} is no number; write 500, 10k, 1.5M or 10..20", column)
    return float(found.group(1)) * _UNITS[found.group(2).lower()]


def _whole(value: str, column: int) -> int:
    digits = value.removeprefix("#")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 19):
        raise FilterError(f"{value!r} is no whole number", column)
    return int(digits)


_COMPARES: Final = ": = > >= < <="
TERMS: Final = (
    Term("method", ":", "method:tools/*", "method, also of the request answered; * and ?", _method),
    Term("name", ":", "name:add", "tool, prompt, resource or task by name; * and ?", _name),
    Term("text", ":", "text:refused", "the text contains it (any case); not method or name", _text),
    Term("dir", ":", "dir:in", "direction: " + ", ".join(DIRECTIONS), _dir),
    Term("kind", ":", "kind:request", "kind: " + ", ".join(KINDS), _kind),
    Term("id", ":", "id:7", "JSON-RPC id, as a number or a string", _id),
    Term("is", ":", "is:pending", "state: " + ", ".join(STATES), _is),
    Term("rule", ":", "rule:rpc/*", "a finding of such a rule concerns it; * and ?", _rule),
    Term("status", _COMPARES, "status:401", "HTTP status, also status:4xx, status>=400", _status),
    Term("ms", _COMPARES, "ms>500", "milliseconds from request to outcome", _ms),
    Term("size", _COMPARES, "size>10k", "bytes of the body, with k or M", _size),
    Term("n", _COMPARES, "n:31..40", "entry number", _number),
    Term("conn", _COMPARES, "conn:2", "number of the connection", _connection),
    Term("after", ":", "after:12:01", "not before a time (Z: UTC), or after entry #31", _after),
    Term("before", ":", "before:12:30", "before a time (Z: UTC), or before entry #31", _before),
)  # fmt: skip
