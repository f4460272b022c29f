"""What a flat schema looks like to a user."""

import pytest

from inspector.forms.fields import Kind, implied_type, only_null, plainly_typed
from inspector.forms.references import Place
from inspector.forms.schema import Flat, Schemas
from inspector.forms.tree import build_form
from inspector.protocol.messages import Json


def flat_of(schema: Json) -> Flat:
    return Schemas(schema).flatten((Place(schema, schema),))


@pytest.mark.parametrize("schema", [{"type": "null"}, {"const": None}, {"enum": [None]}])
def test_every_way_to_say_null_is_null(schema: Json) -> None:
    assert only_null(flat_of(schema))
    assert not plainly_typed(schema)


@pytest.mark.parametrize(
    ("schema", "plainly"),
    [
        ({"type": "string"}, True),
        ({"type": "object", "properties": {}}, True),
        ({"type": "string", "const": "a"}, False),
        ({"type": "string", "$ref": "#"}, False),
        ({"type": ["string", "null"]}, False),
        ({"properties": {}}, False),
        (True, False),
    ],
)
def test_a_look_is_enough_only_where_nothing_else_can_decide(schema: Json, plainly: bool) -> None:
    assert plainly_typed(schema) is plainly


@pytest.mark.parametrize(
    ("schema", "name"),
    [
        ({"patternProperties": {"a": {}}}, "object"),
        ({"required": []}, "object"),
        ({"uniqueItems": True}, "array"),
        ({"maxLength": 1}, "string"),
        ({"multipleOf": 2}, "number"),
        ({"title": "x"}, ""),
    ],
)
def test_keywords_tell_the_type_where_no_type_does(schema: Json, name: str) -> None:
    assert implied_type(flat_of(schema)) == name


def test_a_field_is_called_by_its_name_else_by_its_title() -> None:
    form = build_form({"title": "T", "properties": {"a": {"title": "A"}}})
    assert (form.root.label, form.properties(form.root)[0].label) == ("T", "a")
    assert form.root.kind is Kind.OBJECT
