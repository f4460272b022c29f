"""Which field a schema becomes."""

import pytest
from hypothesis import HealthCheck, given, settings

from inspector.forms.fields import Field, Kind
from inspector.forms.schema import SPENT
from inspector.forms.tree import Form, build_form
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
        ({}, Kind.OBJECT),
        (True, Kind.OBJECT),
        ({"type": "any"}, Kind.OBJECT),
        (False, Kind.JSON),
        ({"enum": []}, Kind.JSON),
        ({"$ref": "other.json"}, Kind.JSON),
        (17, Kind.JSON),
    ],
)
def test_a_schema_becomes_the_kind_of_field_that_it_asks_for(schema: Json, kind: Kind) -> None:
    assert root(schema).kind is kind
    assert (root(schema).why != "") is (kind is Kind.JSON)


@pytest.mark.parametrize("schema", [{}, True, {"type": "any"}, {"description": "x"}, {"not": {}}])
def test_a_property_without_a_type_takes_anything(schema: Json) -> None:
    form = build_form({"properties": {"a": schema}})
    assert form.properties(form.root)[0].kind is Kind.ANY


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
    million = build_form({"properties": {"a": {"enum": list(range(1_000_000))}}})
    assert million.properties(million.root)[0].kind is Kind.ANY
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


def test_what_applies_under_a_condition_is_offered_and_not_required() -> None:
    form = build_form(
        {
            "type": "object",
            "properties": {"kind": {"enum": ["a", "b"]}, "card": {"type": "string"}},
            "if": {"properties": {"kind": {"const": "a"}}},
            "then": {"properties": {"kind": {}, "x": {"type": "integer"}}, "required": ["x"]},
            "else": {"properties": {"x": {"type": "string"}, "y": {"$ref": "#/$defs/y"}}},
            "dependentSchemas": {"card": {"allOf": [{"properties": {"cvv": {"minimum": 1}}}]}},
            "dependencies": {"card": {"properties": {"owner": True}}, "kind": ["card"]},
            "$defs": {"y": {"type": "boolean"}},
        }
    )
    found = {one.name: one for one in form.properties(form.root)}
    assert list(found) == ["kind", "card", "x", "y", "cvv", "owner"]
    assert found["kind"].kind is Kind.ENUM
    assert [variant.kind for variant in form.variants(found["x"])] == [Kind.INTEGER, Kind.STRING]
    assert (found["y"].kind, found["y"].hint) == (Kind.BOOLEAN, "boolean · conditional")
    assert not any(one.required for one in found.values())


def test_an_entry_falls_under_the_patterns_that_its_key_matches() -> None:
    form = build_form(
        {
            "patternProperties": {
                "^s_": {"type": "string"},
                "^i_": {"type": "integer"},
                "_long$": {"minLength": 9},
            }
        }
    )
    kinds = {key: form.entry(form.root, key).kind for key in ("s_a", "i_b", "other")}
    assert kinds == {"s_a": Kind.STRING, "i_b": Kind.INTEGER, "other": Kind.ANY}
    assert form.entry(form.root, "s_long").hint == "string · at least 9 characters"
    unclear = build_form({"patternProperties": {"(a|b)+": {"type": "boolean"}}})
    assert unclear.entry(unclear.root, "a").kind is Kind.BOOLEAN


def test_listed_property_names_are_offered_as_fields() -> None:
    form = build_form(
        {
            "type": "object",
            "propertyNames": {"$ref": "#/$defs/colour"},
            "additionalProperties": {"type": "integer"},
            "$defs": {"colour": {"enum": ["red", "green", 5]}},
        }
    )
    fields = form.properties(form.root)
    assert [(one.name, one.kind, one.required) for one in fields] == [
        ("red", Kind.INTEGER, False),
        ("green", Kind.INTEGER, False),
    ]


def test_a_long_enum_can_still_be_chosen_from() -> None:
    long = root({"enum": [f"v{number}" for number in range(10_000)]})
    assert (long.kind, len(long.options), long.hint) == (Kind.ENUM, 10_000, "1 of 10000")
    objects: Json = {"type": "object", "enum": [{"n": number} for number in range(10_000)]}
    assert (root(objects).kind, root(objects).hint) == (
        Kind.OBJECT,
        "object · one of 10000 values",
    )


def test_what_is_too_much_at_once_says_so_and_is_there_the_next_time() -> None:
    defs: JsonObject = {
        f"d{level}": {
            "type": "object",
            "properties": {f"p{n}": {"$ref": f"#/$defs/d{level + 1}"} for n in range(400)},
        }
        for level in range(60)
    }
    form = build_form({"$ref": "#/$defs/d0", "$defs": {**defs, "d60": {"type": "object"}}})
    way = [form.root]
    while way[-1].kind is Kind.OBJECT and len(way) < 60:
        way.append(form.properties(way[-1])[-1])
    assert (way[-1].kind, way[-1].why) == (Kind.JSON, SPENT)
    form.renew()
    assert form.properties(way[-2])[-1].kind is Kind.OBJECT
