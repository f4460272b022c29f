"""The dialog that chooses which revision is spoken: chosen is reconnected with, in one step.

Says what is spoken now and why, and what the server says that it speaks where it has said so. How
a choice is carried out is decided by `inspector.workbench`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from inspector.errors import WRONG_ERA
from inspector.protocol.versions import LATEST_HANDSHAKE, MODERN_REVISIONS, REVISIONS, Era
from inspector.render.safe import one_line, safe_text
from inspector.session.wrong_era import named_versions
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.tui.app import InspectorApp

DEFAULT: Final = "handshake"
NAMES_SHOWN: Final = 12
"""Revisions that a server names and that are shown."""


@dataclass(frozen=True, slots=True)
class Choice:
    """One value of `--protocol`: what it does, and `tag` for what is true of it now."""

    protocol: str
    words: str
    chosen: bool = False
    tag: str = ""


WORDS: Final = {
    "auto": "asks the server first (server/discover)",
    "handshake": f"offers {LATEST_HANDSHAKE}, takes the server's; the default",
    "modern": f"{MODERN_REVISIONS[-1]} or nothing",
    **{one.value: f"{one.era.value} era, this one or nothing" for one in reversed(REVISIONS)},
}
"""What can be chosen, in the order of the dialog and of the palette."""


def choices(protocol: str, spoken: str, named: Sequence[str]) -> list[Choice]:
    """All choices; `protocol` is the one in force, `spoken` the negotiated revision."""
    found = []
    for name, words in WORDS.items():
        tag = "spoken now" if name == spoken else "the server names it" if name in named else ""
        found.append(Choice(name, words, name == (protocol or DEFAULT), tag))
    return found


def suggested(session: "Session", protocol: str) -> str:
    """Where the cursor begins: the choice in force, or the one that helps where it failed."""
    error = session.state.error
    if error is None or error.kind != WRONG_ERA:
        return protocol or DEFAULT
    return DEFAULT if session.era is Era.MODERN else "modern"


def draw_choice(choice: Choice, width: int) -> Text:
    """One line."""
    line = Text(end="", no_wrap=True)
    line.append(" ● " if choice.chosen else "   ", "mcp.accent")
    line.append(f"{choice.protocol:<12}", "mcp.title")
    room = width - line.cell_len - len(choice.tag) - 1
    line.append(one_line(choice.words, max(8, room)), "mcp.dim")
    if choice.tag:
        line.append(" " * max(1, width - line.cell_len - len(choice.tag)))
        line.append(choice.tag, "mcp.ok")
    return line


class RevisionScreen(ModalScreen[str | None], LeftOnce[str | None]):
    """Returns a value of `--protocol`, None where the user left."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("dialog")]
    HELP: ClassVar[str] = (
        "Enter connects again with the revision under the cursor. What is typed into forms stays, "
        "as do roots and policies; the traffic goes on in a new section."
    )
    DEFAULT_CSS = """
    RevisionScreen { align: center middle; background: $background 60%; }
    RevisionScreen > Vertical {
        width: 78; max-width: 96%; height: auto; max-height: 96%; padding: 1 2;
        background: $panel; border-left: outer $primary;
    }
    RevisionScreen Static { height: auto; margin-bottom: 1; }
    RevisionScreen RowList { height: 8; background: $panel; }
    RevisionScreen HintLine { margin-top: 1; }
    """

    def __init__(self, session: "Session", protocol: str) -> None:
        super().__init__()
        self._session = session
        self._protocol = protocol

    def compose(self) -> ComposeResult:
        """What is spoken now, the choices, the keys."""
        with Vertical():
            yield Static(self._told(), markup=False)
            yield RowList[Choice](
                draw_choice, key=lambda choice: choice.protocol, id="revision-list"
            )
            yield HintLine()

    def on_mount(self) -> None:
        """The cursor stands on the choice in force, or on the one that helps."""
        state = self._session.state
        named = named_versions(state.initialize_raw, self._session.calls)
        self.rows.set_items(choices(self._protocol, state.revision_text, named))
        self.rows.select(suggested(self._session, self._protocol))
        self.rows.focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    @property
    def rows(self) -> "RowList[Choice]":
        """The choices."""
        return self.query_one(RowList)

    def _told(self) -> Text:
        state = self._session.state
        text = Text("Connect again, speaking …\n", "mcp.title", end="")
        if state.error is not None:
            text.append_text(safe_text(f"It failed: {state.error.message}", "mcp.error"))
        elif state.revision_text:
            text.append("Now ", "mcp.dim")
            text.append(one_line(state.revision_text, 16), "mcp.accent")
            text.append_text(safe_text(f": {state.why}", "mcp.dim", keep_newlines=False))
        else:
            text.append("Nothing is negotiated yet.", "mcp.dim")
        named = named_versions(state.initialize_raw, self._session.calls)
        if named:
            text.append("\nThe server says it speaks ", "mcp.dim")
            shown = ", ".join(one_line(name, 16) for name in named[:NAMES_SHOWN])
            text.append(shown, "mcp.accent")
        return text

    @on(RowList.Selected)
    def action_accept(self) -> None:
        """Hands back the choice under the cursor."""
        if (choice := self.rows.current) is not None:
            self.dismiss(choice.protocol)

    def action_cancel(self) -> None:
        """Hands back nothing."""
        self.dismiss(None)


def choose_revision(app: "InspectorApp") -> None:
    """Asks which revision to speak, then connects with it."""
    if not app.has_bridge or not app.bridge.ready:
        app.notify_safe("There is no server yet to speak with")
        return
    bench = app.bridge.workbench

    def chosen(protocol: str | None) -> None:
        if protocol is not None:
            speak(app, protocol)

    app.push_screen(RevisionScreen(bench.session, bench.options.protocol), chosen)


def speak(app: "InspectorApp", protocol: str) -> None:
    """Connects again with another choice of protocol."""
    if app.has_bridge and app.bridge.ready:
        bench = app.bridge.workbench
        app.bridge.post(lambda: bench.speak(protocol))
