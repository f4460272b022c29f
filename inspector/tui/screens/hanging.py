"""Why is it hanging: what is waited for, for how long, and what is odd, looked at twice a second.

What the reasons are is decided by `inspector.journal.hanging`; this only shows them and leads to
their entries. Over a recording it tells how things stood at its end.
"""

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen

from inspector.journal.hanging import Diagnosis, diagnose
from inspector.tui.bindings import bindings_for
from inspector.tui.hanging_lines import HangingLine, diagnosis_text, draw_line, hanging_lines
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from inspector.workbench import Workbench

LOOKS: Final = 0.5
"""Seconds between two looks."""


def diagnose_bench(bench: "Workbench") -> Diagnosis:
    """How it stands now; a recording that is only looked at, at its end."""
    journal = bench.journal
    if not bench.session.state.connection:
        end = journal.columns.monotonic[len(journal)] if len(journal) else 0.0
        return diagnose(journal, end)
    asks = {ask.entry for ask in bench.session.inbox.asks if ask.is_open}
    return diagnose(
        journal,
        journal.clock.monotonic(),
        asks=asks,
        unfinished=bench.session.transport.unfinished,
    )


class HangingScreen(ModalScreen[None], LeftOnce[None]):
    """One panel, live."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("hanging")]
    HELP: ClassVar[str] = (
        "The most likely reason stands first; below it what is waited for, in both directions, "
        "and whatever else is odd. Each line is about an entry; Enter goes there.\n\n"
        "Nothing is guessed: what no entry shows is not told."
    )
    DEFAULT_CSS = """
    HangingScreen { align: center middle; background: $background 60%; }
    HangingScreen > Vertical {
        width: 100%; max-width: 120; height: 100%; max-height: 36; padding: 0 1;
        background: $panel; border-left: outer $primary;
    }
    HangingScreen #hanging-list { height: 1fr; margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._found: Diagnosis | None = None

    @property
    def lines(self) -> "RowList[HangingLine]":
        """The list."""
        return self.query_one("#hanging-list", RowList)

    def compose(self) -> ComposeResult:
        """Heading, lines, and what keys do."""
        with Vertical():
            yield Rule("why is it hanging?", id="hanging-rule")
            yield RowList[HangingLine](
                draw_line,
                key=lambda line: line.key,
                heading=lambda line: line.heading,
                id="hanging-list",
            )
            yield HintLine()

    def on_mount(self) -> None:
        """The focus is in the list; looking goes on while the panel is there."""
        self.lines.focus()
        self.set_interval(LOOKS, self.look)
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.look()
        self.query_one(HintLine).update_hints()

    def on_resize(self) -> None:
        """Sentences are broken at the width."""
        self.call_after_refresh(self._show)

    def look(self) -> None:
        """Looks again."""
        if not self.inspector.has_bridge or not self.inspector.bridge.ready:
            return
        bench = self.inspector.bridge.workbench
        before, self._found = self.quiet_actions(), diagnose_bench(bench)
        if self.quiet_actions() != before:
            self.query_one(HintLine).update_hints()
        live = bench.session.state.connection
        words = "as of now" if live else f"as of the end, #{len(bench.journal)}"
        self.query_one("#hanging-rule", Rule).show(facts=Text(words))
        self._show()

    def _show(self) -> None:
        if self._found is not None:
            rows = self.lines
            rows.set_items(hanging_lines(self._found, max(20, rows.body_width - 1)))

    @on(RowList.Selected, "#hanging-list")
    def _chosen(self) -> None:
        line, main = self.lines.current, self.inspector.main
        if line is not None and line.entry and main is not None:
            self.dismiss()
            self.app.call_later(partial(main.show_entry, line.entry))

    def quiet_actions(self) -> frozenset[str]:
        """The keys do not speak of asks where none waits."""
        waiting = self._found.waiting if self._found is not None else ()
        return frozenset() if any(one.on_us for one in waiting) else frozenset({"asks"})

    def action_copy(self) -> None:
        """y"""
        if self._found is not None:
            self.inspector.copy(diagnosis_text(self._found))

    def action_asks(self) -> None:
        """a"""
        main = self.inspector.main
        self.dismiss()
        if main is not None:
            self.app.call_later(partial(main.show_tab, "asks"))

    def action_close(self) -> None:
        """Back."""
        self.dismiss()
