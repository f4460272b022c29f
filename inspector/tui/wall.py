"""The second wall: no dangerous character leaves through any widget, whoever forgot the first.

Textual strips five code points only; ESC, C1 and bidi controls in a segment would reach the
terminal as they are. What counts as dangerous, and how it looks, is `inspector.render.safe`.
"""

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

from inspector.render.safe import BASELESS, DANGEROUS, steady, visible


class Wall(LineFilter):
    """Replaces dangerous characters in the text and the links of every painted line.

    Textual pads lines by the width it measured before, so a replacement keeps the cell width: the
    first wall is the one that shows tokens in full.
    """

    def __init__(self) -> None:
        super().__init__()
        self.stopped = 0
        """How many segments had to be changed; 0 in a healthy run."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same list where nothing is dangerous, else a cleaned copy."""
        before = ""
        for text, style, control in segments:
            if control is None:
                if _bad_text(text) or _unsteady(text) or _bad_link(style) or _bare(before, text):
                    break
                before = text[-1:] or before
        else:
            return segments
        cleaned: list[Segment] = []
        before = ""
        for segment in segments:
            fresh = self._clean(segment, before)
            cleaned.append(fresh)
            if fresh.control is None:
                before = fresh.text[-1:] or before
        return cleaned

    def _clean(self, segment: Segment, before: str) -> Segment:
        text, style, control = segment
        if control is not None:
            return segment
        if _bad_link(style) and style is not None and style.link is not None:
            self.stopped += 1
            style = style.update_link(None)
        if _bad_text(text):
            self.stopped += 1
            text = _same_width(text)
        if _unsteady(text):
            text = set_cell_size(steady(text), cell_len(text))
        if _bare(before, text):
            self.stopped += 1
            while (bare := BASELESS.search(before + text, len(before))) is not None:
                place = bare.start() - len(before)
                text = text[:place] + text[place + 1 :]
        return Segment(text, style, control)


def _bad_text(text: str) -> bool:
    # Nearly every segment is printable ASCII, which these two decide in no time.
    return not (text.isascii() and text.isprintable()) and bool(DANGEROUS.search(text))


def _bare(before: str, text: str) -> bool:
    """Whether a mark would be drawn on a gap, a border or the widget to the left. Marks take no
    cells, so they may go."""
    if text.isascii():
        return False
    return BASELESS.search(before + text, len(before)) is not None


def _unsteady(text: str) -> bool:
    """Whether terminals disagree about how many cells the text takes: an emoji's presentation, a
    flag. One cell more than measured would shift the rest of the line."""
    return not text.isascii() and steady(text) != text


def _bad_link(style: Style | None) -> bool:
    return style is not None and style.link is not None and bool(DANGEROUS.search(style.link))


def _same_width(text: str) -> str:
    """The text with tokens for what is dangerous, cut to the cells it was measured to have."""
    return set_cell_size(visible(text), cell_len(text))
