"""A capability is declared by an object or true, and by nothing else."""

import pytest

from inspector.protocol.messages import JsonObject
from inspector.session.state import Phase, SessionState, capability_at


@pytest.mark.parametrize(
    ("capabilities", "declared"),
    [
        ({}, False),
        ({"resources": {}}, False),
        ({"resources": {"subscribe": False}}, False),
        ({"resources": {"subscribe": None}}, False),
        ({"resources": True}, False),
        ({"resources": {"subscribe": True}}, True),
        ({"resources": {"subscribe": {}}}, True),
    ],
)
def test_declared_is_what_is_there_and_not_false(capabilities: JsonObject, declared: bool) -> None:
    assert capability_at(capabilities, ("resources", "subscribe")) is declared
    assert SessionState(capabilities=capabilities).declares("resources", "subscribe") is declared


def test_phases_say_whether_requests_can_be_sent_and_whether_it_is_over() -> None:
    assert [phase for phase in Phase if SessionState(phase=phase).ready] == [Phase.READY]
    over = [phase for phase in Phase if SessionState(phase=phase).over]
    assert over == [Phase.CLOSED, Phase.FAILED]
