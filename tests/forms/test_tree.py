"""Which field a schema becomes."""

import pytest
from hypothesis import HealthCheck, given, settings

from inspector.forms.tree import Field, Form, Kind, build_form
from inspector.protocol.messages import Json, JsonObject
from tests.forms.generators import ANY_JSON, SCHEMAS


def root(schema: Json) -> Field:
    return build_form(schema).root


def expand(form: Form, field: Field, depth: int) -> None:
    if depth == 0:
        return
    children: tuple[Field, ...] = ()
    if field.kind is Kind.OBJECT:
        children = (*form.properties(field), form.entry(field, "new"))
    elif field.kind is Kind.ARRAY:
        children = (form.item(field, 0), form.item(field, 7))
    elif field.kind is Kind.CHOICE:
        children = form.variants(field)
        labels = form.variant_labels(field)
        assert len(labels) == len(children)
    for child in children:
        expand(form, child, depth - 1)


@given(SCHEMAS | ANY_JSON)
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_json_as_schema_makes_a_form(schema: Json) -> None:
    form = build_form(schema)
    expand(form, form.root, 4)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string"}, Kind.STRING),
        ({"type": "integer"}, Kind.INTEGER),
        ({"type": ["integer", "number"]}, Kind.NUMBER),
        ({"type": "boolean"}, Kind.BOOLEAN),
        ({"type": "null"}, Kind.NULL),
        ({"const": 5}, Kind.CONST),
        ({"enum": ["a", "b"]}, Kind.ENUM),
        ({"type": "array", "items": {"enum": ["a", "b"]}}, Kind.MULTI),
        ({"type": "array"}, Kind.ARRAY),
        ({"properties": {}}, Kind.OBJECT),
        ({"properties": {"a": {}}}, Kind.OBJECT),
        ({"additionalProperties": {"type": "string"}}, Kind.OBJECT),
        ({"minimum": 3}, Kind.NUMBER),
        ({"pattern": "x"}, Kind.STRING),
        ({"items": {}}, Kind.ARRAY),
        ({"type": ["string", "integer"]}, Kind.CHOICE),
        ({"anyOf": [{"type": "string"}, {"type": "object"}]}, Kind.CHOICE),
        ({}, Kind.ANY),
        (True, Kind.ANY),
        (False, Kind.JSON),
        ({"enum": []}, Kind.JSON),
        ({"$ref": "other.json"}, Kind.JSON),
        (17, Kind.JSON),
    ],
)
def test_a_schema_becomes_the_kind_of_field_that_it_asks_for(schema: Json, kind: Kind) -> None:
    assert root(schema).kind is kind
    assert (root(schema).why != "") is (kind is Kind.JSON)


@pytest.mark.parametrize(
    "schema",
    [
        {"type": ["string", "null"]},
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        {"oneOf": [{"type": "null"}, {"type": "string"}]},
        {"type": "string", "nullable": True},
        {"anyOf": [{"anyOf": [{"type": "string"}, {"const": None}]}, {"enum": [None]}]},
    ],
)
def test_every_way_to_say_nullable_is_one_nullable_field(schema: Json) -> None:
    assert (root(schema).kind, root(schema).nullable) == (Kind.STRING, True)


def test_constants_with_titles_and_enum_names_are_options_with_labels() -> None:
    titled = root({"oneOf": [{"const": 1, "title": "One"}, {"const": "two"}, {"type": "null"}]})
    assert [(one.value, one.label) for one in titled.options] == [(1, "One"), ("two", "two")]
    assert titled.nullable
    named = root({"type": "string", "enum": ["r", "g"], "enumNames": ["Red"]})
    assert [one.label for one in named.options] == ["Red", "g"]
    several = root({"type": "array", "items": {"anyOf": [{"const": "a", "title": "A"}]}})
    assert (several.kind, several.options[0].label) == (Kind.MULTI, "A")


def test_alternatives_are_named_by_title_reference_constant_or_shape() -> None:
    form = build_form(
        {
            "$defs": {"Square": {"properties": {"side": {"type": "number"}}}},
            "oneOf": [
                {"title": "Round", "properties": {"r": {}}},
                {"$ref": "#/$defs/Square"},
                {"properties": {"kind": {"const": "line"}}},
                {"properties": {"x": {}}, "required": ["x"]},
                {"type": "array", "items": {"type": "string"}},
                {"type": "string", "format": "date"},
                {"type": "string", "format": "date"},
            ],
        }
    )
    assert form.variant_labels(form.root) == (
        "Round", "Square", "line", "x", "list of string", "string date 1", "string date 2",
    )  # fmt: skip


def test_what_stands_beside_a_choice_is_in_every_alternative() -> None:
    form = build_form(
        {
            "type": "object",
            "title": "Both",
            "properties": {"id": {"type": "integer"}},
            "oneOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}],
        }
    )
    names = [[f.name for f in form.properties(one)] for one in form.variants(form.root)]
    assert names == [["id", "a"], ["id", "b"]]


def test_two_choices_are_asked_for_one_after_the_other() -> None:
    form = build_form(
        {"anyOf": [{"title": "x"}, {"title": "y"}], "oneOf": [{"minimum": 1}, {"minLength": 1}]}
    )
    assert form.root.kind is Kind.CHOICE
    assert [one.kind for one in form.variants(form.root)] == [Kind.CHOICE, Kind.CHOICE]


def test_recursion_is_expanded_when_asked_for() -> None:
    node: JsonObject = {
        "type": "object",
        "properties": {"next": {"$ref": "#"}, "all": {"type": "array", "items": {"$ref": "#"}}},
    }
    form = build_form(node)
    field = form.root
    for _ in range(50):
        field = form.properties(field)[0]
    assert field.kind is Kind.OBJECT
    assert form.properties(field)[0] is field
    assert form.item(form.properties(field)[1], 0).kind is Kind.OBJECT


def test_a_required_property_that_is_not_declared_has_a_field() -> None:
    form = build_form({"type": "object", "required": ["ghost"]})
    assert [(one.name, one.required) for one in form.properties(form.root)] == [("ghost", True)]


def test_hints_tell_type_and_limits() -> None:
    assert root({"type": "integer", "minimum": 1, "maximum": 5}).hint == "integer · ≥ 1 · ≤ 5"
    assert root({"type": "string", "format": "email"}).hint == "email"
    assert root({"type": "array", "minItems": 1, "uniqueItems": True}).hint == (
        "list · at least 1 item · unique"
    )


def test_bombs_become_something_small() -> None:
    assert root({"enum": list(range(1_000_000))}).kind is Kind.ANY
    assert root({"properties": {str(index): {} for index in range(100_000)}}).kind is Kind.JSON
    assert root({"anyOf": [{"type": "string", "title": str(n)} for n in range(5000)]}).why
    deep: Json = {"type": "string"}
    for _ in range(20_000):
        deep = {"type": "object", "properties": {"a": deep}}
    form = build_form(deep)
    assert form.properties(form.root)[0].kind is Kind.OBJECT
    nested: Json = {"type": "string"}
    for _ in range(20_000):
        nested = {"anyOf": [nested, {"type": "null"}]}
    assert build_form(nested).root.kind in set(Kind)
