import pytest

from inspector.journal.query import compile_filter
from inspector.journal.query_text import path_keys
from tests.journal.conversation import Conversation


@pytest.mark.parametrize(
    ("value", "literal", "same"),
    [
        (b"2", "2", True),
        (b"2.0", "2", True),
        (b'"2"', "2", True),
        (b"true", "true", True),
        (b"true", "1", False),
        (b"1", "true", False),
        (b"null", "null", True),
        (b'"a b"', '"a b"', True),
        (b"[1]", '"[1]"', True),
        (b"1180591620717411303424", "1180591620717411303424", True),
    ],
)
def test_values_compare_as_json_and_strings_as_typed(
    value: bytes, literal: str, same: bool
) -> None:
    talk = Conversation()
    number = talk.sent(b'{"method":"x","a":' + value + b"}")
    assert compile_filter(f"$.a={literal}").matches(talk.journal, number) is same


def test_a_word_is_found_as_json_escapes_it() -> None:
    talk = Conversation()
    escaped = talk.sent(b'{"method":"x","a":"\\u00c4rger \\ud83d\\ude00"}')
    plain = talk.sent('{"method":"x","a":"ÄRGER 😀"}'.encode())
    for word in ("ärger", "Ärger", "😀"):
        found = list(compile_filter(word).select(talk.journal, 1, 4))
        assert found == [escaped, plain], word


def test_a_word_is_found_in_what_is_no_json_and_no_utf8() -> None:
    talk = Conversation()
    quoted = talk.received(b'he said "hi"\tand left')
    binary = talk.received(b'\xff said "hi"')
    for word in ('"said \\"hi\\""', "said"):
        assert list(compile_filter(word).select(talk.journal, 1, 4)) == [quoted, binary]


def test_an_outcome_is_found_by_the_name_of_a_request_before_the_slice() -> None:
    talk = Conversation()
    talk.sent(b'{"id":1,"method":"tools/call","params":{"name":"needle"}}')
    answered = talk.received(b'{"id":1,"result":{}}')
    assert list(compile_filter("needle").select(talk.journal, answered, answered + 1)) == [answered]


def test_what_a_path_needs_is_looked_for_in_the_raw_bytes() -> None:
    assert path_keys(("params", 0, None, "ä", "a/b", "_meta")) == (b"params", b"_meta")


def test_paths_into_what_is_no_json_find_nothing() -> None:
    talk = Conversation()
    number = talk.received(b"params [" * 100)
    assert not compile_filter("$.params").matches(talk.journal, number)
    deep = talk.received(b'{"params":' + b"[" * 100_000)
    assert not compile_filter("$.params").matches(talk.journal, deep)
