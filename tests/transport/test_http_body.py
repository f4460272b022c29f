"""Content decoding within bounds."""

import gzip
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import PeerViolation
from inspector.transport.http_body import STEP, Collected, Decoder


def decoded(encoding: str, *chunks: bytes) -> bytes:
    decoder = Decoder(encoding)
    return b"".join(piece for chunk in chunks for piece in decoder.feed(chunk))


@given(st.binary(max_size=2000), st.integers(1, 50))
def test_any_chunking_of_any_encoding_gives_the_body(body: bytes, size: int) -> None:
    raw_deflate = zlib.compressobj(wbits=-15)
    for encoding, sent in (
        ("", body),
        ("identity", body),
        ("gzip", gzip.compress(body)),
        ("x-gzip", gzip.compress(body)),
        ("deflate", zlib.compress(body)),
        ("deflate", raw_deflate.compress(body) + raw_deflate.flush()),
    ):
        chunks = [sent[start : start + size] for start in range(0, len(sent), size)]
        assert decoded(encoding, *chunks) == body


def test_a_gzip_body_of_several_members_is_read_whole() -> None:
    assert decoded("gzip", gzip.compress(b"one ") + gzip.compress(b"two")) == b"one two"


def test_a_bomb_comes_out_in_small_pieces() -> None:
    bomb = gzip.compress(b"\0" * 20_000_000)
    sizes = [len(piece) for piece in Decoder("gzip").feed(bomb)]
    assert sum(sizes) == 20_000_000
    assert max(sizes) <= STEP


def test_broken_and_unknown_encodings_are_the_peers_fault() -> None:
    with pytest.raises(PeerViolation, match="broken"):
        decoded("gzip", b"not gzip at all")
    with pytest.raises(PeerViolation, match="Content-Encoding br"):
        decoded("br", b"\x0b")
    with pytest.raises(PeerViolation, match="gzip, gzip"):
        decoded("gzip, gzip", b"\x1f")


def test_a_body_over_the_cap_keeps_what_came_before() -> None:
    collected = Collected(10)
    collected.add(b"12345678")
    with pytest.raises(PeerViolation, match="larger than 10 bytes"):
        collected.add(b"90123")
    assert collected.bytes() == b"12345678"
    assert len(collected) == 8
