"""JSON text as text: members of broken text, duplicate keys, explanations."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.json_text import (
    DEPTH_LIMIT,
    TOKENS,
    Json,
    NotJsonError,
    behind_value,
    duplicate_keys,
    parse_json,
    scan_items,
    scan_members,
)

SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=15,
)


@given(st.dictionaries(st.text(), VALUES), st.sampled_from([None, 1, 3]))
def test_scanning_members_finds_what_a_parser_finds(value: dict[str, Json], indent: int) -> None:
    raw = json.dumps(value, indent=indent).encode()
    scanned = {name: json.loads(text) for name, text in scan_members(raw).items()}
    assert scanned == json.loads(raw)
    assert duplicate_keys(raw) == []


@given(st.lists(VALUES), st.booleans())
def test_scanning_items_finds_what_a_parser_finds(value: list[Json], ascii_only: bool) -> None:
    raw = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert [json.loads(text) for text in scan_items(raw)] == json.loads(raw)


@given(st.binary())
def test_scanning_never_raises(raw: bytes) -> None:
    scan_members(raw)
    scan_items(raw)
    duplicate_keys(raw)
    scan_members(b'{"a":' + raw)
    duplicate_keys(b'{"a":' + raw)


def test_members_before_a_break_are_found() -> None:
    assert scan_members(b'{"id": 7, "result": {"a": "cut of') == {
        "id": b"7",
        "result": b'{"a": "cut of',
    }
    assert scan_members(b'{"id":7 8') == {"id": b"7 8"}
    assert scan_members(b"{7}") == {}


def test_a_torn_string_full_of_escapes_is_scanned_in_one_pass() -> None:
    raw = b'{"id":1,"result":"' + b'\\"x' * 500_000
    assert scan_members(raw)["id"] == b"1"


def test_of_broken_text_no_more_than_a_bounded_part_is_looked_through() -> None:
    raw = b'{"id":7,"result":' + b"[" * 2_000_000
    assert scan_members(raw)["id"] == b"7"
    assert len(scan_members(raw)["result"]) <= TOKENS
    assert sum(map(len, scan_items(b"[" + b"{}," * 1_000_000 + b"]"))) == 2_000_000
    assert len(scan_items(b"[" + b"tru," * 1_000_000)) <= TOKENS
    assert duplicate_keys(b'{"a":[' + b"0," * TOKENS + b'0],"a":1}') == []


def test_of_text_that_is_json_every_member_is_found_however_many_there_are() -> None:
    many = b'"\\ud800",' + b"{}," * TOKENS
    raw = b' { "a" : [%b1] , "long":%b, "b":"\xc3\xa9" , "c" : 1 } ' % (many, b"7" * 5000)
    found = scan_members(raw)
    assert list(found) == ["a", "long", "b", "c"]
    assert (len(found["a"]), found["long"], found["b"]) == (
        len(many) + 3,
        b"7" * 5000,
        b'"\xc3\xa9"',
    )
    assert len(scan_items(found["a"])) == TOKENS + 2


def test_depth_is_counted_by_brackets_that_are_not_in_strings() -> None:
    deepest = b"[" * DEPTH_LIMIT + b"]" * DEPTH_LIMIT
    assert parse_json(deepest) is not None
    with pytest.raises(NotJsonError, match="deeper than 512"):
        parse_json(b"[" + deepest + b"]")
    quoted = json.dumps({"[" * 600: '\\"[[' * 600}).encode()
    assert parse_json(quoted) == json.loads(quoted)
    assert parse_json(b"[" + b"[]," * 5000 + b"[]]") is not None


@pytest.mark.parametrize(
    ("raw", "behind"),
    [
        (b" [1] x", b" x"),
        (b"1", b""),
        (b"x 1", b""),
        (b"[1", b""),
        (b"[" * 10_000, b""),
        (b"", b""),
    ],
)
def test_what_stands_behind_a_value_is_found(raw: bytes, behind: bytes) -> None:
    assert behind_value(raw) == behind


def test_duplicate_keys_are_found_at_any_depth_with_their_place() -> None:
    raw = b'{"a":1,"b":[{"c/d":1,"c/d":2},{"c/d":3}],"\\u0061":{"x":"x"}}'
    assert duplicate_keys(raw) == ["/b/0/c~1d", "/a"]
    assert duplicate_keys(b'{"a":1' + b',"a":1' * 500, limit=3) == ["/a"] * 3


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "it is empty"),
        (b"{", "it is not JSON: it ends in the middle"),
        (b'{"a" 1}', "it is not JSON: a colon is missing at offset 5"),
        (b"{a:1}", "it is not JSON: a member name in double quotes is missing at offset 1"),
        (b'{"a":"\\x"}', "it is not JSON: an escape is none that JSON has at offset 6"),
        (
            '{"é":tru}'.encode(),
            "it is not JSON: a value is missing at offset 6",
        ),
        (b"\xff", "it is not UTF-8: byte 0xFF at offset 0"),
    ],
)
def test_why_a_text_is_no_json_is_said_with_the_byte_offset(raw: bytes, reason: str) -> None:
    with pytest.raises(NotJsonError) as caught:
        parse_json(raw)
    assert str(caught.value) == reason
