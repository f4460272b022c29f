"""The part of the filter language that is a regular expression: `/tools\\/(call|list)/`.

Decides which expressions are refused because they may take forever, how much of a body one
searches, when it gives up, and what raw bytes must hold for it to be found.

A repetition inside a repetition, alternatives inside a repetition that may begin alike, and many
optional parts in a row are refused: their time may double with every letter. What remains takes at
worst a power of the length; so a long body is first searched in its beginning, a part more each
time that may take four times as long, and no further when that took `TOO_LONG`. The time of one
entry is thereby bounded, and entries are tested one by one. The clock of the thread is read for
that, and for nothing else.
"""

import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import log
from time import thread_time
from typing import Final

from inspector.journal.journal import Journal
from inspector.journal.query_columns import Methods
from inspector.journal.query_nodes import PERHAPS, YES, FilterError, Mask, Reads, either
from inspector.journal.query_raw import locate, name_at, piece_of
from inspector.journal.query_text import OUTCOMES, PROGRESS

SEARCHED: Final = 1024 * 1024
"""Bytes of one body that an expression searches."""
TOO_LONG: Final = 0.01
"""Seconds of CPU for a part of a body after which no larger part is searched."""

_AT_FIRST: Final = (SEARCHED, 2048, 256, 64)
"""By the number of endless repetitions: how much is searched without a look at the clock."""
_MANY: Final = 24
_WAYS: Final = 100_000
"""In so many ways the limited repetitions of an expression may share a text."""
_WAYS_LIKE_ENDLESS: Final = 64
"""So many of them take as long as another endless repetition."""
_ENDLESS: Final = 100
_BRACES: Final = re.compile(r"\{([0-9]*)(,?)([0-9]*)\}")
_ESCAPE: Final = re.compile(
    r"x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|N\{[^}]*\}|[0-7]{3}|0[0-7]?|[1-9][0-9]?|.",
    re.DOTALL,
)
_PLAIN: Final = re.compile(r"[^\\.^$*+?{}\[\]|()]")


class Pattern:
    """Matches where a regular expression is found in method, name or text."""

    cost = 1
    reads = Reads.NOTHING_ELSE

    def __init__(self, source: str, *, ignore_case: bool, column: int) -> None:
        """FilterError where it is none, or may take forever; it stands at `column`."""
        flags = re.IGNORECASE if ignore_case else re.RegexFlag(0)
        self._pattern = _compiled(source, flags, column)
        shape = _Reader(source, column).read()
        loops = shape.loops + int(log(shape.ways, _WAYS_LIKE_ENDLESS) + 0.5)
        self._at_first = _AT_FIRST[loops] if loops < len(_AT_FIRST) else _MANY
        self._growth = 4 ** (1 / (loops + 1))
        self._raw: re.Pattern[bytes] | None = None
        if source.isascii() and "\\u" not in source and "\\U" not in source:
            try:
                self._raw = re.compile(source.encode(), flags)
            except (re.error, ValueError):
                self._raw = None
        self._fold = bool(self._pattern.flags & re.IGNORECASE)
        needle = shape.needle.encode()
        self._needle = needle.lower() if self._fold else needle
        self._methods = Methods(self._found)
        self._reckoned = Methods(PROGRESS.__eq__)
        self.given_up = 0
        """How often a body was not searched to its end, because that took too long."""

    def test(self, journal: Journal, number: int) -> bool:
        """Whether the expression is found."""
        if self._methods.table(journal)[journal.method_ids[number]] == YES:
            return True
        body = journal.body(number, SEARCHED)
        if self._raw is not None and body.isascii():
            if self._staged(self._raw.search, body):
                return True
        elif self._found(body.decode("utf-8", "backslashreplace")):
            return True
        name = name_at(journal, number)
        return bool(name) and self._found(name)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Methods, and where what the expression cannot do without stands; outcomes have the
        name of their request."""
        methods = self._methods.mask(journal, start, stop)
        if not self._needle:
            return either(methods, b"\1" * (stop - start))
        found = locate(journal, start, stop, (self._needle,), fold=self._fold, decoded=True)
        reckoned = self._reckoned.mask(journal, start, stop).replace(b"\3", b"\1")
        hits = bytearray(either(either(bytes(found), reckoned), methods))
        kinds, partners = journal.columns.kinds, journal.columns.partners
        outcomes = kinds[start:stop].tobytes().translate(OUTCOMES)
        at = outcomes.find(YES)
        while at >= 0:
            asked = partners[start + at]
            if asked and (asked < start or (asked < stop and found[asked - start])):
                hits[at] |= PERHAPS
            at = outcomes.find(YES, at + 1)
        return bytes(hits)

    def _found(self, text: str) -> bool:
        return self._staged(self._pattern.search, text[:SEARCHED])

    def _staged(self, search: "Callable[..., re.Match[str] | re.Match[bytes] | None]",
                text: str | bytes) -> bool:  # fmt: skip
        size = self._at_first
        while size < len(text):
            begun = thread_time()
            found = search(text, 0, size)
            if thread_time() - begun > TOO_LONG:
                self.given_up += 1
                return found is not None
            size = int(size * self._growth) + 1
        return search(text) is not None


@dataclass(slots=True)
class Shape:
    """What an expression, or a part of it, is like: whether it can match different lengths by
    repetition, how many endless repetitions stand in a row, in how many ways the limited ones can
    share a text, what its alternatives begin with, and the longest text that it cannot do
    without."""

    varies: bool = False
    loops: int = 0
    ways: int = 1
    begins: str = ""
    needle: str = ""


def _compiled(source: str, flags: re.RegexFlag, column: int) -> re.Pattern[str]:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pattern = re.compile(source, flags)
    except re.error as error:
        raise FilterError(
            f"not a regular expression: {error.msg}", column + (error.pos or 0)
        ) from error
    except (ValueError, OverflowError, RecursionError, MemoryError) as error:
        raise FilterError(f"not a regular expression: {error}", column) from error
    if pattern.flags & re.VERBOSE:
        raise FilterError("the flag x is for expressions of several lines", column)
    return pattern


class _Reader:
    """Reads the source of an expression that compiles, and refuses what may take forever."""

    def __init__(self, source: str, column: int) -> None:
        self._source = source
        self._column = column
        self._at = 0

    def read(self) -> Shape:
        """The shape of the whole."""
        return self._either()

    def _either(self) -> Shape:
        parts = [self._row()]
        while self._source[self._at : self._at + 1] == "|":
            self._at += 1
            parts.append(self._row())
        if len(parts) == 1:
            return parts[0]
        begins = [part.begins.lower() for part in parts]
        alike = "" in begins or len(set(begins)) < len(begins)
        return Shape(
            alike or any(part.varies for part in parts),
            max(part.loops for part in parts),
            max(part.ways for part in parts),
        )

    def _row(self) -> Shape:
        whole, run, first = Shape(), "", True
        while self._at < len(self._source) and self._source[self._at] not in "|)":
            begin = self._at
            atom = self._atom()
            low, high = self._times()
            if high > 1 and atom.varies:
                raise FilterError(
                    "a repetition inside a repetition may take forever", self._column + begin
                )
            whole.varies = whole.varies or atom.varies or low != high
            endless = high - low >= _ENDLESS
            whole.loops += max(atom.loops, int(endless))
            whole.ways *= atom.ways * (1 if endless else high - low + 1)
            if whole.ways > _WAYS:
                raise FilterError(
                    "so many optional parts in a row may take forever", self._column + begin
                )
            if first and low:
                whole.begins = atom.needle
            first = False
            if low:
                run += atom.needle
            if not atom.needle or (low, high) != (1, 1):
                whole.needle = max(whole.needle, piece_of(run), key=len)
                run = atom.needle if low else ""
        whole.needle = max(whole.needle, piece_of(run), key=len)
        return whole

    def _atom(self) -> Shape:
        source, begin = self._source, self._at
        self._at += 1
        match source[begin]:
            case "(":
                return self._group()
            case "[":
                self._class()
                return Shape()
            case "\\":
                escape = _ESCAPE.match(source, self._at)
                self._at = escape.end() if escape is not None else self._at + 1
                letter = source[begin + 1 : begin + 2]
                if letter.isascii() and letter.isalnum():
                    return Shape(varies=letter.isdigit() and letter != "0")
                return Shape(needle=letter)
        plain = _PLAIN.match(source, begin)
        return Shape(needle=plain.group() if plain is not None else "")

    def _group(self) -> Shape:
        source = self._source
        if source.startswith("?", self._at):
            if source.startswith(("?#", "?P="), self._at):
                refers = source.startswith("?P=", self._at)
                self._at = source.index(")", self._at) + 1
                return Shape(varies=refers)
            opened = re.compile(
                r"\?(?:P<[^>]*>|<?[=!]|>|\([^)]*\)|[aiLmsux-]*(?=\))|[aiLmsux-]*:)"
            ).match(source, self._at)
            self._at = opened.end() if opened is not None else self._at + 1
        inner = self._either()
        self._at += 1
        return Shape(inner.varies, inner.loops, inner.ways)

    def _class(self) -> None:
        source = self._source
        if source.startswith("^", self._at):
            self._at += 1
        if source.startswith("]", self._at):
            self._at += 1
        while self._at < len(source) and source[self._at] != "]":
            self._at += 2 if source[self._at] == "\\" else 1
        self._at += 1

    def _times(self) -> tuple[int, int]:
        """How often the atom before is repeated, at least and at most."""
        found = {"*": (0, _ENDLESS), "+": (1, _ENDLESS + 1), "?": (0, 1)}.get(
            self._source[self._at : self._at + 1], (1, 1)
        )
        if found != (1, 1):
            self._at += 1
        else:
            braces = _BRACES.match(self._source, self._at)
            if braces is None or braces.group() in ("{}", "{,}"):
                return found
            least, comma, most = braces.groups()
            low = int(least or 0)
            found = (low, int(most) if most else _ENDLESS + low if comma else low)
            self._at = braces.end()
        if self._source[self._at : self._at + 1] in ("?", "+"):
            self._at += 1
        return found
