"""Where two JSON values differ, and what counts as the same."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.compare.values import MOST, canonical, differences
from inspector.protocol.json_text import parse_json
from inspector.protocol.messages import Json

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


def test_a_pointer_escapes_what_json_pointers_escape() -> None:
    (found,) = differences({"a/b~c": [1, {"x": 1}]}, {"a/b~c": [1, {"x": 2}]})
    assert (found.pointer, found.left, found.right) == ("/a~1b~0c/1/x", 1, 2)


def test_a_side_that_has_nothing_is_named() -> None:
    found = differences({"a": 1, "l": [1]}, {"b": 2, "l": [1, 2]})
    assert [(one.pointer, one.missing) for one in found] == [
        ("/a", "right"),
        ("/l/1", "left"),
        ("/b", "left"),
    ]


def test_so_many_differences_are_named_and_no_more() -> None:
    long: list[Json] = list(range(10_000))
    assert len(differences(long, [one + 1 for one in range(10_000)])) == MOST


@given(VALUES)
def test_a_value_does_not_differ_from_itself(value: Json) -> None:
    assert differences(value, value) == ()


@given(VALUES, VALUES)
def test_values_differ_somewhere_exactly_if_their_canonical_texts_do(
    left: Json, right: Json
) -> None:
    assert bool(differences(left, right)) is (canonical(left) != canonical(right))


def test_the_spelling_of_a_number_and_the_order_of_members_are_no_difference() -> None:
    assert canonical({"b": 1.0, "a": 2}) == canonical({"a": 2, "b": 1})
    assert canonical(1) != canonical(True)
    assert canonical(1.5) != canonical(1)


@pytest.mark.parametrize(
    ("left", "right", "places"),
    [
        (["a", "b", "c"], ["x", "a", "b", "c"], [("/0", "left")]),
        (["x", "a", "b", "c"], ["a", "b", "c"], [("/0", "right")]),
        (["a", "b", "c"], ["a", "B", "c", "d"], [("/1", ""), ("/3", "left")]),
        ([{"n": 1}, {"n": 2}], [{"n": 2}], [("/0", "right")]),
    ],
)
def test_an_item_put_in_or_taken_out_is_one_difference(
    left: Json, right: Json, places: list[tuple[str, str]]
) -> None:
    assert [(one.pointer, one.missing) for one in differences(left, right)] == places


def test_values_as_deep_as_they_are_read_can_be_compared() -> None:
    deep = parse_json(b"[" * 500 + b"1" + b"]" * 500)
    other = parse_json(b"[" * 500 + b"2" + b"]" * 500)
    assert len(differences(deep, other)) == 1
    assert canonical(deep) != canonical(other)
