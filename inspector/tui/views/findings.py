"""The Findings tab: what the linter has to say about this session, by rule, the gravest first.

Decides what is listed and where keys lead: to the guilty entry, to its rule in the traffic, to the
page of the specification. What a finding is, is decided by `inspector.lint`; order and filter by
`inspector.tui.finding_index`.
"""

from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.message import Message
from textual.widgets import Input

from inspector.errors import InspectorError
from inspector.lint.catalog import RULES
from inspector.lint.rule import Finding, Severity
from inspector.render.safe import one_line
from inspector.tui.bindings import bindings_for
from inspector.tui.documents import TextDocument
from inspector.tui.finding_index import FindingIndex, FindingLine, MoreLine, key_of
from inspector.tui.finding_lines import (
    detail_lines,
    draw_line,
    finding_text,
    head_facts,
    page_url,
)
from inspector.tui.judging import judged_words
from inspector.tui.views.base import View
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.rows import RowList
from inspector.tui.widgets.rule import Rule
from inspector.tui.widgets.text_box import TextBox

if TYPE_CHECKING:
    from inspector.lint.judge import Judge

SIDE_BY_SIDE = 110
AGAIN = 0.05
"""Seconds until more of a flood of findings is taken."""


class FindingBody(BodyView):
    """The finding in full; its lines are broken at the width."""

    class Resized(Message):
        """The width is another one."""

    def on_resize(self) -> None:
        """Tells the view."""
        super().on_resize()
        self.post_message(self.Resized())


class FindingsView(View):
    """The list, and the finding under the cursor in full."""

    TOPICS: ClassVar[tuple[str, ...]] = ("findings", "journal", "state")
    HELP: ClassVar[str] = (
        "What breaks the specification of the revision that is spoken, a line a rule: ✗ a MUST "
        "that is broken, ! a SHOULD, i something worth knowing. Space shows the findings of a "
        "rule one by one.\n\n"
        "Enter goes to the guilty entry in the traffic, with the place marked; t shows all entries "
        "that break this rule. e, w and i show or hide errors, warnings and remarks. / keeps what "
        "has all the words; severity:warn and rule:tools/* are understood there.\n\n"
        "o opens the page of the specification in the browser, y copies its address, Y the whole "
        "finding. c shows what was not tried yet."
    )
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("findings")]
    DEFAULT_CSS = """
    FindingsView {
        layout: vertical;
        & #finding-filter {
            height: 1; border: none; padding: 0 1; display: none; background: $background;
        }
        & #finding-filter.-open { display: block; }
        & #finding-split { layout: vertical; height: 1fr; }
        & #finding-list { height: 2fr; min-height: 3; }
        & #finding-detail { height: 3fr; min-height: 3; }
        & #finding-body { padding: 0 0 0 1; }
        &.-wide #finding-split { layout: horizontal; }
        &.-wide #finding-list { width: 3fr; height: 1fr; }
        &.-wide #finding-detail { width: 2fr; height: 1fr; }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._index = FindingIndex()
        self._judge: Judge | None = None
        self._shown: tuple[Finding | None, int] | None = None
        self._wanted: tuple[int, str] | None = None

    def compose(self) -> ComposeResult:
        """Heading, filter, list, and the finding under the cursor."""
        yield Rule("findings", id="finding-rule")
        yield TextBox(placeholder="words  severity:warn  rule:tools/*", id="finding-filter")
        with Container(id="finding-split"):
            yield RowList[FindingLine](draw_line, key=key_of, id="finding-list")
            with Vertical(id="finding-detail"):
                yield Rule("finding", id="finding-body-rule")
                yield FindingBody(own_modes=False, empty="Nothing is selected", id="finding-body")

    @property
    def lines(self) -> "RowList[FindingLine]":
        """The list."""
        return self.query_one("#finding-list", RowList)

    @property
    def finding(self) -> Finding | None:
        """The finding under the cursor."""
        line = self.lines.current
        return None if line is None else line.finding

    def focus_first(self) -> None:
        """The list, not the box for words."""
        self.lines.focus()

    def on_resize(self) -> None:
        """Side by side where there is room."""
        self.set_class(self.size.width >= SIDE_BY_SIDE, "-wide")

    @on(FindingBody.Resized)
    def _another_width(self) -> None:
        self._show_finding()

    def show_changes(self, topics: frozenset[str]) -> None:
        """Takes what is new."""
        judge = self.bench.judge
        if judge is not self._judge:
            self._judge, self._index = judge, FindingIndex()
        new = judge is not None and self._index.catch_up(judge.findings)
        if judge is not None and self._index.taken < len(judge.findings):
            self.set_timer(AGAIN, lambda: self.show_changes(frozenset()))
        if new or topics == frozenset(self.TOPICS):
            self._relist()
        self._head()
        if self._wanted is not None:
            self.show_at(*self._wanted)

    def show_at(self, number: int, rule: str) -> None:
        """Puts the cursor on the finding of `rule` ("": any) about entry `number`, as soon as there
        is one; a filter that hides it is taken away."""
        found = self._index.find(number, rule)
        if found is None and (self._index.text or self._index.hidden):
            self.query_one("#finding-filter", Input).value = ""
            self._index.choose(text="", hidden=frozenset())
            found = self._index.find(number, rule)
        self._wanted = None if found is not None else (number, rule)
        if found is not None:
            finding, key = found
            if finding.severity in self._index.hidden:
                self._index.choose(hidden=self._index.hidden - {finding.severity})
            if len(key) > 2:
                self._index.open(finding.rule, finding.severity)
            self._relist()
            self.lines.select(key)
            self._show_finding()

    # -- keys -----------------------------------------------------------------------------------

    @on(RowList.Highlighted, "#finding-list")
    def _moved(self) -> None:
        self._show_finding()

    @on(RowList.Selected, "#finding-list")
    def _chosen(self) -> None:
        match self.lines.current:
            case None:
                return
            case MoreLine():
                self.action_traffic()
            case line:
                self._go(line.finding, line.finding.entries[0])

    @on(BodyView.Opened, "#finding-body")
    def _entry_chosen(self, event: BodyView.Opened) -> None:
        event.stop()
        if event.entry is not None and (finding := self.finding) is not None:
            self._go(finding, event.entry)

    def _go(self, finding: Finding, number: int) -> None:
        if not 1 <= number <= len(self.bench.journal):
            return
        guilty = number == finding.entries[0]
        if (main := self.inspector.main) is not None:
            main.show_entry_at(number, finding.pointer if guilty else "")

    def action_fold(self) -> None:
        """Space"""
        if (line := self.lines.current) is not None:
            key = key_of(line)
            self._index.fold(key)
            self._relist()
            self.lines.select(key[:2])

    def action_sift(self, severity: str) -> None:
        """e, w and i"""
        self._index.choose(hidden=self._index.hidden ^ {Severity(severity)})
        self._relist()
        self._head()

    def action_filter(self) -> None:
        """/"""
        box = self.query_one("#finding-filter", Input)
        box.add_class("-open")
        box.focus()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Escape is left to others where there is nothing to close."""
        if action == "close" and self.is_mounted:
            return self.query_one("#finding-filter", Input).has_class("-open")
        return super().check_action(action, parameters)

    def action_close(self) -> None:
        """Escape"""
        box = self.query_one("#finding-filter", Input)
        box.value = ""
        box.remove_class("-open")
        self.lines.focus()

    @on(Input.Changed, "#finding-filter")
    def _words(self, event: Input.Changed) -> None:
        event.stop()
        self._index.choose(text=event.value)
        self._relist()
        self._head()

    @on(Input.Submitted, "#finding-filter")
    def _words_kept(self, event: Input.Submitted) -> None:
        event.stop()
        if not event.value.strip():
            self.query_one("#finding-filter", Input).remove_class("-open")
        self.lines.focus()

    def action_traffic(self) -> None:
        """t"""
        if (finding := self._for_key()) is not None:
            self.inspector.filter_traffic(f"rule:{finding.rule}")

    def action_copy_page(self) -> None:
        """y"""
        if (finding := self._for_key()) is not None:
            self.inspector.copy(page_url(finding))

    def action_copy_finding(self) -> None:
        """Y"""
        if (finding := self._for_key()) is not None:
            self.inspector.copy(finding_text(finding, self.bench.journal))

    @work
    async def action_open_page(self) -> None:
        """o"""
        from inspector.transport.browser import open_page

        if (finding := self._for_key()) is None:
            return
        try:
            await open_page(page_url(finding))
        except InspectorError as error:
            self.inspector.notify_safe(f"{error.message}. {error.hint}", severity="error")

    def action_coverage(self) -> None:
        """c"""
        if (main := self.inspector.main) is not None:
            main.action_coverage()

    def _for_key(self) -> Finding | None:
        if (finding := self.finding) is None:
            self.inspector.notify_safe("There is no finding under the cursor")
        return finding

    def quiet_actions(self) -> frozenset[str]:
        """What the footer does not offer while there is no finding."""
        return frozenset() if self.lines.current else frozenset({"traffic", "open_page", "filter"})

    # -- inside ---------------------------------------------------------------------------------

    def _relist(self) -> None:
        rows = self.lines
        before, empty = rows.cursor - rows.top, not rows.items
        more = self._judge.more if self._judge is not None else {}
        rows.set_items(self._index.lines(more))
        if not empty:  # what is new above pushes nothing away from under the eye
            rows.scroll_lines_to(rows.cursor - before)
        self._show_finding()

    def _head(self) -> None:
        judge, journal = self._judge, self.bench.journal
        if judge is None:
            self.lines.set_empty("The rules are being loaded: nothing is judged yet")
            return
        counts = {severity: judge.count(severity) for severity in Severity}
        words = judged_words(self.bench)
        self.query_one("#finding-rule", Rule).show(
            facts=head_facts(counts, self._index.hidden, words)
        )
        if judge.version:
            self.lines.set_empty(
                "Everything is filtered out: Esc clears the words, e w i show again"
            )
        elif not judge.judged:
            self.lines.set_empty("Nothing has happened yet that could be judged")
        else:
            self.lines.set_empty(
                f"{judge.judged:,} entries judged by {len(RULES)} rules, nothing found"
                + (f" so far ({len(journal):,} there are)" if words else "")
            )

    def _show_finding(self) -> None:
        finding, body = self.finding, self.query_one("#finding-body", BodyView)
        width = max(20, body.body_width - 1)
        if self._shown == (finding, width):
            return
        self._shown = finding, width
        rule = self.query_one("#finding-body-rule", Rule)
        if finding is None:
            body.set_bytes(b"")
            rule.show(title=Text("finding"), facts=Text())
            return
        lines, entries = detail_lines(finding, self.bench.journal, width)
        plain = finding_text(finding, self.bench.journal)
        body.set_document(TextDocument(lines), plain.encode(), entries=entries)
        rule.show(title=Text(one_line(finding.rule, 40)))
