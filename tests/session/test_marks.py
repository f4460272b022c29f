"""What header marks mean where."""

from inspector.protocol.versions import Era
from inspector.session.marks import marks_rule


def test_marks_mean_something_in_the_modern_era_only() -> None:
    assert marks_rule(Era.HANDSHAKE, "http") == "ignored"
    assert marks_rule(Era.MODERN, "stdio") == "noted"
    assert marks_rule(Era.MODERN, "http") == "in force"
