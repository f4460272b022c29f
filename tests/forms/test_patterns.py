"""Which keys fall under which pattern, without running what a server wrote."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.forms.patterns import key_matches


@pytest.mark.parametrize(
    ("pattern", "key", "matches"),
    [
        ("^x-", "x-a", True),
        ("^x-", "ax-", False),
        ("_id$", "user_id", True),
        ("^[a-z]+$", "abc", True),
        ("^[a-z]+$", "Abc", False),
        ("^[^.]+$", "a.b", False),
        (r"^\d{1,3}$", "12", True),
        (r"^\w+\.\w+$", "a.b", True),
        (".*", "", True),
        ("", "x", True),
    ],
)
def test_simple_patterns_are_told(pattern: str, key: str, matches: bool) -> None:
    assert key_matches(pattern, key) is matches


@pytest.mark.parametrize(
    "pattern",
    ["^(a+)+$", "a|b", "(?=a)", "a*b*c*d", r"(a)\1", "[", "a**", "x" * 201, "a{2,1}", r"\p{L}"],
)
def test_what_could_cost_much_or_is_not_understood_is_not_known(pattern: str) -> None:
    assert key_matches(pattern, "aaaa") is None


def test_a_long_key_is_not_looked_at() -> None:
    assert key_matches("^a", "a" * 201) is None


@given(st.text("ab.*+?[]^$\\d{1,}-", max_size=12), st.text("ab.1-", max_size=6))
def test_an_answer_is_that_of_the_expression_itself(pattern: str, key: str) -> None:
    answer = key_matches(pattern, key)
    if answer is not None:
        assert answer is (re.search(pattern, key) is not None)
