"""What each policy answers, for each kind of ask."""

import pytest

from inspector.protocol.messages import Json, JsonObject
from inspector.session.asks import ASK_KINDS, AskKind, Policy, PolicyMode
from inspector.session.policies import (
    CANNED_TEXT,
    Answer,
    cancelled,
    decide,
    declined,
    schema_defaults,
)
from inspector.session.roots import Root

ROOTS = (Root("file:///a", "a"),)
MODES: tuple[PolicyMode, ...] = ("decline", "cancel", "accept-defaults", "answer")


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("kind", ASK_KINDS)
def test_every_policy_has_an_answer_for_every_kind(kind: AskKind, mode: PolicyMode) -> None:
    answer = decide(kind, Policy(mode), {}, ROOTS)
    assert (answer.result is None) is (answer.code is not None)


def test_elicitation_is_declined_by_an_action_and_sampling_by_an_error() -> None:
    """2025-11-25 client/elicitation, response actions; client/sampling, error handling."""
    assert declined("elicitation").result == {"action": "decline"}
    assert cancelled("elicitation-url").result == {"action": "cancel"}
    assert declined("sampling", "no").code == -1
    assert declined("sampling", "no").shown == {"code": -1, "message": "no"}
    assert cancelled("roots").code == -1


def test_a_given_answer_may_be_the_content_or_the_whole_result() -> None:
    def sent(answer: JsonObject) -> Json:
        return decide("elicitation", Policy("answer", answer), {}, ()).result

    assert sent({"n": 1}) == {"action": "accept", "content": {"n": 1}}
    assert sent({"action": "decline"}) == {"action": "decline"}
    assert sent({"action": "run"}) == {"action": "accept", "content": {"action": "run"}}


def test_a_canned_sampling_answer_says_that_it_is_one() -> None:
    result = decide("sampling", Policy("accept-defaults"), {}, ()).result
    assert result is not None
    assert result["content"] == {"type": "text", "text": CANNED_TEXT}
    own: JsonObject = {"role": "assistant"}
    assert decide("sampling", Policy("answer", own), {}, ()).result == own


def test_roots_are_the_configured_ones() -> None:
    assert decide("roots", Policy("answer"), {}, ROOTS).result == {
        "roots": [{"uri": "file:///a", "name": "a"}]
    }


def test_a_url_is_opened_by_no_default() -> None:
    assert decide("elicitation-url", Policy("accept-defaults"), {}, ()).result == {
        "action": "decline"
    }


def test_defaults_are_accepted_only_where_they_make_a_whole_answer() -> None:
    """2025-11-25 client/elicitation: accepted content conforms to the schema."""

    def decided(required: list[Json], **properties: Json) -> Answer:
        schema: JsonObject = {"properties": dict(properties), "required": required}
        return decide("elicitation", Policy("accept-defaults"), {"requestedSchema": schema}, ())

    name: Json = {"type": "string"}
    size: Json = {"enum": ["S", "M"]}
    titled: Json = {"oneOf": [{"const": "a", "title": "A"}]}
    whole = decided(["size", "titled", "fixed"], size=size, titled=titled, fixed={"const": 5})
    assert whole.result == {
        "action": "accept",
        "content": {"size": "S", "titled": "a", "fixed": 5},
    }
    assert decided([], name=name, size=size).result == {"action": "accept", "content": {}}
    lacking = decided(["name", "n", "gone"], name=name, n={"default": 3})
    assert lacking.result == {"action": "decline"}
    assert lacking.message == "no default for name, gone"


@pytest.mark.parametrize("schema", [None, 7, {}, {"properties": []}, {"properties": {"a": 1}}])
def test_a_schema_without_defaults_has_none(schema: Json) -> None:
    assert schema_defaults({"requestedSchema": schema}) == {}


def test_defaults_are_taken_as_they_stand_even_null() -> None:
    properties: JsonObject = {"a": {"default": None}, "b": {"default": [1]}, "c": {}}
    assert schema_defaults({"requestedSchema": {"properties": properties}}) == {
        "a": None,
        "b": [1],
    }
