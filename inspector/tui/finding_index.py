"""The findings as the Findings tab lists them: by rule, the gravest first, sifted.

Grows with the judge's list and never goes along it again, so that a flood of findings is one group
with a high count. Decides the order and what passes the filter; how a line looks is
`inspector.tui.finding_lines`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from types import MappingProxyType
from typing import Final

from inspector.lint.rule import Finding, Severity

MEMBERS_SHOWN: Final = 200
"""Findings of an open group that are listed; the traffic's filter shows them all."""
RANKS: Final = {severity: rank for rank, severity in enumerate(Severity)}

Key = tuple[str, ...]


@dataclass(slots=True)
class Group:
    """The findings of one rule that have one severity, as far as they pass; in their order."""

    rule: str
    severity: Severity
    findings: list[Finding] = field(default_factory=list)
    """All of them."""
    passing: list[Finding] = field(default_factory=list)

    @property
    def order(self) -> tuple[int, int, str]:
        """By severity, then by the first entry concerned."""
        return RANKS[self.severity], self.findings[0].entries[0], self.rule


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group, by its first finding."""

    group: Group
    open: bool
    count: int
    finding: Finding


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One finding of an open group."""

    finding: Finding
    place: int


@dataclass(frozen=True, slots=True)
class MoreLine:
    """Where an open group has more than are listed; stands for the first that is not."""

    finding: Finding
    count: int


FindingLine = GroupLine | MemberLine | MoreLine


@dataclass(frozen=True, slots=True)
class Wanted:
    """A filter: words that all must occur, and patterns for rule and severity of which one must."""

    words: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    severities: tuple[str, ...] = ()

    def passes(self, finding: Finding) -> bool:
        """Whether a finding is wanted."""
        if self.rules and not any(fnmatchcase(finding.rule, one) for one in self.rules):
            return False
        if self.severities and not any(finding.severity.startswith(one) for one in self.severities):
            return False
        if not self.words:
            return True
        text = f"{finding.rule} {finding.message} {finding.page}".casefold()
        return all(word in text for word in self.words)


def read_filter(text: str) -> Wanted:
    """`severity:warn rule:tools/* words`; whatever is no field is a word."""
    words, rules, severities = [], [], []
    for part in text.casefold().split():
        if part.startswith("rule:") and len(part) > len("rule:"):
            rules.append(part.removeprefix("rule:"))
        elif part.startswith("severity:"):
            severities.append(part.removeprefix("severity:"))
        else:
            words.append(part)
    return Wanted(tuple(words), tuple(rules), tuple(severities))


class FindingIndex:
    """Groups, and which of them are open."""

    def __init__(self) -> None:
        self._groups: dict[Key, Group] = {}
        self._opened: set[Key] = set()
        self._taken = 0
        self.text = ""
        self._wanted = Wanted()
        self.hidden: frozenset[Severity] = frozenset()

    @property
    def taken(self) -> int:
        """How many findings are in it."""
        return self._taken

    def catch_up(self, findings: Sequence[Finding], limit: int = 20_000) -> bool:
        """Takes at most `limit` new ones; whether there were any."""
        end = min(len(findings), self._taken + limit)
        for place in range(self._taken, end):
            finding = findings[place]
            key = (finding.rule, finding.severity)
            group = self._groups.get(key)
            if group is None:
                group = self._groups[key] = Group(finding.rule, finding.severity)
            group.findings.append(finding)
            if self._wanted.passes(finding):
                group.passing.append(finding)
        new, self._taken = end > self._taken, end
        return new

    def choose(self, *, text: str | None = None, hidden: frozenset[Severity] | None = None) -> None:
        """Changes what passes."""
        if hidden is not None:
            self.hidden = hidden
        if text is not None and text != self.text:
            self.text, self._wanted = text, read_filter(text)
            for group in self._groups.values():
                group.passing = [one for one in group.findings if self._wanted.passes(one)]

    def fold(self, key: Key) -> None:
        """Opens a group, or closes it."""
        self._opened ^= {key[:2]}

    def open(self, rule: str, severity: Severity) -> None:
        """Opens a group."""
        self._opened.add((rule, severity))

    def lines(self, more: Mapping[str, int] = MappingProxyType({})) -> list[FindingLine]:
        """What is listed, the gravest first. `more` is how many findings of which rules are there
        beyond those taken; who looks for words is told of those that were looked at."""
        found: list[FindingLine] = []
        for key, group in sorted(self._groups.items(), key=lambda one: one[1].order):
            passing = group.passing
            if group.severity in self.hidden or not passing:
                continue
            opened = key in self._opened and len(passing) > 1
            count = len(passing) + (0 if self._wanted.words else more.get(group.rule, 0))
            found.append(GroupLine(group, opened, count, passing[0]))
            if not opened:
                continue
            found += [MemberLine(one, n) for n, one in enumerate(passing[:MEMBERS_SHOWN])]
            if len(passing) > MEMBERS_SHOWN:
                found.append(MoreLine(passing[MEMBERS_SHOWN], count - MEMBERS_SHOWN))
        return found

    def find(self, number: int, rule: str) -> tuple[Finding, Key] | None:
        """The finding of a rule that concerns an entry, and the key of its line once its group is
        open; what is guilty itself before what is merely concerned."""
        best: tuple[Finding, Key] | None = None
        for group in self._groups.values():
            if rule and group.rule != rule:
                continue
            for place, finding in enumerate(group.passing):
                if number not in finding.entries:
                    continue
                key = _member_key(finding, place) if len(group.passing) > 1 else _key(finding)
                if finding.entries[0] == number:
                    return finding, key
                best = best or (finding, key)
        return best


def key_of(line: FindingLine) -> Key:
    """What tells lines apart while the list grows."""
    match line:
        case GroupLine(finding=finding):
            return _key(finding)
        case MemberLine(finding, place):
            return _member_key(finding, place)
        case MoreLine(finding):
            return (*_key(finding), "more")


def _key(finding: Finding) -> Key:
    return finding.rule, finding.severity


def _member_key(finding: Finding, place: int) -> Key:
    return finding.rule, finding.severity, str(place) if place < MEMBERS_SHOWN else "more"
