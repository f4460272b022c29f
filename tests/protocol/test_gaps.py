"""Texts with gaps."""

import re

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.gaps import fills

_TEXTS = st.text("ab\n", max_size=6)


@given(st.lists(_TEXTS, min_size=1, max_size=4), st.text("ab\n", max_size=12))
def test_it_says_what_an_expression_would_say(parts: list[str], text: str) -> None:
    expression = ".*".join(map(re.escape, parts))
    assert fills(parts, text) == (re.fullmatch(expression, text, re.DOTALL) is not None)


def test_a_thousand_gaps_in_what_is_all_alike_are_no_trouble() -> None:
    parts = ["a"] * 1000
    assert not fills([*parts, "b"], "a" * 100_000)
    assert fills(parts, "a" * 100_000)
