"""The released revisions of the protocol, as an enumerated set, and the two eras they fall into.

Nothing here decides which revision a session speaks: that is negotiation (`inspector.session`).
"""

from enum import Enum, StrEnum
from typing import Final


class Era(Enum):
    """How a connection begins: with an `initialize` handshake, or statelessly per request."""

    HANDSHAKE = "handshake"
    MODERN = "modern"


class Revision(StrEnum):
    """A released protocol revision; compares in order of release."""

    V2024_11_05 = "2024-11-05"
    V2025_03_26 = "2025-03-26"
    V2025_06_18 = "2025-06-18"
    V2025_11_25 = "2025-11-25"
    V2026_07_28 = "2026-07-28"

    @property
    def era(self) -> Era:
        """The era this revision belongs to."""
        return Era.MODERN if self is Revision.V2026_07_28 else Era.HANDSHAKE


REVISIONS: Final = tuple(Revision)
"""All revisions, oldest first."""

HANDSHAKE_REVISIONS: Final = tuple(r for r in Revision if r.era is Era.HANDSHAKE)
MODERN_REVISIONS: Final = tuple(r for r in Revision if r.era is Era.MODERN)
LATEST_HANDSHAKE: Final = HANDSHAKE_REVISIONS[-1]
LATEST: Final = REVISIONS[-1]

TASKS_EXTENSION: Final = "io.modelcontextprotocol/tasks"
"""The extension of the modern era by which a server answers with a task."""


def parse_revision(text: object) -> Revision | None:
    """The revision that `text` names, or None where it names none that we know."""
    return _BY_TEXT.get(text) if isinstance(text, str) else None


_BY_TEXT: Final = {r.value: r for r in Revision}
