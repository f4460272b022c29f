"""The findings of one journal, kept up to date in slices and looked up by entry.

Decides how far a slice goes and how findings are found again; what a finding is, is decided by the
linter. One thread advances, any may read.
"""

import time
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

from inspector.journal.journal import Journal
from inspector.lint.engine import Linter
from inspector.lint.rule import Finding, Severity

STEP: Final = 16
"""Entries judged between two looks at the clock."""


class Judge:
    """Judges `journal` and puts itself into it as its opinions."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._linter = Linter(journal)
        self._at: dict[int, list[Finding]] = {}
        self._concerned: list[int] = []
        """The entries of all findings, one after the other; `_ends` says where those of one end."""
        self._ends: list[int] = [0]
        self._counts: Counter[Severity] = Counter()
        journal.opinions = self

    @property
    def findings(self) -> Sequence[Finding]:
        """All findings so far, in the order in which they were made."""
        return self._linter.findings

    @property
    def judged(self) -> int:
        """The last entry that was judged."""
        return self._linter.judged

    @property
    def behind(self) -> int:
        """How many entries wait to be judged."""
        return len(self._journal) - self.judged

    @property
    def version(self) -> int:
        """How many findings there are."""
        return len(self._ends) - 1

    def count(self, severity: Severity) -> int:
        """How many findings of a severity there are."""
        return self._counts[severity]

    def advance(self, seconds: float) -> bool:
        """Judges new entries for at most about `seconds`; whether there are new findings."""
        before = self.version
        deadline = time.monotonic() + seconds
        while self.behind:
            for finding in self._linter.advance(STEP):
                self._keep(finding)
            if time.monotonic() >= deadline:
                break
        return self.version > before

    def finish(self) -> Sequence[Finding]:
        """Judges all that there is; all findings."""
        while self.behind:
            self.advance(1.0)
        return self.findings

    def at(self, number: int) -> Sequence[Finding]:
        """The findings that concern an entry."""
        return tuple(self._at.get(number, ()))

    def worst_at(self, number: int) -> Severity | None:
        """The gravest severity at an entry that is guilty itself; None where it is not."""
        found = {one.severity for one in self._at.get(number, ()) if one.entries[0] == number}
        return next((severity for severity in Severity if severity in found), None)

    def rules_at(self, number: int) -> Collection[str]:
        """The ids of the rules that are broken at an entry."""
        return [finding.rule for finding in self._at.get(number, ())]

    def entries_since(self, version: int) -> Sequence[int]:
        """The entries that findings made after `version` concern."""
        return self._concerned[self._ends[min(version, self.version)] :]

    def _keep(self, finding: Finding) -> None:
        for number in finding.entries:
            self._at.setdefault(number, []).append(finding)
        self._concerned.extend(finding.entries)
        self._counts[finding.severity] += 1
        self._ends.append(len(self._concerned))
