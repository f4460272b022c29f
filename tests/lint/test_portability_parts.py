"""Walking through input schemas within bounds."""

from inspector.lint.portability_parts import DEPTH, PARTS, parts_of
from inspector.protocol.messages import JsonObject

STRING: JsonObject = {"type": "string"}


def places(schema: JsonObject) -> list[str]:
    return ["".join(f"/{step}" for step in part.steps) for part in parts_of(schema)]


def test_every_schema_inside_is_a_part_and_values_are_none() -> None:
    schema: JsonObject = {
        "properties": {"a": {"anyOf": [STRING, {"items": STRING}]}, "items": STRING},
        "additionalProperties": STRING,
        "$defs": {"d": {"prefixItems": [STRING], "const": {"items": STRING}}},
        "default": {"properties": {"no": STRING}},
        "enum": [{"items": STRING}],
    }
    assert places(schema) == [
        "",
        "/properties/a",
        "/properties/items",
        "/$defs/d",
        "/additionalProperties",
        "/properties/a/anyOf/0",
        "/properties/a/anyOf/1",
        "/$defs/d/prefixItems/0",
        "/properties/a/anyOf/1/items",
    ]


def test_objects_and_arrays_make_it_deeper_and_unions_do_not() -> None:
    schema: JsonObject = {"anyOf": [{"properties": {"a": {"items": STRING}}}]}
    assert [part.depth for part in parts_of(schema)] == [0, 0, 1, 2]


def test_the_walk_ends_however_deep_or_wide_a_schema_is() -> None:
    deep: JsonObject = {}
    for _ in range(10 * DEPTH):
        deep = {"items": deep}
    assert len(places(deep)) <= 2 * DEPTH + 1
    wide: JsonObject = {"properties": {f"p{number}": STRING for number in range(2 * PARTS)}}
    assert len(places(wide)) == PARTS
