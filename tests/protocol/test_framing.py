"""Lines out of a byte stream, however it is cut into chunks."""

import itertools

from hypothesis import given
from hypothesis import strategies as st

from inspector.protocol.framing import HEAD_BYTES, LineFramer, Oversized

PIECES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"\r", b"a", b"bc", b"{}", b"\xff"]), max_size=40
)


def fed(framer: LineFramer, chunks: list[bytes]) -> list[bytes | Oversized]:
    return [line for chunk in chunks for line in framer.feed(chunk)]


def cut(raw: bytes, places: list[int]) -> list[bytes]:
    borders = [0, *sorted(min(place, len(raw)) for place in places), len(raw)]
    return [raw[start:end] for start, end in itertools.pairwise(borders)]


@given(PIECES, st.lists(st.integers(0, 80)))
def test_any_chunking_gives_the_same_lines(pieces: list[bytes], places: list[int]) -> None:
    raw = b"".join(pieces)
    framer = LineFramer()
    expected = raw.split(b"\n")
    rest = expected.pop()
    assert fed(framer, cut(raw, places)) == [line.removesuffix(b"\r") for line in expected]
    assert framer.rest() == rest


@given(PIECES, st.lists(st.integers(0, 80)))
def test_any_chunking_gives_up_on_the_same_lines(pieces: list[bytes], places: list[int]) -> None:
    raw = b"".join(pieces)
    whole = [isinstance(line, Oversized) or line for line in LineFramer(cap=4).feed(raw)]
    in_parts = fed(LineFramer(cap=4), cut(raw, places))
    assert [isinstance(line, Oversized) or line for line in in_parts] == whole


def test_a_line_over_the_cap_is_reported_once_and_reading_goes_on_after_it() -> None:
    framer = LineFramer(cap=10)
    assert framer.feed(b"short\n0123456") == [b"short"]
    assert framer.feed(b"789abc") == [Oversized(13, b"0123456789abc")]
    assert framer.feed(b"more and more") == []
    assert framer.rest() == b""
    assert framer.feed(b"end\n0123456789\r\nnext") == [b"0123456789"]
    assert framer.rest() == b"next"


def test_only_the_head_of_a_line_that_is_too_long_is_kept() -> None:
    (oversized,) = LineFramer(cap=8192).feed(b"x" * 10_000)
    assert isinstance(oversized, Oversized)
    assert oversized.size == 10_000
    assert len(oversized.head) == HEAD_BYTES


def test_a_long_line_in_many_pieces_comes_out_whole() -> None:
    framer = LineFramer()
    for _ in range(20_000):
        assert framer.feed(b"0123456789") == []
    (line,) = framer.feed(b"\n")
    assert line == b"0123456789" * 20_000


def test_empty_lines_are_lines_and_one_carriage_return_is_dropped() -> None:
    assert LineFramer().feed(b"\n\r\na\r\r\n") == [b"", b"", b"a\r"]
