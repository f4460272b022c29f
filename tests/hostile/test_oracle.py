"""The oracle itself: what it takes apart, what it lets pass, and that it is not blind."""

import pytest

from tests.hostile.oracle import Piece, foreign, pieces
from tests.servers.hostile_texts import NONCE, TEXTS, fresh_nonce, number_of, texts

MARKUP = frozenset(
    name
    for name in TEXTS
    if "markup" in name or "bracket" in name or name in ("action", "action with keys")
)
"""Dangerous for a reader of markup only, and seen as they stand."""
CELLS = frozenset(
    {
        *("wide", "spaces", "many lines", "token", "template", "variables", "ambiguous"),
        *("backslash at the end", "boxes", "fullwidth", "ligatures", "Arabic", "Jamo", "marks"),
        *("marks of many scripts", "Hangul vowels", "mark at the beginning", "other spaces"),
        *("vowel at the beginning", "Thai and Tibetan"),
    }
)
"""Made to move what stands beside them: their look-out is the grid of cells."""
OWN = (
    b"\x1b[?1049h\x1b[?1000h\x1b[?25l\x1b[>1u\x1b[?2026h\x1b[1;1H\x1b[38;2;1;2;3mab\x1b[0m\r\n"
    b"\x1b[40;120H\x1b[?2026l\x1b]22;default\x07\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?2026$p"
)


def test_what_the_interface_says_itself_is_not_foreign() -> None:
    assert foreign(OWN) == []
    assert foreign(OWN + f"── über {NONCE} {number_of(NONCE)} 漢".encode()) == []


def test_every_text_that_a_terminal_would_obey_or_hide_is_found() -> None:
    passed = {
        name
        for name, text in TEXTS.items()
        if not foreign(OWN + text.encode("utf-8", "surrogatepass"))
    }
    assert passed == MARKUP | CELLS
    assert len(TEXTS) - len(passed) >= 70


@pytest.mark.parametrize(
    "said",
    [
        f"\x1b[{number_of(NONCE)}m",
        f"\x1b[1;{number_of(NONCE)}H",
        f"\x1b[?1049;{number_of(NONCE)}l",
        f"\x1b]22;{NONCE}\x07",
        f"\x1b]8;;http://{NONCE}\x1b\\",
        f"\x9b{number_of(NONCE)}m",
        f"\x1b[\x1b[0m{NONCE}\x1b]0;x\x1b\\",
    ],
)
def test_a_sequence_that_looks_like_ours_is_known_by_what_it_holds(said: str) -> None:
    assert foreign(OWN + said.encode())


@pytest.mark.parametrize("said", [b"\x1b[?1049l", b"\x1b[2J\x1b[2J", 2 * b"\x1b[?1049h"])
def test_a_mode_that_is_switched_once_more_is_foreign(said: bytes) -> None:
    assert foreign(OWN + said)


@pytest.mark.parametrize(
    "said", [b"\x9b2J", b"\x9d0;x\x9c", b"\xc2\x9b2J", b"\x07", b"\x00", b"\xff"]
)
def test_eight_bit_controls_are_seen_however_they_are_written(said: bytes) -> None:
    assert foreign(OWN + said)


def test_sequences_are_taken_apart_as_terminals_do() -> None:
    output = (
        b"a\x1b[1;2mb\x1b]0;t\x07c\x1b]2;u\x1b\\d\x1bPq\x1b\\e\x1b(0f\x1bcg\x1b[1\x18h\x1b[1\x1b[0m"
    )
    assert list(pieces(output)) == [
        Piece("text", "a"),
        Piece("csi", "\x1b[1;2m"),
        Piece("text", "b"),
        Piece("osc", "\x1b]0;t\x07"),
        Piece("text", "c"),
        Piece("osc", "\x1b]2;u\x1b\\"),
        Piece("text", "d"),
        Piece("dcs", "\x1bPq\x1b\\"),
        Piece("text", "e"),
        Piece("escape", "\x1b(0"),
        Piece("text", "f"),
        Piece("escape", "\x1bc"),
        Piece("text", "g"),
        Piece("csi", "\x1b[1\x18"),
        Piece("text", "h"),
        Piece("csi", "\x1b[1"),
        Piece("csi", "\x1b[0m"),
    ]


def test_a_nonce_is_found_inside_whatever_swallows_it() -> None:
    nonce = fresh_nonce()
    for name, text in texts(nonce).items():
        swallowed = any(
            nonce in piece.raw or str(number_of(nonce)) in piece.raw
            for piece in pieces(text.encode("utf-8", "surrogatepass"))
            if piece.kind != "text"
        )
        said = foreign(text.encode("utf-8", "surrogatepass"), nonce)
        assert swallowed is any(one.startswith("the nonce") for one in said), name
    assert len(TEXTS) >= 100
