"""Schemas made flat: references, allOf, garbage, bombs."""

from hypothesis import given, settings

from inspector.forms.references import Place
from inspector.forms.schema import MERGE_LIMIT, Flat, Schemas
from inspector.protocol.messages import Json, JsonObject
from tests.forms.generators import ANY_JSON, SCHEMAS


def flat_of(schema: Json) -> Flat:
    return Schemas(schema).flatten((Place(schema, schema),))


@given(SCHEMAS | ANY_JSON)
@settings(deadline=None)
def test_any_json_as_schema_is_flattened(schema: Json) -> None:
    assert isinstance(flat_of(schema), Flat)


def test_all_of_merges_properties_requirements_and_limits() -> None:
    flat = flat_of(
        {
            "allOf": [
                {"properties": {"a": {"type": "string"}}, "required": ["a"]},
                {"properties": {"a": {"maxLength": 3}, "b": True}, "type": "object"},
            ],
            "title": "T",
        }
    )
    assert (flat.title, flat.types, list(flat.required)) == ("T", ("object",), ["a"])
    assert list(flat.properties) == ["a", "b"]
    assert len(flat.properties["a"]) == 2


def test_types_are_narrowed_and_integer_is_a_number() -> None:
    assert flat_of({"allOf": [{"type": ["string", "number"]}, {"type": "integer"}]}).types == (
        "integer",
    )
    assert "several types" in flat_of({"allOf": [{"type": "string"}, {"type": "array"}]}).why


def test_enums_are_intersected() -> None:
    assert flat_of({"allOf": [{"enum": [1, 2, "2"]}, {"enum": ["2", 2]}]}).enum == [2, "2"]


def test_references_are_followed_by_pointer_anchor_and_id() -> None:
    defs: JsonObject = {
        "a/b": {"title": "pointer"},
        "c": {"$anchor": "here", "title": "anchor"},
        "d": {"$id": "http://x/d", "title": "id", "$defs": {"e": {"title": "inner"}}},
    }
    for reference, title in (
        ("#/$defs/a~1b", "pointer"),
        ("#here", "anchor"),
        ("http://x/d", "id"),
        ("http://x/d#/$defs/e", "inner"),
        ("d", "id"),
    ):
        schema: Json = {"$id": "http://x/root", "$defs": defs, "$ref": reference}
        assert flat_of(schema).title == title


def test_a_reference_out_of_the_schema_is_named_and_not_followed() -> None:
    flat = flat_of({"$ref": "http://localhost:1/schema.json"})
    assert flat.why == "refers to http://localhost:1/schema.json, which is not in this schema"


def test_a_reference_to_itself_ends() -> None:
    assert flat_of({"$ref": "#"}).why == ""
    assert flat_of({"$defs": {"a": {"$ref": "#/$defs/a"}}, "$ref": "#/$defs/a"}).types is None


def test_an_all_of_bomb_ends() -> None:
    defs: JsonObject = {
        f"d{level}": {"allOf": [{"$ref": f"#/$defs/d{level + 1}"}] * 2} for level in range(22)
    }
    defs["d22"] = {"type": "integer"}
    assert flat_of({"$defs": defs, "$ref": "#/$defs/d0"}).types == ("integer",)
    wide: Json = {"allOf": [{"title": str(index)} for index in range(MERGE_LIMIT * 4)]}
    assert flat_of(wide).why == "combines too many schemas"


def test_false_and_garbage_say_why_there_is_no_field() -> None:
    assert flat_of(False).why == "the schema allows no value here"
    assert flat_of([1]).why == "this part of the schema is a list, not a schema"
    assert flat_of({"allOf": ["x"]}).why == "this part of the schema is a text, not a schema"
    assert flat_of(True).why == ""


def test_tuples_of_older_drafts_are_prefixes() -> None:
    flat = flat_of({"items": [{"type": "string"}], "additionalItems": {"type": "integer"}})
    assert len(flat.prefix) == 1
    assert flat.items[0].schema == {"type": "integer"}
