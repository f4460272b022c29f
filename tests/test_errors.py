"""The error tree: what a caller may rely on."""

import pytest

from inspector import errors
from inspector.errors import InspectorError

KINDS = [
    errors.UsageError,
    errors.ConnectionFailed,
    errors.PeerViolation,
    errors.RequestTimeout,
    errors.RequestCancelled,
    errors.RecordingError,
]


@pytest.mark.parametrize("error_type", KINDS)
def test_every_error_is_an_inspector_error_with_its_own_kind(
    error_type: type[InspectorError],
) -> None:
    error = error_type("what happened", hint="what to do")
    assert isinstance(error, InspectorError)
    assert (str(error), error.message, error.hint) == (
        "what happened",
        "what happened",
        "what to do",
    )
    assert [other.kind for other in KINDS].count(error.kind) == 1


def test_a_kind_and_a_fault_can_be_named_for_one_error_only() -> None:
    error = errors.ConnectionFailed("no", kind="auth", fault="you")
    assert (error.kind, error.fault) == ("auth", "you")
    assert (errors.ConnectionFailed("no").kind, errors.ConnectionFailed.fault) == (
        "connect",
        "server",
    )


def test_what_was_not_negotiated_names_what_to_permit() -> None:
    error = errors.Undeclared("the server does not declare tools", "tools/list")
    assert (error.what, error.kind, error.fault) == ("tools/list", "capability", "you")
    assert "anyway" in error.hint
