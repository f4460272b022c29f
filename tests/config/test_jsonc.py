"""Comments and trailing commas vanish, and errors keep their place."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.config.jsonc import JsoncError, loads


def test_comments_and_trailing_commas_are_ignored() -> None:
    text = '\ufeff{ // one\n "a": [1, 2, /* x, */ ], "u": "http://h//p", /* b\n */ "c": "/*,]" , }'
    assert loads(text) == {"a": [1, 2], "u": "http://h//p", "c": "/*,]"}


def test_an_error_names_the_line_of_the_file_as_it_is() -> None:
    with pytest.raises(JsoncError, match="line 4, column 8"):
        loads('{ /* one\n two */\n // three\n  "a": nope}')


@pytest.mark.parametrize("text", ["", "{", '"', "/*", "//", '{"a": 1,,}', "[" * 100_000])
def test_what_is_no_json_raises_one_kind_of_error(text: str) -> None:
    with pytest.raises(JsoncError):
        loads(text)


@given(st.recursive(st.none() | st.integers() | st.text(), lambda x: st.lists(x)))
def test_plain_json_reads_as_itself(value: object) -> None:
    assert loads(json.dumps(value, indent=1)) == value


@given(st.text(alphabet='{}[],:"/*\\ \n1a'))
def test_any_text_is_a_value_or_one_kind_of_error(text: str) -> None:
    try:
        loads(text)
    except JsoncError:
        return
