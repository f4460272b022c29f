"""What a lint rule and a finding are, and how a rule says in which revisions it holds.

Rules are data: each area module has a table of its own, `inspector.lint.catalog` joins them. When a
rule is broken is decided by the area modules.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from inspector.protocol.json_pointer import pointer as pointer
from inspector.protocol.versions import REVISIONS, Revision

LETTERS: Final = dict(zip("ABCDE", REVISIONS, strict=True))
"""The revisions as rules name them: "A" is the oldest."""


class Severity(StrEnum):
    """How bad it is: a MUST that is broken, a SHOULD, or something worth knowing."""

    ERROR = "error"
    WARN = "warn"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. `severities` has the revisions in which it holds; `page` is the page of the
    specification (`modern_page` that of 2026-07-28, where it differs). An `active` rule is judged
    by evidence that only a deliberate probe brings about."""

    id: str
    title: str
    severities: Mapping[Revision, Severity]
    page: str
    modern_page: str = ""
    active: bool = False

    @property
    def revisions(self) -> frozenset[Revision]:
        """The revisions in which the rule holds."""
        return frozenset(self.severities)

    def page_in(self, revision: Revision) -> str:
        """The page of the specification of `revision` that the rule is from."""
        return self.modern_page if self.modern_page and revision is REVISIONS[-1] else self.page


@dataclass(frozen=True, slots=True)
class Finding:
    """One breach: `message` says in a sentence what is wrong and what the specification wants;
    `entries` are the journal entries concerned, the guilty one first; `pointer` is a JSON pointer
    into its body."""

    rule: str
    severity: Severity
    revision: Revision
    message: str
    entries: tuple[int, ...]
    pointer: str
    page: str


def rule(
    rule_id: str,
    title: str,
    page: str,
    *,
    error: str = "",
    warn: str = "",
    info: str = "",
    modern_page: str = "",
    active: bool = False,
) -> Rule:
    """A rule, with the letters of the revisions in which it is an error, a warning, a remark."""
    severities: dict[Revision, Severity] = {}
    for letters, severity in (
        (error, Severity.ERROR),
        (warn, Severity.WARN),
        (info, Severity.INFO),
    ):
        for letter in letters:
            severities[LETTERS[letter]] = severity
    return Rule(rule_id, title, severities, page, modern_page, active)


def quoted(text: object, limit: int = 60) -> str:
    """Something that a peer sent, as it can stand in a sentence."""
    shown = text if isinstance(text, str) else repr(text)
    return f'"{shown}"' if len(shown) <= limit else f'"{shown[:limit]}…"'
