"""JSON of any size as indented lines, made when they are looked at, with every token as it was.

Decides how a body is cut into lines, which of them open a block and where it ends, and which part
of a line gets which ink. Text that is no JSON, or that indenting would blow up, is shown as it
stands, with the reason. Cursor, folding state, scrolling and colours are decided by the widget.
"""

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import msgspec
from rich.text import Text

from inspector.render.safe import TOKEN_STYLE, token_spans, visible

CHUNK: Final = 64 * 1024
"""Bytes between two marks of the newline index; a line is found by at most one such stretch."""
WHOLE_LINE: Final = 64 * 1024
"""Bytes up to which a line is decoded as a whole; longer ones are cut by bytes."""
INDENTED_CAP: Final = 256 * 1024 * 1024
"""Bytes that indenting may produce."""

KEY: Final = "mcp.key"
STRING: Final = "mcp.string"
NUMBER: Final = "mcp.number"
LITERAL: Final = "mcp.literal"
PUNCT: Final = "mcp.punct"

Span = tuple[int, int, str]
"""Start and end in a line's text, and the ink between."""

_TOKENS: Final = re.compile(
    r'(?P<key>"[^"\\]*(?:\\.[^"\\]*)*")(?=\s*:)'
    r'|(?P<string>"[^"\\]*(?:\\.[^"\\]*)*"?)'
    r"|(?P<number>-?\d[\d.eE+-]*)"
    r"|(?P<literal>true|false|null)"
    r"|(?P<punct>[{}\[\],:]+)"
)
_INKS: Final = {
    "key": KEY,
    "string": STRING,
    "number": NUMBER,
    "literal": LITERAL,
    "punct": PUNCT,
}


@dataclass(frozen=True, slots=True)
class Hit:
    """Where a search found something: line, and first and last-plus-one character in it."""

    line: int
    start: int
    end: int


class TextLines:
    """Bytes as the lines they have, with a sparse index of newlines."""

    def __init__(self, body: bytes) -> None:
        self.body = body
        counts = (body.count(b"\n", start, start + CHUNK) for start in range(0, len(body), CHUNK))
        # Newlines before each chunk; the last item is their total.
        self._before = [0, *accumulate(counts)]

    @property
    def line_count(self) -> int:
        """How many lines; a newline at the very end begins no further one."""
        return self._before[-1] + (0 if self.body.endswith(b"\n") or not self.body else 1)

    def offset(self, line: int) -> int:
        """The byte at which a line begins; the end of the body for a line behind the last."""
        if line <= 0:
            return 0
        if line > self._before[-1]:
            return len(self.body)
        chunk = bisect_right(self._before, line - 1) - 1
        at = chunk * CHUNK - 1
        for _ in range(line - self._before[chunk]):
            at = self.body.find(b"\n", at + 1)
        return at + 1

    def line_at(self, offset: int) -> int:
        """The line in which a byte stands."""
        chunk = min(offset // CHUNK, len(self._before) - 1)
        return self._before[chunk] + self.body.count(b"\n", chunk * CHUNK, offset)

    def extent(self, line: int) -> tuple[int, int]:
        """First byte and last-plus-one of a line, without its newline."""
        start = self.offset(line)
        end = self.body.find(b"\n", start)
        return start, len(self.body) if end < 0 else end

    def line(self, line: int, start: int = 0, width: int | None = None) -> str:
        """The text of a line made visible, from character `start` on, `width` characters of it.

        In lines above 64 KiB `start` and `width` count bytes, so that the cost is bounded.
        """
        return visible(self._decoded(line, start, width))

    def _decoded(self, line: int, start: int, width: int | None) -> str:
        first, end = self.extent(line)
        if width is None or end - first <= WHOLE_LINE:
            whole = self.body[first:end].decode("utf-8", "surrogateescape")
            return whole[start:] if width is None else whole[start : start + width]
        first = min(first + start, end)
        while first < end and self.body[first] & 0xC0 == 0x80:
            first += 1
        end = min(first + width, end)
        while end > first and end < len(self.body) and self.body[end] & 0xC0 == 0x80:
            end -= 1
        return self.body[first:end].decode("utf-8", "surrogateescape")

    def spans(self, text: str) -> list[Span]:
        """The inks of a visible line."""
        return [(start, end, TOKEN_STYLE) for start, end in token_spans(text)]

    def draw(self, line: int, start: int = 0, width: int | None = None) -> Text:
        """A line as rich text with its inks."""
        text = self.line(line, start, width)
        drawn = Text(text, no_wrap=True, end="")
        for first, end, ink in self.spans(text):
            drawn.stylize(ink, first, end)
        return drawn

    def fold_end(self, line: int) -> int | None:
        """The last line of the block that a line opens; None where it opens none."""
        return None

    def find(
        self, needle: str, line: int = 0, *, start: int = 0, backwards: bool = False
    ) -> Hit | None:
        """The first place at or after character `start` of `line` (or the last before it).

        Without capitals in `needle`, capitals in the text make no difference.
        """
        wanted = needle.encode("utf-8", "surrogateescape")
        if not wanted or not self.body:
            return None
        fold = wanted == wanted.lower()
        first, end = self.extent(line)
        skipped = self.body[first:end].decode("utf-8", "surrogateescape")[:start]
        at = first + len(skipped.encode("utf-8", "surrogateescape"))
        found = _search(self.body, wanted, at, fold=fold, backwards=backwards)
        if found < 0:
            return None
        row = self.line_at(found)
        begin = self.offset(row)
        column = len(visible(self.body[begin:found].decode("utf-8", "surrogateescape")))
        return Hit(row, column, column + len(visible(needle)))


def _search(body: bytes, wanted: bytes, at: int, *, fold: bool, backwards: bool) -> int:
    if not fold:
        return body.rfind(wanted, 0, at) if backwards else body.find(wanted, at)
    for start, end in _stretches(len(body), at, len(wanted), backwards):
        stretch = body[start:end].lower()
        found = stretch.rfind(wanted) if backwards else stretch.find(wanted)
        if found >= 0:
            return start + found
    return -1


def _stretches(size: int, at: int, overlap: int, backwards: bool) -> Iterator[tuple[int, int]]:
    """Pieces of 1 MiB from `at` to either end, overlapping so that no match falls between."""
    step = 1 << 20
    if backwards:
        for end in range(at, 0, -step):
            yield max(0, end - step), min(at, end + overlap - 1)
    else:
        for start in range(at, size, step):
            yield start, min(size, start + step + overlap - 1)


class JsonLines(TextLines):
    """A JSON text, indented; the text as it stands where it is no JSON (then `reason` says why)."""

    def __init__(self, raw: bytes) -> None:
        self.raw = raw
        self.reason = ""
        try:
            grown = indented_size(raw)
            if grown > INDENTED_CAP:
                self.reason = f"nested so deep that indenting it would take {grown >> 20} MiB"
                body = raw
            else:
                body = msgspec.json.format(raw, indent=2)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.reason = f"no JSON: {error}"
            body = raw
        except RecursionError:
            self.reason = "nested too deep to indent"
            body = raw
        super().__init__(body)

    @property
    def pretty(self) -> bool:
        """Whether it is JSON and indented."""
        return not self.reason

    def spans(self, text: str) -> list[Span]:
        """The inks of a visible line: JSON's by one regular expression, then the tokens."""
        if self.reason:
            return super().spans(text)
        found = [
            (*match.span(), _INKS[match.lastgroup])
            for match in _TOKENS.finditer(text)
            if match.lastgroup is not None
        ]
        return found + super().spans(text)

    def fold_end(self, line: int) -> int | None:
        """By indentation: a block ends at the next line that closes at the same depth."""
        if self.reason:
            return None
        start, end = self.extent(line)
        opener = self.body[end - 1 : end]
        if opener not in (b"{", b"["):
            return None
        depth = start
        while self.body[depth : depth + 1] == b" ":
            depth += 1
        closer = b"\n" + b" " * (depth - start) + (b"}" if opener == b"{" else b"]")
        found = self.body.find(closer, end)
        return None if found < 0 else self.line_at(found + 1)


_STRUCTURE: Final = b'{}[],"'
_OTHER: Final = bytes(code for code in range(256) if code not in _STRUCTURE)
_STRING_REST: Final = re.compile(rb'"[^"]*"')
_STEPS: Final = {ord("{"): 1, ord("["): 1, ord("}"): -1, ord("]"): -1, ord(","): 0, ord('"'): 0}


def indented_size(raw: bytes) -> int:
    """About how many bytes `raw` takes when indented; linear, and quick for what is harmless.

    A few kilobytes can ask for gigabytes: many members, each behind thousands of spaces.
    """
    text = raw
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    # To remove `""` keeps it right which of the other quotes open a string and which close one.
    structure = text.translate(None, _OTHER).replace(b'""', b"")
    if b'"' in structure:
        structure = _STRING_REST.sub(b"", structure)
    openings = structure.count(b"[") + structure.count(b"{")
    most = len(raw) + 2 * openings * len(structure)
    if most <= INDENTED_CAP:
        return most
    return len(raw) + 2 * sum(accumulate(map(_STEPS.__getitem__, structure)))


def is_json(raw: bytes) -> bool:
    """Whether `raw` is JSON, without making anything of it."""
    try:
        msgspec.json.decode(raw, type=msgspec.Raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return False
    return True
