"""The findings of one journal, kept up to date in slices and looked up by entry.

Decides how far a slice goes and how findings are found again; what a finding is, is decided by the
linter. One thread advances, any may read.
"""

import time
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from inspector.journal.journal import Journal
from inspector.lint.engine import Linter
from inspector.lint.rule import Finding, Severity

STEP: Final = 16
"""Entries judged between two looks at the clock."""


class Judge:
    """Judges `journal` and puts itself into it as its opinions."""

    failure: str = ""
    """What ended the judging early, a mistake of ours; empty for as long as all is well."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._linter = Linter(journal)
        self._kept = self._linter.kept
        journal.opinions = self

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings so far, in the order in which they were made; of a rule that is broken very
        often only the first ones."""
        return self._kept.findings

    @property
    def more(self) -> Mapping[str, int]:
        """How many findings of which rules are left out of `findings`."""
        return self._kept.more

    def more_by(self, number: int) -> Counter[tuple[str, Severity]]:
        """At how many entries up to `number` there are such findings, by rule and severity."""
        return self._kept.more_by(number)

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
        return self._kept.version

    def count(self, severity: Severity) -> int:
        """How many findings of a severity there are."""
        return self._kept.counts[severity]

    def advance(self, seconds: float) -> bool:
        """Judges new entries for at most about `seconds`; whether there are new findings."""
        before = self.version
        deadline = time.monotonic() + seconds
        while self.behind:
            self._linter.advance(STEP)
            if time.monotonic() >= deadline:
                break
        return self.version > before

    def finish(self) -> Sequence[Finding]:
        """Judges all that there is; `findings`."""
        while self.behind:
            self.advance(1.0)
        return self.findings

    def at(self, number: int) -> Sequence[Finding]:
        """The findings that concern an entry."""
        return tuple(self._kept.at(number))

    def worst_at(self, number: int) -> Severity | None:
        """The gravest severity at an entry that is guilty itself; None where it is not."""
        return self._kept.worst_at(number)

    def rules_at(self, number: int) -> Collection[str]:
        """The ids of the rules that are broken at an entry."""
        return self._kept.rules_at(number)

    def entries_since(self, version: int) -> Sequence[int]:
        """The entries that findings made after `version` concern."""
        return self._kept.entries_since(version)
