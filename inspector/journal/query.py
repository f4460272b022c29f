"""The filter language, one for view, command line and export: compile, match, search, explain.

Decides how a compiled filter runs over many entries: by masks where columns or raw bytes can tell,
one by one where they cannot, in slices that bound how long one takes. The grammar is in
`query_parse`, the keys in `query_terms`. Pure, but for the clock in `query_regex`.

A filter that `reads_findings` finds what `journal.opinions` knows: whoever wants all of it has the
journal judged first. One thread at a time uses a filter.
"""

from array import array
from bisect import bisect_right
from collections.abc import Iterator
from itertools import compress
from textwrap import wrap
from typing import Final

from inspector.journal.journal import Journal
from inspector.journal.query_nodes import NO, PERHAPS, YES, FilterError, Node, Reads
from inspector.journal.query_parse import Parser
from inspector.journal.query_terms import TERMS

__all__ = ["Filter", "FilterError", "compile_filter", "help_rows"]

SLICE_ENTRIES: Final = 1 << 16
SLICE_BYTES: Final = 8 * 1024 * 1024
"""The most that one slice reads of the file, but for the last of its entries."""

_NO: Final = bytes([NO])


class Filter:
    """A compiled filter. `words` are the words it looks for (not those it excludes), as typed;
    `reads_bodies` tells whether columns are enough, `reads` what else decides (it may change)."""

    def __init__(self, text: str) -> None:
        """FilterError where the text cannot be read."""
        self.text = text
        parser = Parser(text)
        self._node: Node = parser.parse()
        self._patterns = tuple(parser.patterns)
        self.words = tuple(parser.words)
        self.reads_bodies = self._node.cost > 0
        self.reads: Reads = self._node.reads

    @property
    def reads_findings(self) -> bool:
        """Whether the journal must have been judged before all that matches is found."""
        return Reads.FINDINGS in self.reads

    @property
    def given_up(self) -> int:
        """How often an expression took too long on a body, which then was not searched whole."""
        return sum(pattern.given_up for pattern in self._patterns)

    def matches(self, journal: Journal, number: int) -> bool:
        """Whether an entry matches."""
        return self._node.test(journal, number)

    def select(self, journal: Journal, start: int, stop: int) -> "array[int]":
        """The numbers from `start` up to `stop` that match, ascending."""
        stop = min(stop, len(journal) + 1)
        if start >= stop:
            return array("I")
        mask = self._node.mask(journal, start, stop)
        numbers = compress(range(start, stop), mask)
        if PERHAPS not in mask:
            return array("I", numbers)
        test, signs = self._node.test, mask.replace(_NO, b"")
        return array(
            "I",
            [
                number for number, sign in zip(numbers, signs, strict=True)
                if sign == YES or test(journal, number)
            ],
        )  # fmt: skip

    def scan(self, journal: Journal, start: int = 1) -> "Iterator[array[int]]":
        """The matches slice by slice, each at most `SLICE_ENTRIES` entries and about
        `SLICE_BYTES` of bodies; whoever drives it may stop, or let others run in between."""
        number = start
        while number <= len(journal):
            stop = slice_end(journal, number, bodies=self.reads_bodies)
            yield self.select(journal, number, stop)
            number = stop

    @staticmethod
    def help(width: int = 70) -> str:
        """The grammar as text, two columns, the second one wrapped."""
        rows = help_rows()
        first = max(len(example) for example, _ in rows) + 2
        lines: list[str] = []
        for example, meaning in rows:
            parts = wrap(meaning, width - first)
            lines += [f"{example:{first}}{parts[0]}", *(" " * first + part for part in parts[1:])]
        return "\n".join(lines)


def slice_end(journal: Journal, start: int, *, bodies: bool = True) -> int:
    """The end of a slice of entries that begins at `start` and is quick to search."""
    stop = min(start + SLICE_ENTRIES, len(journal) + 1)
    if not bodies:
        return stop
    columns, offsets = journal.columns, journal.columns.offsets
    limit = offsets[start] + SLICE_BYTES
    after = bisect_right(offsets, limit, start, stop)
    if offsets[after - 1] + columns.stored_as(after - 1)[0] > limit:
        after -= 1
    return max(start + 1, after)


def compile_filter(text: str) -> Filter:
    """The filter that a text means. FilterError where it cannot be read."""
    try:
        return Filter(text)
    except FilterError as error:
        raise FilterError(error.message, error.column, text) from error


def help_rows() -> tuple[tuple[str, str], ...]:
    """What may stand in a filter: example and meaning, made from the table that is parsed."""
    return (
        ("word", "method, name, id or text contains it (any case)"),
        ('"two words"', "the same, with spaces or other signs in it"),
        ("/regex/", "a regular expression; /regex/i ignores case"),
        *((term.example, term.meaning) for term in TERMS),
        ("$.params.arguments.a=2", "a JSON path compares: = != > >= < <= ~ (contains)"),
        ("$.result.content[*].text", "a JSON path leads somewhere"),
        ("is:late|orphan", "one of these values (no space around |)"),
        ("ms:100..200", "from one number to another"),
        ("a b", "both"),
        ("a | b", "one of them"),
        ("-a", "not"),
        ("(a | b) c", "parentheses group"),
    )
