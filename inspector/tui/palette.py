"""The command palette: every action that has a key, every tab, and what the server offers.

One line each: name, keys, what it does. Names of a server are shown as `Content`, never parsed as
markup. How well a name fits what was typed is decided here: the start of a name before the start
of a word, before the middle of one, before what it does, before letters in order.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content

from inspector.render.safe import one_line
from inspector.tui.bindings import BINDINGS
from inspector.tui.key_hints import key_name
from inspector.tui.screens.revision import WORDS, speak
from inspector.tui.views.registry import VIEWS

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp

_NOT_OFFERED: Final = (
    "lines.",
    "rows.",
    "main.tab_",
    "app.palette",
    "help.",
    "dialog.",
    "filter.",
    "jump.",
)
_INSIDE: Final = (".back", ".close", ".pane", ".clear_filter")
"""Steps out of a place mean nothing elsewhere."""
ELSEWHERE: Final = {
    "server": "server",
    "tasks": "tasks",
    "findings": "findings",
    "logs": "logs",
    "tools": "tools",
    "resources": "resources",
    "prompts": "prompts",
    "traffic": "",
}
"""Scopes whose actions are offered from everywhere, and the tab they are done in ("": traffic)."""
ALSO: Final = {
    "main.hanging": "hangs stuck slow waiting timeout",
    "main.compare": "diff two recordings",
    "traffic.as_of": "time travel past history state",
    "traffic.causality": "causality tree cause",
    "traffic.compare": "diff compare",
    "traffic.export": "export save share html har markdown json curl pytest mermaid redact",
    "traffic.go_to": "goto jump to time",
    "traffic.mark": "bookmark",
    "traffic.note": "comment annotate",
    "traffic.partner": "pair response",
    "traffic.resend": "replay repeat",
    "traffic.search": "search",
    "traffic.waterfall": "timeline latency duration slow",
    "tab.findings": "lint rules violations specification errors warnings",
}
"""Words by which people look for an action that has another name here."""
NAME_CELLS: Final = 30
KEY_CELLS: Final = 12
FRAME_CELLS: Final = 8
"""What the palette's own frame takes of the width of the terminal."""
WIDTH: Final = 90


@dataclass(frozen=True, slots=True)
class Command:
    """One line. `weight` is what a perfect fit counts for; only `fuzzy` ones are found by letters
    that merely come in order; `also` is searched and not shown."""

    name: str
    keys: str
    words: str
    does: Callable[[], object]
    weight: float = 1.0
    fuzzy: bool = True
    also: str = ""

    def drawn(self, width: int) -> Content:
        """One line of `width` cells."""
        name, keys = one_line(self.name, NAME_CELLS), one_line(self.keys, KEY_CELLS)
        room = max(0, width - NAME_CELLS - KEY_CELLS - 2)
        return Content.assemble(
            Content(f"{name:<{NAME_CELLS}} "),
            (f"{keys:<{KEY_CELLS}} ", "$primary"),
            (one_line(self.words, room) if room else "", "$text-muted"),
        )


def fit(query: str, command: Command, fuzzy: Callable[[str], float]) -> float:
    """How well `command` fits: 0 for not at all, else at most its weight."""
    words = query.casefold().split()
    name = command.name.casefold()
    own = name.partition(": ")[2] or name
    parts = own.replace("_", " ").replace("-", " ").replace("/", " ").split()
    if own.startswith(query.casefold().strip()):
        score = 1.0
    elif name.startswith(query.casefold().strip()):
        score = 0.95
    elif all(any(part.startswith(word) for part in parts) for word in words):
        score = 0.9
    elif all(word in name for word in words):
        score = 0.8
    elif all(word in f"{name} {command.words.casefold()}" for word in words):
        score = 0.5
    elif all(word in f"{name} {command.words.casefold()} {command.also}" for word in words):
        score = 0.4
    else:
        score = 0.3 * min(1.0, fuzzy(command.name)) if command.fuzzy else 0.0
    return score * command.weight


class InspectorCommands(Provider):
    """Everything that can be done from where the focus is, and what other tabs can do."""

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app

    @property
    def _width(self) -> int:
        return max(20, min(WIDTH, int(self.app.size.width * 0.96)) - FRAME_CELLS)

    async def discover(self) -> Hits:
        """Shown before anything is typed."""
        for one in self._unasked():
            yield DiscoveryHit(one.drawn(self._width), one.does, text=one.name)

    def _unasked(self) -> Iterator[Command]:
        yield from self._here()
        yield from self._tabs()
        yield from self._revisions()
        yield from self._elsewhere()
        yield from self._themes()

    async def search(self, query: str) -> Hits:
        """Over everything, the best first."""
        matcher = self.matcher(query)
        for one in self._all():
            score = fit(query, one, matcher.match)
            if score > 0:
                yield Hit(score, one.drawn(self._width), one.does, text=one.name)

    def _all(self) -> Iterator[Command]:
        yield from self._here()
        yield from self._tabs()
        yield from self._items()
        yield from self._revisions()
        yield from self._elsewhere()
        yield from self._themes()

    def _here(self) -> Iterator[Command]:
        app = self._inspector
        seen: set[str] = set()
        common: list[Command] = []
        for active in self.screen.active_bindings.values():
            one = active.binding.id
            if one is None or one in seen or one not in BINDINGS or one.startswith(_NOT_OFFERED):
                continue
            seen.add(one)
            run = partial(app.run_action, active.binding.action, active.node)
            spec = BINDINGS[one]
            keys, also = key_name(app, one), ALSO.get(one, "")
            found = Command(spec.description, keys, spec.tooltip, run, also=also)
            if one.startswith(("app.", "main.")):
                common.append(found)
            else:
                yield found
        yield from common

    def _tabs(self) -> Iterator[Command]:
        app = self._inspector
        for spec in VIEWS:
            does = partial(app.action_show_tab, spec.id)
            also = ALSO.get(f"tab.{spec.id}", "")
            yield Command(f"Tab: {spec.title}", spec.key, f"Goes to {spec.title}", does, also=also)

    def _elsewhere(self) -> Iterator[Command]:
        """What tabs that do not have the focus can do."""
        app = self._inspector
        here = {active.binding.id for active in self.screen.active_bindings.values()}
        titles = {spec.id: spec.title for spec in VIEWS}
        for spec in BINDINGS.values():
            tab = ELSEWHERE.get(spec.scope)
            if tab is None or spec.id in here or spec.id.endswith(_INSIDE):
                continue
            name, keys, also = spec.description, key_name(app, spec.id), ALSO.get(spec.id, "")
            title, does = titles.get(tab, "Traffic"), partial(app.act_in_tab, tab, spec.action)
            yield Command(f"{title}: {name}", keys, spec.tooltip, does, 0.7, also=also)

    def _revisions(self) -> Iterator[Command]:
        app = self._inspector
        if app.travel is not None and not app.travel.travelling:
            for protocol, words in WORDS.items():
                does = partial(speak, app, protocol)
                yield Command(f"Connect with {protocol}", "", words, does, 0.9, fuzzy=False)

    def _themes(self) -> Iterator[Command]:
        app = self._inspector
        for theme in app.theme_names:
            does = partial(setattr, app, "theme", theme)
            yield Command(f"Theme: {theme}", "", "Colours", does, 0.6, fuzzy=False)

    def _items(self) -> Iterator[Command]:
        app = self._inspector
        if not app.has_bridge or not app.bridge.ready:
            return
        scene = app.main.scene if app.main is not None else None
        lists = (scene or app.bridge.workbench).session.catalog.lists
        for kind, tab, word, key in (
            ("tools", "tools", "Tool", "name"),
            ("prompts", "prompts", "Prompt", "name"),
            ("resources", "resources", "Resource", "uri"),
        ):
            for item in lists[kind].items:  # type: ignore[index]  # the keys are of a literal type
                name = item.get(key) if isinstance(item, dict) else None
                if isinstance(name, str):
                    shown, does = f"{word}: {one_line(name, 60)}", partial(app.open_item, tab, name)
                    yield Command(shown, "", f"Go to this {word.lower()}", does, 0.98)
