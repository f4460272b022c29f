"""What 2026-07-28 deprecates, and no revision before it."""

import pytest

from inspector.protocol.deprecated import is_deprecated
from inspector.protocol.methods import Side
from inspector.protocol.versions import HANDSHAKE_REVISIONS, Revision


@pytest.mark.parametrize(
    ("side", "capability"), [("server", "logging"), ("client", "roots"), ("client", "sampling")]
)
def test_only_the_modern_era_deprecates(side: Side, capability: str) -> None:
    assert is_deprecated(side, capability, Revision.V2026_07_28)
    assert not any(is_deprecated(side, capability, one) for one in HANDSHAKE_REVISIONS)
    assert not is_deprecated(side, capability, None)


def test_a_capability_is_deprecated_on_its_own_side_only() -> None:
    assert not is_deprecated("client", "elicitation", Revision.V2026_07_28)
    assert not is_deprecated("server", "roots", Revision.V2026_07_28)
