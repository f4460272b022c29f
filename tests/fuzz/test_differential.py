"""Our readers beside others', on texts that none of them was written for."""

import json
import random
import time
from collections.abc import Callable

import pydantic_core
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.auth.challenge import parse_challenges
from inspector.config import jsonc
from inspector.forms.tree import build_form
from inspector.forms.uri_template import template_parts
from inspector.journal.redact import Redactor
from inspector.protocol.json_text import NotJsonError, duplicate_keys, parse_json, scan_members
from inspector.protocol.messages import decode, read_envelope
from inspector.protocol.sse import SseParser
from tests.fuzz.mutation import changed, torn
from tests.fuzz.readers_wire import MESSAGES
from tests.scaled import scaled


def _message(seed: int) -> bytes:
    dice = random.Random(seed)
    text = changed(dice.choice(MESSAGES), dice).encode("utf-8", "surrogatepass")
    return torn(text, dice) if dice.random() < 0.4 else text


@settings(max_examples=scaled(300))
@given(st.integers(0, 2**48))
def test_what_json_and_pydantic_both_take_we_take_with_the_same_value(seed: int) -> None:
    raw = _message(seed)
    try:
        first = json.loads(raw)
        second = pydantic_core.from_json(raw, allow_inf_nan=False)
    except (ValueError, RecursionError):
        return
    if json.dumps(first) != json.dumps(second):
        return  # they do not agree
    try:
        ours = parse_json(raw)
    except NotJsonError as error:
        if not raw.startswith(b"\xef\xbb\xbf") and "deep" not in str(error):
            raise AssertionError((seed, raw[:500])) from error
        return
    assert json.dumps(ours) == json.dumps(first), (seed, raw[:500])


def _by_the_book(text: str) -> list[tuple[str, str, str]]:
    """The events of a whole stream, as the algorithm of the HTML standard says; no shared code."""
    found: list[tuple[str, str, str]] = []
    last, name = "", ""
    data: list[str] = []
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    lines = text.split("\n")[:-1]
    for line in lines:
        if line == "":
            if data:
                found.append((name or "message", "\n".join(data), last))
            name, data = "", []
            continue
        field, colon, value = line.partition(":")
        if colon and not field:
            continue
        value = value.removeprefix(" ")
        match field:
            case "event":
                name = value
            case "data":
                data.append(value)
            case "id" if "\0" not in value:
                last = value
    return found


_PIECES = st.sampled_from(
    ["data: a", "data:", "data", ":x", "id: 1", "id", "id:\0", "event: e", "event", "retry: 5", "x",
     "retry: x", " data: b", "data:  c",
     "\ufeff", "é☃", "data: {\"a\":1}",
     "data:\x85\u2028y", "", ""]
)  # fmt: skip
_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r"])


@settings(max_examples=scaled(200))
@given(st.lists(st.tuples(_PIECES, _ENDS), max_size=25), st.lists(st.integers(1, 9), max_size=60))
def test_a_stream_is_read_as_the_standard_says_in_any_chunks(
    lines: list[tuple[str, str]], sizes: list[int]
) -> None:
    text = "".join(line + end for line, end in lines) + "\n"
    raw, at, parser = text.encode(), 0, SseParser()
    read: list[tuple[str, str, str]] = []
    last = ""
    for size in [*sizes, len(raw)]:
        for event in parser.feed(raw[at : at + size]):
            last = event.id if event.id is not None else last
            read.append((event.event, event.data.decode(), last))
        at += size
    wanted = _by_the_book(text)
    # An event without data says its id to us, and nothing to the standard.
    assert [one for one in read if one[1]] == [one for one in wanted if one[1]]


_GROWING: dict[str, tuple[Callable[[bytes], object], Callable[[int], bytes]]] = {
    "members": (scan_members, lambda n: b"{" + b'"a":1,' * n),
    "members torn": (decode, lambda n: b'{"jsonrpc":"2.0","result":' + b'{"method":[' * n),
    "answers inside": (decode, lambda n: b'x {"jsonrpc":"2.0",' * n),
    "escapes": (decode, lambda n: b'{"id":"' + b'\\"' * n),
    "envelope": (read_envelope, lambda n: b'{"id":1,"result":[' + b'{"a":[1]},' * n + b"0]}"),
    "twice": (duplicate_keys, lambda n: b"{" + b'"a":{"a":1},' * n + b'"b":1}'),
    "comments": (lambda raw: _suppressed(jsonc.loads, raw), lambda n: b"/* x */ // y\n" * n),
    "commas": (lambda raw: _suppressed(jsonc.loads, raw), lambda n: b"[" + b"1, ,\n" * n),
    "challenges": (
        lambda raw: parse_challenges([raw.decode()]),
        lambda n: b'Bearer a="b\\"", ' * n,
    ),
    "quotes": (lambda raw: parse_challenges([raw.decode()]), lambda n: b'a="' * n),
    "templates": (lambda raw: template_parts(raw.decode()), lambda n: b"{" * n),
    "redacting": (lambda raw: Redactor().sent(raw), lambda n: b'{"token":"' * n),
    "required": (
        lambda raw: build_form(json.loads(raw)),
        lambda n: json.dumps(
            {"required": [str(k) for k in range(n)], "properties": {str(k): {} for k in range(n)}}
        ).encode(),
    ),
}


def _suppressed(read: Callable[[str], object], raw: bytes) -> None:
    try:
        read(raw.decode())
    except ValueError:
        return


@pytest.mark.parametrize("name", _GROWING)
def test_eight_times_as_much_takes_about_eight_times_as_long(name: str) -> None:
    """By the time of this process alone, the best of three; a square would be 64 times."""
    read, make = _GROWING[name]
    size = 2_000

    def cost(raw: bytes) -> float:
        best = 1e9
        for _ in range(3):
            begun = time.process_time()
            read(raw)
            best = min(best, time.process_time() - begun)
        return best

    while (small := cost(make(size))) < 0.008 and size < 30_000:
        size *= 2
    assert cost(make(8 * size)) < 35 * max(small, 0.008), size
