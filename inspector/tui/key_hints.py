"""Hints that name keys: the keys as the user's keymap has them, with what they do here.

Which hints are shown, and when, is decided by whoever shows them.
"""

from typing import TYPE_CHECKING

from rich.text import Text

from inspector.tui.bindings import BINDINGS
from inspector.tui.screens.help import pretty_keys

if TYPE_CHECKING:
    from textual.app import App


def key_name(app: "App[int]", binding: str) -> str:
    """The first key of the binding with this id, as people write it."""
    keys = app._keymap.get(binding, BINDINGS[binding].keys)
    return pretty_keys(keys.split(",")[0])


def key_hints(app: "App[int]", *hints: tuple[str, str], gap: int = 3) -> Text:
    """One line of hints: pairs of a binding's id and what it does; `gap` cells between them."""
    text = Text(end="", no_wrap=True)
    for binding, words in hints:
        if text.plain:
            text.append(" " * gap)
        text.append(key_name(app, binding), "mcp.primary")
        text.append(f" {words}", "mcp.dim")
    return text
