"""Requests as bars on an axis of time: which cells of a row a request covers, and how it is drawn.

Works in half cells. The axis is given by whoever draws: it runs over the visible entries. The shape
of a bar tells its state without any colour: solid with an answer, shaded with an error, open to the
right while it waits. Pure.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from inspector.journal.entries import Direction, Flag, Kind, Row

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

State = Literal["done", "error", "waits", "moment"]

BAR_FROM: Final = 140
"""Cells of a list from which on bars are shown unasked."""
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
    """The time that the width of the column stands for, in seconds of the monotonic clock."""

    begin: float
    end: float
    cells: int

    def half(self, moment: float) -> int:
        """The half cell of a moment, 0 to twice the cells less one."""
        span = max(self.end - self.begin, 1e-6)
        return max(0, min(2 * self.cells - 1, int((moment - self.begin) / span * 2 * self.cells)))


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


def axis_of(journal: "Journal", first: int, last: int, cells: int) -> Axis:
    """The axis from entry `first` to entry `last`."""
    monotonic = journal.columns.monotonic
    return Axis(monotonic[first], monotonic[last], cells)


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
        axis.half(ended),
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
