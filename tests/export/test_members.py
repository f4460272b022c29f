"""Members by name and path, and names in what is no JSON."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.export.members import Members
from inspector.export.rules import parse_rules


def _members(*rules: str) -> tuple[Members, list[tuple[str, str]]]:
    read = parse_rules(rules, {})
    found: list[tuple[str, str]] = []
    return Members(read.keys, read.paths, lambda *told: found.append(told)), found


@pytest.mark.parametrize(
    ("raw", "left"),
    [
        (b'{"pin":"1234","a":1.10}', b'{"pin":"[redacted]","a":1.10}'),
        (b'{"PIN" : 1234 , "b":[]}', b'{"PIN" : "[redacted]" , "b":[]}'),
        (b'{"p\\u0069n":{"x":[1,{"y":2}]},"z":0}', b'{"p\\u0069n":"[redacted]","z":0}'),
        (b'[{"pin":null},{"pin":true}]', b'[{"pin":"[redacted]"},{"pin":"[redacted]"}]'),
        (b'{"a":["--pin","1234","b"]}', b'{"a":["--pin","[redacted]","b"]}'),
        (b'{"a":["--pin=1234","b"]}', b'{"a":["--pin=[redacted]","b"]}'),
        (b'{"text":"{\\"pin\\": \\"1234\\"}"}', b'{"text":"{\\"pin\\": \\"[redacted]\\"}"}'),
        (b'{"t":"my pin: 1234, ok"}', b'{"t":"my pin: [redacted], ok"}'),
        (b'{"u":"http://h/?a=1&pin=12%34&b=2"}', b'{"u":"http://h/?a=1&pin=[redacted]&b=2"}'),
        (b'{"t":"pin=12&34,56#78 (ok)"}', b'{"t":"pin=[redacted] (ok)"}'),
        (b'{"u":"http://h/?p%69n=1234"}', b'{"u":"http://h/?p%69n=[redacted]"}'),
        (b'{"pin":"12', b'{"pin":"[redacted]"'),
        (b'{"pin":{"a":[1,', b'{"pin":"[redacted]"'),
    ],
)
def test_what_stands_under_a_name_goes_and_all_else_keeps_its_spelling(
    raw: bytes, left: bytes
) -> None:
    members, found = _members("key=pin")
    assert members.json(raw) == left
    assert found


@pytest.mark.parametrize(
    "raw",
    [
        b'{"pinned":1,"spin":2}',
        b'{"required":["pin","name"]}',
        b'{"text":"the pin is here"}',
        b'{"type":"pin"}',
    ],
)
def test_what_merely_looks_like_the_name_stays(raw: bytes) -> None:
    assert _members("key=pin")[0].json(raw) == raw


def test_a_star_fits_the_rest_of_a_name() -> None:
    members, _ = _members("key=*_token")
    assert members.json(b'{"my_token":"a","token":"b"}') == b'{"my_token":"[redacted]","token":"b"}'


@pytest.mark.parametrize(
    ("path", "raw", "left"),
    [
        ("$.a.b", b'{"a":{"b":1,"c":2},"b":3}', b'{"a":{"b":"[redacted]","c":2},"b":3}'),
        ("$.a[1]", b'{"a":[1,2,3]}', b'{"a":[1,"[redacted]",3]}'),
        ("$.a[*].b", b'{"a":[{"b":1},{"b":{}}]}', b'{"a":[{"b":"[redacted]"},{"b":"[redacted]"}]}'),
        ("$.a", b'{"a":[{"a":1}],"x":{"a":2}}', b'{"a":"[redacted]","x":{"a":2}}'),
        ("$.a.b", b'{"a":[{"b":1}]}', b'{"a":[{"b":1}]}'),
    ],
)
def test_a_path_leads_to_exactly_its_places(path: str, raw: bytes, left: bytes) -> None:
    assert _members(f"path={path}")[0].json(raw) == left


def test_texts_inside_a_value_are_told_one_by_one() -> None:
    members, found = _members("key=pin")
    members.json(b'{"pin":{"a":"first","b":["second",77]}}')
    assert [value for _, value in found if value not in ("a", "b")] == ["first", "second", "77"]


def test_headers_are_names_where_they_stand_as_pairs() -> None:
    members, _ = _members("key=x-pin")
    raw = b'{"requestHeaders":[["X-Pin","1234"],["Host","h"]]}'
    left = b'{"requestHeaders":[["X-Pin","[redacted]"],["Host","h"]]}'
    assert members.json(raw, pairs=True) == left


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=20,
)


@given(JSON, st.booleans())
def test_json_stays_json_and_loses_only_what_is_named(value: object, ascii_only: bool) -> None:
    raw = json.dumps({"x": value, "secret-name": value}, ensure_ascii=ascii_only).encode()
    left = json.loads(_members("key=secret-name")[0].json(raw))
    assert left == {"x": value, "secret-name": "[redacted]"}


def test_a_name_that_is_no_utf8_is_a_name() -> None:
    raw = b'{"a\\udcff": 1}'
    assert _members("key=a\udcff")[0].text("a\udcff=secret") == "a\udcff=[redacted]"
    assert _members("key=a\udcff")[0].json(raw) == raw.replace(b"1", b'"[redacted]"')


@given(st.binary(max_size=300))
def test_nothing_makes_it_fail(raw: bytes) -> None:
    _members("key=a*", "path=$.a[*].b")[0].json(raw, pairs=True)
