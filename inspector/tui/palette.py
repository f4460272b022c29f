"""The command palette: every action that has a key, every tab, and what the server offers.

Names of a server are shown as `Content`, never parsed as markup.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.markup import escape

from inspector.render.safe import one_line
from inspector.tui.bindings import BINDINGS
from inspector.tui.views.registry import VIEWS

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp

Command = tuple[str, str, Callable[[], object]]
"""Name, help, and what it does."""

_NOT_OFFERED = (
    "lines.",
    "rows.",
    "main.tab_",
    "app.palette",
    "help.",
    "dialog.",
    "filter.",
    "jump.",
)


class InspectorCommands(Provider):
    """Everything that can be done from where the focus is."""

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    async def discover(self) -> Hits:
        """Shown before anything is typed."""
        for name, words, does in self._actions():
            yield DiscoveryHit(Content(name), does, text=name, help=words)

    async def search(self, query: str) -> Hits:
        """Fuzzy over everything."""
        matcher = self.matcher(query)
        for name, words, does in (*self._actions(), *self._items()):
            # A server's item is found by its own name; its kind counts for little.
            own = name.partition(": ")[2] or name
            score = max(matcher.match(own), matcher.match(name) * 0.2)
            if score > 0:
                yield Hit(score, Content(name), does, text=name, help=words)

    def _actions(self) -> Iterator[Command]:
        app = self._inspector
        for spec in VIEWS:
            yield f"Tab: {spec.title}", f"Key {spec.key}", partial(app.action_show_tab, spec.id)
        seen: set[str] = set()
        for active in self.screen.active_bindings.values():
            one = active.binding.id
            if one is None or one in seen or one not in BINDINGS or one.startswith(_NOT_OFFERED):
                continue
            seen.add(one)
            spec_ = BINDINGS[one]
            run = partial(app.run_action, active.binding.action, active.node)
            keys = app.get_key_display(active.binding)
            yield spec_.description, escape(f"{spec_.tooltip} ({keys})"), run
        for theme in app.theme_names:
            yield f"Theme: {theme}", "Colours", partial(setattr, app, "theme", theme)

    def _items(self) -> Iterator[Command]:
        app = self._inspector
        if not app.bridge.ready:
            return
        lists = app.bridge.workbench.session.catalog.lists
        for kind, tab, word, key in (
            ("tools", "tools", "Tool", "name"),
            ("prompts", "prompts", "Prompt", "name"),
            ("resources", "resources", "Resource", "uri"),
        ):
            for item in lists[kind].items:  # type: ignore[index]  # the keys are of a literal type
                name = item.get(key) if isinstance(item, dict) else None
                if isinstance(name, str):
                    shown = f"{word}: {one_line(name, 60)}"
                    yield shown, f"Go to this {word.lower()}", partial(app.open_item, tab, name)
