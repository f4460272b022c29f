"""The connect screen: servers of config files, recent ones, the demo, or a line to type.

Hands back the target that was chosen, or None where the user left. Nothing of a config file is
started before the trust prompt was answered; what the user typed needs none.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from inspector.config.recents import Recents
from inspector.config.targets import Target, parse_typed
from inspector.config.trust import TrustStore, needs_trust
from inspector.errors import InspectorError
from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.places import Heading, Line, Place, openable, places
from inspector.tui.screens.once import LeftOnce
from inspector.tui.screens.trust import TrustScreen
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.text_box import TextBox

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp


class ConnectScreen(LeftOnce[Target | None]):
    """A line to type above, the list below."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("connect")]
    HELP: ClassVar[str] = (
        "Type a URL or a command and press Enter, or choose from the list with Down and Enter. "
        "An entry of a config file is shown whole and asked about before it is first started."
    )
    DEFAULT_CSS = """
    ConnectScreen { layout: vertical; padding: 1 2 0 2; }
    ConnectScreen #connect-title { height: 2; }
    ConnectScreen Input { margin-bottom: 0; }
    ConnectScreen #connect-problem { height: auto; color: $text-error; padding: 0 1; }
    ConnectScreen #connect-list { height: 1fr; margin-top: 1; }
    ConnectScreen #connect-about { height: 2; color: $text-muted; padding: 0 1; }
    """

    def __init__(self, look: Callable[[], list[Line]] = places) -> None:
        """`look` finds the places."""
        super().__init__()
        self._look = look

    def compose(self) -> ComposeResult:
        """Title, line, list, what is under the cursor, hints."""
        title = Text("mcp-inspect", "mcp.title")
        title.append("  the terminal inspector for the Model Context Protocol", "mcp.dim")
        yield Static(title, id="connect-title", markup=False)
        yield TextBox(placeholder="https://host/mcp   or   python server.py", id="connect-line")
        yield Static("", id="connect-problem", markup=False)
        with Vertical():
            yield RowList[Line](
                self._line,
                key=lambda line: line,
                haystack=lambda line: _haystack(line),
                heading=lambda line: isinstance(line, Heading),
                empty="No server found in any config file",
                id="connect-list",
            )
        yield Static("", id="connect-about", markup=False)
        yield HintLine()

    def on_mount(self) -> None:
        """Reads the files off the first paint."""
        self.query_one(Input).focus()
        self.call_after_refresh(self._fill)
        self.bindings_updated_signal.subscribe(self, lambda _: self._update_hints())

    @property
    def places(self) -> "RowList[Line]":
        """The list."""
        return self.query_one("#connect-list", RowList)

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        assert isinstance(self.app, InspectorApp)
        return self.app

    def _fill(self) -> None:
        lines = self._look()
        self.places.set_items(lines)
        first = next((line for line in lines if isinstance(line, Place)), None)
        if first is not None:
            self.places.select(first)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that do something where the focus is: others are no hints."""
        match action:
            case "to_line" | "forget":
                return self.focused is self.places
            case "to_list":
                return self.focused is not self.places
            case "leave":
                return self._inspector.has_bridge
            case _:
                return super().check_action(action, parameters)

    def _update_hints(self) -> None:
        if self.is_current:
            self.query_one(HintLine).update_hints()

    # -- choosing -------------------------------------------------------------------------------

    @on(Input.Submitted, "#connect-line")
    def _typed(self, event: Input.Submitted) -> None:
        try:
            target = parse_typed(event.value)
        except InspectorError as error:
            self._say(error)
            return
        self._go(target)

    @on(Input.Changed, "#connect-line")
    def _typing(self, event: Input.Changed) -> None:
        self.query_one("#connect-problem", Static).update("")
        self.places.set_filter(event.value)

    @on(RowList.Selected, "#connect-list")
    def _chosen(self) -> None:
        place = self.places.current
        if isinstance(place, Place):
            self._open(place)

    @on(RowList.Highlighted, "#connect-list")
    def _moved(self) -> None:
        place = self.places.current
        about = Text()
        if isinstance(place, Place):
            about.append(one_line(place.problem or place.what, 2000), "mcp.dim")
            if place.where:
                about.append(f"\nfor {one_line(place.where, 200)}", "mcp.faint")
        self.query_one("#connect-about", Static).update(about)

    @work(description="worker")
    async def _open(self, place: Place) -> None:
        try:
            target = openable(place)
            if needs_trust(target) and not TrustStore().is_trusted(target):
                if not await self.app.push_screen_wait(TrustScreen(target, place.notes)):
                    return
                TrustStore().trust(target)
        except InspectorError as error:
            self._say(error)
            return
        self._go(target)

    def _go(self, target: Target) -> None:
        try:
            Recents().remember(target)
        except InspectorError as error:
            self._inspector.notify_safe(error.message, severity="warning")
        self.dismiss(target)

    # -- keys -----------------------------------------------------------------------------------

    def action_to_list(self) -> None:
        """Down from the line goes to the list."""
        self.places.focus()

    def action_to_line(self) -> None:
        """Back to the line."""
        self.query_one(Input).focus()

    def action_demo(self) -> None:
        """The demo server."""
        for line in self.places.items:
            if isinstance(line, Place) and line.name == "demo" and line.recent is None:
                self._open(line)
                return

    def action_forget(self) -> None:
        """Takes a recent off the list."""
        place = self.places.current
        if isinstance(place, Place) and place.recent is not None:
            try:
                Recents().forget(place.recent)
            except InspectorError as error:
                self._say(error)
                return
            self._fill()

    def action_reload(self) -> None:
        """Reads the config files again."""
        self._fill()

    def action_leave(self) -> None:
        """Back to the running inspection, if there is one. Escape never quits."""
        if self._inspector.has_bridge:
            self.dismiss(None)

    def _say(self, error: InspectorError) -> None:
        words = Text(one_line(error.message, 1000))
        if error.hint:
            words.append("\n" + one_line(error.hint, 1000), "mcp.dim")
        self.query_one("#connect-problem", Static).update(words)

    def _line(self, line: Line, width: int) -> Text:
        text = Text(end="", no_wrap=True)
        if isinstance(line, Heading):
            home = os.path.expanduser("~")
            text.append(one_line(line.title.replace(home, "~"), width), "mcp.dim")
            return text
        text.append("  ")
        if line.name:
            text.append(f"{one_line(line.name, 26):<27}", "mcp.title")
        room = max(8, width - text.cell_len - (0 if line.trusted else 12))
        if line.problem:
            text.append(one_line(line.problem, room), "mcp.error")
        elif line.missing:
            text.append(one_line(f"needs {', '.join(line.missing)} again", room), "mcp.warn")
        else:
            text.append(one_line(line.what, room), "mcp.dim" if line.name else "")
            if not line.trusted:
                text.append(" " * max(2, width - text.cell_len - 10))
                text.append("asks first", "mcp.warn")
        return text


def _haystack(line: Line) -> str:
    return f"{line.name} {line.what}" if isinstance(line, Place) else ""
