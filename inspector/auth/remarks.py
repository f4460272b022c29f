"""What a rule of OAuth or MCP has to say about something the network sent, with its source.

Decides nothing itself: modules that judge return remarks, and only a refusal stops the flow.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

T = TypeVar("T")


class Weight(Enum):
    """How much a remark weighs."""

    REFUSAL = "refusal"
    """The flow must not go on with this."""
    WARNING = "warning"
    """A rule is broken or was waived, and the flow goes on."""
    NOTE = "note"
    """Worth knowing."""


@dataclass(frozen=True, slots=True)
class Remark:
    """One sentence about one rule: `rule` is a stable id (`issuer-differs`), `source` names the
    page that has the rule (`RFC 8414 section 3.3`)."""

    weight: Weight
    rule: str
    message: str
    source: str


@dataclass(frozen=True, slots=True)
class Judged(Generic[T]):
    """A document as it was read (None where it is none) and all that is to be said about it."""

    document: T | None
    remarks: tuple[Remark, ...] = ()

    @property
    def usable(self) -> T | None:
        """The document, if there is one and nothing forbids its use."""
        return None if refusals(self.remarks) else self.document


def refusals(remarks: Iterable[Remark]) -> tuple[Remark, ...]:
    """Those of the remarks that forbid going on."""
    return tuple(remark for remark in remarks if remark.weight is Weight.REFUSAL)


def refusal(rule: str, message: str, source: str) -> Remark:
    """A remark that forbids going on."""
    return Remark(Weight.REFUSAL, rule, message, source)


def warning(rule: str, message: str, source: str) -> Remark:
    """A remark about a broken or waived rule that stops nothing."""
    return Remark(Weight.WARNING, rule, message, source)


def note(rule: str, message: str, source: str) -> Remark:
    """A remark that is only worth knowing."""
    return Remark(Weight.NOTE, rule, message, source)
