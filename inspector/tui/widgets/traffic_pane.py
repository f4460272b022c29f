"""The traffic pane: heading, filter, list, and the detail of one entry, with all their keys.

It joins the parts and sends what the user wants done to the bridge. What is drawn where is decided
by the parts.
"""

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message

from inspector.journal.entries import Direction, Flag
from inspector.tui.bindings import bindings_for
from inspector.tui.traffic_row import duration
from inspector.tui.widgets.filter_box import FilterBox
from inspector.tui.widgets.place_box import PlaceBox
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.traffic import TrafficList
from inspector.tui.widgets.traffic_detail import TrafficDetail
from inspector.tui.widgets.traffic_steps import TrafficSteps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from inspector.lint.rule import Finding
    from inspector.workbench import Workbench

SIDE_BY_SIDE: int = 110
"""From this width on the detail stands beside the list; below, it takes its place."""


class TrafficPane(TrafficSteps):
    """Every byte that crossed the wire, one line each."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("traffic")]
    HELP: ClassVar[str] = (
        "One line per message, HTTP exchange, line of stderr and event, in the order in which they "
        "happened. → went to the server, ← came from it, · never crossed the wire. A request that "
        "waits for its answer counts the seconds; the answer shows how long it took.\n\n"
        "HTTP exchanges that merely carried a message are hidden; H shows them.\n\n"
        "Stepping: % goes to the partner of a message, ^ to what it came of, ] and [ through its "
        "exchange, c shows the whole call as a tree. e goes to the next error or finding, n to the "
        "next match, ' to the next mark or note, and their capitals (and \") go back. A full stop "
        "goes a second on, > ten, } a minute; comma, < and { go back. : goes anywhere.\n\n"
        "Signs: ✗ ! i a finding, ◆ a mark, ▎ the exchange of the entry under the cursor. With w "
        "requests are bars in time: █ answered, ▓ failed, ▶ goes on; idle time takes little room."
    )

    class DetailOpened(Message):
        """The detail wants room."""

    DEFAULT_CSS = """
    TrafficPane {
        layout: vertical;
        & #traffic-split { layout: horizontal; height: 1fr; }
        & TrafficDetail { display: none; }
        &.-detail.-narrow TrafficList { display: none; }
        &.-detail TrafficDetail { display: block; }
        &.-detail TrafficList { width: 2fr; }
        & TrafficDetail { width: 3fr; }
    }
    """

    def __init__(self, bench: "Workbench", *, id: str | None = None) -> None:
        super().__init__(bench, id=id)
        self._rule = Rule("traffic", id="traffic-rule")
        self.detail = TrafficDetail(bench.journal, bench.exchanges, id="traffic-detail")
        """The detail."""
        self.detail.findings_at = self._findings_at
        self._carriers = False

    def compose(self) -> ComposeResult:
        """Heading, boxes, list and detail."""
        yield self._rule
        with Container(id="traffic-split"):
            yield self.rows
            yield self.detail
        yield FilterBox("filter", id="traffic-filter")
        yield FilterBox("find", id="traffic-search")
        yield PlaceBox(id="traffic-place")

    # -- what the screen calls ------------------------------------------------------------------

    def tick(self) -> None:
        """At most 20 times a second while visible."""
        self.rows.tick()
        if self.has_class("-detail"):
            self.detail.tick()
        self._rule.light(self.has_focus_within)
        if self.rows.bar_width:
            self.retitle()

    def show_entry(self, number: int, *, detail: bool = True) -> None:
        """Go to an entry, removing the filter if it hides it, and saying so."""
        if not self.rows.show_entry(number):
            box = self.query_one("#traffic-filter", FilterBox)
            if self.rows.hides_carrier(number):
                self._carriers = True
                self.rows.set_filter(box.wanted, carriers=True)
                self.inspector.notify_safe("HTTP exchanges are shown; H hides them again")
            if not self.rows.show_entry(number):
                self.inspector.notify_safe(f"The filter is gone: it hid entry {number}")
                box.set_text("")
                self.rows.set_filter(None, carriers=self._carriers)
                self.rows.show_entry(number)
        if detail:
            self._open(number)
        self.focus_inside()

    def filter_by(self, text: str) -> None:
        """Put a filter into the box and the focus into the list."""
        self.query_one("#traffic-filter", FilterBox).set_text(text)
        self.focus_inside()

    def focus_list(self) -> None:
        """Put the focus where reading begins."""
        self.focus_inside()

    def _findings_at(self, number: int) -> "Sequence[Finding]":
        judge = self._bench.judge
        return () if judge is None else judge.at(number)

    # -- parts say ------------------------------------------------------------------------------

    @on(TrafficList.Status)
    def retitle(self) -> None:
        """What is shown, whether it follows, how far a step went."""
        rows, facts = self.rows, Text(end="")
        if rows.filtered or rows.index.shows_carriers:
            facts.append(f"{len(rows.index):,} of {len(self._bench.journal):,}")
        else:
            facts.append(f"{len(rows.index):,}")
        if rows.index.behind > 2000:
            share = rows.index.scanned / max(1, len(self._bench.journal))
            facts.append(f" · looking {share:.0%}", "mcp.warn")
        elif rows.index.unjudged:
            facts.append(f" · {rows.index.unjudged:,} not judged yet", "mcp.warn")
        wanted = self.query_one("#traffic-filter", FilterBox).wanted
        if wanted is not None and wanted.given_up:
            facts.append(f" · {wanted.given_up:,} searched in part", "mcp.warn")
        facts.append(" · ")
        if rows.follow:
            facts.append("follow")
        elif rows.unseen:
            facts.append(f"{rows.unseen:,} new", "mcp.badge")
        else:
            facts.append("paused")
        if (axis := rows.axis) is not None:
            idle = " without idle time" if axis.shortened else ""
            facts.append(f" · axis {duration(axis.span)}{idle}", "mcp.dim")
        if step := self.step_facts():
            facts = Text.assemble(step, " · ", facts, end="")
        self._rule.show(facts=facts)

    @on(TrafficList.Moved)
    def _moved(self) -> None:
        if self.has_class("-detail") and (entry := self.rows.entry) is not None:
            self.detail.show_entry(entry)

    @on(TrafficList.Opened)
    def _opened(self, event: TrafficList.Opened) -> None:
        self._open(event.number)

    @on(TrafficDetail.Goto)
    def _goto(self, event: TrafficDetail.Goto) -> None:
        self.show_entry(event.number)

    @on(TrafficDetail.FindingChosen)
    def _finding_chosen(self, event: TrafficDetail.FindingChosen) -> None:
        self.inspector.open_finding(event.number, event.rule)

    @on(TrafficDetail.Closed)
    def _detail_closed(self) -> None:
        if self.stop_seeking():
            self.retitle()
        else:
            self._close()

    @on(FilterBox.Changed, "#traffic-filter")
    def _filtered(self, event: FilterBox.Changed) -> None:
        self.rows.set_filter(event.wanted, carriers=self._carriers)

    @on(FilterBox.Changed, "#traffic-search")
    def _searched(self, event: FilterBox.Changed) -> None:
        self.rows.search = event.wanted
        self.rows.refresh()

    @on(FilterBox.Left)
    def _left_box(self, event: FilterBox.Left) -> None:
        self.focus_inside()
        if event.box.id == "traffic-search" and self.rows.search is not None:
            self.action_next_match(-1 if self.rows.follow else 1)

    def on_resize(self) -> None:
        """Side by side, or one in place of the other."""
        self.set_class(self.size.width < SIDE_BY_SIDE, "-narrow")

    def _open(self, number: int) -> None:
        if not self.has_class("-detail"):
            self.post_message(self.DetailOpened())
        self.add_class("-detail")
        self.detail.show_entry(number)
        self.focus_inside()

    def _close(self) -> None:
        self.remove_class("-detail")
        self.focus_inside()

    def focus_inside(self) -> None:
        """Put the focus into the detail where it is open, else into the list."""
        # At once, not with `focus()`, which waits its turn: nobody else may come in between.
        inside = self.detail.body if self.has_class("-detail") else self.rows
        self.screen.set_focus(inside)

    # -- actions --------------------------------------------------------------------------------

    def action_open(self) -> None:
        """Enter: the detail, or back into it."""
        if (entry := self.rows.entry) is not None:
            self._open(entry)

    def action_clear(self) -> None:
        """Escape closes one thing at a time."""
        box = self.query_one("#traffic-filter", FilterBox)
        if self.stop_seeking():
            self.retitle()
        elif self.has_class("-detail"):
            self._close()
        elif self.rows.search is not None:
            self.query_one("#traffic-search", FilterBox).set_text("")
        elif box.text:
            box.set_text("")

    def action_filter(self) -> None:
        """/"""
        self.query_one("#traffic-filter", FilterBox).open()

    def action_search(self) -> None:
        """?"""
        self.query_one("#traffic-search", FilterBox).open()

    def action_as_of(self) -> None:
        """t: to the time of this entry, or back."""
        main = self.inspector.main
        if main is not None and not main.return_to_now():
            main.travel_to(self.rows.entry)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is left to others where there is nothing to close."""
        if action == "clear" and self.is_mounted:
            filtered = self.query_one("#traffic-filter", FilterBox).text
            return self.has_class("-detail") or self.rows.search is not None or bool(filtered)
        return super().check_action(action, parameters)

    def action_follow(self) -> None:
        """f"""
        self.rows.set_follow(not self.rows.follow)

    def action_toggle_carriers(self) -> None:
        """H"""
        self._carriers = not self._carriers
        box = self.query_one("#traffic-filter", FilterBox)
        self.rows.set_filter(box.wanted, carriers=self._carriers)

    def action_waterfall(self) -> None:
        """w"""
        if not self.rows.toggle_waterfall():
            self.inspector.notify_safe("There is no room for bars here")
        self.retitle()

    def action_next_view(self) -> None:
        """v"""
        if self.has_class("-detail"):
            self.detail.action_next_view()
        else:
            self.action_open()

    def action_causality(self) -> None:
        """c"""
        if (entry := self.rows.entry) is not None:
            shown = self.has_class("-detail")
            self._open(entry)
            if not shown or self.detail.view != "causes":
                self.detail.show_view("causes")
            else:
                self.detail.show_view("pretty")

    def action_compare(self) -> None:
        """d"""
        marked, entry = self.marked_entry(), self.rows.entry
        if entry is None or marked is None:
            self.inspector.notify_safe("Mark another entry with m, then d tells what differs")
        else:
            self._open(entry)
            self.detail.compare_with(marked)

    def action_copy(self) -> None:
        """y"""
        if (entry := self.rows.entry) is not None:
            self.inspector.copy(self._bench.journal.body(entry).decode("utf-8", "replace"))

    def action_export(self) -> None:
        """x"""
        from inspector.tui.screens.export import ExportScreen, choices

        box = self.query_one("#traffic-filter", FilterBox)
        offered = choices(self._bench, self.rows.entry, box.text, len(self.rows.index))
        if offered:
            self.app.push_screen(ExportScreen(self._bench.journal, offered))

    def action_mark(self) -> None:
        """m"""
        entry, journal = self.rows.entry, self._bench.journal
        if entry is None:
            return
        on = not journal.row(entry).flags & Flag.MARKED

        async def mark() -> None:
            journal.flag(entry, Flag.MARKED, on)

        self.inspector.bridge.post(mark)

    def action_note(self) -> None:
        """;"""
        from inspector.tui.screens.dialogs import LineDialog

        entry, journal = self.rows.entry, self._bench.journal
        if entry is None:
            return

        def write(text: str | None) -> None:
            async def note() -> None:
                journal.note(entry, text or "")

            if text:
                self.inspector.bridge.post(note)

        self.app.push_screen(LineDialog(f"Note about entry {entry}"), write)

    def action_resend(self) -> None:
        """r"""
        entry = self.rows.entry
        if entry is not None and Flag.MASKED in self._bench.journal.row(entry).flags:
            self.inspector.notify_safe(
                "Its secrets are kept masked; R lets you fill them in again", severity="warning"
            )
        elif (raw := self._sendable()) is not None:
            self._send(raw)

    def action_edit(self) -> None:
        """R"""
        from inspector.tui.screens.dialogs import EditDialog

        raw = self._sendable()
        if raw is not None:
            self.app.push_screen(
                EditDialog(f"Edit and resend entry {self.rows.entry}", raw),
                lambda edited: None if edited is None else self._send(edited),
            )

    def _sendable(self) -> bytes | None:
        entry = self.rows.entry
        if entry is None:
            return None
        row = self._bench.journal.row(entry)
        if row.direction is Direction.SENT and row.kind.is_frame:
            return self._bench.journal.body(entry)
        self.inspector.notify_safe("Only what we sent can be sent again")
        return None

    def _send(self, raw: bytes) -> None:
        from inspector.tui.readiness import can_send

        if not can_send(self.inspector):
            return
        session = self._bench.session
        self.rows.set_follow(True)
        self.inspector.bridge.post(lambda: session.send_raw(raw))
