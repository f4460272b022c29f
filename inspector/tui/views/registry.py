"""Which tabs there are, in which order, under which number, and what their badge says.

A view's module is imported after the first paint: in a thread of its own while the server starts,
or when its tab is shown before that is done. What a view shows is its own affair.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from inspector.past.bench import Scene
    from inspector.session.catalog import ListKind
    from inspector.tui.views.base import View


@dataclass(frozen=True, slots=True)
class ViewSpec:
    """One tab. `key` is its number, `where` is "module:Class", `badge` the text after its title
    ("" for none), read from snapshots at most 20 times a second."""

    id: str
    key: str
    title: str
    where: str
    badge: "Callable[[Scene], str]"

    def make(self) -> "View":
        """A new view; imports its module."""
        return self._made(f"view-{self.id}")

    def make_past(self) -> "View":
        """A new view that shows what was."""
        view = self._made(f"past-{self.id}")
        view.past = True
        return view

    def _made(self, name_on_screen: str) -> "View":
        from inspector.tui.views.base import View

        module, _, name = self.where.partition(":")
        view = getattr(import_module(module), name)(id=name_on_screen)
        if not isinstance(view, View):
            raise TypeError(f"{self.where} is no View")
        return view


def _no_badge(_: "Scene") -> str:
    return ""


def _count(*kinds: "ListKind") -> "Callable[[Scene], str]":
    def badge(bench: "Scene") -> str:
        lists = bench.session.catalog.lists
        known = [lists[kind] for kind in kinds]
        if any(one.state == "failed" for one in known):
            return "failed"
        total = sum(len(one.items) for one in known)
        return str(total) if total else ""

    return badge


def _asks(bench: "Scene") -> str:
    waiting = sum(ask.state == "open" for ask in bench.session.inbox.asks)
    return f"{waiting}!" if waiting else ""


def _findings(bench: "Scene") -> str:
    judge = bench.judge
    return f"{judge.version:,}" if judge is not None and judge.version else ""


VIEWS: Final = (
    ViewSpec("server", "1", "Server", "inspector.tui.views.server:ServerView", _no_badge),
    ViewSpec("tools", "2", "Tools", "inspector.tui.views.tools:ToolsView", _count("tools")),
    ViewSpec(
        "resources",
        "3",
        "Resources",
        "inspector.tui.views.resources:ResourcesView",
        _count("resources", "resourceTemplates"),
    ),
    ViewSpec(
        "prompts", "4", "Prompts", "inspector.tui.views.prompts:PromptsView", _count("prompts")
    ),
    ViewSpec("asks", "5", "Asks", "inspector.tui.views.asks:AsksView", _asks),
    ViewSpec("tasks", "6", "Tasks", "inspector.tui.views.tasks:TasksView", _no_badge),
    ViewSpec("findings", "7", "Findings", "inspector.tui.views.findings:FindingsView", _findings),
    ViewSpec("logs", "8", "Logs", "inspector.tui.views.logs:LogsView", _no_badge),
)
"""All tabs in order."""


def load_views() -> threading.Thread:
    """Imports every view in the background, the one that most servers show first before others:
    a tab's first key then waits for no import. The thread ends by itself."""

    def load() -> None:
        for spec in sorted(VIEWS, key=lambda spec: spec.id != "tools"):
            with suppress(ImportError):  # told when the tab is shown
                import_module(spec.where.partition(":")[0])

    thread = threading.Thread(target=load, name="views")
    thread.start()
    return thread
