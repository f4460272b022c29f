import json

from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.entries import HttpFacts
from inspector.journal.facts import (
    decode_facts,
    encode_facts,
    http_facts,
    http_json,
    stderr_facts,
    stderr_line,
)
from inspector.protocol.messages import Json


@given(st.binary(max_size=60))
def test_a_stderr_line_comes_back_as_it_was(line: bytes) -> None:
    body = encode_facts(stderr_facts(line))
    json.loads(body)
    assert stderr_line(body) == line


@given(st.binary(max_size=60))
def test_any_bytes_are_facts_or_none(body: bytes) -> None:
    assert isinstance(decode_facts(body), dict)
    assert isinstance(http_facts(body), HttpFacts)
    stderr_line(body)


def test_an_http_exchange_comes_back_as_it_was() -> None:
    facts = HttpFacts(
        "POST",
        "http://localhost/mcp",
        (("Accept", "a"), ("Accept", "b")),
        500,
        "Internal Server Error",
        (("Content-Type", "text/html"),),
        12.5,
        "",
        b"<html>\xff",
        "HTTP/1.1",
    )
    assert http_facts(encode_facts(http_json(facts))) == facts


def test_an_exchange_that_failed_has_no_status() -> None:
    facts = HttpFacts("GET", "http://x", error="connection refused")
    assert http_facts(encode_facts(http_json(facts))) == facts


def test_what_json_cannot_hold_is_said_and_not_raised() -> None:
    assert decode_facts(encode_facts({"a\udcff": ["\ud800", 1]})) == {"a\\udcff": ["\\ud800", 1]}
    deep: Json = {}
    for _ in range(5_000):
        deep = {"\ud800": deep}
    assert b"unreadable" in encode_facts(deep)
