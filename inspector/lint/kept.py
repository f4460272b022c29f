"""Findings in bounded memory: of each rule the first ones whole, of the others only where they are.

Decides what is remembered of a peer that breaks a rule a million times: how often, and at which
entries, in four bytes or so for each. Which findings there are is decided by the linter.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final, TypeAlias

from inspector.lint.catalog import RULES
from inspector.lint.rule import Finding, Severity
from inspector.protocol.versions import Revision

LIMIT: Final = 1000
"""Findings of a rule that are kept whole."""

_Sort: TypeAlias = tuple[str, Severity, Revision]


class _Places:
    """Entry numbers, most of them in order."""

    __slots__ = ("_numbers", "_ordered")

    def __init__(self) -> None:
        self._numbers = array("I")
        self._ordered = True

    def add(self, number: int) -> None:
        numbers = self._numbers
        if numbers and number <= numbers[-1]:
            if number == numbers[-1]:
                return
            self._ordered = False
        numbers.append(number)

    def up_to(self, number: int) -> int:
        """How many of them are `number` or less."""
        return bisect_right(self._in_order(), number)

    def _in_order(self) -> "array[int]":
        if not self._ordered:
            self._numbers = array("I", sorted(set(self._numbers)))
            self._ordered = True
        return self._numbers

    def __contains__(self, number: int) -> bool:
        numbers = self._in_order()
        at = bisect_left(numbers, number)
        return at < len(numbers) and numbers[at] == number


class Kept:
    """All findings of a journal. `findings` are those that are whole, in the order in which they
    were made; `counts` and `by_rule` count all."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.counts: Counter[Severity] = Counter()
        self.by_rule: Counter[str] = Counter()
        self._at: dict[int, list[Finding]] = {}
        self._guilty: dict[_Sort, _Places] = {}
        self._concerned: dict[_Sort, _Places] = {}
        self._entries = array("I")
        """The entries of all findings, one after the other; `_ends` says where those of one end."""
        self._ends = array("I", [0])

    @property
    def version(self) -> int:
        """How many findings there are."""
        return len(self._ends) - 1

    @property
    def more(self) -> Mapping[str, int]:
        """How many findings of which rules are not kept whole."""
        return {rule: count - LIMIT for rule, count in self.by_rule.items() if count > LIMIT}

    def more_by(self, number: int) -> Counter[tuple[str, Severity]]:
        """At how many entries up to `number` a rule is broken by findings that are not whole."""
        found: Counter[tuple[str, Severity]] = Counter()
        for (rule, severity, _), places in tuple(self._guilty.items()):
            found[rule, severity] += places.up_to(number)
        return +found

    def add(self, finding: Finding) -> None:
        """One finding more."""
        self.by_rule[finding.rule] += 1
        self.counts[finding.severity] += 1
        if self.by_rule[finding.rule] <= LIMIT:
            self.findings.append(finding)
            for number in finding.entries:
                self._at.setdefault(number, []).append(finding)
        else:
            sort = finding.rule, finding.severity, finding.revision
            for number in finding.entries[:1]:
                _of(self._guilty, sort).add(number)
            for number in finding.entries[1:]:
                _of(self._concerned, sort).add(number)
        self._entries.extend(finding.entries)
        self._ends.append(len(self._entries))

    def at(self, number: int) -> list[Finding]:
        """The findings that concern an entry; of those that are not whole a word that says so."""
        return [*self._at.get(number, ()), *(_brief(sort, number) for sort in self._among(number))]

    def rules_at(self, number: int) -> Collection[str]:
        """The ids of the rules that are broken at an entry."""
        found = [finding.rule for finding in self._at.get(number, ())]
        return [*found, *(rule for rule, _, _ in self._among(number))]

    def worst_at(self, number: int) -> Severity | None:
        """The gravest severity at an entry that is guilty itself; None where it is not."""
        found = {one.severity for one in self._at.get(number, ()) if one.entries[0] == number}
        found |= {sort[1] for sort, places in self._guilty.items() if number in places}
        return next((severity for severity in Severity if severity in found), None)

    def entries_since(self, version: int) -> Sequence[int]:
        """The entries that findings made after `version` concern."""
        return self._entries[self._ends[min(version, self.version)] :]

    def _among(self, number: int) -> list[_Sort]:
        places = (*self._guilty.items(), *self._concerned.items())
        return list(dict.fromkeys(sort for sort, held in places if number in held))


def _of(table: dict[_Sort, _Places], sort: _Sort) -> _Places:
    places = table.get(sort)
    if places is None:
        places = table[sort] = _Places()
    return places


def _brief(sort: _Sort, number: int) -> Finding:
    name, severity, revision = sort
    row = RULES[name]
    said = f"{row.title} (only the first {LIMIT:,} findings of a rule say how)."
    return Finding(name, severity, revision, said, (number,), "", row.page_in(revision))
