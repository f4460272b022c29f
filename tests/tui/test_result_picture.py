"""Pictures get a size in cells, and the library is kept from asking the terminal."""

import io
import sys

from PIL import Image

from inspector.tui.widgets.result_picture import fitting_size, knows_graphics, picture_widget


def test_a_picture_keeps_its_shape_within_the_room() -> None:
    assert fitting_size(24, 24, 80) == (24, 12)
    assert fitting_size(800, 400, 40) == (40, 10)
    assert fitting_size(100, 6000, 80) == (1, 30)
    assert fitting_size(1, 1, 80) == (1, 1)


def test_only_terminals_with_placed_pictures_get_them() -> None:
    assert knows_graphics({"KITTY_WINDOW_ID": "1"})
    assert knows_graphics({"TERM": "xterm-ghostty"})
    assert not knows_graphics({"TERM": "xterm-256color"})
    assert not knows_graphics({"KITTY_WINDOW_ID": "1", "TMUX": "x"})


def test_making_a_widget_writes_nothing_to_the_terminal() -> None:
    written = io.StringIO()
    real, sys.__stdout__ = sys.__stdout__, written  # type: ignore[misc,assignment]
    try:
        widget = picture_widget(Image.new("RGB", (20, 10)), 40)
    finally:
        sys.__stdout__ = real  # type: ignore[misc]
    assert written.getvalue() == ""
    assert widget.styles.width is not None
    assert widget.styles.width.value == 20
