"""The requests that nobody had answered, as lines of the Server tab: what, whose, for how long.

Of the present the journal knows them, of the past the state. Pure but for reading the journal.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.journal.entries import Direction
from inspector.past.bench import PastBench
from inspector.render.safe import one_line
from inspector.tui.traffic_row import duration

if TYPE_CHECKING:
    from inspector.past.bench import Scene

MOST: Final = 50
"""So many are listed, the oldest first."""
LINGERS: Final = 1.0
"""Seconds after which a request of the present is listed: most are answered before."""


@dataclass(frozen=True, slots=True)
class OpenLine:
    """A request without an answer, open for so many `seconds`; Enter shows it in the traffic.
    `progress` is the latest report ("" without one)."""

    number: int
    ours: bool
    method: str
    name: str
    seconds: float
    progress: str = ""


@dataclass(frozen=True, slots=True)
class MoreOpen:
    """So many more; 0: there is none at all."""

    count: int


def open_lines(scene: "Scene") -> list[OpenLine | MoreOpen]:
    """The open requests, oldest first; of the past a word where there was none."""
    journal = scene.journal
    now = journal.clock.monotonic()
    past = isinstance(scene, PastBench)
    numbers = sorted(_open(scene))
    if not past:
        numbers = [one for one in numbers if now - journal.row(one).monotonic >= LINGERS]
    calls = {call.entry: call for call in scene.session.calls if not call.done}
    lines: list[OpenLine | MoreOpen] = []
    for number in numbers[:MOST]:
        row, call = journal.row(number), calls.get(number)
        said = call.progress if call is not None else None
        words = ""
        if said is not None:
            total = f"/{said.total:g}" if said.total is not None else ""
            words = f"{said.progress:g}{total} {said.message}".strip()
        lines.append(
            OpenLine(
                number,
                row.direction is Direction.SENT,
                row.method,
                journal.name(number),
                now - row.monotonic,
                words,
            )
        )
    if len(numbers) > MOST or (past and not numbers):
        lines.append(MoreOpen(max(0, len(numbers) - MOST)))
    return lines


def draw_open(line: OpenLine | MoreOpen, width: int) -> Text:
    """`  #31 → tools/call add            4.2 s  3/10 half way`"""
    text = Text(end="", no_wrap=True)
    if isinstance(line, MoreOpen):
        text.append(f"  and {line.count:,} more" if line.count else "  none", "mcp.dim")
        return text
    text.append(f"  #{line.number:<6}", "mcp.faint")
    text.append("→ " if line.ours else "← ", "mcp.sent" if line.ours else "mcp.received")
    what = f"{line.method} {line.name}".strip()
    cells = max(16, min(40, width - 26))
    text.append(f"{one_line(what, cells):<{cells}} ")
    text.append(f"{duration(line.seconds):>8}", "mcp.badge")
    if line.progress and width - text.cell_len > 8:
        text.append("  " + one_line(line.progress, width - text.cell_len - 2), "mcp.dim")
    return text


def _open(scene: "Scene") -> list[int]:
    if isinstance(scene, PastBench):
        here = scene.current
        return [one.number for one in here.open if not one.given_up] if here is not None else []
    connection = scene.session.state.connection
    row = scene.journal.row
    return [
        number
        for number in scene.journal.correlator.open_requests()
        if row(number).connection == connection
    ]
