"""2026-07-28 server/tools and basic/transports/streamable-http: `x-mcp-header`."""

import pytest

from inspector.protocol.header_params import HeaderParam, argument_headers, header_params
from inspector.protocol.messages import Json, JsonObject, RawJson


def schema(properties: Json, **more: Json) -> JsonObject:
    return {"type": "object", "properties": properties, **more}


def test_marked_properties_are_found_with_their_path() -> None:
    inner = schema({"zone": {"type": "string", "x-mcp-header": "Zone"}})
    found = header_params(
        schema(
            {
                "region": {"type": "string", "x-mcp-header": "Region"},
                "count": {"type": "integer", "x-mcp-header": "Count"},
                "plain": {"type": "number"},
                "place": inner,
            }
        )
    )
    assert found.problem == ""
    assert found.params == (
        HeaderParam("Region", ("region",)),
        HeaderParam("Count", ("count",)),
        HeaderParam("Zone", ("place", "zone")),
    )


@pytest.mark.parametrize(
    ("properties", "word"),
    [
        ({"a": {"type": "string", "x-mcp-header": ""}}, "empty"),
        ({"a": {"type": "string", "x-mcp-header": "My Header"}}, "header name"),
        ({"a": {"type": "string", "x-mcp-header": "A:B"}}, "header name"),
        ({"a": {"type": "string", "x-mcp-header": "Ünter"}}, "header name"),
        ({"a": {"type": "string", "x-mcp-header": "A\tB"}}, "header name"),
        ({"a": {"type": "string", "x-mcp-header": 3}}, "string"),
        ({"a": {"type": "number", "x-mcp-header": "A"}}, "integer"),
        ({"a": {"type": "object", "x-mcp-header": "A"}}, "integer"),
        ({"a": {"type": ["string", "null"], "x-mcp-header": "A"}}, "integer"),
        ({"a": {"x-mcp-header": "A"}}, "integer"),
        (
            {
                "a": {"type": "string", "x-mcp-header": "Same"},
                "b": {"type": "string", "x-mcp-header": "sAME"},
            },
            "same name",
        ),
        ({"a": {"type": "array", "items": {"type": "string", "x-mcp-header": "A"}}}, "chain"),
        ({"a": {"anyOf": [{"type": "string", "x-mcp-header": "A"}]}}, "chain"),
    ],
)
def test_an_invalid_mark_rejects_the_tool_and_says_why(properties: Json, word: str) -> None:
    found = header_params(schema(properties))
    assert word in found.problem
    assert found.params == ()


def test_a_mark_behind_a_reference_is_not_reachable() -> None:
    marked: Json = {"Zone": {"type": "string", "x-mcp-header": "Zone"}}
    assert (
        "chain"
        in header_params(schema({"z": {"$ref": "#/$defs/Zone"}}, **{"$defs": marked})).problem
    )
    assert "chain" in header_params({"type": "object", "x-mcp-header": "Root"}).problem


def test_a_property_that_is_called_like_the_mark_is_no_mark() -> None:
    assert header_params(schema({"x-mcp-header": {"type": "string"}})).problem == ""


@pytest.mark.parametrize("nothing", [None, True, [], "x", {"type": "object"}])
def test_what_has_no_properties_has_no_marks(nothing: Json) -> None:
    assert header_params(nothing) == header_params({})


def test_arguments_become_headers_by_value() -> None:
    params = (
        HeaderParam("Region", ("region",)),
        HeaderParam("Count", ("count",)),
        HeaderParam("Dry", ("dry",)),
        HeaderParam("Zone", ("place", "zone")),
    )
    arguments: JsonObject = {"region": "us", "count": 42, "dry": False, "place": {"zone": "Zürich"}}
    assert argument_headers(params, arguments) == (
        ("Mcp-Param-Region", "us"),
        ("Mcp-Param-Count", "42"),
        ("Mcp-Param-Dry", "false"),
        ("Mcp-Param-Zone", "=?base64?WsO8cmljaA==?="),
    )


def test_raw_arguments_are_read_for_their_headers() -> None:
    params = (HeaderParam("A", ("a",)), HeaderParam("Zone", ("place", "zone")))
    raw = RawJson(b'{"a": 7, "place": {"zone": "x"}}')
    assert argument_headers(params, raw) == (("Mcp-Param-A", "7"), ("Mcp-Param-Zone", "x"))
    assert argument_headers(params, {"a": RawJson(b'" edge"'), "place": RawJson(b"3")}) == (
        ("Mcp-Param-A", "=?base64?IGVkZ2U=?="),
    )


def test_absent_null_and_structured_arguments_get_no_header() -> None:
    params = (HeaderParam("A", ("a",)), HeaderParam("B", ("b", "c")))
    for arguments in (
        None,
        {},
        {"a": None},
        {"a": [1]},
        {"a": {"x": 1}},
        {"b": 3},
        RawJson(b"nix"),
    ):
        assert argument_headers(params, arguments) == ()
