"""Bytes to messages and back: nothing raises, nothing hangs, and reasons are for people."""

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import (
    Batch,
    Envelope,
    ErrorReply,
    Json,
    Malformed,
    MessageKind,
    Notification,
    RawJson,
    Request,
    Result,
    decode,
    encode_error,
    encode_json,
    encode_notification,
    encode_request,
    encode_result,
    raw_items,
    raw_members,
    read_envelope,
)

SEEDS = (
    b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{}}}',
    b'{"jsonrpc":"2.0","id":"a","result":{"content":[{"type":"text","text":"\\u0041"}]}}',
    b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no","data":[1.5e3]}}',
    b'[{"jsonrpc":"2.0","method":"notifications/x"},{"id":3,"result":"\\ud800"}]',
)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.none() | st.booleans() | st.integers() | FLOATS | st.text()
KEYS = st.sampled_from(["id", "method", "params", "result", "error", "jsonrpc", "code", "message"])
VALUES: st.SearchStrategy[Json] = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS | st.text(), inner),
    max_leaves=15,
)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A message with a few of its bytes changed, cut out or put in."""
    raw = bytearray(draw(st.sampled_from(SEEDS)))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(raw)))
        match draw(st.sampled_from(["insert", "cut", "set"])):
            case "insert":
                raw[at:at] = draw(
                    st.sampled_from([b'"', b"{", b"]", b"\xff", b"\\", b"NaN", b"\xef\xbb\xbf"])
                    | st.binary(max_size=4)
                )
            case "cut":
                del raw[at : at + draw(st.integers(1, 20))]
            case _:
                raw[at : at + 1] = draw(st.binary(min_size=1, max_size=1))
    return bytes(raw)


TOKENS = st.sampled_from(
    [
        *(
            b"{",
            b"}",
            b"[",
            b"]",
            b",",
            b":",
            b'"',
            b"\\",
            b" ",
            b"\n",
            b"\r",
            b"\x00",
            b"\xc2\xa0",
        ),
        *(b'"id"', b'"\\u0069d"', b'"method"', b'"result"', b'"error"', b'"params"', b'"code"'),
        *(b"1", b"-1", b"1.0", b"1e400", b"-0", b"01", b"9" * 5000, b"null", b"true", b"NaN"),
        *(b'"a"', b'"\\ud800"', b'"\xff"', b"\xef\xbb\xbf", b"[" * 600, b"]" * 600, b'{"a":' * 600),
    ]
)


@given(
    st.binary()
    | mutated()
    | VALUES.map(lambda value: json.dumps(value).encode())
    | st.lists(TOKENS, max_size=30).map(b"".join)
)
@example(b'{"\\u0069d":1,"result":1}')
@example(b'{"id":1,"id\xff":2,"result":1}')
def test_no_bytes_make_reading_raise_and_both_readings_agree(raw: bytes) -> None:
    envelope = read_envelope(raw)
    message = decode(raw)
    raw_members(raw)
    raw_items(raw)
    match message:
        case Malformed():
            assert message.reason
            assert message.id is None or message.asked is None
        case Batch():
            assert envelope.kind is MessageKind.BATCH
        case Request():
            assert envelope.kind is MessageKind.REQUEST
            assert envelope.id == message.id
        case Notification():
            assert envelope.kind is MessageKind.NOTIFICATION
        case Result():
            assert envelope.kind is MessageKind.RESULT
        case ErrorReply():
            assert envelope.kind is MessageKind.ERROR


def another_reading(raw: bytes) -> Json:
    """The value of `raw` by the standard library; raises ValueError or RecursionError."""

    def refuse(name: str) -> float:
        raise ValueError(name)

    if raw.startswith(b"\xef\xbb\xbf"):
        raise ValueError("a byte order mark")
    value: Json = json.loads(raw.decode("utf-8"), parse_constant=refuse)
    return value


@given(mutated() | VALUES.map(lambda v: json.dumps(v).encode()))
def test_another_parser_takes_the_same_texts_and_finds_the_same_members(raw: bytes) -> None:
    try:
        wanted = another_reading(raw)
    except ValueError:
        with pytest.raises(NotJsonError):
            parse_json(raw)
        return
    assert json.dumps(parse_json(raw)) == json.dumps(wanted)
    if isinstance(wanted, dict):
        members = {name: parse_json(text) for name, text in raw_members(raw).items()}
        assert json.dumps(members, sort_keys=True) == json.dumps(wanted, sort_keys=True)
    if isinstance(wanted, list):
        assert json.dumps([parse_json(text) for text in raw_items(raw)]) == json.dumps(wanted)


@given(VALUES)
def test_what_is_encoded_is_decoded_to_the_same(value: Json) -> None:
    message = decode(encode_result(7, value))
    assert isinstance(message, Result)
    assert message.result == value


def nested(depth: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":4,"result":' + b"[" * depth + b"]" * depth + b"}"


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b'{"id":4,"result":"\xff"}', "not UTF-8: byte 0xFF at offset 18"),
        (b'{"id":4,"result":NaN}', "NaN is no JSON number"),
        (b'{"id":4,"result":-Infinity}', "-Infinity is no JSON number"),
        (b'{"id":4,"result":{"a":"bc', "a string has no end, from offset 22"),
        (b'{"id":4,"result":{"a":', "ends in the middle"),
        (b'{"id":4,"result":{"a":tru}}', "a value is missing at offset 22"),
        (b'{"id":4,"result":1,"error":{"code":1,"message":""}}', "both a result and an error"),
        (b'{"id":4,"error":[]}', "its error is not an object"),
        (b'{"id":4,"error":{"code":"x","message":"m"}}', "its error has no integer code"),
        (b'{"id":4,"error":{"code":true,"message":"m"}}', "its error has no integer code"),
        (b'{"id":4,"error":{"code":1}}', "its error has no message string"),
        (b'{"jsonrpc":"2.0","id":4}', "neither a method nor a result nor an error"),
        (b'{"id":4.0,"result":{}}', "the result's id 4.0 is no request id"),
        (b'\xef\xbb\xbf{"id":4,"result":{}}', "byte order mark"),
        (b'{"id":4,"result":{}}{"id":5,"result":{}}', "there is more after the end"),
        (b'{"id":4,"method":null,"result":{}}', "the method is not a string"),
        (b'{"id":4,"method":null,"result":{},"error":null}', "the method is not a string"),
        (nested(600), "nested deeper than 512 levels"),
        (nested(1000), "nested deeper than 512 levels"),
        (nested(100_000), "nested deeper than 512 levels"),
    ],
)
def test_a_broken_answer_names_its_request_and_says_what_is_wrong(raw: bytes, reason: str) -> None:
    message = decode(raw)
    assert isinstance(message, Malformed)
    assert message.id == 4
    assert message.asked is None
    assert reason in message.reason


@pytest.mark.parametrize(
    "raw",
    [
        b'{"id":9,"method":"x","params":[1]}',
        b'{"id":9,"method":"x","params":"p"}',
        b'{"id":9,"method":"x","params":{"a":NaN}}',
        b'{"id":9,"method":5}',
        b'{"id":9,"method":null}',
        b'{"id":9,"method":7,"result":{}}',
        b'{"id":9,"method":"x","params":{"a":"\xff"}}',
    ],
)
def test_a_broken_request_keeps_its_id_so_that_it_can_be_answered(raw: bytes) -> None:
    message = decode(raw)
    assert isinstance(message, Malformed)
    assert message.asked == 9
    assert message.id is None


@pytest.mark.parametrize(
    "raw",
    [
        b'{"level":"info","id":4,"msg":"started"}',
        b"Server listening on port 4",
        b'"id"',
        b"",
        b"   ",
        b'{"id":4,"msg":',
        b'{"method":"notifications/x","params":[1]}',
    ],
)
def test_what_answers_nothing_claims_no_request(raw: bytes) -> None:
    message = decode(raw)
    assert isinstance(message, Malformed)
    assert message.id is None
    assert message.asked is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e400", float("inf")),
        ("-1e400", float("-inf")),
        ("9" * 5000, float("inf")),
        ('"\\ud800"', "\ud800"),
        (str(2**70), 2**70),
    ],
)
def test_what_the_grammar_allows_is_read_and_its_text_stays_exact(text: str, value: Json) -> None:
    raw = b'{"jsonrpc":"2.0","id":1,"result":%b}' % text.encode()
    assert read_envelope(raw).kind is MessageKind.RESULT
    assert decode(raw) == Result(1, value)
    assert raw_members(raw)["result"] == text.encode()


def test_members_and_items_keep_their_exact_text_where_the_fast_decoder_gives_up() -> None:
    raw = b'{ "a" : [1.10, "\\ud800"] , "b":{"c":1E5}}'
    assert raw_members(raw) == {"a": b'[1.10, "\\ud800"]', "b": b'{"c":1E5}'}
    assert raw_items(b'[ {"x":"\\udc00"}, 1.10 ]') == [b'{"x":"\\udc00"}', b"1.10"]
    assert raw_members(b"[1]") == {}
    assert raw_members(b'{"a":"\\ud800"') == {}
    assert raw_items(b'["\\ud800",}') == []


def test_ids_are_exact_in_type_and_text() -> None:
    assert read_envelope(b'{"id":"1","result":1}').id == "1"
    assert read_envelope(b'{"id":-3,"result":1}').id == -3
    big = read_envelope(b'{"id":%d,"result":1}' % 2**70)
    assert (big.id, big.id_text) == (2**70, str(2**70))
    spelled = read_envelope(b'{"id":"\\u0061","method":"m"}')
    assert spelled == Envelope(MessageKind.REQUEST, "m", "a", '"\\u0061"')


@pytest.mark.parametrize("text", ["null", "1.0", "true", "{}", "[1]"])
def test_a_request_whose_id_is_none_is_malformed(text: str) -> None:
    envelope = read_envelope(b'{"id":%b,"method":"m"}' % text.encode())
    assert envelope.kind is MessageKind.MALFORMED
    assert envelope.reason == f"{text} is no request id"
    assert envelope.method == "m"
    assert envelope.id_text == text


def test_an_error_may_come_without_a_usable_id() -> None:
    message = decode(b'{"id":null,"error":{"code":-32600,"message":"no","data":null}}')
    assert message == ErrorReply(None, -32600, "no", None, True)
    assert decode(b'{"error":{"code":-32600.0,"message":"no"}}') == ErrorReply(None, -32600, "no")


def test_a_batch_gives_each_member_with_its_own_text() -> None:
    message = decode(b' [{"id":1,"result":1.0}, {"method":"n"}, 5, [1]]')
    assert isinstance(message, Batch)
    raws = [raw for raw, _ in message.members]
    assert raws == [b'{"id":1,"result":1.0}', b'{"method":"n"}', b"5", b"[1]"]
    kinds = [type(member) for _, member in message.members]
    assert kinds == [Result, Notification, Malformed, Malformed]
    assert decode(b"[]") == Malformed("it is an empty batch")
    assert isinstance(decode(b"[1,"), Malformed)


def test_a_raw_part_is_sent_token_for_token_on_one_line() -> None:
    raw = encode_request(1, "tools/call", {"arguments": RawJson(b'{"a": 1.10,\n "a": 1E5}')})
    assert raw == (
        b'{"jsonrpc":"2.0","id":1,"method":"tools/call",'
        b'"params":{"arguments":{"a": 1.10, "a": 1E5}}}'
    )


def test_big_integers_and_lone_surrogates_can_be_sent() -> None:
    value = encode_json({"n": 2**70, "s": "\ud800", "l": [1, None, True, 1.5, RawJson(b"1.10")]})
    assert value == b'{"n":1180591620717411303424,"s":"\\ud800","l":[1,null,true,1.5,1.10]}'


@pytest.mark.parametrize("number", [float("nan"), float("inf"), float("-inf")])
def test_what_json_does_not_have_is_never_sent(number: float) -> None:
    with pytest.raises(ValueError, match="is no JSON number"):
        encode_json({"a": [number]})


def test_absent_params_and_data_are_left_out() -> None:
    assert encode_notification("n") == b'{"jsonrpc":"2.0","method":"n"}'
    assert encode_error(None, -32600, "no") == (
        b'{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"no"}}'
    )


@pytest.mark.parametrize("raw", [b"[INFO] ready", b"[2026-01-01 10:00] start", b"[", b"[1,"])
def test_a_line_that_only_begins_like_an_array_is_no_batch(raw: bytes) -> None:
    assert read_envelope(raw).kind is MessageKind.MALFORMED
    assert isinstance(decode(raw), Malformed)


@pytest.mark.parametrize(
    ("raw", "inside"),
    [
        (b'Listening... {"jsonrpc":"2.0","id":3,"result":{}}', 3),
        (b'\0\0{"jsonrpc":"2.0","id":"a","result":{}}\0', "a"),
        (b'{"jsonrpc":"2.0","method":"n"}{"id":3,"error":{"code":1,"message":""}}', 3),
        (b'data: { "jsonrpc": "2.0", "id": 3, "result": {} }', 3),
        (b'got {"jsonrpc":"2.0","id":3,"method":"ping"}', None),
        (b'log {"jsonrpc":"2.0","result":{}}', None),
    ],
)
def test_an_answer_behind_other_text_is_found(raw: bytes, inside: object) -> None:
    message = decode(raw)
    assert isinstance(message, Malformed)
    assert (message.id, message.inside) == (None, inside)


@pytest.mark.parametrize(
    ("raw", "inside"),
    [
        (b'{"id":4,"result":{}}{"id":5,"result":{}}', 5),
        (b'{"id":4,"result":{}}\x01 {"jsonrpc":"2.0","id":"a","error":{}} x', "a"),
        (b'{"id":4,"result":{"log":{"id":5,"result":{}}}} x', None),
        (b'{"id":4,"result":[NaN,{"id":5,"result":{}}', None),
    ],
)
def test_an_answer_behind_an_answer_is_found_and_none_in_it(raw: bytes, inside: object) -> None:
    message = decode(raw)
    assert isinstance(message, Malformed)
    assert (message.id, message.inside) == (4, inside)
