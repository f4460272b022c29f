"""Reading values into fields."""

import pytest

from inspector.forms.jsontext import dump, same
from inspector.forms.tree import build_form
from inspector.forms.values import FormState
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable

SHAPES: Json = {
    "oneOf": [
        {"type": "object", "properties": {"kind": {"const": "circle"}, "r": {"type": "number"}}},
        {"type": "object", "properties": {"kind": {"const": "square"}, "r": {"type": "number"}}},
        {"type": "array", "items": {"type": "integer"}},
        {"type": "array", "items": {"type": "string"}},
        {"type": "integer"},
        {"type": "number"},
        {"type": "boolean"},
    ]
}


@pytest.mark.parametrize(
    ("value", "alternative"),
    [
        ({"kind": "square", "r": 1}, 1),
        ({"kind": "circle"}, 0),
        ([1], 2),
        (["a"], 3),
        (5, 4),
        (5.5, 5),
        (True, 6),
    ],
)
def test_a_value_finds_its_alternative(value: Json, alternative: int) -> None:
    state = FormState(build_form(SHAPES))
    assert state.load(value) == []
    assert state.root.choice == alternative


@pytest.mark.parametrize(
    ("schema", "value", "loss"),
    [
        ({"type": "string"}, 5, "the whole value: not a string"),
        ({"type": "string"}, "a\rb", "the whole value: has characters that do not show"),
        ({"type": "string"}, "a\u2028b", "the whole value: has characters that do not show"),
        ({}, "text", "the whole value: not an object"),
        ({"type": "integer"}, "5", "the whole value: not an integer"),
        ({"type": "boolean"}, "true", "the whole value: not a boolean"),
        ({"enum": [1]}, 1.0, "the whole value: none of the values that the schema lists"),
        ({"properties": {"a": {"type": "object"}}}, {"a": []}, "/a: not an object"),
        ({"type": "array"}, [0] * 501, "the whole value: has 501 items"),
        ({"type": "null"}, 0, "the whole value: not null"),
        (SHAPES, "text", "the whole value: fits none of the alternatives"),
        (
            {"type": "array", "items": {"enum": ["a", "b"]}},
            ["a", "a"],
            "the whole value: lists a value twice or one that the schema does not offer",
        ),
    ],
)
def test_what_no_field_can_hold_is_json_with_the_reason(
    schema: Json, value: Json, loss: str
) -> None:
    state = FormState(build_form(schema))
    assert state.load(value) == [loss]
    assert same(state.collect(), value)


def test_wrong_text_stays_in_its_field() -> None:
    state = FormState(build_form({"type": "integer"}))
    assert state.load("abc") == []
    assert (state.root.text, state.collect()) == ("abc", "abc")


@pytest.mark.parametrize(
    "value", [RawJson(b'{"a":1.10,"a":2}'), RawJson(b"{broken"), RawJson(b" 1.10 "), (1, 2)]
)
def test_raw_text_is_kept_whatever_it_holds(value: Sendable) -> None:
    state = FormState(build_form({"properties": {"a": {"type": "number"}}}))
    state.load(value)
    if value != RawJson(b"{broken"):
        assert dump(state.collect()).strip() == dump(value).strip()
    assert "broken" in state.text() or value != RawJson(b"{broken")


def test_deep_and_wide_values_become_json_below_a_limit() -> None:
    value: Json = 1
    for _ in range(300):
        value = {"next": value}
    state = FormState(build_form({"type": "object", "properties": {"next": {"$ref": "#"}}}))
    state.load(value)
    assert same(state.collect(), value)
    wide: Json = [[0] * 400 for _ in range(400)]
    lists = FormState(build_form({"type": "array", "items": {"type": "array"}}))
    assert any("too much for fields" in loss for loss in lists.load(wide))
    assert same(lists.collect(), wide)


def test_a_choice_between_itself_many_times_over_is_settled_within_bounds() -> None:
    parts: JsonObject = {f"p{number}": {"$ref": "#"} for number in range(20)}
    union: Json = {
        "oneOf": [{"type": "object", "title": str(n), "properties": parts} for n in range(90)]
    }
    value: Json = {"p0": {f"p{n}": {f"p{m}": {} for m in range(20)} for n in range(20)}}
    state = FormState(build_form(union))
    state.load(value)
    assert same(state.collect(), value)
