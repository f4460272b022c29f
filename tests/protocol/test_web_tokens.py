"""JSON web tokens in the middle of other bytes."""

import re

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.web_tokens import web_tokens, without_web_tokens

PLAIN = re.compile(rb"eyJ[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]{4,}\.[A-Za-z0-9_-]*")
_PIECES = st.sampled_from([b"eyJ", b"aaaa", b"b", b".", b" ", b"-", b'"'])


@given(st.lists(_PIECES, max_size=20).map(b"".join))
def test_they_are_where_an_expression_finds_them(raw: bytes) -> None:
    assert [found.span() for found in web_tokens(raw)] == [
        found.span() for found in PLAIN.finditer(raw)
    ]
    masked = without_web_tokens(raw, lambda found: b"<" + found.group() + b">")
    assert masked == PLAIN.sub(rb"<\g<0>>", raw)


def test_four_megabytes_of_beginnings_are_looked_at_once() -> None:
    """A hang here is what the time limit of all tests is for."""
    for raw in (b"eyJ" * 1_400_000, b"eyJaaaa." * 500_000, b"eyJ-" * 1_000_000 + b".aaaa"):
        assert without_web_tokens(raw, lambda _: b"") is raw or b"eyJaaaa.eyJaaaa" in raw
