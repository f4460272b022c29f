"""Whatever the bytes, out of a reader comes its result or the one error that it documents."""

import random
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.fuzz.mutation import DEEP, DEEP_OBJECT, HUGE
from tests.fuzz.readers import Reader
from tests.fuzz.readers_files import FILES
from tests.fuzz.readers_wire import WIRE
from tests.scaled import scaled

READERS = (*WIRE, *FILES)
WHOLE = (
    b"", b"\0", b"\xff", b"\xef\xbb\xbf{}", b"null", HUGE.encode(), b"-" + HUGE.encode(),
    DEEP.encode(), DEEP_OBJECT.encode(), b'"\\ud800"', b"\xed\xa0\x80",
    b'"' + b"x" * 200_000 + b'"',
    b"[" * 50_000, b'{"a":' * 50_000, b"a" * 200_000, b" " * 200_000, b"\n" * 100_000,
    b"(" * 50_000, b"#" * 50_000, b"=" * 50_000, b'\\"' * 50_000, b"{" + b'"a":1,' * 50_000,
    b"a = " + HUGE.encode(), b"a = " + DEEP.encode(), b"[a]\n" * 20_000, b"${" * 50_000,
    b"Bearer " + b'a="' * 50_000, b"data:" * 50_000, b"regex=" + b"(" * 5_000,
    b"regex=a{999999999999}", b"key:=" + HUGE.encode(), b"x=\xed\xa0\x80", b"$" + b".a" * 50_000,
)  # fmt: skip
_ANY = settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
@settings(_ANY, max_examples=scaled(60))
@given(seed=st.integers(0, 2**48), raw=st.none() | st.binary(max_size=200))
def test_only_the_documented_error_comes_out(
    reader: Reader, tmp_path: Path, seed: int, raw: bytes | None
) -> None:
    content = reader.example(random.Random(seed)) if raw is None else raw
    error = reader.fed(content, tmp_path)
    assert error is None, (reader.name, seed, content[:2000], error)


@pytest.mark.parametrize("reader", READERS, ids=lambda reader: reader.name)
def test_nor_of_what_is_deep_long_or_huge(reader: Reader, tmp_path: Path) -> None:
    for content in WHOLE:
        error = reader.fed(content, tmp_path)
        assert error is None, (reader.name, content[:60], error)
