"""What model APIs are known to make of input schemas."""

from typing import cast

import pytest

from inspector.lint.portability_schema import RULES, remarks
from inspector.protocol.messages import Json, JsonObject


def of(schema: object, **root: object) -> JsonObject:
    """An input schema of one required argument `a`."""
    made = {
        "type": "object",
        "properties": {"a": schema},
        "required": ["a"],
        "additionalProperties": False,
        **root,
    }
    return cast("JsonObject", made)


STRING: JsonObject = {"type": "string"}
NODE: JsonObject = {
    "type": "object",
    "additionalProperties": False,
    "properties": {"next": {"$ref": "#/$defs/node"}},
    "required": ["next"],
}
CASES = (
    ("host/root-union", of(STRING, anyOf=[{"required": ["a"]}]), of({"anyOf": [STRING]}), "/anyOf"),
    (
        "host/property-name",
        {**of(STRING), "properties": {"a[]": STRING}, "required": ["a[]"]},
        of(STRING),
        "/properties/a[]",
    ),
    (
        "host/array-without-items",
        of({"type": "array"}),
        of({"type": "array", "items": STRING}),
        "/properties/a",
    ),
    (
        "host/reference",
        of({"$ref": "#/$defs/s"}, **{"$defs": {"s": STRING}}),
        of(STRING),
        "/properties/a/$ref",
    ),
    ("host/type-list", of({"type": ["string", "null"]}), of(STRING), "/properties/a/type"),
    ("host/type-missing", of({"enum": ["x"]}), of({**STRING, "enum": ["x"]}), "/properties/a"),
    (
        "host/enum-values",
        of({"type": "integer", "enum": [0, 1]}),
        of({**STRING, "enum": ["0", "1"]}),
        "/properties/a/enum",
    ),
    (
        "host/enum-empty",
        of({**STRING, "enum": ["x", ""]}),
        of({**STRING, "enum": ["x"]}),
        "/properties/a/enum/1",
    ),
    (
        "host/string-format",
        of({**STRING, "format": "uri"}),
        of({**STRING, "format": "date-time"}),
        "/properties/a/format",
    ),
    (
        "host/keyword",
        of({"oneOf": [STRING, {"type": "integer"}]}),
        of({"anyOf": [STRING, {"type": "integer"}]}),
        "/properties/a/oneOf",
    ),
    (
        "host/strict",
        {**of(STRING), "required": []},
        of(STRING),
        "",
    ),
)


def place(steps: tuple[str | int, ...]) -> str:
    return "".join(f"/{step}" for step in steps)


@pytest.mark.parametrize(("rule", "broken", "kept", "where"), CASES, ids=[one[0] for one in CASES])
def test_each_limit_is_told_at_its_place_and_a_schema_within_it_is_not(
    rule: str, broken: JsonObject, kept: JsonObject, where: str
) -> None:
    assert [place(one.steps) for one in remarks(broken) if one.rule == rule] == [where]
    assert list(remarks(kept)) == []


def test_every_rule_has_a_case() -> None:
    assert {row.id for row in RULES} == {rule for rule, *_ in CASES}


def test_the_repair_says_what_to_write_instead() -> None:
    def repair(schema: Json) -> str:
        return next(one.repair for one in remarks(of(schema)) if one.rule != "host/strict")

    assert repair({**STRING, "const": "x"}) == "write it as an enum of one string"
    assert repair({"oneOf": [STRING]}) == "write it as anyOf"
    assert repair({"type": ["string", "null"]}).startswith("keep the one type")
    assert repair({"type": ["string", "integer"]}) == "write it as anyOf with one type each"


def test_a_schema_that_contains_itself_is_told_so() -> None:
    schema = of({"$ref": "#/$defs/node"}, **{"$defs": {"node": NODE}})
    found = {one.repair for one in remarks(schema) if one.rule == "host/reference"}
    assert any(words.startswith("it contains itself") for words in found)
    assert "write the schema out in its place" in found


def test_many_places_of_one_kind_are_one_remark() -> None:
    schema = of({"type": "object", "properties": {name: {"type": "array"} for name in "abc"}})
    (told,) = [one for one in remarks(schema) if one.rule == "host/array-without-items"]
    assert "(2 more such places.)" in told.reason


def test_arguments_with_the_names_of_keywords_are_arguments() -> None:
    schema: JsonObject = {
        **of(STRING),
        "properties": {"const": STRING, "oneOf": STRING, "format": STRING},
    }
    schema["required"] = ["const", "oneOf", "format"]
    assert list(remarks(schema)) == []


def test_a_schema_of_any_depth_and_size_is_looked_at_within_bounds() -> None:
    deep: JsonObject = {"type": "array"}
    for _ in range(5000):
        deep = {"type": "array", "items": deep}
    wide = {"type": "object", "properties": {f"p{n}": {"type": "array"} for n in range(20_000)}}
    for schema in (of(deep), of(wide)):
        assert any(one.rule == "host/strict" for one in remarks(schema))


@pytest.mark.parametrize("odd", [7, None, [], "x", {"type": 7}, {"properties": []}, {"enum": 1}])
def test_what_is_no_schema_stops_nothing(odd: Json) -> None:
    assert all(one.rule.startswith("host/") for one in remarks(of(odd, required=7)))
