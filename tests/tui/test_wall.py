"""The second wall: what comes out of it, and that calm text passes untouched."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from wcwidth import wcwidth

from inspector.render.safe import DANGEROUS, visible
from inspector.tui.wall import Wall
from tests.scaled import scaled

BLACK = Color(0, 0, 0)


def test_calm_segments_pass_as_the_same_list() -> None:
    segments = [Segment("plain"), Segment("→ │ é"), Segment("", None, [])]
    wall = Wall()
    assert wall.apply(segments, BLACK) is segments
    assert wall.stopped == 0


def test_an_escape_sequence_is_replaced_and_counted() -> None:
    wall = Wall()
    (segment,) = wall.apply([Segment("\x1b]52;c;QQ==\x07")], BLACK)
    assert DANGEROUS.search(segment.text) is None
    assert wall.stopped == 1


def test_a_dangerous_link_is_taken_off() -> None:
    wall = Wall()
    (segment,) = wall.apply([Segment("x", Style(link="http://a\x1b\\"))], BLACK)
    assert segment.style is not None
    assert segment.style.link is None


@given(st.text(st.characters(codec=None, exclude_categories=()), max_size=60))
def test_nothing_dangerous_comes_out_and_the_width_stays(text: str) -> None:
    (segment,) = Wall().apply([Segment(text)], BLACK)
    assert DANGEROUS.search(segment.text) is None
    if DANGEROUS.search(text):
        assert cell_len(segment.text) == cell_len(text)


def test_what_is_dangerous_and_unsteady_is_made_both_calm_and_steady() -> None:
    (segment,) = Wall().apply([Segment("\x1b⚠\ufe0f 🇩🇪\ufe0f x")], BLACK)
    assert "\ufe0f" not in segment.text
    assert "\x1b" not in segment.text
    assert cell_len(segment.text) == cell_len("\x1b⚠\ufe0f 🇩🇪\ufe0f x")


def test_no_mark_is_drawn_on_a_border_a_gap_or_the_widget_to_the_left() -> None:
    wall = Wall()
    segments = [
        Segment("\u0301a"),
        Segment("│"),
        Segment("\u0301\u0489b\u0301"),
        Segment(" \u0301c"),
    ]
    shown = wall.apply(segments, BLACK)
    assert [segment.text for segment in shown] == ["a", "│", "b\u0301", " c"]
    assert wall.stopped == 3
    parted = [Segment("e"), Segment("\u0301")]  # in two inks, yet one letter
    assert Wall().apply(parted, BLACK) is parted


PILES = st.text(
    st.one_of(
        st.characters(categories=["Mn", "Mc", "Me", "Lo", "So", "Sk"]),
        st.sampled_from("a漢⚠1👍🏽🇩🇪\ufe0f\u20e3\u200d\u0301\ua670\u1100\u1161\u11a8"),
    ),
    max_size=40,
)


@settings(max_examples=scaled(2000))
@given(PILES)
@example("a🏽|")
@example("漢🏽🏽")
@example("🇩🇪🇩")
def test_what_is_drawn_takes_the_cells_that_a_terminal_gives_it(text: str) -> None:
    shown = visible(text)
    (segment,) = Wall().apply([Segment(shown)], BLACK)
    assert sum(map(wcwidth, segment.text)) == cell_len(shown)


def test_what_terminals_measure_differently_keeps_its_cells() -> None:
    for text in ("a ⚠️ b", "flag 🇨🇭 end", "1️⃣ key"):
        (shown,) = Wall().apply([Segment(text)], Color(0, 0, 0))
        assert "\ufe0f" not in shown.text
        assert cell_len(shown.text) == cell_len(text)
    plain = [Segment("── über ── 漢字 ✓")]
    assert Wall().apply(plain, Color(0, 0, 0)) is plain
