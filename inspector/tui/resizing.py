"""What a screen does about a terminal that changes its size: it takes the size of now.

Textual gives each screen the size that an event told of. With two such events under way at once
each of them makes the screen tell itself of the other one's size, without end, and no key is acted
upon any more. `use_last_size` is called once, before the first paint.
"""

from textual.geometry import Size
from textual.screen import Screen


def use_last_size() -> None:
    """From now on screens are laid out for the terminal as it is, whatever an event says."""
    Screen._screen_resized = _screen_resized  # type: ignore[assignment,method-assign]


def _screen_resized(screen: Screen[object], size: Size) -> None:
    if screen.stack_updates and screen.is_attached:
        screen._refresh_layout(screen.app.size)
