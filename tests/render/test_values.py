"""Values as JSON text for showing: exact where that can be, and never an exception."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.messages import Json
from inspector.render.values import shown_json

ODD = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False),
        st.text(st.characters(exclude_categories=())),
    ),
    lambda inner: st.one_of(
        st.lists(inner), st.dictionaries(st.text(st.characters(exclude_categories=())), inner)
    ),
    max_leaves=8,
)


@given(ODD, st.sampled_from([0, 2]))
def test_what_is_shown_reads_as_the_same_value(value: Json, indent: int) -> None:
    assert json.loads(shown_json(value, indent=indent)) == value


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"\ud800": "\udfff"}, b'{"\\ud800":"\\udfff"}'),
        ([2**70, float("inf")], b"[1180591620717411303424,Infinity]"),
    ],
)
def test_what_json_encoders_refuse_is_shown_too(value: Json, shown: bytes) -> None:
    assert shown_json(value) == shown


def test_a_value_nested_too_deep_for_the_stack_is_named_instead() -> None:
    value: Json = None
    for _ in range(100_000):
        value = [value]
    assert b"list" in shown_json(value)
