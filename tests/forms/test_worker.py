"""What the validator process says, asked in this process."""

import json

import jsonschema_rs
import pytest

from inspector.forms.worker import KEPT_VALIDATORS, MESSAGE_LIMIT, Refused, answer, build, verdict
from inspector.protocol.messages import Json


def judged(schema: Json, value: Json) -> list[tuple[list[str | int], str]]:
    return verdict(build(json.dumps(schema)), json.dumps(value))


def test_a_missing_and_a_forbidden_property_are_told_at_their_own_place() -> None:
    inner: Json = {"properties": {"b": {}}, "required": ["b"], "additionalProperties": False}
    schema: Json = {"properties": {"a": inner}}
    assert sorted(judged(schema, {"a": {"z": 1}}), key=str) == [
        (["a", "b"], "required"),
        (["a", "z"], "not allowed by the schema"),
    ]


def test_formats_are_checked() -> None:
    for name, wrong in (("email", "x"), ("date", "2024-13-01"), ("uri", "a b")):
        assert judged({"format": name}, wrong) == [([], f'"{wrong}" is not a "{name}"')]


@pytest.mark.parametrize(
    ("dialect", "problems"),
    [
        ("http://json-schema.org/draft-07/schema#", 1),
        ("https://json-schema.org/draft-07/schema", 1),
        ("https://json-schema.org/draft/2019-09/schema", 1),
        ("https://json-schema.org/draft/2020-12/schema", 0),
        (None, 0),
    ],
)
def test_the_dialect_is_honoured_and_2020_12_where_there_is_none(
    dialect: str | None, problems: int
) -> None:
    schema: dict[str, Json] = {"items": [{"type": "string"}]} if problems else {"prefixItems": []}
    if dialect is not None:
        schema["$schema"] = dialect
    if problems:
        assert len(judged(schema, [1])) == problems
    else:
        schema["prefixItems"] = [{"type": "string"}]
        assert len(judged(schema, [1])) == 1


def test_a_dialect_that_is_not_known_is_reported() -> None:
    with pytest.raises(Refused, match="dialect urn:x is not supported"):
        build('{"$schema": "urn:x"}')


@pytest.mark.parametrize(
    "schema",
    [
        {"$ref": "http://localhost:1/x"},
        {"$ref": "file:///etc/passwd"},
        {"$ref": "#/none"},
        {"type": "zork"},
        {"pattern": "("},
        [1],
        5,
        None,
    ],
)
def test_a_schema_that_is_none_or_leads_outside_is_refused(schema: Json) -> None:
    with pytest.raises(Refused, match="the schema is not valid"):
        build(json.dumps(schema))


def test_deep_texts_and_half_characters_have_no_verdict() -> None:
    with pytest.raises(Refused, match="cannot be read"):
        build("[" * 100_000)
    with pytest.raises(Refused, match="cannot be read"):
        verdict(build("true"), "[" * 100_000)
    with pytest.raises(Refused, match="surrogate"):
        verdict(build('{"type": "string"}'), '"\\ud800"')


def test_a_long_message_is_cut_in_the_middle() -> None:
    (problem,) = judged({"type": "integer"}, "x" * 10_000)
    assert len(problem[1]) <= MESSAGE_LIMIT + 3
    assert problem[1].endswith('is not of type "integer"')


def test_schemas_are_remembered_by_key_and_the_oldest_forgotten() -> None:
    known: dict[str, jsonschema_rs.Validator | str] = {}
    for number in range(KEPT_VALIDATORS + 1):
        assert "problems" in answer(str(number), '{"type": "string"}', "1", known)
    assert answer("8", "", '"x"', known) == {"problems": []}
    assert answer("0", "", "1", known) == {"unknown": True}


@pytest.mark.parametrize(
    ("text", "schema", "problems"),
    [
        ("1e400", {"type": "number", "minimum": 1}, 0),
        ("1e400", {"maximum": 1}, 1),
        ("1.0", {"type": "integer"}, 0),
        ("0.30000000000000000001", {"multipleOf": 0.01}, 1),
        ("1.10", {"enum": [1.1]}, 0),
    ],
)
def test_numbers_that_no_float_can_hold_are_judged_all_the_same(
    text: str, schema: Json, problems: int
) -> None:
    assert len(verdict(build(json.dumps(schema)), text)) == problems


def test_a_number_that_nothing_can_hold_has_no_verdict() -> None:
    with pytest.raises(Refused, match="cannot be read"):
        verdict(build("true"), "1e99999999999999999999")


def test_a_pattern_that_gives_up_is_no_verdict_about_the_value() -> None:
    greedy: Json = {"properties": {"a": {"pattern": r"(a*)*(a*)*(a*)*\1\2\3b$"}}}
    with pytest.raises(Refused, match="pattern in the schema takes too long"):
        judged(greedy, {"a": "a" * 200})
