"""The table of code points that stand for nothing, against Python's own."""

import re
import unicodedata

from inspector.render.safe import _INVISIBLE
from inspector.render.unassigned import BELOW_ASTRAL, UNASSIGNED

ANY = re.compile(f"[{UNASSIGNED}]")
INVISIBLE = re.compile(f"[{_INVISIBLE}]")
LOW = re.compile(f"[{BELOW_ASTRAL}]")


def test_nothing_that_is_a_character_is_among_them() -> None:
    found = [code for code in range(0x110000) if ANY.match(chr(code))]
    assert 800_000 < len(found) < 0x110000
    # Python's table is of Unicode 14 or newer. What is never drawn anyway may fill a gap.
    wrong = [code for code in found if unicodedata.category(chr(code)) != "Cn"]
    assert [code for code in wrong if not INVISIBLE.match(chr(code))] == []


def test_what_is_left_out_below_the_astral_planes_is_what_lies_above() -> None:
    for code in range(0x10000):
        assert bool(LOW.match(chr(code))) is bool(ANY.match(chr(code)))
