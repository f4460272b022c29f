"""2,000 strings drawn through both walls: each takes the cells that were counted for it, and leaves
what stands beside it alone. And 20,000 of any kind (in `deep`): none dangerous, none lost."""

import random
import unicodedata

import pyte
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from textual.color import Color
from textual.strip import Strip

from inspector.render.safe import BASELESS, DANGEROUS, one_line, plain, stand_ins, visible
from inspector.tui.wall import Wall
from tests.hostile.glass import cells_of
from tests.hostile.oracle import foreign
from tests.hostile.terminal import Grid
from tests.servers.hostile_texts import TEXTS

WIDTH, STRINGS = 60, 2000
FRAME = "│"
POOLS = (
    "".join(TEXTS.values()),
    "abc ́҉ᅡᆨ\u1100한漢字ｆ😀👍🏽🇩🇪🇫⚠\ufe0f⌚\ufe0e1\ufe0f\u20e3\u200d👩",
    "กำ็ཧཱུྃक्षि\u0bcd\u0b95\u0bcdஷ\u0d4d\u200c\ufdfd\u12219\ufeff\u202e",
    "".join(map(chr, range(0x20, 0x250))) + "\x1b\x9b\x07\x00",
)
ANY = st.text(st.characters(codec=None, exclude_categories=()), max_size=80)


def strings() -> list[str]:
    """The same ones every time: of the hostile texts, of what is known to be crooked, of all of
    Unicode."""
    dice = random.Random(20261122)
    found = list(TEXTS.values())
    while len(found) < STRINGS:
        pool = dice.choice([*POOLS, None, None])
        size = dice.randint(1, 50)
        if pool is None:
            found.append("".join(chr(dice.randrange(0x110000)) for _ in range(size)))
        else:
            found.append("".join(dice.choice(pool) for _ in range(size)))
    return found


def drawn(text: str) -> Strip:
    """The text between two borders, as a widget would draw it."""
    shown = one_line(text, WIDTH)
    filled = shown + " " * (WIDTH - cell_len(shown))
    strip = Strip([Segment(FRAME), Segment(filled), Segment(FRAME)])
    return strip.apply_filter(Wall(), Color(0, 0, 0))


def test_two_thousand_strings_leave_the_border_on_their_right_where_it_is() -> None:
    grid = Grid(WIDTH + 2, 100)
    stream = pyte.Stream(grid)
    texts = strings()
    assert len(texts) == STRINGS
    for first in range(0, STRINGS, 100):
        grid.reset()
        strips = [drawn(text) for text in texts[first : first + 100]]
        for row, strip in enumerate(strips, 1):
            said = f"\x1b[{row};1H{strip.text}"
            assert foreign(said.encode("utf-8", "surrogatepass")) == []
            stream.feed(said)
        for cells, strip, text in zip(grid.rows(), strips, texts[first : first + 100], strict=True):
            shown = [unicodedata.normalize("NFC", cell) for cell in cells]
            assert shown == cells_of(strip), repr(text)
            assert (shown[0], shown[-1]) == (FRAME, FRAME), repr(text)


@given(ANY)
def test_nothing_dangerous_is_shown_and_nothing_is_lost(text: str) -> None:
    shown = visible(text)
    assert DANGEROUS.search(shown) is None
    assert BASELESS.search(shown) is None
    assert foreign(shown.encode()) == []
    assert plain(shown) == text
    replaced = stand_ins(text)
    assert len(replaced) == len(text)
    assert DANGEROUS.search(replaced) is None
