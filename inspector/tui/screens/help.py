"""Help: the keys of whatever has the focus, innermost first, and a few words about it.

It is made from the one table of bindings; nothing is written twice.
"""

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.dom import DOMNode
from textual.screen import ModalScreen

from inspector.render.safe import safe_text
from inspector.tui.bindings import BINDINGS, SCOPES, bindings_for
from inspector.tui.documents import TextDocument
from inspector.tui.key_hints import key_hints, pretty_keys
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from textual.app import App

KEY_MOST: Final = 18
"""Cells for the keys of an action; more of them push the rest of their line."""
NAME_WIDTH: Final = 18
_RANK: Final = {"main": 1, "app": 2, "rows": 3, "lines": 4}
TABS: Final = tuple(one for one in BINDINGS if one.startswith("main.tab_"))
"""Shown as one line."""


class TextScreen(ModalScreen[None], LeftOnce[None]):
    """A text to read."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("help")]
    DEFAULT_CSS = """
    TextScreen { align: center middle; background: $background 60%; }
    TextScreen > Vertical {
        width: 88; max-width: 96%; height: 90%; padding: 1 2; background: $panel;
        border-left: outer $primary;
    }
    TextScreen BodyView { margin-top: 1; }
    """

    def __init__(self, title: str, text: "str | list[Text]") -> None:
        super().__init__()
        self._title = title
        lines = (
            text
            if isinstance(text, list)
            else [safe_text(line, keep_newlines=False) for line in text.expandtabs(4).split("\n")]
        )
        self.lines = lines

    def compose(self) -> ComposeResult:
        """A heading and the text."""
        with Vertical():
            yield Rule(self._title, id="help-rule")
            yield BodyView(own_modes=False, cursor=False, id="help-text")

    def on_mount(self) -> None:
        """The focus is in the text, so that it scrolls."""
        body = self.query_one(BodyView)
        plain = "\n".join(line.plain for line in self.lines)
        body.set_document(TextDocument(self.lines), plain.encode())
        body.focus()
        self.query_one("#help-rule", Rule).show(facts=key_hints(self.app, ("help.close", "closes")))

    def action_close(self) -> None:
        """Back."""
        self.dismiss()


def help_lines(app: "App[int]", width: int = 80) -> list[Text]:
    """What F1 shows for the widget that has the focus in `app`."""
    chain: list[DOMNode] = [*app.focused.ancestors_with_self] if app.focused else [app.screen, app]
    lines: list[Text] = []
    for node in chain:
        words = getattr(node, "HELP", "")
        if words and isinstance(words, str):
            lines += [*_wrapped(words, width), Text()]
    scopes: list[str] = []
    for node in chain:
        by_id = {
            binding.id: binding.key
            for keys in node._bindings.key_to_bindings.values()
            for binding in keys
            if binding.id in BINDINGS
        }
        scopes += (BINDINGS[one].scope for one in by_id if one is not None)
    # How one moves in any list is told after what is special to this place.
    for scope in sorted(dict.fromkeys(scopes), key=lambda one: _RANK.get(one, 0)):
        lines += [_heading(SCOPES[scope]), *_keys(app, scope, width), Text()]
    return lines


def _heading(words: str) -> Text:
    text = Text(end="")
    text.append(words, "mcp.title")
    return text


def _keys(app: "App[int]", scope: str, width: int) -> Iterator[Text]:
    keymap = app._keymap
    widths = (
        len(pretty_keys(keymap.get(spec.id, spec.keys)))
        for spec in BINDINGS.values()
        if spec.scope == scope and spec.id not in TABS
    )
    key_width = max((one for one in widths if one <= KEY_MOST), default=KEY_MOST)
    for spec in BINDINGS.values():
        if spec.scope != scope or spec.id in TABS[1:]:
            continue
        keys, name = pretty_keys(keymap.get(spec.id, spec.keys)), spec.description
        if spec.id in TABS:
            keys, name = "1-6, 8", "Tabs"
        line = Text("  ", end="", no_wrap=True)
        line.append(f"{keys:<{key_width}} ", "mcp.primary")
        line.append(f"{name:<{NAME_WIDTH}} ")
        indent = line.cell_len
        for place, words in enumerate(textwrap.wrap(spec.tooltip, max(20, width - indent)) or [""]):
            if place:
                line = Text(" " * indent, end="", no_wrap=True)
            line.append(words, "mcp.dim")
            yield line


def _wrapped(words: str, width: int) -> list[Text]:
    lines: list[Text] = []
    for paragraph in words.split("\n\n"):
        lines += [Text(line, end="") for line in textwrap.wrap(paragraph, width)] + [Text()]
    return lines[:-1]
