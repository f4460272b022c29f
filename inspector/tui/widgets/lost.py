"""The lines above a tab whose session is over: why, and the keys that go on from here.

What was seen before stays readable below them. Where there never was a session, the whole panel
`inspector.tui.widgets.status` is shown instead.
"""

from textwrap import wrap
from typing import TYPE_CHECKING, Final

from rich.text import Text
from textual.widget import Widget

from inspector.render.safe import one_line
from inspector.session.state import Phase
from inspector.tui.key_hints import key_hints
from inspector.tui.readiness import running
from inspector.tui.widgets.status import OTHER_REVISION, WHOSE, stderr_tail

if TYPE_CHECKING:
    from textual.app import App

    from inspector.workbench import Workbench

HINT_LINES: Final = 2
CONNECTING: Final = (Phase.CONNECTING, Phase.NEGOTIATING)


class LostBanner(Widget):
    """Nothing while the session runs, a few lines after it."""

    DEFAULT_CSS = """
    LostBanner { display: none; height: auto; padding: 0 1; background: $panel; }
    LostBanner.-open { display: block; border-left: outer $error; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Text(end="")

    def update_from(self, bench: "Workbench | None") -> None:
        """Read the snapshots; a new attempt shows only where an earlier session was lost."""
        if bench is None or bench.session.state.ready:
            self.remove_class("-open")
            return
        over = bench.session.state.over
        if not over and not self.has_class("-open"):
            return
        text = _told(self.app, bench, max(20, self.app.size.width - 4))
        self.set_class(True, "-open")
        if text != self._text or text.spans != self._text.spans:
            self._text = text
            self.refresh(layout=True)

    def render(self) -> Text:
        """The lines."""
        return self._text


def _told(app: "App[int]", bench: "Workbench", width: int) -> Text:
    state = bench.session.state
    text = Text(end="", no_wrap=True)
    if state.phase in CONNECTING:
        text.append("◌ connecting again …", "mcp.warn")
    elif state.error is None:
        text.append("○ disconnected", "mcp.warn")
    else:
        head = " ".join(state.error.message.split())
        if state.error.kind == "closed" and state.transport is not None and not running(bench):
            head += " · it has ended since" if state.transport.pid is not None else ""
        text.append(f"✗ {one_line(head, width - 2)}", "mcp.error")
        said = [line for line in stderr_tail(bench, state.connection) if line.strip()]
        told = f"last on stderr: {said[-1].strip()}" if said else WHOSE[state.error.fault]
        text.append(f"\n  {one_line(told, width - 2)}", "mcp.dim")
        for line in _folded(state.error.hint, width - 2):
            text.append(f"\n  {line}")
    text.append("\n  ")
    keys = [("main.reconnect", "connect again"), ("main.edit_target", "change it")]
    if state.phase not in CONNECTING and running(bench):
        keys.insert(0, ("main.disconnect", "kill the process"))
    elif state.error is not None and state.error.kind in OTHER_REVISION:
        keys.insert(0, ("main.revision", "another revision"))
    text.append_text(key_hints(app, *keys, ("main.connect_screen", "servers")))
    return text


def _folded(hint: str, width: int) -> list[str]:
    """What to do next, in so many lines at most."""
    words = one_line(hint, width * HINT_LINES)
    return wrap(words, width, max_lines=HINT_LINES, placeholder=" …")
