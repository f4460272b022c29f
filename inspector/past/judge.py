"""The findings that there were as of an entry: those that concern nothing behind it."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

from inspector.lint.judge import Judge
from inspector.lint.rule import Finding, Severity


class JudgeAsOf(Judge):
    """What `judge` thinks of the first `number` entries; it judges nothing itself."""

    def __init__(self, judge: Judge, number: int) -> None:
        # Nothing of its own: the opinions of the journal stay those of the judge.
        self._judge, self._number = judge, number
        self.whole_version = judge.version
        """How many findings the judge had by now."""

    @cached_property
    def _seen(self) -> tuple[Finding, ...]:
        number = self._number
        return tuple(one for one in self._judge.findings if max(one.entries, default=0) <= number)

    @cached_property
    def _severities(self) -> Counter[Severity]:
        found = Counter(one.severity for one in self._seen)
        for (_, severity), count in self._left_out.items():
            found[severity] += count
        return found

    @cached_property
    def _left_out(self) -> Counter[tuple[str, Severity]]:
        return self._judge.more_by(self._number)

    @property
    def findings(self) -> Sequence[Finding]:
        """The findings so far, in the order in which they were made."""
        return self._seen

    @property
    def more(self) -> Mapping[str, int]:
        """How many findings of which rules are left out."""
        found: Counter[str] = Counter()
        for (rule, _), count in self._left_out.items():
            found[rule] += count
        return found

    @property
    def judged(self) -> int:
        """The last entry that was judged."""
        return min(self._judge.judged, self._number)

    @property
    def behind(self) -> int:
        """How many entries wait to be judged."""
        return self._number - self.judged

    @property
    def version(self) -> int:
        """How many findings there are."""
        return len(self._seen) + self._left_out.total()

    def count(self, severity: Severity) -> int:
        """How many findings of a severity there are."""
        return self._severities[severity]

    def advance(self, seconds: float) -> bool:
        """Whoever judges the present goes on."""
        return False

    def finish(self) -> Sequence[Finding]:
        """All findings."""
        return self.findings

    def at(self, number: int) -> Sequence[Finding]:
        """The findings that concern an entry."""
        found = self._judge.at(number)
        return tuple(one for one in found if max(one.entries, default=0) <= self._number)

    def worst_at(self, number: int) -> Severity | None:
        """The gravest severity at an entry that is guilty itself; None where it is not."""
        found = {one.severity for one in self.at(number) if one.entries[0] == number}
        return next((severity for severity in Severity if severity in found), None)

    def rules_at(self, number: int) -> Collection[str]:
        """The ids of the rules that are broken at an entry."""
        return [finding.rule for finding in self.at(number)]

    def entries_since(self, version: int) -> Sequence[int]:
        """The entries that findings made after `version` concern."""
        return [number for one in self._seen[version:] for number in one.entries]
