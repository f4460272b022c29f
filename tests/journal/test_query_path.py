import pytest

from inspector.journal.query import compile_filter
from inspector.journal.query_path import path_keys
from tests.journal.conversation import Conversation, request


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


def test_what_a_path_needs_is_looked_for_in_the_raw_bytes() -> None:
    assert path_keys(("params", 0, None, "ä", "a/b", "_meta")) == (b"params", b"_meta")


def test_paths_into_what_is_no_json_find_nothing() -> None:
    talk = Conversation()
    number = talk.received(b"params [" * 100)
    assert not compile_filter("$.params").matches(talk.journal, number)
    deep = talk.received(b'{"params":' + b"[" * 100_000)
    assert not compile_filter("$.params").matches(talk.journal, deep)


def test_alternatives_of_a_path_and_what_they_compare() -> None:
    talk = Conversation()
    numbers = [talk.sent(request(1, name=name)) for name in ("add", "Sub", "\u212aul", "add")]
    found = compile_filter("$.params.name=add|Sub")
    assert list(found.select(talk.journal, 1, 6)) == [numbers[0], numbers[1], numbers[3]]
    assert list(compile_filter("$.params.name~kul").select(talk.journal, 1, 6)) == [numbers[2]]


def test_a_number_is_found_however_it_is_written() -> None:
    talk = Conversation()
    same = [
        talk.sent(b'{"method":"x","Aa" : ' + value + b"}")
        for value in (b"70", b"70.0", b"7e1", b"7E1", b"700E-1", b'"70"', b"69.9999999999999999999")
    ]
    for value in (b"7", b"700", b"-70", b"71", b"70.5", b"170"):
        talk.sent(b'{"method":"x","Aa":' + value + b"}")
    assert list(compile_filter("$.Aa=70").select(talk.journal, 1, 20)) == same
