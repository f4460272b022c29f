"""What stands in the main area while there is no session: connecting, or why it went wrong.

The next steps stand above the last words of the process, which may need more lines than there are:
the panel is scrolled like every text. It reads the session's state; what its keys do (retry, edit
the target, another server) is the main screen's business.
"""

from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual.strip import Strip

from inspector.errors import STDERR_HEADING, WRONG_ERA, Fault, InspectorError
from inspector.render.safe import one_line, safe_text
from inspector.session.state import Phase
from inspector.tui.bindings_debug import WORTH_ASKING
from inspector.tui.key_hints import key_hints
from inspector.tui.widgets.lines import LineArea

if TYPE_CHECKING:
    from inspector.workbench import Workbench

WHOSE: Final[dict[Fault, str]] = {
    "you": "Nothing is broken: what was asked for has to change.",
    "server": "The server is at fault.",
    "config": "The configuration is at fault.",
    "network": "The network is at fault.",
    "us": "This is a defect of mcp-inspect.",
}
OTHER_REVISION: Final = (WRONG_ERA, "version", "initialize", "timeout")
"""Kinds of errors that another choice of protocol may help against."""
TAIL_LINES: Final = 8
LINE_BYTES: Final = 600
LOOK_BACK: Final = 400
"""Journal entries looked at, backwards, for the last lines of stderr."""


class StatusPanel(LineArea):
    """Connecting, failed or closed, with the next steps and their keys."""

    HELP: ClassVar[str] = (
        "There is no session at the moment. F5 connects again, F4 changes the command or URL, F3 "
        "goes back to the list of servers. The traffic below shows what happened so far."
    )
    DEFAULT_CSS = """
    StatusPanel { width: 1fr; height: 1fr; padding: 1 2 1 3; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Text(end="")
        self._lines: list[Text] = []
        self._wrapped_at = 0

    def update_from(self, bench: "Workbench | None", label: str, failure: str = "") -> None:
        """Read the snapshots and show them; `failure` is why the workbench itself is not there."""
        text = Text()
        if failure:
            _heading(text, "✗ Cannot start", "mcp.error")
            text.append_text(safe_text(failure))
            text.append("\n")
        elif bench is None:
            _heading(text, f"◌ Starting {one_line(label, 60)} …", "mcp.warn")
        else:
            self._of_session(text, bench)
        if text != self._text or text.spans != self._text.spans:
            self._text = text
            self._wrapped_at = 0
            self.lines_changed()

    def count_lines(self) -> int:
        """Lines of the text, as wide as the panel."""
        return len(self._wrapped())

    def draw_line(self, line: int, width: int) -> Strip:
        """One of them."""
        return self.strip_of(self._wrapped()[line].copy())

    def shows_cursor(self) -> bool:
        """It is read, and nothing chosen in it."""
        return False

    def _wrapped(self) -> list[Text]:
        if self._wrapped_at != self.body_width:
            self._wrapped_at = self.body_width
            self._lines = list(self._text.wrap(self.app.console, self.body_width))
        return self._lines

    def _of_session(self, text: Text, bench: "Workbench") -> None:
        state = bench.session.state
        if state.phase in (Phase.CONNECTING, Phase.NEGOTIATING, Phase.IDLE):
            self._connecting(text, bench)
            return
        error = state.error
        if state.phase is Phase.READY:
            _heading(text, "● Connected", "mcp.ok")
            return
        _heading(text, "✗ No connection" if error else "○ Disconnected", "mcp.error")
        text.append_text(safe_text(_what(bench), keep_newlines=False))
        text.append("\n\n")
        said, colon, last_words = error.hint.partition(STDERR_HEADING) if error else ("", "", "")
        if error is not None:
            _error(text, error, said)
        keys = [("main.reconnect", "try again"), ("main.edit_target", "change command or URL")]
        if error is not None and error.kind == "auth":
            keys = [("main.auth", "steps, log in"), ("main.edit_target", "add a --header"), keys[0]]
        elif error is not None and error.kind in OTHER_REVISION:
            keys = [("main.revision", "another revision"), keys[0], ("main.edit_target", "change")]
        keys.append(("main.connect_screen", "servers"))
        text.append_text(key_hints(self.app, *keys, gap=4))
        tail = last_words.split("\n") if colon else stderr_tail(bench, state.connection)
        if tail:
            text.append("\n\nLast lines of stderr\n", "mcp.dim")
            for line in tail:
                text.append("  ")
                text.append_text(safe_text(line, keep_newlines=False))
                text.append("\n")

    def _connecting(self, text: Text, bench: "Workbench") -> None:
        phase = bench.session.state.phase
        word = "Negotiating with" if phase is Phase.NEGOTIATING else "Connecting to"
        _heading(text, f"◌ {word} {one_line(bench.target.label, 60)} …", "mcp.warn")
        text.append_text(safe_text(_what(bench), keep_newlines=False))
        text.append("\n\n")
        if bench.authorizing:
            text.append("The server wants a token; no clock runs meanwhile.\n\n")
            hints = ("main.auth", "the steps to it"), ("app.interrupt", "give up")
            text.append_text(key_hints(self.app, *hints, gap=4))
            return
        waiting = [call for call in bench.session.calls if not call.done]
        if waiting:
            call = waiting[-1]
            text.append(one_line(call.method, 40))
            text.append(f" waits for its answer since {call.elapsed:.0f} s; ")
            limit = f"given up after {bench.options.connect_timeout:.0f} s"
            text.append_text(safe_text(call.hint or limit, "mcp.dim", keep_newlines=False))
            text.append("\n\n")
        text.append("Ctrl+C", "mcp.primary")
        text.append(" give up    ", "mcp.dim")
        text.append("F4", "mcp.primary")
        text.append(" change command or URL", "mcp.dim")
        if waiting and waiting[-1].elapsed >= WORTH_ASKING:
            text.append("    ")
            text.append_text(key_hints(self.app, ("main.hanging", "why is it hanging?")))


def stderr_tail(bench: "Workbench", connection: int) -> list[str]:
    """The last lines that this connection's process wrote to stderr, oldest first."""
    from inspector.journal.entries import Kind
    from inspector.journal.facts import stderr_line

    journal, lines = bench.journal, list[str]()
    kinds, newest = journal.kinds, len(journal)
    for number in range(newest, max(0, newest - LOOK_BACK), -1):
        if kinds[number] != Kind.STDERR:
            continue
        if journal.row(number).connection != connection:
            break
        line = stderr_line(journal.body(number))
        lines.append(line[:LINE_BYTES].decode("utf-8", "backslashreplace").rstrip())
        if len(lines) == TAIL_LINES:
            break
    return lines[::-1]


def _what(bench: "Workbench") -> str:
    target = bench.target
    return bench.journal.redactor.url(target.url) if target.url else target.shown


def _heading(text: Text, words: str, ink: str) -> None:
    text.append(words, ink)
    text.append("\n\n")


def _error(text: Text, error: InspectorError, hint: str) -> None:
    text.append_text(safe_text(error.message))
    text.append("\n")
    if hint:
        text.append_text(safe_text(hint))
        text.append("\n")
    text.append(WHOSE[error.fault], "mcp.dim")
    text.append("\n\n")
