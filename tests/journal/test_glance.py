import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.journal.columns import Form
from inspector.journal.glance import form_of, from_stored, glance, is_json, to_stored
from inspector.protocol.messages import read_envelope

_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner),
    max_leaves=6,
)
_messages = st.dictionaries(
    st.sampled_from(["jsonrpc", "id", "method", "params", "result", "error"]), _values
)

ODD = [
    b'{"id":null,"method":"x"}',
    b'{"id":1.0,"method":"x"}',
    b'{"id":true,"result":1}',
    b'{"id":"\\ud800","method":"x"}',
    b'{"id":-0,"result":{}}',
    b'{"method":null}',
    b'{"method":""}',
    b'{"id":1,"result":null}',
    b'{"id":1,"result":1,"error":{}}',
    b'{"result":1}',
    b'{"error":{}}',
    b"[]",
    b' [{"id":1}]',
    b"",
    b"\xef\xbb\xbf{}",
    b'{"a":NaN}',
    b'{"a":"\xff","id":1,"method":"m"}',
    b"[" * 100_000,
    b'{"id":123456789012345678901234567890,"method":"x"}',
    b'{"id":1,"id":2,"method":"a","method":"b"}',
]


def _agrees(raw: bytes) -> None:
    envelope = read_envelope(raw)
    assert glance(raw)[:3] == (int(envelope.kind), envelope.method, envelope.id)


@pytest.mark.parametrize("raw", ODD, ids=range(len(ODD)))
def test_the_quick_reading_agrees_with_the_careful_one_on_odd_messages(raw: bytes) -> None:
    _agrees(raw)


@given(_messages)
def test_the_quick_reading_agrees_with_the_careful_one(message: object) -> None:
    _agrees(json.dumps(message).encode())


@given(st.binary(max_size=60))
def test_any_bytes_are_read_without_an_error_and_come_back_from_the_file(raw: bytes) -> None:
    _agrees(raw)
    form = glance(raw)[3]
    assert form is form_of(raw, is_json(raw))
    stored = to_stored(raw, form)
    assert b"\n" not in stored
    json.loads(stored.decode("utf-8"))
    assert from_stored(stored, form) == raw


def test_json_of_several_lines_is_kept_as_text() -> None:
    raw = b'{\n"id": 1\r}'
    assert is_json(raw)
    assert form_of(raw, True) is Form.TEXT


def test_what_is_no_stored_text_is_a_value_error() -> None:
    for stored, form in ((b'"\xff', Form.TEXT), (b"1", Form.TEXT), (b'"*"', Form.BASE64)):
        with pytest.raises(ValueError):
            from_stored(stored, form)
