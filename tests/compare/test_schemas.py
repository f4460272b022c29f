"""Whom a changed schema breaks: callers where input gets narrower, readers where output does."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.compare.schemas import Side, member_changes, schema_changes
from inspector.protocol.messages import Json
from tests.hostile.bombs import bombs

OBJECT: dict[str, Json] = {"type": "object"}


def effects(left: Json, right: Json, side: Side = "input") -> list[tuple[str, str]]:
    return [(one.pointer, one.effect) for one in schema_changes(left, right, side)]


@pytest.mark.parametrize(
    ("left", "right", "pointer", "given_in", "given_out"),
    [
        ({"type": "integer"}, {"type": "number"}, "/type", "compatible", "breaks"),
        ({"type": "number"}, {"type": "integer"}, "/type", "breaks", "compatible"),
        ({"type": "string"}, {"type": ["string", "null"]}, "/type", "compatible", "breaks"),
        ({"type": "string"}, {}, "/type", "compatible", "breaks"),
        ({"enum": ["a", "b"]}, {"enum": ["b", "a", "c"]}, "/enum", "compatible", "breaks"),
        ({"enum": ["a", 1]}, {"enum": ["a"]}, "/enum", "breaks", "compatible"),
        ({}, {"minimum": 1}, "/minimum", "breaks", "compatible"),
        ({"minimum": 1}, {"minimum": 0}, "/minimum", "compatible", "breaks"),
        ({"maxLength": 5}, {"maxLength": 4}, "/maxLength", "breaks", "compatible"),
        ({}, {"pattern": "x"}, "/pattern", "breaks", "compatible"),
        ({"pattern": "x"}, {"pattern": "y"}, "/pattern", "may break", "may break"),
        ({"additionalProperties": False}, {}, "/additionalProperties", "compatible", "breaks"),
        ({"description": "a"}, {"description": "b"}, "/description", "compatible", "compatible"),
        ({"oneOf": [1]}, {"oneOf": [2]}, "/oneOf", "may break", "may break"),
        (True, False, "", "breaks", "compatible"),
        ({"type": "object"}, True, "", "compatible", "may break"),
    ],
)
def test_allowing_less_breaks_callers_and_allowing_more_breaks_readers(
    left: Json, right: Json, pointer: str, given_in: str, given_out: str
) -> None:
    assert effects(left, right) == [(pointer, given_in)]
    assert effects(left, right, "output") == [(pointer, given_out)]


def test_required_is_a_set() -> None:
    before: Json = {**OBJECT, "required": ["a", "b"]}
    assert effects(before, {**OBJECT, "required": ["b", "a"]}) == []
    assert effects(before, {**OBJECT, "required": ["a", "c"]}) == [
        ("/required", "compatible"),
        ("/required", "breaks"),
    ]
    assert effects(before, OBJECT, "output") == [("/required", "breaks"), ("/required", "breaks")]


def test_a_property_that_goes_breaks_where_nothing_else_is_allowed() -> None:
    before: Json = {"properties": {"a": {"type": "string"}}}
    assert effects(before, {}) == [("/properties/a", "may break")]
    closed: Json = {"properties": {}, "additionalProperties": False}
    assert ("/properties/a", "breaks") in effects(before, closed)
    promised: Json = {"properties": {"a": {"type": "string"}}, "required": ["a"]}
    assert ("/properties/a", "breaks") in effects(promised, {"required": ["a"]}, "output")


def test_what_is_inside_is_judged_where_it_stands() -> None:
    def with_items(kind: str) -> Json:
        items: Json = {"type": "array", "items": {"$defs": {"d": {"type": kind}}}}
        return {"properties": {"a/b": items}}

    assert effects(with_items("number"), with_items("integer")) == [
        ("/properties/a~1b/items/$defs/d/type", "breaks")
    ]


def test_members_that_are_no_schema_break_where_they_go_unless_they_are_words() -> None:
    found = member_changes(
        {"uri": "a", "mimeType": "x", "description": "y"}, {"uri": "a", "description": "z", "n": 1}
    )
    assert [(one.pointer, one.effect) for one in found] == [
        ("/mimeType", "may break"),
        ("/description", "compatible"),
        ("/n", "compatible"),
    ]


SCHEMAS = st.recursive(
    st.booleans() | st.dictionaries(st.sampled_from(["type", "minimum", "enum"]), st.integers()),
    lambda inner: st.dictionaries(st.sampled_from(["items", "properties", "required", "x"]), inner),
    max_leaves=6,
)


@given(SCHEMAS, SCHEMAS)
def test_any_two_values_can_be_compared_and_a_schema_equals_itself(left: Json, right: Json) -> None:
    assert schema_changes(left, left, "input") == ()
    for one in schema_changes(left, right, "output"):
        assert one.effect in ("breaks", "may break", "compatible")


def test_a_number_in_an_enum_is_no_text_that_looks_alike() -> None:
    (change,) = schema_changes({"enum": ["1"]}, {"enum": [1, 2]}, "input")
    assert change.effect == "breaks"


def test_no_schema_takes_long_to_compare() -> None:
    """A hang here is what the time limit of all tests is for."""
    for bomb in bombs():
        assert isinstance(bomb.schema, dict)
        assert schema_changes(bomb.schema, {"type": "string", "required": ["x"]}, "output")
        if not bomb.large:
            changed: Json = {**bomb.schema, "x": 1}
            assert [one.pointer for one in schema_changes(bomb.schema, changed, "input")] == ["/x"]
