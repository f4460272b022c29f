"""The errors of the modern era come with what helps against them."""

import pytest

from inspector.protocol.codes import (
    HEADER_MISMATCH,
    INTERNAL_ERROR,
    MISSING_CLIENT_CAPABILITY,
    UNSUPPORTED_PROTOCOL_VERSION,
)
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.versions import Revision
from inspector.session.options import Advertise
from inspector.session.pending import Failure
from inspector.session.refusals import SWITCHES, hint_for, missing_capabilities
from tests.session.scene import error, soon
from tests.session.test_modern import opened

ALL: JsonObject = Advertise(sampling_tools=True, sampling_context=True).capabilities(
    Revision.V2026_07_28
)
NOW = Revision.V2026_07_28


def required(**capabilities: Json) -> JsonObject:
    """The data of a -32021."""
    return {"requiredCapabilities": capabilities}


def test_every_capability_with_a_switch_is_one_that_can_be_declared() -> None:
    for path in SWITCHES:
        name, _, key = path.partition(".")
        inner: JsonObject = {key: {}} if key else {}
        wanted = required(**{name: inner})
        assert missing_capabilities(wanted, ALL) == ()
        assert missing_capabilities(wanted, {}) == (path,)


def test_a_missing_capability_is_named_to_be_switched_on() -> None:
    declared = Advertise().capabilities(NOW)
    hint = hint_for(MISSING_CLIENT_CAPABILITY, required(sampling={"tools": {}}), declared, NOW)
    assert hint == "switch on sampling.tools among what this client declares, and call again"


def test_a_capability_that_we_do_not_have_is_told_as_such() -> None:
    wanted = required(extensions={"org.example/x": {}}, roots={})
    hint = hint_for(MISSING_CLIENT_CAPABILITY, wanted, {}, NOW)
    assert "switch on roots" in hint
    assert "does not have extensions.org.example/x" in hint


@pytest.mark.parametrize("data", [None, [], {}, {"requiredCapabilities": 7}, required(roots={})])
def test_an_error_that_names_nothing_missing_says_so(data: Json) -> None:
    hint = hint_for(MISSING_CLIENT_CAPABILITY, data, {"roots": {}}, NOW)
    assert "names none that is not declared" in hint


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"supported": ["2025-06-18", "2025-11-25"]}, "reconnect with --protocol 2025-11-25"),
        ({"supported": ["2031-01-01"]}, "none of which this program knows"),
        ({"supported": "x"}, "names nothing that it speaks"),
        (None, "names nothing that it speaks"),
    ],
)
def test_a_version_error_tells_how_to_reconnect(data: Json, words: str) -> None:
    assert words in hint_for(UNSUPPORTED_PROTOCOL_VERSION, data, {}, NOW)


def test_other_errors_speak_for_themselves() -> None:
    assert hint_for(INTERNAL_ERROR, {"supported": []}, {}, NOW) == ""
    assert "headers" in hint_for(HEADER_MISMATCH, None, {}, NOW)


async def test_the_outcome_of_a_call_carries_the_hint() -> None:
    async with opened() as s:
        call, _ = await s.call()
        wanted = required(sampling={"context": {}})
        s.server(error(call.id, MISSING_CLIENT_CAPABILITY, "no", wanted))
        outcome = await soon(call.wait())
        assert isinstance(outcome, Failure)
        assert "sampling.context" in outcome.hint


def test_a_state_that_is_not_taken_back_may_be_too_old() -> None:
    said = hint_for(-32602, {"reason": "invalid_request_state"}, {}, Revision.V2026_07_28)
    assert "call again" in said
    assert hint_for(-32602, {"reason": "other"}, {}, Revision.V2026_07_28) == ""
