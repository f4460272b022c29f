"""Requests as bars on an axis of time: which cells of a row a request covers, and how it is drawn.

Works in half cells. The axis is given by whoever draws: it runs over the visible entries. The shape
of a bar tells its state without any colour: solid with an answer, shaded with an error, open to the
right while it waits. Pure.
"""

import math
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING, Final, Literal

from inspector.journal.entries import Direction, Flag, Kind, Row

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

State = Literal["done", "error", "waits", "moment"]

BAR_FROM: Final = 140
"""Cells of a list from which on bars are shown unasked."""
IDLE_SHARE: Final = 0.05
"""What idle time may take of the axis, as a share of the time in which something waited."""
LEAST: Final = 72
"""Cells below which there is no room for any."""

_FILL: Final = {"done": "█", "error": "▓", "waits": "▒", "moment": "·"}
INKS: Final = {
    "done": "mcp.primary",
    "error": "mcp.error",
    "waits": "mcp.warn",
    "moment": "mcp.dim",
}


@dataclass(frozen=True, slots=True)
class Axis:
    """The time that the width of the column stands for. `moments` are seconds of the monotonic
    clock, ascending, `places` the same with idle time shortened, beginning at 0."""

    moments: tuple[float, ...]
    places: tuple[float, ...]
    cells: int

    @property
    def begin(self) -> float:
        """The moment at the left end."""
        return self.moments[0]

    @property
    def end(self) -> float:
        """The moment at the right end."""
        return self.moments[-1]

    @property
    def span(self) -> float:
        """Seconds that the width stands for, idle time shortened."""
        return self.places[-1]

    @property
    def shortened(self) -> bool:
        """Whether idle time was shortened."""
        return self.span < self.end - self.begin - 1e-9

    def half(self, moment: float) -> int:
        """The half cell of a moment, 0 to twice the cells less one."""
        moments, places = self.moments, self.places
        at = max(1, min(bisect_left(moments, moment), len(moments) - 1))
        if len(moments) == 1:
            return 0
        gap = moments[at] - moments[at - 1]
        into = (moment - moments[at - 1]) / gap if gap > 0 else 1.0
        place = places[at - 1] + max(0.0, min(1.0, into)) * (places[at] - places[at - 1])
        return max(0, min(2 * self.cells - 1, int(place / max(self.span, 1e-6) * 2 * self.cells)))


@dataclass(frozen=True, slots=True)
class Bar:
    """From half cell `first` to `last`, which is covered too; `on` where it goes on to the right
    of the axis, `before` where it began to the left of it."""

    first: int
    last: int
    state: State
    before: bool = False
    on: bool = False


def bar_cells(width: int, wanted: bool | None) -> int:
    """The cells of the column in a list of `width` cells; 0 for none. `wanted` is the user's
    choice, None where there is none."""
    if wanted is False or width < LEAST or (wanted is None and width < BAR_FROM):
        return 0
    return min(40, width // 4)


def axis_of(journal: "Journal", numbers: Sequence[int], cells: int) -> Axis:
    """The axis under some entries, ascending. Time in which none of their requests waits counts
    for little: somebody was reading then."""
    columns = journal.columns
    moments = [columns.monotonic[number] for number in numbers]
    gaps: list[tuple[float, bool]] = []
    open_until = 0.0
    for place, number in enumerate(numbers[:-1]):
        if columns.kinds[number] in (Kind.REQUEST, Kind.BATCH):
            outcome = columns.partners[number]
            if outcome > number:
                open_until = max(open_until, columns.monotonic[outcome])
            elif columns.flags[number] & Flag.PENDING:
                open_until = math.inf
        gap = max(0.0, moments[place + 1] - moments[place])
        gaps.append((gap, open_until <= moments[place]))
    busy = sum(gap for gap, idle in gaps if not idle)
    most = IDLE_SHARE * busy if busy else math.inf
    places = accumulate((min(gap, most) if idle else gap for gap, idle in gaps), initial=0.0)
    return Axis(tuple(moments), tuple(places), cells)


def bar_of(journal: "Journal", row: Row, axis: Axis) -> Bar | None:
    """What is drawn in the row of an entry: a request from its start to its outcome, a point for a
    report of progress, nothing for anything else."""
    if row.kind is Kind.NOTIFICATION and row.method == "notifications/progress":
        at = axis.half(row.monotonic)
        return Bar(at, at, "moment")
    if row.kind not in (Kind.REQUEST, Kind.BATCH) or row.direction is Direction.LOCAL:
        return None
    columns, outcome = journal.columns, row.partner
    first = axis.half(row.monotonic)
    if outcome is None or outcome < row.number:
        if not row.flags & Flag.PENDING:
            return None
        return Bar(first, 2 * axis.cells - 1, "waits", row.monotonic < axis.begin, on=True)
    ended = columns.monotonic[outcome]
    wrong = bool(columns.flags[outcome] & Flag.IS_ERROR)
    return Bar(
        first,
        max(first, axis.half(ended)),  # the clock of a recording may go back
        "error" if wrong else "done",
        row.monotonic < axis.begin,
        on=ended > axis.end,
    )


def drawn(bar: Bar, cells: int) -> str:
    """The bar as text of `cells` cells."""
    begin, end = bar.first // 2, bar.last // 2
    fill = _FILL[bar.state]
    signs = [fill] * (end - begin + 1)
    if bar.state == "done" and bar.last > bar.first:
        if bar.first % 2 and not bar.before:
            signs[0] = "▐"
        if not bar.last % 2 and not bar.on:
            signs[-1] = "▌"
    elif bar.state == "done":
        signs[0] = "▐" if bar.first % 2 else "▌"
    if bar.on:
        signs[-1] = "▶"
    return (" " * begin + "".join(signs)).ljust(cells)
