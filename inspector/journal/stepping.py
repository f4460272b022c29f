"""Wide steps through a journal: to what is wrong, marked or found, by time, to a place.

Decides what counts as wrong or marked, what a place to go to may be called, and how far one slice
of a search reaches, so that a search through a million entries never holds whoever drives it. What
is shown of the journal, and so may be stopped at, is given by the caller. Pure.
"""

import re
import time
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, Protocol

from inspector.errors import InspectorError
from inspector.journal.entries import Flag, Kind
from inspector.journal.journal import Journal

if TYPE_CHECKING:
    from inspector.journal.query import Filter

SLICE: Final = 4096
"""Entries looked at between two looks at the clock."""

WRONG: Final = int(
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
_WRONG_KINDS: Final = (int(Kind.ERROR), int(Kind.MALFORMED))
_HTTP: Final = int(Kind.HTTP)
_NOTE: Final = int(Kind.NOTE)
_MARKED: Final = int(Flag.MARKED)

Look = Callable[[int, int], Sequence[int]]
"""What is wanted among the entries from one number up to (not with) another, ascending."""
ACCEPTED: Final = "31, +100, -100, 12:01:07, 50%, start or end"


class Lines(Protocol):
    """What is shown: numbers ascending, by line."""

    def __len__(self) -> int: ...

    def __getitem__(self, line: int, /) -> int: ...

    def line_near(self, number: int) -> int:
        """The line of the first shown entry with at least this number."""
        ...


class WrongPlaceError(InspectorError):
    """A place to go to that cannot be read."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where to go: an entry `number`, so many lines `relative`, a `share` of the lines (0 to 1), or
    a time of `day` in seconds since local midnight."""

    sort: Literal["number", "relative", "share", "day"]
    value: float


def read_place(text: str) -> Place:
    """The place that a text names. WrongPlaceError says what can be said."""
    wanted = text.strip().lower()
    if wanted in ("end", "$"):
        return Place("share", 1.0)
    if wanted in ("start", "begin"):
        return Place("share", 0.0)
    if found := re.fullmatch(r"#?(\d{1,12})", wanted):
        return Place("number", int(found[1]))
    if found := re.fullmatch(r"([+-]\d{1,12})", wanted):
        return Place("relative", int(found[1]))
    if (found := re.fullmatch(r"(\d{1,3}(?:\.\d{1,9})?) ?%", wanted)) and float(found[1]) <= 100:
        return Place("share", float(found[1]) / 100)
    if found := re.fullmatch(r"(\d{1,2}):(\d\d)(?::(\d\d(?:\.\d{1,9})?))?", wanted):
        hours, minutes, seconds = int(found[1]), int(found[2]), float(found[3] or 0)
        if hours < 24 and minutes < 60 and seconds < 60:
            return Place("day", hours * 3600 + minutes * 60 + seconds)
    raise WrongPlaceError(f"Say {ACCEPTED}")


def line_of_place(journal: Journal, lines: Lines, here: int, place: Place) -> int:
    """The line of a place, for a cursor on line `here`. WrongPlaceError where there is none."""
    last = len(lines) - 1
    if last < 0:
        raise WrongPlaceError("Nothing is shown that one could go to")
    match place.sort:
        case "number":
            if not 1 <= place.value <= len(journal):
                raise WrongPlaceError(f"There are entries 1 to {len(journal):,}; or {ACCEPTED}")
            return min(last, lines.line_near(int(place.value)))
        case "relative":
            return max(0, min(last, here + int(place.value)))
        case "share":
            return round(last * place.value)
        case "day":
            wall = journal.columns.wall
            moment = _moment(wall[lines[min(here, last)]], place.value)
            line = bisect_left(range(last + 1), moment, key=lambda line: wall[lines[line]])
            return min(last, line)


def _moment(near: float, day: float) -> float:
    """Seconds since the epoch of a local time of day: the one nearest to another moment."""
    local = time.localtime(near)
    found = []
    for shift in (-1, 0, 1):
        stamp = (local.tm_year, local.tm_mon, local.tm_mday + shift, 0, 0, 0, 0, 0, -1)
        at = list(stamp)
        at[3], at[4] = int(day) // 3600, int(day) // 60 % 60
        found.append(time.mktime(tuple(at)) + day % 60)  # type: ignore[arg-type]
    return min(found, key=lambda moment: abs(moment - near))


def line_by_time(journal: Journal, lines: Lines, here: int, seconds: float) -> int:
    """The line nearest in time to `seconds` after (before) line `here`; at least one line on in
    that direction, where there is one."""
    monotonic, last = journal.columns.monotonic, len(lines) - 1
    if last < 0:
        return here
    here = min(here, last)
    wanted = monotonic[lines[here]] + seconds
    at = bisect_left(range(last + 1), wanted, key=lambda line: monotonic[lines[line]])
    nearest = [line for line in (at - 1, at) if 0 <= line <= last]
    line = min(nearest, key=lambda line: abs(monotonic[lines[line]] - wanted))
    step = 1 if seconds > 0 else -1
    return max(0, min(last, max(line, here + 1) if step > 0 else min(line, here - 1)))


def wrong_between(journal: Journal, judged: Callable[[int], bool] | None = None) -> Look:
    """What a person who looks for trouble wants to stop at; `judged` tells of an entry whether it
    breaks a rule."""
    columns = journal.columns

    def look(start: int, stop: int) -> Sequence[int]:
        kinds, flags, http = columns.kinds, columns.flags, columns.http
        return [
            number
            for number in range(start, stop)
            if flags[number] & WRONG
            or kinds[number] in _WRONG_KINDS
            or (kinds[number] == _HTTP and not 0 < http[number] < 400)
            or (judged is not None and judged(number))
        ]

    return look


def marked_between(journal: Journal) -> Look:
    """What a person marked, and what they noted."""
    columns = journal.columns

    def look(start: int, stop: int) -> Sequence[int]:
        kinds, flags = columns.kinds, columns.flags
        return [
            number
            for number in range(start, stop)
            if flags[number] & _MARKED or kinds[number] == _NOTE
        ]

    return look


def found_between(journal: Journal, search: "Filter") -> Look:
    """What a filter matches."""
    return lambda start, stop: search.select(journal, start, stop)


class Seek:
    """A search from an entry on, in slices: `advance` until `over`, then look at `line`."""

    def __init__(self, journal: Journal, lines: Lines, look: Look, here: int, step: int) -> None:
        """`here` is the number of the entry to begin after, `step` 1 or -1."""
        self._journal = journal
        self._lines = lines
        self._look = look
        self._step = step
        self._at = here + 1 if step > 0 else here
        self._began = here
        self.over = False
        """Whether there is nothing left to look at."""
        self.line: int | None = None
        """Where it was found."""

    @property
    def share(self) -> float:
        """How much of the way has been looked at, 0 to 1."""
        if self._step < 0:
            return 1 - self._at / max(1, self._began)
        return (self._at - self._began) / max(1, len(self._journal) - self._began)

    def advance(self, seconds: float) -> bool:
        """Looks on for at most about `seconds`; whether the search is over."""
        deadline = time.monotonic() + seconds
        while not self.over:
            self._slice()
            if time.monotonic() >= deadline:
                break
        return self.over

    def _slice(self) -> None:
        from inspector.journal.query import slice_end  # only who searches pays for the grammar

        if self._step > 0:
            start, stop = self._at, min(self._at + SLICE, len(self._journal) + 1)
            stop = min(stop, max(start + 1, slice_end(self._journal, start))) if stop > start else 0
            self._at = max(stop, start)
        else:
            stop, size = self._at, SLICE
            while size > 1 and slice_end(self._journal, max(1, stop - size)) < stop:
                size //= 2
            start = self._at = max(1, stop - size)
        if start >= stop:
            self.over = True
            return
        found = self._look(start, stop)
        for number in found if self._step > 0 else reversed(found):
            line = self._lines.line_near(number)
            if line < len(self._lines) and self._lines[line] == number:
                self.line, self.over = line, True
                return
