"""What keeps a tool out of OpenAI's strict mode."""

import pytest

from inspector.lint.portability_parts import parts_of
from inspector.lint.portability_strict import STRICT_DEPTH, STRICT_ENUM, strict
from inspector.protocol.messages import Json, JsonObject

STRING: JsonObject = {"type": "string"}


def closed(**properties: Json) -> JsonObject:
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def nested(depth: int) -> JsonObject:
    schema = closed(a=STRING)
    for _ in range(depth - 1):
        schema = closed(a=schema)
    return schema


def reason(schema: JsonObject) -> str:
    return "".join(one.reason for one in strict(schema, list(parts_of(schema))))


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({**closed(a=STRING), "additionalProperties": True}, "lacks additionalProperties: false"),
        ({**closed(a=STRING, b=STRING), "required": ["b"]}, "not required: a"),
        (closed(a={**STRING, "not": {"enum": ["x"]}}), "it has no not"),
        ({**closed(a=STRING), "anyOf": [{"required": ["a"]}]}, "its root must be no union"),
        (nested(STRICT_DEPTH + 1), "nested more than"),
        (closed(a={"enum": [str(number) for number in range(STRICT_ENUM + 1)]}), "more than 1000"),
    ],
)
def test_everything_that_is_in_the_way_is_said(schema: JsonObject, words: str) -> None:
    assert words in reason(schema)


@pytest.mark.parametrize(
    "schema",
    [
        closed(),
        closed(a={"type": ["string", "null"]}),
        nested(STRICT_DEPTH),
        closed(a={"enum": [str(number) for number in range(STRICT_ENUM)]}),
    ],
)
def test_what_is_within_the_limits_is_not_told(schema: JsonObject) -> None:
    assert reason(schema) == ""


def test_several_reasons_are_one_remark() -> None:
    schema: JsonObject = {"type": "object", "properties": {"a": STRING, "b": STRING}}
    (only,) = strict(schema, list(parts_of(schema)))
    assert "lacks additionalProperties: false; not required: a, b" in only.reason
