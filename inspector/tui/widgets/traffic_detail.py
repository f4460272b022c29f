"""One entry in full: pretty JSON, raw bytes, hex, its HTTP exchange, and its exchange as a whole.

Which views make sense is decided by the kind of the entry; how bytes become lines is
`inspector.tui.documents`.
"""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget

from inspector.journal.causality import causality
from inspector.journal.causality_text import causality_text
from inspector.journal.entries import Kind, Row
from inspector.journal.gist import id_text
from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.causes import CausesDocument
from inspector.tui.documents import TextDocument
from inspector.tui.facts import exchange_lines, fact_lines, http_lines
from inspector.tui.traffic_row import ARROWS, byte_size
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from inspector.journal.exchanges import Exchanges
    from inspector.journal.journal import Journal
    from inspector.lint.rule import Finding

DetailView = Literal[
    "pretty", "raw", "hex", "http", "exchange", "causes", "findings", "diff", "facts"
]
LOOK_EVERY: Final = 8
"""Ticks between two looks at whether the exchange has grown."""
REST: Final = 400
"""Ticks to rest for each second that a look took: a call of thousands of entries costs a twentieth
of the time."""

_TITLES: Final[dict[DetailView, str]] = {
    "pretty": "JSON",
    "raw": "raw",
    "hex": "hex",
    "http": "HTTP",
    "exchange": "exchange",
    "causes": "tree",
    "findings": "findings",
    "diff": "diff",
    "facts": "facts",
}


class TrafficDetail(Widget):
    """Shows one entry at a time; keeps the chosen view from entry to entry where it exists."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("detail")]
    HELP: ClassVar[str] = (
        "The bytes of this entry as they crossed the wire. JSON keeps every token as it was sent: "
        "numbers, escapes and duplicate keys are not changed. v goes to the next view."
    )
    DEFAULT_CSS = """
    TrafficDetail { layout: vertical; height: 1fr; }
    TrafficDetail BodyView { padding: 0 0 0 1; }
    """

    class Goto(Message):
        """Another entry is wanted."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class FindingChosen(Message):
        """A finding about an entry is wanted."""

        def __init__(self, rule: str, number: int) -> None:
            super().__init__()
            self.rule = rule
            self.number = number

    class Closed(Message):
        """Back to the list."""

    def __init__(
        self, journal: "Journal", exchanges: "Exchanges", *, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self._journal = journal
        self._rule = Rule(id="detail-rule")
        self.body = BodyView(id="detail-body", own_modes=False)
        """The text."""
        self._exchanges = exchanges
        self.findings_at: Callable[[int], Sequence[Finding]] = _none_at
        """What is wrong with an entry."""
        self._findings: Sequence[Finding] = ()
        self._owners: Mapping[int, Finding] = {}
        self._number: int | None = None
        self._wanted: DetailView = "pretty"
        self._view: DetailView = "pretty"
        self._views: tuple[DetailView, ...] = ("pretty",)
        self._members: tuple[int, ...] = ()
        self._marked: int | None = None
        self._causes: CausesDocument | None = None
        self._seen = 0
        self._ticks = 0
        self._look_at = 0

    def compose(self) -> ComposeResult:
        """A heading and the body."""
        yield self._rule
        yield self.body

    @property
    def number(self) -> int | None:
        """The entry shown."""
        return self._number

    @property
    def view(self) -> DetailView:
        """The view shown."""
        return self._view

    def show_entry(self, number: int) -> None:
        """Show entry `number`."""
        if number != self._number:
            self._number = number
            self._refill()

    def tick(self) -> None:
        """The exchange may have grown."""
        self._rule.light(self.has_focus_within)
        self._ticks += 1
        if self._number is None or self._ticks < self._look_at:
            return
        begun = monotonic()
        self._look(self._number)
        spent = monotonic() - begun
        self._look_at = self._ticks + max(LOOK_EVERY, int(spent * REST))

    def _look(self, number: int) -> None:
        if len(self.findings_at(number)) != len(self._findings):
            self._findings_changed(number)
        length = len(self._journal)
        if length == self._seen:
            return
        self._seen = length
        if self._view == "causes":
            self._fill_causes(number)
        elif self._view == "exchange" and self._exchanges.of(number) != self._members:
            self._refill()

    def show_view(self, view: DetailView) -> None:
        """Show a view where the entry has it; it is kept from entry to entry."""
        self._wanted = view
        self._refill()

    def compare_with(self, marked: int) -> None:
        """Show where the entry differs from another; further entries are compared with it too."""
        self._marked = marked
        self.show_view("diff")

    def action_next_view(self) -> None:
        """v"""
        place = self._views.index(self._view) + 1
        self._wanted = self._views[place % len(self._views)]
        self._refill()

    def action_close(self) -> None:
        """Escape"""
        self.post_message(self.Closed())

    def action_neighbour(self, step: int) -> None:
        """J and K"""
        number = (self._number or 0) + step
        if 1 <= number <= len(self._journal):
            self.post_message(self.Goto(number))

    @on(BodyView.Opened)
    def _follow_line(self, event: BodyView.Opened) -> None:
        """Enter on a heading of the exchange goes to that entry, on a finding to all like it."""
        event.stop()
        if self._view == "findings":
            finding = self._owners.get(event.line)
            if finding is not None and self._number is not None:
                self.post_message(self.FindingChosen(finding.rule, self._number))
            return
        if event.entry is not None:
            self.post_message(self.Goto(event.entry))

    def _refill(self) -> None:
        number = self._number
        if number is None:
            return
        row = self._journal.row(number)
        self._members = self._exchanges.of(number)
        self._findings = self.findings_at(number)
        self._views = self._views_of(row)
        self._view = self._wanted if self._wanted in self._views else self._views[0]
        self._fill(row)
        self._retitle(row)

    def _views_of(self, row: Row) -> tuple[DetailView, ...]:
        views: list[DetailView] = []
        if row.kind.is_frame and row.kind is not Kind.MALFORMED:
            views.append("pretty")
        elif row.kind in (Kind.EVENT, Kind.NOTE):
            views.append("facts")
        elif row.kind is Kind.HTTP:
            views.append("http")
        views += ["raw", "hex"]
        if row.http is not None and row.kind is not Kind.HTTP:
            views.append("http")
        if len(self._members) > 1:
            views.append("exchange")
        if len(self._members) > 1 or row.kind.is_frame:
            views.append("causes")
        if self._findings:
            views.append("findings")
        if self._marked not in (None, row.number):
            views.append("diff")
        return tuple(views)

    def _fill(self, row: Row) -> None:
        body, journal = self.body, self._journal
        match self._view:
            case "pretty" | "raw" | "hex":
                body.set_bytes(journal.body(row.number), mode=self._view)
                if self._view == "pretty" and self._findings:
                    self._mark(row.number)
            case "http":
                number = row.number if row.kind is Kind.HTTP else row.http or row.number
                body.set_document(TextDocument(http_lines(journal, number)), journal.body(number))
            case "facts":
                raw = journal.body(row.number)
                body.set_document(TextDocument(fact_lines(raw)), raw)
            case "causes":
                self._fill_causes(row.number)
            case "diff" if self._marked is not None:
                from inspector.tui.entry_diff import diff_lines

                lines, entries = diff_lines(journal, self._marked, row.number)
                raw = "\n".join(line.plain for line in lines).encode()
                body.set_document(TextDocument(lines), raw, entries=entries)
            case "findings":
                self._fill_findings(row.number)
            case "exchange":
                lines, entries = exchange_lines(journal, self._members)
                body.set_document(TextDocument(lines), journal.body(row.number), entries=entries)

    def _findings_changed(self, number: int) -> None:
        """More is known about the entry; what is being read stays."""
        self._findings = self.findings_at(number)
        row = self._journal.row(number)
        self._views = self._views_of(row)
        if self._view == "findings":
            line = self.body.cursor
            self._fill_findings(number)
            self.body.go_to(line)
        self._retitle(row)

    def _fill_findings(self, number: int) -> None:
        from inspector.tui.entry_findings import finding_lines

        lines, self._owners = finding_lines(self._findings, number, self.body.body_width)
        document = TextDocument(lines)
        raw = "\n".join(line.plain for line in lines).encode()
        self.body.set_document(document, raw, entries=dict.fromkeys(self._owners, number))

    def _mark(self, number: int) -> None:
        """The place that the gravest finding blames."""
        from inspector.tui.entry_findings import pointer_of

        if pointer := pointer_of(self._findings, number):
            self.body.mark_pointer(pointer)

    def _fill_causes(self, number: int) -> None:
        """The tree of the call; what is folded, and the cursor, stay while it grows."""
        journal, before = self._journal, self._causes
        tree = causality(journal, number)
        if before is not None and self.body.document is before and before.tree == tree:
            return
        self._causes = document = CausesDocument(journal, tree, number)
        same = before is not None and before.tree.number == tree.number
        if before is not None and same:
            document.keep_open(before)
        grown = same and self.body.document is before
        line = self.body.cursor if grown else document.here_line
        raw = causality_text(journal, number).encode()
        self.body.set_document(document, raw, entries=document.entries)
        self.body.go_to(line)

    def _retitle(self, row: Row) -> None:
        title = Text(end="")
        title.append(f"#{row.number} {ARROWS[row.direction]} ", "mcp.primary")
        suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
        title.append(one_line(row.method or row.kind.name.lower(), 40) + suffix)
        if name := self._journal.name(row.number):
            title.append(" " + one_line(name, 30), "mcp.accent")
        ident = id_text(self._journal, row)
        tail = [one_line(f"id {ident}", 14)] if ident else []
        title.append(" · " + " · ".join([*tail, byte_size(row.size)]), "mcp.dim")
        facts = Text(end="")
        for view in self._views:
            many = f" {len(self._findings)}" if view == "findings" else ""
            facts.append(f" {_TITLES[view]}{many} ", "mcp.tab" if view == self._view else "mcp.dim")
        self._rule.show(title=title, facts=facts)


def _none_at(_: int) -> "Sequence[Finding]":
    return ()
