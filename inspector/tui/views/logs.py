"""The Logs tab: the server's log notifications and its stderr, in time order.

Decides what is listed (level, stderr switch, words) and lets the user set the level that the
server is asked for. What a line is comes from the journal, so earlier connections stay listed.
"""

import json
from typing import ClassVar, Final

import msgspec
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.strip import Strip
from textual.widgets import Input

from inspector.journal.entries import Kind
from inspector.journal.facts import stderr_line
from inspector.protocol.messages import Json
from inspector.protocol.versions import Era
from inspector.render.safe import one_line
from inspector.session.logs import LEVELS, level_after
from inspector.tui.bindings import bindings_for
from inspector.tui.log_index import LogIndex, per_request
from inspector.tui.traffic_row import clock_text
from inspector.tui.views.base import View
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.lines import LineArea
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.text_box import TextBox

_INKS = {
    "debug": "mcp.faint",
    "info": "mcp.dim",
    "notice": "mcp.primary",
    "warning": "mcp.warn",
    "stderr": "mcp.faint",
}
NO_LEVEL: Final = {Era.HANDSHAKE: "server level unset", Era.MODERN: "requests ask for none"}
_HEAD = 64 * 1024


class LogList(LineArea):
    """The lines of a `LogIndex`; stays with the newest until the cursor leaves it."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.index: LogIndex | None = None
        self.follow = True

    @property
    def current(self) -> int | None:
        """The journal number of the entry under the cursor."""
        index = self.index
        if index is None or not 0 <= self.cursor < len(index.shown):
            return None
        return index.shown[self.cursor]

    def refill(self) -> None:
        """More lines, or other ones."""
        follow = self.follow
        self.lines_changed()
        if follow:
            self.go_to(self.count_lines() - 1)
            self.follow = True

    def cursor_moved(self) -> None:
        """At the last line means: stay with the newest."""
        self.follow = self.cursor >= self.count_lines() - 1

    def count_lines(self) -> int:
        """Entries that are shown."""
        return len(self.index.shown) if self.index is not None else 0

    def empty_text(self) -> str:
        """Why there is nothing."""
        if self.index is not None and self.index.total:
            return "Everything is filtered out: t changes the level, s shows stderr"
        return "Nothing yet: log notifications and the server's stderr appear here"

    def draw_line(self, line: int, width: int) -> Strip:
        """Time, level, logger, and the beginning of what was said."""
        index = self.index
        if index is None:
            return Strip.blank(width)
        number = index.shown[line]
        row = index.journal.row(number)
        level = index.level(number)
        text = Text(end="", no_wrap=True)
        text.append(f"{clock_text(row.wall)}  ", "mcp.faint")
        text.append(f"{level:<9} ", _INKS.get(level, "mcp.error"))
        logger, words = said(row.kind, index.journal.body(number, _HEAD))
        if logger:
            text.append(one_line(logger, 20) + "  ", "mcp.code")
        ink = "mcp.dim" if level in ("debug", "stderr") else ""
        text.append(one_line(words, max(10, width - text.cell_len)), ink)
        return self.strip_of(text)


class LogsView(View):
    """The list above, the whole entry below."""

    TOPICS: ClassVar[tuple[str, ...]] = ("logs", "journal", "state")
    HELP: ClassVar[str] = (
        "Log notifications and stderr lines in time order, over all connections.\n\n"
        "t raises the level from which lines are shown, s shows or hides stderr, / keeps lines "
        "with all the words. L asks the server to log from another level on; in the modern era "
        "each request says it, so that it holds from the next one on, and only while one runs. "
        "Enter goes to the entry in the traffic."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("logs")]
    DEFAULT_CSS = """
    LogsView {
        layout: vertical;
        & #log-filter {
            height: 1; border: none; padding: 0 1; display: none; background: $background;
        }
        & #log-filter.-open { display: block; }
        & #log-list { height: 2fr; }
        & #log-body { height: 1fr; min-height: 4; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._index: LogIndex | None = None
        self._shown: int | None = None

    def compose(self) -> ComposeResult:
        """Heading, filter, list, and the entry under the cursor."""
        yield Rule("logs", id="log-rule")
        yield TextBox(placeholder="words that a line must have", id="log-filter")
        yield LogList(id="log-list")
        yield Rule("entry", id="log-body-rule")
        yield BodyView(id="log-body", empty="Nothing is selected")

    @property
    def lines(self) -> LogList:
        """The list."""
        return self.query_one("#log-list", LogList)

    def focus_first(self) -> None:
        """The list, not the box for words."""
        self.lines.focus()

    def show_changes(self, topics: frozenset[str]) -> None:
        """Takes what is new in the journal, and repaints where something of it is shown."""
        if self._index is None:
            self._index = LogIndex(self.bench.journal)
            self.lines.index = self._index
        shorter = self.past and self._index.look_at(self.bench.journal)
        if self._index.catch_up() or shorter:
            self.lines.refill()
        if self._index.behind:
            self.set_timer(0.05, lambda: self.show_changes(frozenset()))
        self._head()
        self._show_entry()

    @on(LineArea.Moved, "#log-list")
    def _moved(self) -> None:
        self._show_entry()

    @on(Input.Changed, "#log-filter")
    def _words(self, event: Input.Changed) -> None:
        self._choose(words=event.value)

    @on(Input.Submitted, "#log-filter")
    def _words_kept(self) -> None:
        self.lines.focus()

    def action_filter(self) -> None:
        """Opens the box for words."""
        box = self.query_one("#log-filter", Input)
        box.add_class("-open")
        box.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is left to others where there is nothing to close."""
        if action == "close" and self.is_mounted:
            return self.query_one("#log-filter", Input).has_class("-open")
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Clears the words and closes their box."""
        box = self.query_one("#log-filter", Input)
        box.value = ""
        box.remove_class("-open")
        self.lines.focus()

    def action_level(self) -> None:
        """Shows lines from the next level on; after the highest, all again."""
        if self._index is not None:
            self._choose(least=(self._index.least + 1) % len(LEVELS))

    def action_stderr(self) -> None:
        """Shows or hides stderr."""
        if self._index is not None:
            self._choose(with_stderr=not self._index.with_stderr)

    def action_server_level(self) -> None:
        """Asks the server to log from the next level on (`logging/setLevel`)."""
        if not self.can_send():
            return
        session = self.bench.session
        modern = session.era is Era.MODERN
        following = level_after(session.state.log_level, off=modern)
        self.send(lambda session: session.set_log_level(following))
        if modern:
            self.inspector.notify_safe(per_request(following), title="Log level")

    def action_open(self) -> None:
        """The entry in the traffic pane."""
        if (number := self.lines.current) is not None:
            self.inspector.open_entry(number)

    def _choose(
        self,
        *,
        least: int | None = None,
        with_stderr: bool | None = None,
        words: str | None = None,
    ) -> None:
        if self._index is not None:
            self._index.choose(least=least, with_stderr=with_stderr, words=words)
            self.lines.refill()
            self._head()
            self._show_entry()

    def _head(self) -> None:
        index = self._index
        if index is None:
            return
        session = self.bench.session
        level = session.state.log_level
        who = "each request asks" if session.era is Era.MODERN else "server"
        parts = [
            f"{len(index.shown):,} of {index.total:,}",
            f"from {LEVELS[index.least]}",
            "stderr" if index.with_stderr else "no stderr",
            f"{who} from {one_line(level, 12)}" if level else NO_LEVEL[session.era],
        ]
        if self.lines.follow and index.shown:
            parts.append("follow")
        self.query_one("#log-rule", Rule).show(facts=Text(" · ".join(parts)))

    def _show_entry(self) -> None:
        number = self.lines.current
        if number == self._shown:
            return
        self._shown = number
        body = self.query_one("#log-body", BodyView)
        rule = self.query_one("#log-body-rule", Rule)
        if number is None or self._index is None:
            body.set_bytes(b"")
            rule.show(title=Text("entry"))
            return
        rule.show(title=Text(f"entry {number}"))
        raw = self._index.journal.body(number)
        body.set_bytes(raw, mode="pretty")


def said(kind: Kind, raw: bytes) -> tuple[str, str]:
    """Logger and text of a log notification or a stderr line, as sent (not yet made safe)."""
    if kind is Kind.STDERR:
        return "", stderr_line(raw).decode("utf-8", "backslashreplace")
    try:
        body: Json = msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return "", raw.decode("utf-8", "backslashreplace")
    if not isinstance(body, dict):
        return "", raw.decode("utf-8", "backslashreplace")
    params = body.get("params")
    if not isinstance(params, dict):
        return "", ""
    logger, told = params.get("logger"), params.get("data")
    words = told if isinstance(told, str) else json.dumps(told, ensure_ascii=False)
    return logger if isinstance(logger, str) else "", words
