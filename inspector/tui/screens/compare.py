"""Two recordings compared on the screen: what is open, and a file.

The work is done in a thread of its own; leaving does not wait for it. How differences read is
decided by `inspector.render.comparison`.
"""

from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.worker import get_current_worker

from inspector.config.paths import state_dir
from inspector.errors import InspectorError
from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.screens.compare_choice import CompareChoice, kept_recordings
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from inspector.compare.recordings import Comparison
    from inspector.journal.journal import Journal
    from inspector.render.comparison import Line
    from inspector.tui.app import InspectorApp


class _Differences(RowList["Line"]):
    """Lines of which some lead into the traffic."""

    def quiet_actions(self) -> frozenset[str]:
        """What the footer does not offer on the others."""
        line = self.current
        return frozenset() if line is not None and line.right else frozenset({"open"})


class CompareScreen(ModalScreen[None], LeftOnce[None]):
    """The differences of the journal that is open (the second) from a recording (the first)."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("compare")]
    HELP: ClassVar[str] = (
        "+ was added since the recording, - has gone, ~ has changed. Calls are compared with those "
        "that asked for the same; # are the entries, first in the recording, then here. Places "
        "that differ between equal calls of one side vary by themselves and are only counted. "
        "Latency is named where it differs by more than noise.\n\nEnter shows the call in the "
        "traffic pane, o takes another recording."
    )
    DEFAULT_CSS = """
    CompareScreen { align: center middle; background: $background 60%; }
    CompareScreen > #compare-rule { height: 1; }
    CompareScreen > _Differences { height: 1fr; background: $panel; padding: 0 1; }
    """

    def __init__(self, journal: "Journal", label: str, path: Path) -> None:
        super().__init__()
        self._journal = journal
        self._label = label
        self._path = path
        self._rule = Rule("compare", id="compare-rule")
        self.rows = _Differences(
            _draw, id="compare-lines", heading=lambda line: not line.level, empty="Comparing …"
        )
        """The differences."""

    def compose(self) -> ComposeResult:
        """Heading, differences, keys."""
        yield self._rule
        yield self.rows
        yield HintLine()

    def on_mount(self) -> None:
        """The work begins."""
        self.rows.focus()
        self.call_after_refresh(self.query_one(HintLine).update_hints)
        self._begin()

    def _begin(self) -> None:
        self.rows.set_empty("Comparing …")
        self.rows.set_items(())
        title = Text(one_line(_from_home(self._path), 60), "mcp.primary", end="")
        title.append(" → ", "mcp.dim").append(one_line(self._label, 40))
        self._rule.show(title=title, facts=Text(end=""))
        self._compare(self._path)

    @work(description="worker", thread=True, exclusive=True)
    def _compare(self, path: Path) -> None:
        from inspector.compare.recordings import compare_recordings
        from inspector.journal.loading import load_recording

        worker, app = get_current_worker(), self.app
        try:
            compared = compare_recordings(load_recording(path), self._journal)
        except InspectorError as error:
            if not worker.is_cancelled:
                app.call_from_thread(self._failed, error)
        else:
            if not worker.is_cancelled:
                app.call_from_thread(self._show, compared)

    def _failed(self, error: InspectorError) -> None:
        why = one_line(error.message, 500)
        self.rows.set_empty(f"Cannot compare: {why}. o takes another recording")

    def _show(self, compared: "Comparison") -> None:
        from inspector.render.comparison import comparison_lines

        facts = Text("no differences" if compared.same else "they differ", end="")
        facts.stylize("mcp.ok" if compared.same else "mcp.warn")
        self._rule.show(facts=facts)
        self.rows.set_empty("No differences, and no calls that could be compared")
        self.rows.set_items([*comparison_lines(compared)])
        self.rows.action_first()
        self._hint()

    @on(RowList.Highlighted)
    def _hint(self) -> None:
        self.query_one(HintLine).update_hints()

    @on(RowList.Selected)
    def action_open_entry(self) -> None:
        """To the call, in the traffic that is open."""
        line = self.rows.current
        if line is None or not line.right:
            self.inspector.notify_safe("Only lines about calls lead to the traffic")
            return
        self.dismiss(None)
        self.inspector.open_entry(line.right)

    def action_copy(self) -> None:
        """All lines."""
        lines = ["  " * line.level + line.text.plain for line in self.rows.items]
        self.inspector.copy("\n".join(lines) + "\n")

    def action_other(self) -> None:
        """Another recording."""

        def chosen(path: Path | None) -> None:
            if path is not None:
                self._path = path
                self._begin()

        self.app.push_screen(_choice(self.inspector), chosen)

    def action_close(self) -> None:
        """Back."""
        self.dismiss(None)


def _from_home(path: Path) -> str:
    """A path as a person would say it."""
    home = Path.home()
    return f"~/{path.relative_to(home)}" if path.is_relative_to(home) else str(path)


def _draw(line: "Line", width: int) -> Text:
    drawn = Text("  " * line.level, end="", no_wrap=True)
    return drawn.append_text(line.text)


def _choice(app: "InspectorApp") -> CompareChoice:
    bench = app.bridge.workbench
    here = bench.journal.file.path
    folders = [state_dir(), Path.cwd(), *([here.parent] if here is not None else [])]
    return CompareChoice(kept_recordings(*dict.fromkeys(folders), but=here))


def compare(app: "InspectorApp") -> None:
    """Asks for a recording, then compares what is open with it."""
    if not app.has_bridge or not app.bridge.ready:
        app.notify_safe("There is nothing yet to compare")
        return
    bench = app.bridge.workbench

    def chosen(path: Path | None) -> None:
        if path is not None:
            app.push_screen(CompareScreen(bench.journal, bench.target.label, path))

    app.push_screen(_choice(app), chosen)
