"""Values under all their spellings."""

import base64
import html
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.spellings import WHOLE, Values
from tests.export.canary import tells

SECRETS = st.text(
    st.characters(codec="utf-8", exclude_characters="[]redacted"), min_size=4, max_size=30
).filter(lambda text: len(text.encode()) > 5 and text.strip() == text)


def _spellings(secret: str) -> list[bytes]:
    once = json.dumps(secret)[1:-1]
    return [
        secret.encode(),
        once.encode(),
        json.dumps(once)[1:-1].encode(),
        json.dumps(secret, ensure_ascii=False)[1:-1].encode(),
        quote(secret, safe="").encode(),
        quote(quote(secret, safe=""), safe="").encode(),
        html.escape(secret).encode(),
        "".join(f"&#{ord(sign)};" for sign in secret).encode(),
        secret.encode().hex().encode(),
    ]


@given(SECRETS, st.binary(max_size=20), st.binary(max_size=20))
def test_no_spelling_of_a_value_gets_through(secret: str, before: bytes, after: bytes) -> None:
    for spelt in _spellings(secret):
        masked = Values([(secret, "it")]).mask(before + b" " + spelt + b" " + after)
        assert spelt not in masked
        assert b"[redacted]" in masked


@given(SECRETS, st.binary(max_size=9), st.binary(max_size=9))
def test_base64_at_any_offset_does_not_get_through(
    secret: str, before: bytes, after: bytes
) -> None:
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        blob = encode(before + secret.encode() + after)
        masked = Values([(secret, "it")]).mask(b'{"data":"' + blob + b'"}')
        assert not tells(masked, secret)
        assert blob not in masked


@given(st.binary(max_size=200))
def test_what_holds_no_value_is_handed_back_as_it_is(raw: bytes) -> None:
    assert Values([("a-value-of-nobody", "it")]).mask(raw) is raw
    assert Values().mask(raw) is raw


def test_json_around_a_value_stays_json_and_keeps_its_tokens() -> None:
    raw = b'{"a":1.10,"b":"x \\u0073ecret-1 y","c":12345678901234567890}'
    masked = Values([("secret-1", "it")]).mask(raw)
    assert masked == b'{"a":1.10,"b":"x [redacted] y","c":12345678901234567890}'


def test_spellings_nested_beyond_following_take_the_whole_text_along() -> None:
    deep = "".join(f"%5Cu{ord(sign):04x}" for sign in "secret-1").encode()
    values = Values([("secret-1", "it")])
    assert values.mask(b"before " + deep + b" after") == WHOLE
    assert values.counts["in a spelling of its own"] == 1


def test_each_replacement_is_counted_under_its_label() -> None:
    values = Values([("secret-1", "one"), ("secret-2", "two")])
    values.mask(b"secret-1 secret-2 secret%2D1")
    assert values.counts == {"one": 2, "two": 1}


@pytest.mark.parametrize("kept", range(4, 8))
def test_the_beginning_of_a_value_does_not_stay_where_a_text_was_cut(kept: int) -> None:
    cut = Values([("secret-1", "it")]).cut(f'the tool "{"secret-1"[:kept]}…" is odd')
    assert cut == 'the tool "[redacted]…" is odd'


def test_a_value_that_the_mask_itself_holds_takes_nothing_else_along() -> None:
    values = Values([("red", "it")])
    assert values.mask(b"a red car") == b"a [redacted] car"


def test_a_backslash_before_an_escape_hides_nothing() -> None:
    raw = b'{"a":"00\\\\\\u0800"}'
    assert Values([("00\\\u0800", "it")]).mask(raw) == b'{"a":"[redacted]"}'
