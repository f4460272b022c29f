"""Capabilities that a revision deprecates: they work, and nobody should build on them.

Whether one is in use, and how it is told, is decided by whoever shows it.
"""

from collections.abc import Mapping
from typing import Final

from inspector.protocol.methods import Side
from inspector.protocol.versions import Era, Revision

_MODERN: Final[Mapping[Side, frozenset[str]]] = {
    "server": frozenset({"logging"}),
    "client": frozenset({"roots", "sampling"}),
}


def is_deprecated(side: Side, capability: str, revision: Revision | None) -> bool:
    """Whether `revision` deprecates a capability of one side, with all inside it."""
    modern = revision is not None and revision.era is Era.MODERN
    return modern and capability in _MODERN[side]
