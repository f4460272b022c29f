"""What passes the one door, and that nothing is lost on the way."""

import json
import unicodedata
from typing import SupportsIndex

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcwidth

from inspector.render.safe import (
    DANGEROUS,
    clusters,
    json_safe,
    one_line,
    plain,
    safe_text,
    steady,
    suspicious,
    suspicious_title,
    token,
    token_spans,
    visible,
)
from tests.scaled import scaled

NASTY = st.text(
    st.one_of(
        st.characters(),
        st.characters(categories=["Cs", "Cc", "Cf", "Mn"]),
        st.sampled_from("⟨⟩9BF␛␡␀\x1b\x9b\u202e\u200d\ufe0f⚠\U000e0041\n\t\r\u0301a"),
    ),
    max_size=60,
)


@settings(max_examples=scaled(1000))
@given(NASTY, st.booleans())
@example("⟨9B⟩␛", False)
@example("⟨27E8⟩", True)
@example("a" + "\u0301" * 30, False)
def test_nothing_dangerous_passes_and_nothing_is_lost(text: str, keep_newlines: bool) -> None:
    shown = visible(text, keep_newlines=keep_newlines)
    calm = shown.replace("\n", "").replace("\t", "") if keep_newlines else shown
    assert DANGEROUS.search(calm) is None
    assert plain(shown) == text


@given(NASTY)
def test_safe_text_shows_what_visible_shows(text: str) -> None:
    safe = safe_text(text)
    assert safe.plain == visible(text, keep_newlines=True)
    assert len(safe.spans) == len(token_spans(safe.plain))


@given(st.text(st.characters(codec="utf-8"), max_size=60))
def test_clean_text_stays_the_same_object_or_equal(text: str) -> None:
    if DANGEROUS.search(text) is None and plain(text) == text:
        assert visible(text) == text


@settings(max_examples=scaled(500))
@given(NASTY, st.integers(0, 30))
def test_one_line_fits_its_width_and_is_safe(text: str, width: int) -> None:
    line = one_line(text, width)
    assert cell_len(line) <= width
    assert DANGEROUS.search(line) is None


def test_one_line_keeps_what_fits_and_cuts_with_an_ellipsis() -> None:
    assert one_line("hello", 5) == "hello"
    assert one_line("hello!", 5) == "hell…"
    assert one_line("漢字漢字", 6) == "漢字…"
    assert one_line("ab\x1bcd", 4) == "ab␛…"
    assert one_line("abc\u202ed", 5) == "abc…"


def test_a_million_characters_are_cut_without_reading_them_all() -> None:
    assert one_line("x" * 1_000_000, 10) == "x" * 9 + "…"
    assert len(one_line("e" + "\u0301" * 1_000_000, 10)) < 100


def test_a_base_shows_at_most_eight_marks() -> None:
    shown = visible("e" + "\u0301" * 12)
    assert shown == "e" + "\u0301" * 8 + "⟨301⟩" * 4


@pytest.mark.parametrize("mark", ["\ua670", "\u0ae3", "\u1161", "\U0001e8d0", "\u0301\ua670"])
def test_marks_of_every_script_pile_up_to_eight_only(mark: str) -> None:
    shown = visible("e" + mark * 30)
    assert shown.startswith(("e" + mark * 30)[:9] + "⟨")
    assert plain(shown) == "e" + mark * 30


@pytest.mark.parametrize("before", ["", " ", "a\n", "\t", "\x1b", "│", "\u200b", '"', "\u3000"])
def test_a_mark_that_belongs_to_nothing_is_a_token(before: str) -> None:
    for mark in ("\u0301", "\u0489", "\u1161", "\U0001e8d0"):
        shown = visible(f"{before}{mark}a{mark}", keep_newlines=True)
        assert shown.endswith(f"{token(mark)}a{mark}"), (before, mark)
        assert plain(shown) == f"{before}{mark}a{mark}"


def test_what_no_character_stands_for_is_a_token() -> None:
    for code in (0x378, 0x5C8, 0x1FFFE, 0x10FFFF, 0x18E00, 0x1F1AE, 0x3FFFF, 0xE1000):
        assert visible(f"a{chr(code)}b") == f"a{token(chr(code))}b", hex(code)
    assert visible("\ue000 \U000f0000") == "\ue000 \U000f0000"  # private, but somebody's


def test_every_character_that_is_drawn_takes_the_cells_that_were_counted() -> None:
    crooked: list[str] = []
    # All of the planes that hold scripts and emoji; of ideographs and syllables a sample.
    many = (range(0x3400, 0xD7A4), range(0x17000, 0x18D00), range(0x20000, 0x3FFFF))
    alike = (code for codes in many for code in codes if code % 251)
    for code in sorted({*range(0xA0, 0x3FFFF)} - {*alike}):
        shown = visible("a" + chr(code))
        if sum(map(wcwidth, steady(shown))) != cell_len(shown):
            crooked.append(hex(code))
    assert crooked == []


def test_every_invisible_character_of_unicode_is_a_token() -> None:
    for code in range(0x20, 0x110000):
        if unicodedata.category(chr(code)) in ("Cc", "Cf", "Cs", "Zl", "Zp"):
            assert visible(f"a{chr(code)}b") == f"a{token(chr(code))}b", hex(code)


def test_a_skin_tone_passes_after_a_hand_or_a_face_only() -> None:
    assert visible("👍🏽") == "👍🏽"
    assert visible("a🏽") == "a⟨1F3FD⟩"
    assert visible("👍🏽🏽") == "👍🏽⟨1F3FD⟩"


def test_emoji_presentation_passes_after_an_emoji_only() -> None:
    assert visible("⚠\ufe0f") == "⚠\ufe0f"
    assert visible("a\ufe0f") == "a⟨FE0F⟩"
    assert visible("⚠\ufe0f\ufe0f") == "⚠\ufe0f⟨FE0F⟩"


def test_steady_text_takes_the_same_cells_in_every_terminal() -> None:
    assert steady("⚠\ufe0f x") == "⚠  x"
    assert cell_len(steady("⚠\ufe0f x")) == cell_len("⚠\ufe0f x")
    assert steady("⌚\ufe0e x") == "⌚ x"  # some terminals would draw it in one cell


@pytest.mark.parametrize(
    "emoji", ["⚠\ufe0f", "🇩🇪", "🇩🇪\ufe0f", "👍🏽\ufe0f", "👍🏽", "1\ufe0f\u20e3", "🇩", "a 🇩🇪🇫🇷 b"]
)
def test_steady_text_keeps_its_cells(emoji: str) -> None:
    assert cell_len(steady(emoji)) == cell_len(emoji)
    assert "\ufe0f" not in steady(emoji)
    assert sum(cell_len(sign) for sign in steady(emoji)) == cell_len(emoji)


def test_clusters_keep_marks_flags_and_tokens_together() -> None:
    assert clusters("ae\u0301⟨9B⟩🇩🇪👍🏽") == ["a", "e\u0301", "⟨9B⟩", "🇩🇪", "👍🏽"]


@pytest.mark.parametrize(
    "name",
    [
        "p\u0430ypal",
        "get\u200b_x",
        "ｇｅｔ",
        "x\u202ey",
        " a",
        "a\u00a0b",
        "ɡet",
        "ℊet",
        "𝐚",
        "e\u0301",
    ],
)
def test_deceiving_names_are_flagged(name: str) -> None:
    assert suspicious(name)


@pytest.mark.parametrize("name", ["get_weather", "a.b-c/d", "naïve", "天気", "検索", "날씨"])
def test_innocent_names_are_not_flagged(name: str) -> None:
    assert suspicious(name) == []


def test_a_name_that_is_endless_is_flagged_for_that_and_not_looked_at_whole() -> None:
    looked: list[int] = []

    class Long(str):
        def __getitem__(self, key: SupportsIndex | slice) -> str:
            part = super().__getitem__(key)
            looked.append(len(part))
            return part

    for judge in (suspicious, suspicious_title):
        assert judge(Long("п" * 1_000_000))[0] == "is 1,000,000 characters long"
        assert looked.pop() == 10_000
        assert judge("n" * 10_000) == []


@pytest.mark.parametrize("first", [0x0370, 0x0400, 0x0530, 0x13A0, 0xFF21, 0x1D400, 0x2C80])
def test_letters_that_pass_for_latin_ones_are_flagged(first: int) -> None:
    letters = [chr(code) for code in range(first, first + 80) if chr(code).isalpha()]
    assert len(letters) > 20
    for letter in letters:
        if unicodedata.normalize("NFD", letter)[0].isascii():
            continue
        assert suspicious(f"to{letter}l"), hex(ord(letter))


JSON_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), NASTY),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(NASTY, inner)),
    max_leaves=8,
)


@settings(max_examples=scaled(500))
@given(JSON_VALUES)
def test_safe_json_is_the_same_json_without_danger(value: object) -> None:
    raw = json.dumps(value, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")
    safe = json_safe(raw)
    assert json.loads(safe) == json.loads(raw)
    assert DANGEROUS.search(safe.decode().replace("\n", "")) is None


def test_safe_json_keeps_the_spelling_of_every_token() -> None:
    raw = b'{"a":1.10,"a":1E5,"b":"\\u0041\\/","c":123456789012345678901234567890}'
    assert json_safe(raw) == raw
    assert json_safe('{"a":1.10,"\x9b":"\U000e0041"}'.encode()) == (
        b'{"a":1.10,"\\u009b":"\\udb40\\udc41"}'
    )


def test_safe_json_takes_bytes_that_are_no_text() -> None:
    assert json_safe(b'["\xff"]') == b'["\\udcff"]'
