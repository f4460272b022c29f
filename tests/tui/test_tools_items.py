"""Items of lists: leniently read, never hidden, drawn on one line."""

import json
from dataclasses import replace

import pytest
from rich.cells import cell_len

from inspector.errors import UsageError
from inspector.protocol.messages import Json, JsonObject
from inspector.protocol.models import Tool, ToolAnnotations
from inspector.session.catalog import CatalogList, ListKind
from inspector.session.freshness import Freshness
from inspector.tui.views.tools_items import (
    claims,
    draw_item,
    list_facts,
    list_words,
    marks_lines,
    read_items,
)

SCHEMA: JsonObject = {"inputSchema": {"type": "object"}}


def listed(kind: ListKind, *items: Json) -> CatalogList:
    raw = tuple(json.dumps(item).encode() for item in items)
    return CatalogList(kind, "ready", items, raw, 1)


def test_an_invalid_item_stands_among_the_others() -> None:
    items = read_items(listed("tools", {"name": "a"}, {"title": "no name"}, 5, {"name": "b"}))
    assert [item.name for item in items] == ["a", "item 2", "item 3", "b"]
    assert [item.what is None for item in items] == [False, True, True, False]
    assert "name" in items[1].reason
    assert "invalid" in draw_item(items[1], 30).plain


def test_a_name_that_is_ours_is_never_sent() -> None:
    """2025-11-25 server/tools: a tool without a name cannot be called; a made up one lies."""
    items = read_items(listed("tools", {"title": "x"}, {"name": 5}, 7, {"name": "a", "title": 1}))
    for item in items[:3]:
        with pytest.raises(UsageError, match="no name"):
            _ = item.said
    assert items[3].said == "a"


@pytest.mark.parametrize(
    ("tool", "warning"),
    [
        ({}, "inputSchema is missing"),
        ({"inputSchema": None}, "inputSchema is not an object"),
        ({"inputSchema": []}, "inputSchema is not an object"),
        ({"inputSchema": {}}, 'inputSchema does not say "type": "object"'),
        ({"inputSchema": {"type": "array"}}, 'inputSchema does not say "type": "object"'),
    ],
)
def test_a_schema_that_is_none_is_warned_of(tool: JsonObject, warning: str) -> None:
    (item,) = read_items(listed("tools", {"name": "a", **tool}))
    assert item.warnings == (warning,)
    assert "!" in draw_item(item, 30).plain


def test_what_is_broken_in_an_item_is_said_and_its_name_is_used() -> None:
    whole = listed("tools", {"name": "a"}, None)
    first, second = read_items(replace(whole, broken={0: "x cannot be read", 1: "it is deep"}))
    assert (first.name, first.warnings) == ("a", ("x cannot be read",))
    assert second.reason == "it is deep"


def test_an_empty_name_is_seen() -> None:
    (item,) = read_items(listed("tools", {"name": "", "inputSchema": {"type": "object"}}))
    assert "(empty)" in draw_item(item, 30).plain
    assert item.said == ""


def test_a_name_that_is_listed_twice_has_two_keys_and_a_warning() -> None:
    first, second = read_items(listed("tools", {"name": "a", **SCHEMA}, {"name": "a", **SCHEMA}))
    assert first.key != second.key
    assert second.warnings == ("this name was listed before",)


def test_deceiving_names_are_marked() -> None:
    (item,) = read_items(listed("tools", {"name": "p\u0430y"}))
    assert item.warnings
    assert "!" in draw_item(item, 30).plain


def test_titles_may_be_written_for_people() -> None:
    items = read_items(
        listed(
            "tools",
            {"name": "a", "title": "Schöne Grüße", **SCHEMA},
            {"name": "b", "title": "Slow work", **SCHEMA},
        )
    )
    assert [item.warnings for item in items] == [(), ()]
    (hidden,) = read_items(listed("tools", {"name": "a", "title": "x\u202ey"}))
    assert hidden.warnings


def test_every_line_fits_its_width() -> None:
    tool: Json = {
        "name": "漢字" * 40,
        "annotations": {"destructiveHint": True},
        "execution": {"taskSupport": "optional"},
    }
    (item,) = read_items(listed("tools", tool))
    for width in range(16, 60):
        assert cell_len(draw_item(item, width).plain) <= width
    assert "▲" in draw_item(item, 40).plain
    assert "task" in draw_item(item, 40).plain


def test_claims_are_put_into_words() -> None:
    hints = ToolAnnotations.model_validate(
        {"readOnlyHint": True, "idempotentHint": False, "openWorldHint": False}
    )
    assert [word for word, _ in claims(hints)] == ["read-only", "not idempotent", "closed world"]
    # A tool that only reads destroys nothing, whatever else is claimed (2025-06-18 server/tools).
    both = ToolAnnotations.model_validate({"readOnlyHint": True, "destructiveHint": True})
    assert [word for word, _ in claims(both)] == ["read-only"]
    assert claims(None) == []


def test_resources_and_templates_go_by_their_uri() -> None:
    (resource,) = read_items(listed("resources", {"uri": "a:b", "name": "B"}))
    assert (resource.name, resource.label) == ("a:b", "B")
    (template,) = read_items(listed("resourceTemplates", {"uriTemplate": "a:{b}", "name": "T"}))
    assert "{ }" in draw_item(template, 30).plain


def test_an_empty_list_says_why() -> None:
    assert "declares no tools; r asks anyway" in list_words(
        CatalogList("tools", "unsupported"), "tools"
    )
    assert "no tools" in list_words(CatalogList("tools", "ready"), "tools")
    assert "broke" in list_words(CatalogList("tools", "failed", error="broke"), "tools")
    assert "r reads it" in list_words(CatalogList("tools"), "tools")


def test_the_filter_looks_in_name_title_and_description() -> None:
    (item,) = read_items(listed("tools", {"name": "a", "title": "T", "description": "D"}))
    assert isinstance(item.what, Tool)
    assert set("aTD") <= set(item.searched)


def marked(mark: Json) -> JsonObject:
    inner: JsonObject = {"type": "string", "x-mcp-header": mark}
    return {"inputSchema": {"type": "object", "properties": {"region": inner}}}


def test_a_tool_with_invalid_marks_is_rejected_over_http_and_only_noted_over_stdio() -> None:
    """2026-07-28 basic/transports/streamable-http; a debugger hides nothing."""
    tools = listed("tools", {"name": "a", **marked("not a token")})
    (rejected,) = read_items(tools, "in force")
    assert "not a token" in rejected.rejected
    assert "rejected" in draw_item(rejected, 40).plain
    assert "not a token" in marks_lines(rejected).plain
    assert "only if you agree" in marks_lines(rejected).plain
    (noted,) = read_items(tools, "noted")
    assert noted.rejected == ""
    assert any("over HTTP" in warning for warning in noted.warnings)
    (ignored,) = read_items(tools)
    assert (ignored.rejected, ignored.warnings) == ("", ())


def test_arguments_that_travel_as_headers_are_named_where_they_do() -> None:
    tools = listed("tools", {"name": "a", **marked("Region")})
    (item,) = read_items(tools, "in force")
    assert item.travels == (("region", "Mcp-Param-Region"),)
    assert "region goes out as the header Mcp-Param-Region too" in marks_lines(item).plain
    for rule in ("noted", "ignored"):
        (other,) = read_items(tools, rule)
        assert other.travels == ()


def test_the_heading_of_a_list_says_whether_it_is_fresh() -> None:
    fresh = replace(listed("tools", {"name": "a"}), freshness=Freshness(90_000, "public", 10.0))
    assert list_facts([fresh], 1, 1, 40.0).plain == "fresh 1"
    assert list_facts([fresh], 1, 1, 500.0).plain == "1"
    stale = replace(fresh, freshness=Freshness(0, "public", 40.0))
    assert list_facts([fresh, fresh], 1, 2, 40.0).plain == "fresh 1/2"
    assert list_facts([fresh, stale], 1, 2, 40.0).plain == "1/2"
    assert list_facts([replace(fresh, freshness=None)], 1, 1, 40.0).plain == "1"
