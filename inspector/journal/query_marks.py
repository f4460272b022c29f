"""The parts of the filter language that others say about an entry: findings and notes.

Decides how they are looked up for many entries at once: one byte an entry, filled in as findings
and notes come. What a finding is, is decided by whoever judges. Pure.
"""

import re
from typing import Final

from inspector.journal.entries import Kind
from inspector.journal.journal import Journal
from inspector.journal.opinions import Opinions
from inspector.journal.query_nodes import PERHAPS, YES, Mask, Reads

_NOTE: Final = int(Kind.NOTE)


class Judged:
    """Matches what findings concern; with `rules`, findings of such rules. Where nobody has
    judged nothing matches."""

    cost = 0
    reads = Reads.FINDINGS

    def __init__(self, rules: re.Pattern[str] | None = None) -> None:
        self._rules = rules
        self._opinions: Opinions | None = None
        self._version = 0
        self._concerned = bytearray()

    def test(self, journal: Journal, number: int) -> bool:
        """Whether there is such a finding."""
        if journal.opinions is None:
            return False
        found = journal.opinions.rules_at(number)
        if self._rules is None:
            return bool(found)
        return any(self._rules.match(rule) for rule in found)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """What findings concern; which rules these are of is tested one by one."""
        opinions = journal.opinions
        if opinions is None:
            return bytes(stop - start)
        if opinions is not self._opinions:
            self._opinions, self._version, self._concerned = opinions, 0, bytearray()
        concerned = self._concerned
        version = opinions.version  # read first: what it counts concerns entries that are there
        missing = len(journal) + 1 - len(concerned)
        if missing > 0:
            concerned += bytes(missing)
        if version != self._version:
            sign = YES if self._rules is None else PERHAPS
            for number in opinions.entries_since(self._version):
                if number < len(concerned):
                    concerned[number] = sign
            self._version = version
        return bytes(concerned[start:stop])


class Noted:
    """Matches entries that a note is about."""

    cost = 0
    reads = Reads.FOLLOWERS

    def __init__(self) -> None:
        self._journal: Journal | None = None
        self._looked = 0
        self._noted: set[int] = set()

    def test(self, journal: Journal, number: int) -> bool:
        """Whether there is one."""
        return number in self._known(journal)

    def mask(self, journal: Journal, start: int, stop: int) -> Mask:
        """Notes are few."""
        hits = bytearray(stop - start)
        for number in self._known(journal):
            if start <= number < stop:
                hits[number - start] = YES
        return bytes(hits)

    def _known(self, journal: Journal) -> set[int]:
        if journal is not self._journal:
            self._journal, self._looked, self._noted = journal, 0, set()
        count = len(journal)
        if count > self._looked:
            first = self._looked + 1
            kinds = journal.columns.kinds[first : count + 1].tobytes()
            partners, noted, at = journal.columns.partners, set(self._noted), kinds.find(_NOTE)
            while at >= 0:
                noted.add(partners[first + at])
                at = kinds.find(_NOTE, at + 1)
            self._noted, self._looked = noted - {0}, count
        return self._noted
