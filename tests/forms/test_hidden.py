"""Which texts a schema says are secret."""

import pytest

from inspector.forms.hidden import hidden_texts
from inspector.protocol.messages import Json

PASSWORD: Json = {"type": "string", "format": "password"}
WRITTEN: Json = {"type": "string", "writeOnly": True}


@pytest.mark.parametrize(
    ("schema", "value", "found"),
    [
        ({"properties": {"a": PASSWORD, "b": {}}}, {"a": "x", "b": "y"}, ["x"]),
        ({"properties": {"a": WRITTEN}}, {"a": "x", "c": "y"}, ["x"]),
        ({"items": PASSWORD}, ["x", 1, "y"], ["x", "y"]),
        ({"additionalProperties": PASSWORD, "properties": {"a": {}}}, {"a": "x", "b": "y"}, ["y"]),
        ({"anyOf": [{"properties": {"a": PASSWORD}}, {}]}, {"a": "x"}, ["x"]),
        ({"$ref": "#/$defs/d", "$defs": {"d": {"properties": {"a": PASSWORD}}}}, {"a": "x"}, ["x"]),
        ({"properties": {"a": {"writeOnly": True}}}, {"a": {"b": ["x"], "c": 1}}, ["x"]),
        ({"properties": {"a": {"format": "email"}}}, {"a": "x"}, []),
        (None, {"a": "x"}, []),
        ({"properties": 5, "items": 5, "anyOf": 5, "$ref": "http://x"}, {"a": "x"}, []),
    ],
)
def test_texts_of_password_fields_are_found_wherever_they_stand(
    schema: Json, value: Json, found: list[str]
) -> None:
    assert hidden_texts(schema, value) == found


def test_a_schema_that_multiplies_is_left_after_so_many_steps() -> None:
    schema: Json = {"$ref": "#"}
    assert hidden_texts(schema, {"a": "x"}) == []
    assert hidden_texts({"allOf": [{"$ref": "#"}, {"$ref": "#"}]}, {"a": "x"}) == []
