"""Textual's scroll bars look like those of our lists."""

from itertools import pairwise

import pytest
from textual.scrollbar import ScrollBar

from inspector.tui.app import InspectorApp
from inspector.tui.widgets.bar import ThinBar
from tests.tui.world import Server, app_for


def drawn(size: int, whole: float, window: float, position: float) -> str:
    bar = ThinBar.render_bar(size, whole, window, position)
    return "".join(segment.text for segment in bar.segments)


def test_the_thumb_stands_where_the_window_is() -> None:
    assert drawn(10, 100, 10, 0) == "┃│││││││││"
    assert drawn(10, 100, 10, 90) == "│││││││││┃"
    assert drawn(4, 8, 4, 2) == "│┃┃│"


@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_the_thumb_goes_from_end_to_end_and_never_back(size: int) -> None:
    places = [drawn(size, 1000, size, position).index("┃") for position in range(1001 - size)]
    assert places[0] == 0
    assert drawn(size, 1000, size, 1000 - size).endswith("┃")
    assert all(one <= two for one, two in pairwise(places))


def test_all_there_is_needs_no_thumb() -> None:
    assert "┃" not in drawn(10, 10, 10, 0)


def test_the_app_uses_it() -> None:
    assert isinstance(app_for(Server()), InspectorApp)
    assert ScrollBar.renderer is ThinBar
