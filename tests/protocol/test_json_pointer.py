"""Pointers are taken apart into what they were made of."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.json_pointer import escaped, pointer, steps_of, unescaped


def test_what_rfc_6901_says() -> None:
    assert pointer() == ""
    assert pointer("") == "/"
    assert pointer("a/b", "m~n", 0) == "/a~1b/m~0n/0"
    assert steps_of("/~01") == ["~1"]
    assert (escaped("~1"), unescaped("~01")) == ("~01", "~1")


@given(st.lists(st.text()))
def test_steps_come_back(steps: list[str]) -> None:
    assert steps_of(pointer(*steps)) == steps
