"""The input of all our screens: Textual's own, which shows what stands in it as it is.

What is edited may be a server's: the address of a resource, a suggestion, a command of somebody's
config file. Each sign that is not seen, or that a terminal would obey, is drawn as one sign of one
cell, so that the cursor stays where it is; the value keeps what it is.
"""

from rich.cells import cell_len
from rich.text import Text
from textual.widgets import Input

from inspector.render.safe import TOKEN_STYLE, stand_ins


class TextBox(Input):
    """An input that draws nothing dangerous."""

    @property
    def _value(self) -> Text:
        if self.password:
            return super()._value
        drawn = stand_ins(self.value)
        text = Text(drawn, no_wrap=True, overflow="ignore", end="")
        for place, (was, sign) in enumerate(zip(self.value, drawn, strict=True)):
            if was != sign:
                text.stylize(TOKEN_STYLE, place, place + 1)
        return text

    def _position_to_cell(self, position: int) -> int:
        return cell_len(stand_ins(self.value)[:position])

    def _cell_offset_to_index(self, offset: int) -> int:
        offset += self.scroll_offset.x
        cells = 0
        for index, sign in enumerate(stand_ins(self.value)):
            cells += cell_len(sign)
            if offset < cells:
                return index
        return len(self.value)
