"""What a long piece of work has freed goes back to the system."""

import ctypes
import re
import sys
from pathlib import Path

import pytest

from inspector.journal.freed import give_back

PIECES = 20_000
PIECE = 2_000


def _resident() -> int:
    found = re.search(r"^RssAnon:\s+(\d+) kB", Path("/proc/self/status").read_text(), re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024


@pytest.mark.skipif(sys.platform != "linux", reason="only there the kernel tells what is resident")
def test_what_many_small_things_took_goes_back_though_a_few_of_them_stay() -> None:
    if not hasattr(ctypes.CDLL(None), "malloc_trim"):
        pytest.skip("this C library has no malloc_trim")
    pieces = [bytearray(PIECE) for _ in range(PIECES)]
    stay = pieces[::100]
    del pieces
    full = _resident()
    give_back()
    assert full - _resident() > PIECES * PIECE // 3
    assert len(stay) == PIECES // 100


def test_a_c_library_without_it_is_no_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    class Other:
        def __init__(self, _: object) -> None: ...

    monkeypatch.setattr(ctypes, "CDLL", Other)
    give_back()
