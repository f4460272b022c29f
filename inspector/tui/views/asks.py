"""The Asks tab: every question of the server to a person, open ones first.

Lists them and shows the one under the cursor in a panel, where it is decided. Policies that answer
without asking are shown in the heading and changed in the Server tab.
"""

from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical

from inspector.session.asks import Ask
from inspector.tui import ask_text
from inspector.tui.bindings import bindings_for
from inspector.tui.policy_words import policies_line
from inspector.tui.views.base import View
from inspector.tui.widgets.ask_panel import AskPanel
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule


class AsksView(View):
    """The list on the left (above, where it is narrow), the panel beside it."""

    TOPICS: ClassVar[tuple[str, ...]] = ("asks", "state")
    HELP: ClassVar[str] = (
        "What the server asks a person: sampling, elicitation, roots. An ask opens where you are; "
        "put off with Escape it waits here.\n\n"
        "Enter goes to the answer. The policies (ask me, decline, canned answer) are set in the "
        "Server tab. Where further rounds are stepped, each next request of a call that was asked "
        "back is shown before it goes out."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("asklist")]
    DEFAULT_CSS = """
    AsksView {
        layout: horizontal;
        & #ask-side { width: 2fr; height: 1fr; }
        & #ask-detail { width: 3fr; height: 1fr; }
    }
    AsksView.-stacked {
        layout: vertical;
        & #ask-side { width: 1fr; height: 30%; min-height: 4; }
        & #ask-detail { width: 1fr; height: 1fr; }
    }
    AsksView.-answering #ask-side { display: none; }
    """

    def compose(self) -> ComposeResult:
        """List and panel."""
        with Vertical(id="ask-side"):
            yield Rule("asks", id="ask-rule")
            yield RowList[Ask](
                lambda ask, width: ask_text.list_line(
                    ask, width, self.bench.journal.clock.monotonic()
                ),
                key=lambda ask: ask.number,
                empty="The server has asked nothing yet",
                id="ask-list",
            )
        with Vertical(id="ask-detail"):
            yield Rule("ask", id="ask-detail-rule")
            yield AskPanel(id="ask-panel")

    @property
    def asks(self) -> "RowList[Ask]":
        """The list."""
        return self.query_one("#ask-list", RowList)

    @property
    def panel(self) -> AskPanel:
        """The panel."""
        return self.query_one("#ask-panel", AskPanel)

    def on_mount(self) -> None:
        """Running clocks."""
        self.set_interval(1.0, self._tick)

    def on_resize(self) -> None:
        """Narrow: one above the other."""
        self.set_class(self.size.width < 90, "-stacked")
        self._make_room()

    def on_descendant_focus(self) -> None:
        """While an answer is written, it has the room."""
        self.call_after_refresh(self._make_room)

    def _make_room(self) -> None:
        few = self.has_class("-stacked") and self.size.height < 24
        self.set_class(few and self.panel.has_focus_within, "-answering")

    def focus_first(self) -> None:
        """The list."""
        self.remove_class("-answering")
        self.asks.focus()

    def show_changes(self, topics: frozenset[str]) -> None:
        """Open asks first, then the newest."""
        inbox = self.bench.session.inbox
        ordered = sorted(inbox.asks, key=lambda ask: (not ask.is_open, -ask.number))
        self.asks.set_items(ordered)
        self.query_one("#ask-rule", Rule).show(facts=Text(f"{inbox.open_count} open"))
        told = "" if self.past else policies_line(inbox.policies)  # no entry tells of policies
        self.query_one("#ask-detail-rule", Rule).show(facts=Text(told))
        self._show_ask()

    @on(RowList.Highlighted, "#ask-list")
    def _moved(self) -> None:
        self._show_ask()

    @on(RowList.Selected, "#ask-list")
    def _chosen(self) -> None:
        ask = self.asks.current
        if ask is not None and ask.is_open:
            self.panel.focus_answer()
        elif ask is not None:
            self.inspector.open_entry(ask.entry)

    @on(AskPanel.PutOff)
    def _back(self) -> None:
        self.focus_first()

    @on(AskPanel.Decided)
    def _decided(self) -> None:
        self.show_changes(frozenset({"asks"}))
        self.focus_first()

    def _show_ask(self) -> None:
        current = self.asks.current
        # The list holds snapshots; the inbox knows how the ask stands now.
        fresh = self.bench.session.inbox.find(current.number) if current is not None else None
        # Never exclusive: a removal of widgets that is cancelled half way never ends.
        self.run_worker(self.panel.show_ask(fresh), group="show ask")

    def _tick(self) -> None:
        if self.display and any(ask.is_open for ask in self.asks.items):
            self.asks.refresh()
            self.panel.tick()
