"""JSON of any size as lines: exact tokens, bounded work, honest fallback."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.render.jsonlines import (
    CHUNK,
    INDENTED_CAP,
    JsonLines,
    TextLines,
    indented_size,
)

JSON = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=4), inner, max_size=4)
    ),
    max_leaves=20,
)


def test_tokens_keep_their_spelling() -> None:
    lines = JsonLines(b'{"a":1.10,"a":1E5,"b":["\\u0041\\/",-0]}')
    assert [lines.line(number) for number in range(lines.line_count)] == [
        "{",
        '  "a": 1.10,',
        '  "a": 1E5,',
        '  "b": [',
        '    "\\u0041\\/",',
        "    -0",
        "  ]",
        "}",
    ]


@given(JSON)
def test_lines_joined_are_the_same_json(value: object) -> None:
    raw = json.dumps(value).encode()
    lines = JsonLines(raw)
    assert lines.pretty
    shown = "".join(lines.line(number) for number in range(lines.line_count))
    assert json.loads(shown) == value


@given(JSON)
def test_a_block_ends_where_its_bracket_closes(value: object) -> None:
    lines = JsonLines(json.dumps(value).encode())
    for number in range(lines.line_count):
        end = lines.fold_end(number)
        text = lines.line(number)
        if text.endswith(("{", "[")):
            assert end is not None
            closing = lines.line(end)
            assert len(closing) - len(closing.lstrip()) == len(text) - len(text.lstrip())
            assert closing.strip()[0] == {"{": "}", "[": "]"}[text[-1]]
        else:
            assert end is None


@given(st.lists(st.sampled_from(["", "a", "xyz", "é" * 9]), max_size=30))
def test_every_line_is_found_through_the_sparse_index(parts: list[str]) -> None:
    body = "\n".join(parts).encode()
    lines = TextLines(body)
    wanted = body.decode().split("\n") if body else []
    if wanted and wanted[-1] == "":
        wanted.pop()
    assert lines.line_count == len(wanted)
    assert [lines.line(number) for number in range(lines.line_count)] == wanted
    for number in range(lines.line_count):
        assert lines.line_at(lines.offset(number)) == number


def test_lines_are_found_across_many_chunks() -> None:
    body = b"".join(b"%07d\n" % number for number in range(3 * CHUNK // 8 + 5))
    lines = TextLines(body)
    for number in (0, 1, CHUNK // 8 - 1, CHUNK // 8, CHUNK // 8 + 1, lines.line_count - 1):
        assert lines.line(number) == f"{number:07d}"


@pytest.mark.parametrize(
    "raw",
    [b"", b"hello", b'{"a":', b"[NaN]", b"\xef\xbb\xbf{}", b"[" * 100_000, b'"\xff'],
)
def test_what_is_no_json_is_shown_as_it_stands_with_the_reason(raw: bytes) -> None:
    lines = JsonLines(raw)
    assert not lines.pretty
    assert lines.reason
    assert lines.body == raw


def test_a_depth_bomb_is_not_indented() -> None:
    bomb = b"[" * 1500 + b",".join([b"1"] * 200_000) + b"]" * 1500
    assert indented_size(bomb) > INDENTED_CAP
    assert JsonLines(bomb).body == bomb


@given(JSON)
def test_the_size_estimate_never_misses_depth(value: object) -> None:
    raw = json.dumps(value, ensure_ascii=False).encode("utf-8", "backslashreplace")
    # Exact up to a newline and a space a line; what matters is that it is never far too small.
    grown = len(JsonLines(raw).body)
    assert indented_size(raw) >= (grown - len(raw)) / 4


def test_brackets_inside_strings_do_not_count_as_depth() -> None:
    raw = json.dumps(["[{" * 50_000, "\\", '\\"[', "]"]).encode()
    assert indented_size(raw) < 2 * len(raw) + 1000


def test_a_giant_line_is_cut_by_bytes_and_never_inside_a_character() -> None:
    body = ('"' + "é" * 1_000_000 + '"').encode()
    lines = JsonLines(body)
    assert lines.line_count == 1
    assert lines.line(0, 0, 5) == '"éé'
    assert lines.line(0, 1_000_000, 4) == "éé"


def test_each_kind_of_token_has_its_ink() -> None:
    lines = JsonLines(b'{"a": [1, "b", true, null, "\xe2\x80\xae"]}')
    inks = {
        text.plain[span.start : span.end]: str(span.style)
        for text in (lines.draw(number) for number in range(lines.line_count))
        for span in text.spans
    }
    assert inks['"a"'] == "mcp.key"
    assert inks['"b"'] == "mcp.string"
    assert inks["1"] == "mcp.number"
    assert inks["true"] == "mcp.literal"
    assert inks["⟨202E⟩"] == "mcp.token"


def test_search_goes_forwards_and_backwards_and_folds_case() -> None:
    lines = TextLines("one\nTwo é two\nthree".encode())
    first = lines.find("two")
    assert first is not None
    assert (first.line, first.start, first.end) == (1, 0, 3)
    second = lines.find("two", first.line, start=first.end)
    assert second is not None
    assert (second.line, second.start) == (1, 6)
    back = lines.find("two", second.line, start=second.start, backwards=True)
    assert back == first
    assert lines.find("Two", 1, start=1) is None
    assert lines.find("absent") is None
    assert lines.find("") is None


def test_search_finds_what_lies_across_two_stretches() -> None:
    body = b"x" * ((1 << 20) - 2) + b"needle" + b"x" * (1 << 20)
    hit = TextLines(body).find("needle")
    assert hit is not None
    assert hit.start == (1 << 20) - 2
    back = TextLines(body).find("needle", 0, start=len(body), backwards=True)
    assert back == hit
