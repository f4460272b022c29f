"""One line of text that is being typed: the pure part of an input.

Decides what the editing keys do and which piece of a long text shows. Where it is drawn and what
the text means is decided by `inspector.tui.widgets.form_rows`.
"""

import re
from dataclasses import dataclass

from rich.cells import cell_len

from inspector.render.safe import MARKS_PER_BASE, first_cells, last_cells, visible


@dataclass(frozen=True, slots=True)
class Window:
    """The piece that shows: what stands before, under and after the cursor, as visible text."""

    before: str
    under: str
    after: str


class LineEditor:
    """Text and a position in it, 0 to the length of the text."""

    def __init__(self, text: str = "") -> None:
        self.text = text
        self.position = len(text)

    def insert(self, text: str) -> None:
        """Types `text` at the cursor."""
        self.text = self.text[: self.position] + text + self.text[self.position :]
        self.position += len(text)

    def hidden(self) -> "LineEditor":
        """The same with a dot for each character."""
        shown = LineEditor("•" * len(self.text))
        shown.position = self.position
        return shown

    def press(self, key: str) -> bool:
        """Does what an editing key means; False when it means nothing here."""
        before, after = self.text[: self.position], self.text[self.position :]
        match key:
            case "left":
                self.position = max(0, self.position - 1)
            case "right":
                self.position = min(len(self.text), self.position + 1)
            case "home" | "ctrl+a":
                self.position = 0
            case "end" | "ctrl+e":
                self.position = len(self.text)
            case "ctrl+left":
                self.position = len(_without_last_word(before))
            case "ctrl+right":
                self.position += len(after) - len(re.sub(r"^\W*\w*", "", after))
            case "backspace" | "ctrl+h":
                self._becomes(before[:-1], after)
            case "delete":
                self._becomes(before, after[1:])
            case "ctrl+w" | "alt+backspace":
                self._becomes(_without_last_word(before), after)
            case "ctrl+u":
                self._becomes("", after)
            case "ctrl+k":
                self._becomes(before, "")
            case _:
                return False
        return True

    def window(self, width: int) -> Window:
        """What shows in `width` cells, the cursor in it and at the end of the text behind it."""
        most = width * (MARKS_PER_BASE + 4) + 16  # so many signs are enough for any width
        before = visible(self.text[max(0, self.position - most) : self.position])
        under = visible(self.text[self.position : self.position + 1]) or " "
        after = visible(self.text[self.position + 1 : self.position + 1 + most])
        room = max(0, width - cell_len(under))
        before = last_cells(before, room)
        return Window(before, under, first_cells(after, room - cell_len(before)))

    def _becomes(self, before: str, after: str) -> None:
        self.text, self.position = before + after, len(before)


def _without_last_word(text: str) -> str:
    return re.sub(r"\w*\W*$", "", text) if text[-1:].isspace() else re.sub(r"(\w+|\W+)$", "", text)
