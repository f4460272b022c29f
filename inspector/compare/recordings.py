"""Two recordings side by side: what the server offers, what calls come to, how long they take, and
which rules are broken.

Joins the parts of this room; what a difference is, is theirs to decide. Pure.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from inspector.compare.calls import Calls, Compared, Operation, calls_of, compare_calls
from inspector.compare.latency import Shift, shift
from inspector.compare.offers import ItemChange, Offer, compare_offers, offer_of, unread
from inspector.journal.journal import Journal
from inspector.lint.engine import Linter
from inspector.lint.rule import Severity

JUDGED_UNASKED: Final = 50_000
"""Recordings with more entries than this are judged only where somebody asks for it."""


STEP: Final = 1000
"""Entries judged at a time."""


@dataclass(frozen=True, slots=True)
class RuleChange:
    """How often a rule is broken in either recording."""

    rule: str
    severity: Severity
    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Comparison:
    """All differences. `unread` are lists that only one side read (kind, side); `rules` is None
    where the recordings were not judged."""

    left: Offer
    right: Offer
    offers: tuple[ItemChange, ...]
    unread: tuple[tuple[str, str], ...]
    calls: Compared
    shifts: tuple[tuple[Operation, Shift], ...]
    rules: tuple[RuleChange, ...] | None

    @property
    def same(self) -> bool:
        """Whether the server offers the same, equal calls come to the same, and the same rules are
        broken. Latency, calls without a counterpart and the server's version are told, but are no
        difference."""
        broken = any(bool(one.left) is not bool(one.right) for one in self.rules or ())
        offers = any((one.kind, one.name) != ("server", "serverInfo") for one in self.offers)
        return not (offers or self.calls.changed_count or broken)


def compare_recordings(
    left: Journal,
    right: Journal,
    *,
    wanted: tuple[Callable[[int], bool], Callable[[int], bool]] | None = None,
    ignored: Callable[[str], bool] = lambda _: False,
    judged: bool | None = None,
) -> Comparison:
    """Compares two recordings. `wanted` says of a request, on either side, whether it counts;
    `ignored` of a JSON pointer into an outcome that it may differ there; `judged` whether the
    findings are compared (None: where that does not take long)."""
    one, two = offer_of(left), offer_of(right)
    mine, other = wanted or ((lambda _: True), (lambda _: True))
    before, after = calls_of(left, mine), calls_of(right, other)
    if judged is None:
        judged = max(len(left), len(right)) <= JUDGED_UNASKED
    return Comparison(
        left=one,
        right=two,
        offers=compare_offers(one, two),
        unread=unread(one, two),
        calls=compare_calls(before, after, ignored),
        shifts=_shifts(before, after),
        rules=_rules(left, right) if judged else None,
    )


def _shifts(before: Calls, after: Calls) -> tuple[tuple[Operation, Shift], ...]:
    """The greatest shift first."""
    found = []
    for operation, seconds in before.seconds.items():
        moved = shift(seconds, after.seconds.get(operation, ()))
        if moved is not None:
            found.append((operation, moved))
    return tuple(sorted(found, key=lambda one: -abs(one[1].right - one[1].left)))


def _rules(left: Journal, right: Journal) -> tuple[RuleChange, ...]:
    sides = [_broken(left), _broken(right)]
    severities = {rule: severity for side in sides for rule, severity in side}
    counts = [Counter({rule: count for (rule, _), count in side.items()}) for side in sides]
    found = [
        RuleChange(rule, severity, counts[0][rule], counts[1][rule])
        for rule, severity in severities.items()
        if counts[0][rule] != counts[1][rule]
    ]
    order = list(Severity)
    return tuple(sorted(found, key=lambda one: (order.index(one.severity), one.rule)))


def _broken(journal: Journal) -> Counter[tuple[str, Severity]]:
    """Judged anew: somebody else's judge may be at work in another thread."""
    linter, found = Linter(journal), Counter[tuple[str, Severity]]()
    while linter.judged < len(journal):
        found.update((one.rule, one.severity) for one in linter.advance(STEP))
    return found
