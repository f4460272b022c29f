"""Text to value and back without loss."""

import json

import msgspec
import pytest
from hypothesis import given, settings

from inspector.forms.jsontext import (
    JsonTextError,
    check,
    dump,
    number,
    opened,
    parse,
    plain,
    same,
    text_value,
    token_of,
)
from inspector.protocol.messages import Json, RawJson
from tests.forms.generators import ANY_JSON


@given(ANY_JSON)
@settings(deadline=None)
def test_every_value_is_written_as_text_that_reads_back_the_same(value: Json) -> None:
    text = dump(value)
    assert json.loads(text) == json.loads(json.dumps(value))
    assert same(parse(text), value)
    assert text.isprintable()


@given(ANY_JSON)
@settings(deadline=None)
def test_what_was_read_can_be_encoded_and_keeps_its_meaning(value: Json) -> None:
    read = parse(dump(value, indent=2))
    assert plain(read) == json.loads(json.dumps(value))


@pytest.mark.parametrize("token", ["1.10", "1E5", "-0", "1e400", "0.0", "1" * 5000])
def test_a_number_keeps_its_spelling(token: str) -> None:
    assert dump(parse(f'{{"a": [{token}]}}')) == f'{{"a":[{token}]}}'
    assert token_of(parse(token)) == token
    assert msgspec.json.encode(number(token)) == token.encode()


def test_a_key_given_twice_stays_given_twice() -> None:
    assert dump(parse('{"a": {"b": 1.0, "b": 2}}')) == '{"a":{"b":1.0,"b":2}}'
    assert isinstance(opened(parse('{"b": 1, "b": 2}')), RawJson)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "not JSON: Expecting value (column 1)"),
        ("[1,\n x]", "not JSON: Expecting value (line 2, column 2)"),
        ("[NaN]", "not JSON: NaN is no JSON number (column 2)"),
        ("[" * 100_000, "not JSON: nested too deep (column 1)"),
    ],
)
def test_text_that_is_no_json_is_explained(text: str, reason: str) -> None:
    assert check(text) == reason


def test_invisible_characters_are_escaped_in_strings() -> None:
    assert dump("a\u202eb\x7f\u00a0\u200b") == '"a\\u202eb\\u007f\\u00a0\\u200b"'
    assert dump("\U000e0041") == '"\\udb40\\udc41"'
    assert parse(dump("\U000e0041")) == "\U000e0041"


def test_a_lone_surrogate_goes_out_as_an_escape() -> None:
    assert bytes(text_value("\ud800")) == b'"\\ud800"'  # type: ignore[arg-type]
    assert dump({"\ud800": ["\udfff"]}) == '{"\\ud800":["\\udfff"]}'


def test_a_value_nested_ten_thousand_deep_is_written() -> None:
    value: Json = []
    for _ in range(10_000):
        value = [value]
    assert dump(value) == "[" * 10_001 + "]" * 10_001


def test_broken_text_stands_in_the_whole_as_it_was_typed() -> None:
    assert dump({"a": RawJson(b"{1,")}, indent=2) == '{"a":{1,}'


def test_an_unreadable_text_has_no_plain_value() -> None:
    with pytest.raises(JsonTextError):
        plain(RawJson(b"{"))


def test_one_and_true_and_one_point_zero_are_different() -> None:
    assert not same(1, True)
    assert not same(1, 1.0)
    assert not same([1], {"0": 1})
    assert same({"a": 1, "b": [2]}, {"b": (2,), "a": RawJson(b"1")})


@pytest.mark.parametrize(
    ("inner", "good"),
    [
        ("1", True),
        ("", True),
        ('"a\\u0041\\"]"', True),
        ('{"a" : [1.5e3, null , {}], "b":"x"}', True),
        ("1 2", False),
        ("1,", False),
        (",1", False),
        ('{"a"}', False),
        ('{"a":1,}', False),
        ("{1:2}", False),
        ("[1}", False),
        ('"\\x"', False),
        ("01", False),
        ("nul", False),
    ],
)
def test_text_too_deep_to_be_read_is_told_to_be_json_or_not(inner: str, good: bool) -> None:
    deep = "[" * 5000 + inner + "]" * 5000
    assert (check(deep) == "") is good
    assert check(deep + "]") != ""
    assert check(deep[:-1]) != ""
