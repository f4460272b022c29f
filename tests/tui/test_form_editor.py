"""One line of text being typed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len

from inspector.tui.widgets.form_editor import LineEditor


@pytest.mark.parametrize(
    ("text", "keys", "left", "position"),
    [
        ("abc", ["backspace"], "ab", 2),
        ("abc", ["home", "delete"], "bc", 0),
        ("abc", ["left", "left", "right"], "abc", 2),
        ("one two", ["ctrl+w"], "one ", 4),
        ("one two  ", ["ctrl+w"], "one ", 4),
        ("one two", ["ctrl+left", "ctrl+k"], "one ", 4),
        ("one two", ["home", "ctrl+right"], "one two", 3),
        ("one two", ["left", "ctrl+u"], "o", 0),
        ("", ["backspace", "delete", "left", "right", "ctrl+w"], "", 0),
    ],
)
def test_editing_keys(text: str, keys: list[str], left: str, position: int) -> None:
    editor = LineEditor(text)
    assert all(editor.press(key) for key in keys)
    assert (editor.text, editor.position) == (left, position)


def test_other_keys_mean_nothing() -> None:
    assert not LineEditor("a").press("f1")


def test_text_goes_in_at_the_cursor() -> None:
    editor = LineEditor("ad")
    editor.press("left")
    editor.insert("bc")
    assert (editor.text, editor.position) == ("abcd", 3)


@given(st.text(max_size=60), st.integers(0, 60), st.integers(4, 30))
@settings(deadline=None)
def test_the_window_fits_and_holds_the_cursor(text: str, position: int, width: int) -> None:
    editor = LineEditor(text)
    editor.position = min(position, len(text))
    window = editor.window(width)
    shown = window.before + window.under + window.after
    assert cell_len(shown) <= max(width, cell_len(window.under))
    assert window.under


def test_what_does_not_fit_is_cut_between_signs_and_never_inside_a_token() -> None:
    editor = LineEditor("a" * 40 + "e\u0301\x9b" * 3)
    for width in range(4, 40):
        before = editor.window(width).before
        whole = ("a" * 40 + "e\u0301⟨9B⟩" * 3)[-len(before) :] if before else ""
        assert before == whole
        assert not before.startswith(("\u0301", "9", "B", "⟩"))
