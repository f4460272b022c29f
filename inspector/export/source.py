"""What an export reads: the chosen entries of a journal, with everything that must not leave gone.

The only door between a journal and the formats: rows, bodies and names come through it redacted, so
that no format can forget to. Decides what belongs to a selection. Pure.
"""

from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from inspector.errors import UsageError
from inspector.export.redaction import Redaction
from inspector.journal.columns import Form
from inspector.journal.entries import Direction, Entry, Flag, Kind, Row
from inspector.journal.exchanges import Exchanges
from inspector.journal.facts import encode_facts
from inspector.journal.glance import form_of, is_json
from inspector.journal.journal import Journal
from inspector.journal.names import Names
from inspector.journal.query import compile_filter

EVERY: Final = 512
"""Entries between two looks at whether to go on."""

Ticker = Callable[[int, int], None]
"""Is told how many entries are done, and of how many; may raise to stop."""


class Source:
    """The entries `numbers` (ascending) of `journal`. `told` are remarks about the export that a
    format has for the user; `wanted` is the text of the filter, "" without one."""

    def __init__(
        self,
        journal: Journal,
        numbers: Sequence[int],
        redaction: Redaction | None = None,
        *,
        wanted: str = "",
        tick: Ticker | None = None,
    ) -> None:
        self.journal = journal
        self.numbers = numbers
        self.redaction = redaction if redaction is not None else Redaction()
        self.wanted = self.redaction.text(wanted)
        self.told: list[str] = []
        self.exchanges = Exchanges(journal)
        self._tick = tick
        self.whole = len(numbers) == len(journal)
        """Whether nothing was left out; a live journal may grow meanwhile."""
        self._chosen = bytearray(len(journal) + 1)
        for number in numbers:
            self._chosen[number] = 1
        self._seen = bytearray(len(journal) + 1)
        self._methods: dict[str, str] = {}
        self._names = Names(self.row, self._part)
        self.redaction.learn(journal, self._ticking(range(1, len(journal) + 1), 0))

    def __len__(self) -> int:
        return len(self.numbers)

    def __contains__(self, number: int) -> bool:
        return 0 < number < len(self._chosen) and bool(self._chosen[number])

    def each(self) -> Iterator[int]:
        """The numbers, one after the other; between them the ticker is told."""
        return self._ticking(self.numbers, 1)

    def want(self, fits: Callable[[int], bool], words: str) -> None:
        """UsageError `words` where none of the entries fits: a format has no place for the rest."""
        if not any(fits(number) for number in self.numbers):
            raise UsageError(words, kind="nothing")

    def _ticking(self, numbers: Sequence[int], counted: int) -> Iterator[int]:
        for at, number in enumerate(numbers):
            if self._tick is not None and at % EVERY == 0:
                self._tick(at * counted, len(self.numbers))
            yield number

    def row(self, number: int) -> Row:
        """What a list needs of an entry. Its `size` is that on the wire: print the length of the
        body instead."""
        row = self.journal.row(number)
        if not row.method:
            return row
        known = self._methods.get(row.method)
        if known is None:
            known = self._methods[row.method] = self.text(row.method)
        return row if known == row.method else replace(row, method=known)

    def body(self, number: int) -> bytes:
        """The body of an entry, redacted."""
        journal, redaction = self.journal, self.redaction
        kind, direction = Kind(journal.kinds[number]), Direction(journal.directions[number])
        if number >= len(self._seen) or self._seen[number]:
            counts, entries = redaction.counts.copy(), redaction.entries
            body = redaction.body(kind, direction, self._kept(number))
            redaction.counts, redaction.entries = counts, entries
            return body
        self._seen[number] = 1
        return redaction.body(kind, direction, self._kept(number))

    def _kept(self, number: int) -> bytes:
        """The body as it was kept; an entry that stands for a lost one has none, but its name."""
        body = self.journal.body(number)
        if not body and self.journal.kinds[number] == Kind.EVENT:
            return encode_facts({"event": self.journal.row(number).method})
        return body

    def entry(self, number: int) -> Entry:
        """Row and body."""
        return Entry(self.row(number), self.body(number))

    def name(self, number: int) -> str:
        """The tool, prompt, resource … that an entry is about."""
        return self._names.of(number)

    def text(self, text: str) -> str:
        """A text that may quote the server, redacted."""
        return self.redaction.text(text)

    def _part(self, number: int, limit: int) -> bytes:
        return self.body(number)[:limit]


def form_in(body: bytes) -> Form:
    """How a body can stand in a line of JSON: as it is, as a string, or in base64."""
    return form_of(body, is_json(body))


def select(journal: Journal, text: str, *, exchanges: bool = False) -> Sequence[int]:
    """The entries that a filter chooses, all of them for "", with `exchanges` also what belongs to
    them. FilterError where it cannot be read, UsageError where nothing matches."""
    count = len(journal)
    if not text.strip():
        return range(1, count + 1)
    wanted = compile_filter(text)
    if getattr(wanted, "reads_findings", False) and journal.opinions is None:
        from inspector.lint.judge import Judge

        Judge(journal).finish()
    found = array("I")
    for part in wanted.scan(journal):
        found.extend(part)
    if not found:
        raise UsageError(
            f"none of the {count:,} entries matches the filter {text!r}", kind="nothing"
        )
    return _with_exchanges(journal, found) if exchanges else found


def _with_exchanges(journal: Journal, chosen: "array[int]") -> "array[int]":
    together, taken = Exchanges(journal), bytearray(len(journal) + 1)
    for number in chosen:
        if not taken[number]:
            for member in together.of(number):
                taken[member] = 1
    return array("I", (number for number, flag in enumerate(taken) if flag))


def outcome_word(row: Row) -> str:
    """What came of it, in a word: of outcomes, HTTP exchanges, and requests without an answer."""
    if row.kind is Kind.ERROR:
        return "error"
    if row.kind is Kind.RESULT:
        return "failed" if row.flags & Flag.IS_ERROR else "ok"
    if row.kind is Kind.HTTP:
        return str(row.status or "no answer")
    for flag, word in (
        (Flag.TIMED_OUT, "timed out"),
        (Flag.CANCELLED, "cancelled"),
        (Flag.PENDING, "pending"),
    ):
        if row.flags & flag:
            return word
    return ""
