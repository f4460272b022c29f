"""Glass before an app of this process: whatever it would write to a terminal lands on it.

The app draws as it does for a terminal, updates of parts included, so that the bytes are those of
a real one but for what a program says when it comes and goes. Looking at it asks two things: is
there anything foreign (`tests.hostile.oracle`), and does every cell hold what the app believes to
stand there? Where a text takes other cells than the app thought, or a mark sits on what is not of
its widget, the two differ.
"""

import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final
from unittest.mock import PropertyMock, patch

import pyte
from rich.cells import get_character_cell_size
from rich.style import Style
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.strip import Strip

from tests.hostile.oracle import foreign
from tests.hostile.terminal import Grid

_SHAPE: Final = re.compile(r"\x1b\]22;[a-z-]+\x07")
_ACTION: Final = re.compile(rb"@(?:click|mouse|key|enter|leave|focus|blur)")
_BAR: Final = re.compile(
    rb"@mouse\.(?:down|up)\x94\x8c.(?:scroll_down|scroll_up|grab|release)\x94s\."
)
"""How Textual keeps `@click` and the like in the style of a cell, and what its scroll bars do."""
_FRAME: Final = re.compile(r"[ \u2500-\u259f]")
"""What borders, gaps and bars are made of: no mark belongs on it."""


class Glass:
    """The bytes of one app, and the screen that they make."""

    def __init__(self, size: tuple[int, int] = (120, 40)) -> None:
        self.size = size
        self.output = bytearray()
        self.looks = 0
        """How often the screen was compared with what the app believes."""
        self._grid = Grid(*size)
        self._grid.reset_mode(7, private=True)
        self._stream = pyte.Stream(self._grid)
        self._waiting: list[str] = []
        self._judged = 0

    def write(self, data: str) -> None:
        """What the driver would send; a lone surrogate as Python's streams write it."""
        self._waiting.append(data)
        self.output += data.encode("utf-8", "surrogatepass")

    def foreign(self) -> list[str]:
        """What is foreign in the bytes since the last time."""
        fresh = bytes(self.output[self._judged :])
        self._judged = len(self.output)
        return foreign(fresh)

    def rows(self) -> list[list[str]]:
        """The cells, as a terminal has them."""
        for data in self._waiting:
            self._stream.feed(_SHAPE.sub("", data))
        self._waiting.clear()
        return self._grid.rows()

    def crooked(self, app: App[Any]) -> list[str]:
        """Lines whose cells are not what the app believes, or where a mark sits on the frame."""
        self.looks += 1
        found: list[str] = []
        strips = app.screen._compositor.render_strips()
        for number, (row, strip) in enumerate(zip(self.rows(), strips, strict=True)):
            believed = cells_of(strip)
            shown = [unicodedata.normalize("NFC", cell) for cell in row]
            if shown != believed:
                pairs = enumerate(zip(shown, believed, strict=False))
                at = next((place for place, pair in pairs if pair[0] != pair[1]), -1)
                told = f"{shown[at : at + 12]!r}, believed {believed[at : at + 12]!r}"
                found.append(f"line {number} from cell {at}: {told} in {strip.text!r}")
            if any(_acts(segment.style) for segment in strip):
                found.append(f"line {number} has a link, or does something when clicked")
            for at, cell in enumerate(shown):
                if len(cell) > 1 and _FRAME.match(cell):
                    found.append(f"line {number}, cell {at}: {cell!r} in {strip.text!r}")
        return found


def _acts(style: Style | None) -> bool:
    """Whether a click on what is drawn so would do something: markup can say that."""
    if style is None:
        return False
    does = _BAR.sub(b"", style._meta or b"")
    return style.link is not None or _ACTION.search(does) is not None


def cells_of(strip: Strip) -> list[str]:
    """What stands in each cell if every sign takes the cells that were counted for it."""
    cells: list[str] = []
    for sign in strip.text:
        size = 1 if sign.isascii() else get_character_cell_size(sign)
        if size:
            cells += [sign, *[""] * (size - 1)]
            continue
        last = len(cells) - 1
        while last > 0 and not cells[last]:
            last -= 1
        if cells:
            cells[last] += sign
    return [unicodedata.normalize("NFC", cell) for cell in cells]


@contextmanager
def behind_glass(size: tuple[int, int] = (120, 40)) -> Iterator[Glass]:
    """Apps that run inside draw on the glass."""
    glass = Glass(size)
    with (
        patch.object(HeadlessDriver, "write", lambda _, data: glass.write(data)),
        patch.object(App, "is_headless", PropertyMock(return_value=False)),
    ):
        yield glass
