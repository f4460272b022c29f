"""A schema is shown as a tree of lines, whatever it is."""

from typing import cast

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.messages import Json
from inspector.render.safe import DANGEROUS
from inspector.tui.widgets.schema_tree import LINES, schema_lines


def shown(schema: Json) -> list[str]:
    return [line.plain for line in schema_lines(schema)]


def test_members_show_type_limits_and_need() -> None:
    lines = shown(
        {
            "type": "object",
            "required": ["a"],
            "properties": {
                "a": {"type": "integer", "minimum": 1, "description": "How many\nmore"},
                "b": {"enum": ["x", "y"], "default": "x"},
                "c": {"type": "array", "items": {"type": "string"}},
            },
        }
    )
    assert lines == [
        "object",
        "  a* integer  ≥ 1  How many",
        '  b  "x" | "y"  default x',
        "  c  array of string",
    ]


def test_references_are_followed_and_recursion_is_marked() -> None:
    lines = shown(
        {
            "$ref": "#/$defs/Node",
            "$defs": {
                "Node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/Node"}}},
            },
        }
    )
    assert lines == ["Node object", "  next  ↻ Node"]
    assert shown({"$ref": "#/nowhere"}) == ["#/nowhere, which is not there"]
    assert shown({"$ref": "http://evil/"}) == ["http://evil/, which is not there"]


def test_choices_and_maps_are_shown() -> None:
    lines = shown(
        {
            "oneOf": [
                {"type": "null"},
                {"type": "object", "additionalProperties": {"type": "number"}},
            ]
        }
    )
    assert lines == ["one of", "  1:  null", "  2:  object", "    (any name)  number"]


def test_a_huge_schema_is_cut_and_says_so() -> None:
    lines = shown({"properties": {f"p{number}": True for number in range(LINES * 2)}})
    assert len(lines) == LINES + 1
    assert "more" in lines[-1]


WORDS = ["$ref", "type", "properties", "items", "required", "oneOf", "enum", "default", "a"]
ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["#", "#/a", "\x1b[m"])),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3),
        st.dictionaries(
            st.sampled_from(WORDS),
            inner,
            max_size=5,
        ),
    ),
    max_leaves=15,
)


@given(ANY)
def test_anything_is_shown_safely(schema: object) -> None:
    for line in shown(cast("Json", schema)):
        assert DANGEROUS.search(line) is None
