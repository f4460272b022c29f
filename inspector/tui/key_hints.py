"""Keys as people write them, and hints that name them: as the user's keymap has them.

Which hints are shown, and when, is decided by whoever shows them.
"""

from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.tui.bindings import BINDINGS

if TYPE_CHECKING:
    from textual.app import App

NAMES: Final = {
    "slash": "/", "question_mark": "?", "percent_sign": "%", "semicolon": ";",
    "left_square_bracket": "[", "right_square_bracket": "]", "pagedown": "PgDn",
    "pageup": "PgUp", "down": "↓", "up": "↑", "left": "←", "right": "→", "escape": "Esc",
    "enter": "Enter", "space": "Space", "home": "Home", "end": "End", "tab": "Tab",
    "full_stop": ".", "comma": ",", "colon": ":", "minus": "-", "plus": "+", "delete": "Del",
    "backspace": "Backspace", "insert": "Ins", "circumflex_accent": "^", "apostrophe": "'",
    "quotation_mark": '"', "less_than_sign": "<", "greater_than_sign": ">",
    "left_curly_bracket": "{", "right_curly_bracket": "}",
}  # fmt: skip


def pretty_keys(keys: str) -> str:
    """Keys as people write them: `ctrl+t,f5` is `Ctrl+T  F5`."""
    shown = []
    for key in filter(None, keys.split(",")):
        *modifiers, last = key.split("+")
        if last in NAMES:
            last = NAMES[last]
        elif modifiers or (len(last) > 1 and last[0] == "f" and last[1:].isdigit()):
            last = last.upper()
        shown.append("+".join([*(part.title() for part in modifiers), last]))
    return " ".join(shown) or "no key"


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
