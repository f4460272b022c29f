"""The table of marks against what the libraries that draw know."""

import re
import unicodedata

from rich.cells import get_character_cell_size

from inspector.render.marks import MARKS, PERHAPS_MARKS
from inspector.render.safe import DANGEROUS

MARK = re.compile(f"[{MARKS}]")
PERHAPS = re.compile(f"[{PERHAPS_MARKS}]")
TONES = range(0x1F3FB, 0x1F400)
"""Skin tones, which belong to an emoji."""


def test_every_character_without_a_cell_is_a_mark_or_never_drawn() -> None:
    for code in range(0x300, 0x110000):
        sign = chr(code)
        takes_no_cell = get_character_cell_size(sign) == 0
        if (takes_no_cell or unicodedata.category(sign) in ("Mn", "Me")) and code not in TONES:
            assert MARK.match(sign) or DANGEROUS.match(sign), hex(code)


def test_no_character_with_a_cell_is_a_mark() -> None:
    for code in range(0x20, 0x110000):
        sign = chr(code)
        if MARK.match(sign) and unicodedata.category(sign) != "Cn":
            assert get_character_cell_size(sign) == 0, hex(code)


def test_the_quick_class_holds_every_mark() -> None:
    for code in range(0x110000):
        assert PERHAPS.match(chr(code)) or not MARK.match(chr(code)), hex(code)
