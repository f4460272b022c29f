"""The words of the shape table."""

from inspector.protocol.messages import Json
from inspector.protocol.shapes import schema_of
from inspector.protocol.shapes_base import (
    INT,
    STR,
    A,
    AllOf,
    C,
    Choice,
    Const,
    D,
    E,
    Gated,
    ListOf,
    MapOf,
    Record,
    Shape,
    any_of,
    inline,
    may,
    need,
    notification,
    request,
    response,
)
from inspector.protocol.versions import Revision


def schema(shape: Shape, revision: Revision = A) -> Json:
    made = schema_of(shape, revision)
    return {key: value for key, value in made.items() if key not in ("$schema", "$defs")}


def test_a_record_has_the_fields_of_its_revision() -> None:
    shape = inline(need("a", STR), may("b", INT, since=C), need("c", INT, until=A))
    assert schema(shape) == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "c": {"type": "integer"}},
        "required": ["a", "c"],
    }
    assert schema(shape, C) == {
        "type": "object",
        "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
        "required": ["a"],
    }


def test_a_field_narrows_the_inherited_one_of_its_name() -> None:
    shape = Record((need("_meta", Const(1)),), bases=("Result",))
    made = schema(shape, D)
    assert isinstance(made, dict)
    assert made["properties"] == {"_meta": {"const": 1}}


def test_options_and_limits_come_with_their_revision() -> None:
    shape = any_of(STR, Gated(Choice(("x",)), since=C))
    assert schema(shape) == {"anyOf": [{"type": "string"}]}
    assert schema(shape, C) == {"anyOf": [{"type": "string"}, {"type": "string", "enum": ["x"]}]}
    limited = ListOf(MapOf(INT), at_most=3, capped_since=E)
    item: Json = {"type": "object", "additionalProperties": {"type": "integer"}}
    assert schema(limited, D) == {"type": "array", "items": item}
    assert schema(limited, E) == {"type": "array", "items": item, "maxItems": 3}


def test_all_of_several_shapes_must_hold() -> None:
    assert schema(AllOf((STR, Const("x")))) == {"allOf": [{"type": "string"}, {"const": "x"}]}


def test_requests_have_an_envelope_since_the_schemas_write_it_out() -> None:
    def names(row_shape: Shape, revision: Revision) -> list[str]:
        assert isinstance(row_shape, Record)
        return [field.name for field in row_shape.fields if field.lives_in(revision)]

    plain = request("X", "x/y", "RequestParams").shape
    assert names(plain, C) == ["method", "params"]
    assert names(plain, E) == ["jsonrpc", "id", "method", "params"]
    embedded = request("X", "x/y", "RequestParams", embedded=True).shape
    assert names(embedded, D) == ["jsonrpc", "id", "method", "params"]
    assert names(embedded, E) == ["method", "params"]
    assert names(notification("X", "notifications/x").shape, D) == ["jsonrpc", "method", "params"]
    assert names(response("XResult").shape, E) == ["jsonrpc", "id", "result"]
