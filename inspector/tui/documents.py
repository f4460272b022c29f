"""What a `BodyView` can show: anything that has numbered lines and can be searched.

Each document draws one line at a time from bytes it does not copy apart. How JSON is laid out,
indexed and coloured is `inspector.render.jsonlines`; folding lives in `JsonDocument`.
"""

from abc import ABC, abstractmethod
from bisect import bisect_left
from collections.abc import Sequence
from typing import Final

from rich.text import Text

from inspector.render.jsonlines import JsonLines, TextLines
from inspector.render.pointed import line_of
from inspector.render.safe import safe_text

WIDEST_LINE: Final = 4096
"""Characters of one line that are ever turned into text at once."""
FOLDS_AT_ONCE: Final = 20_000
OPENER_LIMIT: Final = 5_000
"""Lines looked at, upwards, for the opener of a block."""


class Document(ABC):
    """Lines 0 to `count() - 1`."""

    @abstractmethod
    def count(self) -> int:
        """How many lines."""

    @abstractmethod
    def line(self, number: int, left: int, width: int) -> Text:
        """What line `number` shows in the cells `left` to `left + width`."""

    @abstractmethod
    def find(self, needle: str, start: int, step: int) -> int | None:
        """The next line after (`step` 1) or before (-1) line `start` that contains `needle`."""

    def fold(self, number: int) -> int | None:
        """Fold or unfold the block at a line; the line to go to, None where nothing folds."""
        return None

    def fold_all(self) -> bool:
        """Fold all below the first level, or unfold everything; whether anything changed."""
        return False

    def plain(self, number: int) -> str:
        """The text of a line for the clipboard."""
        return self.line(number, 0, WIDEST_LINE).plain


class TextDocument(Document):
    """Ready lines."""

    def __init__(self, lines: Sequence[Text]) -> None:
        self._lines = lines

    def count(self) -> int:
        """Lines given."""
        return len(self._lines)

    def line(self, number: int, left: int, width: int) -> Text:
        """The line from `left` on."""
        text = self._lines[number]
        return text[left:] if left else text.copy()

    def find(self, needle: str, start: int, step: int) -> int | None:
        """Looks line by line."""
        wanted = needle.casefold()
        end = len(self._lines) if step > 0 else -1
        for number in range(start + step, end, step):
            if wanted in self._lines[number].plain.casefold():
                return number
        return None


class BytesDocument(Document):
    """Bytes in pieces of `per_line`; what raw and hex share."""

    def __init__(self, raw: bytes, per_line: int) -> None:
        self.raw = raw
        self.per_line = max(1, per_line)
        self._lowered: bytes | None = None

    def count(self) -> int:
        """Pieces."""
        return -(-len(self.raw) // self.per_line)

    def find(self, needle: str, start: int, step: int) -> int | None:
        """Looks for the UTF-8 of `needle`, ASCII case ignored."""
        if self._lowered is None:
            self._lowered = self.raw.lower()
        wanted = needle.encode("utf-8", "surrogateescape").lower()
        if step > 0:
            offset = self._lowered.find(wanted, (start + 1) * self.per_line)
        else:
            offset = self._lowered.rfind(wanted, 0, start * self.per_line)
        return None if offset < 0 else offset // self.per_line


class RawDocument(BytesDocument):
    """The bytes as text, broken at the width; nothing is added and nothing left out.

    Pieces begin at a multiple of `per_line`, moved on to where a character begins.
    """

    def line(self, number: int, left: int, width: int) -> Text:
        """One piece; bytes that are no UTF-8 show as escapes."""
        start = _boundary(self.raw, number * self.per_line)
        end = _boundary(self.raw, (number + 1) * self.per_line)
        text = safe_text(
            self.raw[start:end].decode("utf-8", "backslashreplace"), keep_newlines=False
        )
        return text[left:] if left else text


class LinesDocument(Document):
    """Text that has lines of its own (HTML, logs, code)."""

    def __init__(self, lines: TextLines) -> None:
        self._lines = lines

    def count(self) -> int:
        """Lines."""
        return self._lines.line_count

    def line(self, number: int, left: int, width: int) -> Text:
        """The line from `left` on."""
        return self._lines.draw(number, left, width)

    def find(self, needle: str, start: int, step: int) -> int | None:
        """By bytes."""
        hit = self._lines.find(needle, start + max(step, 0), backwards=step < 0)
        return None if hit is None else hit.line


class JsonDocument(Document):
    """Indented JSON whose blocks fold. Line numbers here are those of what is not folded away."""

    def __init__(self, lines: JsonLines) -> None:
        self._lines = lines
        self._folds: dict[int, int] = {}
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._hidden: list[int] = [0]

    @property
    def reason(self) -> str:
        """Why this is not indented ("" where it is)."""
        return self._lines.reason

    def count(self) -> int:
        """Lines that are not folded away."""
        return self._lines.line_count - self._hidden[-1]

    def line(self, number: int, left: int, width: int) -> Text:
        """The line, with what its fold hides."""
        real = self._real(number)
        text = self._lines.draw(real, left, width)
        end = self._folds.get(real)
        if end is not None:
            hidden = end - real - 1
            text.append(f" … {hidden:,} line{'' if hidden == 1 else 's'} … ", "mcp.dim")
            text.append(self._lines.line(end).strip(), "mcp.punct")
        return text

    def find(self, needle: str, start: int, step: int) -> int | None:
        """By bytes; unfolds what hides the match."""
        real = self._real(start)
        if step > 0:
            real += 1
        hit = self._lines.find(needle, real, backwards=step < 0)
        if hit is None:
            return None
        covering = [one for one, end in self._folds.items() if one < hit.line <= end]
        for one in covering:
            del self._folds[one]
        if covering:
            self._index()
        return self._visible(hit.line)

    def pointed(self, pointer: str) -> int | None:
        """The line that a JSON pointer leads to, or the nearest around it; unfolds what hides it.
        None where this is no JSON."""
        if self._lines.reason:
            return None
        real, _ = line_of(self._lines.body, pointer)
        covering = [one for one, end in self._folds.items() if one < real <= end]
        for one in covering:
            del self._folds[one]
        if covering:
            self._index()
        return self._visible(real)

    def fold(self, number: int) -> int | None:
        """The block opened at this line, or the one around it."""
        real = self._real(number)
        if real in self._folds:
            del self._folds[real]
            self._index()
            return number
        end = self._lines.fold_end(real)
        if end is None:
            opener = self._around(real)
            end = None if opener is None else self._lines.fold_end(opener)
            if opener is None or end is None:
                return None
            real = opener
        if end <= real + 1:
            return None
        self._folds[real] = end
        self._index()
        return self._visible(real)

    def fold_all(self) -> bool:
        """All blocks of the second level, or everything open again."""
        if self._folds:
            self._folds.clear()
            self._index()
            return True
        line, total = 1, self._lines.line_count
        while line < total and len(self._folds) < FOLDS_AT_ONCE:
            end = self._lines.fold_end(line)
            if end is not None and end > line + 1:
                self._folds[line] = end
                line = end
            line += 1
        self._index()
        return bool(self._folds)

    def plain(self, number: int) -> str:
        """The line as it is, however long."""
        return self._lines.line(self._real(number)).strip()

    def _around(self, real: int) -> int | None:
        """The opener of the block that a line is in, by indentation, at most some lines up."""
        depth = self._depth(real)
        for line in range(real - 1, max(-1, real - OPENER_LIMIT), -1):
            if self._depth(line) < depth:
                return line
        return None

    def _depth(self, real: int) -> int:
        text = self._lines.line(real, 0, 2048)
        return len(text) - len(text.lstrip(" "))

    def _index(self) -> None:
        self._starts, self._ends, self._hidden = [], [], [0]
        for start in sorted(self._folds):
            if self._ends and start < self._ends[-1]:
                continue
            end = self._folds[start]
            self._starts.append(start)
            self._ends.append(end)
            self._hidden.append(self._hidden[-1] + end - start)

    def _real(self, number: int) -> int:
        if not self._starts:
            return number
        low, high = 0, len(self._starts)
        while low < high:
            middle = (low + high) // 2
            if self._starts[middle] - self._hidden[middle] < number:
                low = middle + 1
            else:
                high = middle
        return number + self._hidden[low]

    def _visible(self, real: int) -> int:
        place = bisect_left(self._starts, real)
        if place and real <= self._ends[place - 1]:
            return self._starts[place - 1] - self._hidden[place - 1]
        return real - self._hidden[place]


class HexDocument(BytesDocument):
    """Offset, bytes in hex, and their ASCII."""

    def line(self, number: int, left: int, width: int) -> Text:
        """One row of the dump."""
        offset = number * self.per_line
        piece = self.raw[offset : offset + self.per_line]
        text = Text(no_wrap=True, end="")
        text.append(f"{offset:08x}  ", "mcp.faint")
        half = self.per_line // 2
        text.append(f"{piece[:half].hex(' '):<{half * 3}} {piece[half:].hex(' '):<{half * 3}} ")
        for byte in piece:
            printable = 0x20 <= byte < 0x7F
            text.append(chr(byte) if printable else "·", "" if printable else "mcp.faint")
        return text[left:] if left else text


def hex_per_line(width: int) -> int:
    """Bytes per row of a dump: 16 where they fit, 8 where not."""
    return 16 if width >= 10 + 16 * 4 + 2 else 8


def _boundary(raw: bytes, offset: int) -> int:
    """`offset`, moved on past at most three UTF-8 continuation bytes."""
    for _ in range(3):
        if offset >= len(raw) or raw[offset] & 0xC0 != 0x80:
            break
        offset += 1
    return min(offset, len(raw))
