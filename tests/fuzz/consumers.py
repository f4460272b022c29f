"""Everything that reads a recording, each as one call: what may come out of it is its result, or
the error that it documents."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from rich.text import Text

from inspector.cli.lint_formats import as_json, as_junit, as_sarif
from inspector.cli.lint_output import drawn
from inspector.cli.lint_report import Wanted, report
from inspector.cli.output import Paper
from inspector.compare.recordings import compare_recordings
from inspector.config.targets import Target
from inspector.errors import UsageError
from inspector.export.formats import FORMATS
from inspector.export.redaction import Redaction
from inspector.export.rules import parse_rules
from inspector.export.source import Source, select
from inspector.forms.schema import Schemas
from inspector.forms.values import FormState
from inspector.journal.causality import causality
from inspector.journal.causality_mermaid import causality_mermaid
from inspector.journal.causality_text import causality_text
from inspector.journal.coverage import Coverage
from inspector.journal.coverage_items import coverage_items, tried_of
from inspector.journal.entries import Kind
from inspector.journal.exchanges import Exchanges
from inspector.journal.hanging import diagnose
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.method_counts import MethodCounts
from inspector.journal.query import compile_filter
from inspector.journal.stepping import line_of_place, marked_between, read_place, wrong_between
from inspector.lint.judge import Judge
from inspector.lint.rule import Severity
from inspector.past.bench import Past
from inspector.protocol.messages import encode_json
from inspector.render.comparison import comparison_lines
from inspector.render.content import message_blocks, resource_blocks, result_blocks
from inspector.render.jsonlines import JsonLines
from inspector.tui.ask_text import heading, list_line, question
from inspector.tui.capability_rows import capability_rows
from inspector.tui.causes import CausesDocument
from inspector.tui.documents import HexDocument, JsonDocument, RawDocument
from inspector.tui.entry_diff import diff_lines
from inspector.tui.entry_findings import finding_lines, pointer_of
from inspector.tui.facts import exchange_lines, fact_lines, http_lines
from inspector.tui.finding_index import FindingIndex
from inspector.tui.finding_lines import detail_lines, finding_text
from inspector.tui.finding_lines import draw_line as draw_finding
from inspector.tui.hanging_lines import diagnosis_text, hanging_lines
from inspector.tui.log_index import LogIndex
from inspector.tui.open_rows import draw_open, open_lines
from inspector.tui.server_rows import draw_line, server_lines
from inspector.tui.traffic_index import TrafficIndex
from inspector.tui.traffic_row import columns_for, draw_row
from inspector.tui.waterfall import axis_of, bar_of
from inspector.tui.waterfall import drawn as drawn_bar
from inspector.tui.widgets.form_lines import FormView, lay_out
from inspector.tui.widgets.result_lines import outcome_blocks, progress_line, say_outcome
from inspector.workbench import Workbench

Consumer = Callable[[Journal, Path], None]
ORIGINALS: Final = Path(__file__).parent.parent / "recordings"
FILTERS: Final = (
    "is:error|pending|late|orphan|lint|noted", "name:add rule:rpc/*", "after:12:01 before:23:59",
    "-kind:event ms>500 size>10k", "/a.*b/i | text:refused", "$.params.arguments.a=2 id:7",
    "$.result.content[*].text~a | $.params.name | $.error.code<0", "status:4xx", "ms:100..200",
)  # fmt: skip
REDACTIONS: Final = ("key=name", "path=$.params.arguments", "value=weather", "regex=[0-9]{4,}")
EACH: Final = 25
"""Entries at which those are tried that look at one."""


def _some(journal: Journal) -> range:
    return range(1, len(journal) + 1, max(1, len(journal) // EACH))


def judged(journal: Journal, path: Path) -> None:
    """The linter, and its report in every form."""
    found = report(journal, Wanted(()), str(path), recording=path, portable=True)
    json.loads(encode_json(as_json(found)))
    json.loads(encode_json(as_sarif(found, "1")))
    ElementTree.fromstring(as_junit(found, Severity.WARN))
    paper = Paper(is_terminal=True)
    for part in drawn(found):
        paper.print(part)


def findings(journal: Journal, _: Path) -> None:
    """The Findings tab, and what an entry says of them."""
    judge, index = Judge(journal), FindingIndex()
    judge.finish()
    index.catch_up(judge.findings)
    for line in index.lines(judge.more):
        draw_finding(line, 80)
    for one in judge.findings[:EACH]:
        detail_lines(one, journal, 60)
        finding_text(one, journal)
        finding_lines(judge.at(one.entries[0]), one.entries[0], 60)
        pointer_of(judge.at(one.entries[0]), one.entries[0])


def travelled(journal: Journal, _: Path) -> None:
    """Every screen of the past, as of every entry."""
    live = Workbench(Target(name="live"), journal=journal)
    past = Past(live)
    past.advance(limit=1_000_000)
    counts = MethodCounts(journal)
    for number in (0, *_some(journal), len(journal)):
        scene = past.at(number)
        session = scene.session
        now = journal.clock.monotonic()
        if scene.current is not None:
            counts.catch_up(scene.current.number, 1_000_000)
        opened = open_lines(scene)
        for line in opened:
            draw_open(line, 60)
        for row in server_lines(session, session.advertise, counts.by_method(), opened, past=True):
            draw_line(row, 80)
        capability_rows("server", session.state.capabilities, None, {})
        for ask in session.inbox.asks:
            heading(ask, session, now)
            list_line(ask, 80, now)
            question(ask)
        for call in session.calls:
            say_outcome(Text(), call, Text("x"))
            progress_line(call, 60)
            for blocks in (result_blocks, resource_blocks, message_blocks):
                outcome_blocks(call.outcome, blocks)
        for listed in session.catalog.lists.values():
            list(map(str, listed.items))


def forms(journal: Journal, _: Path) -> None:
    """A form for each tool of the last catalog."""
    from inspector.forms.tree import build_form

    past = Past(Workbench(Target(name="live"), journal=journal))
    for item in past.at(len(journal)).session.catalog["tools"].items:
        if not isinstance(item, dict):
            continue
        state = FormState(build_form(item.get("inputSchema")))
        lay_out(state, FormView())
        Schemas(item.get("inputSchema"))


def traffic(journal: Journal, _: Path) -> None:
    """The traffic list with its bars, at three widths; the detail of entries."""
    index = TrafficIndex(journal)
    while index.behind:
        index.advance(1.0)
    shown = [index[line] for line in range(len(index))]
    for width in (40, 80, 140):
        columns, axis = columns_for(width, 4), axis_of(journal, shown, 20)
        for number in shown:
            row = journal.row(number)
            draw_row(journal, row, columns, journal.clock.monotonic())
            if (bar := bar_of(journal, row, axis)) is not None:
                drawn_bar(bar, 20)
    exchanges = Exchanges(journal)
    for number in _some(journal):
        exchange_lines(journal, exchanges.of(number))
        body = journal.body(number)
        if journal.row(number).kind is Kind.HTTP:
            http_lines(journal, number)
        fact_lines(body)
        diff_lines(journal, 1, number)
        document = JsonDocument(JsonLines(body))
        document.fold_all()
        for one in (document, RawDocument(body, 60), HexDocument(body, 16)):
            for line in range(min(one.count(), 3)):
                one.line(line, 0, 60)
            one.find("a", 0, 1)
        document.pointed("/params/name")
        journal.event_of(number)


def caused(journal: Journal, _: Path) -> None:
    """The tree of calls, in each form."""
    for number in _some(journal):
        causality_text(journal, number)
        document = CausesDocument(journal, causality(journal, number), number)
        document.fold_all()
        exchanges = Exchanges(journal)
        exchanges.leg(number)
        exchanges.root(number)
    causality_mermaid(journal, range(1, len(journal) + 1))


def covered(journal: Journal, _: Path) -> None:
    """What was tried, and why nothing happens."""
    coverage = Coverage(journal)
    while not coverage.advance():
        pass
    coverage.settled()
    tried_of(coverage_items(coverage))
    found = diagnose(journal, journal.clock.monotonic())
    hanging_lines(found, 80)
    diagnosis_text(found)


def logged(journal: Journal, _: Path) -> None:
    """The Logs tab."""
    index = LogIndex(journal)
    index.choose(least=1)
    while index.behind:
        index.catch_up()


def stepped(journal: Journal, _: Path) -> None:
    """Steps and places."""
    index = TrafficIndex(journal)
    while index.behind:
        index.advance(1.0)
    for look in (wrong_between(journal), marked_between(journal)):
        look(1, len(journal) + 1)
    for place in ("50%", "+1s", "-10", "12:00:00", str(len(journal))):
        try:
            line_of_place(journal, index, 1, read_place(place))
        except UsageError:
            continue
        except Exception as error:
            if type(error).__name__ != "WrongPlaceError":
                raise


def asked(journal: Journal, _: Path) -> None:
    """Every filter, over all entries."""
    for text in FILTERS:
        for part in compile_filter(text).scan(journal):
            list(part)


def exported(journal: Journal, path: Path) -> None:
    """Every format, with and without something to redact; what opens again opens again."""
    for one in FORMATS:
        for rules in ((), REDACTIONS):
            source = Source(journal, select(journal, ""), Redaction(parse_rules(rules, {})))
            try:
                text = b"".join(one.write(source))
            except UsageError as error:
                if error.kind != "nothing":
                    raise
                continue
            match one.name:
                case "json" | "har":
                    json.loads(text, parse_int=str)
                case "pytest":
                    compile(text, "exported.py", "exec")
                case "jsonl":
                    again = path.with_suffix(".again")
                    again.write_bytes(text)
                    reopened = load_recording(again)
                    assert (len(reopened), reopened.dropped_bytes) == (len(journal), 0)
                    reopened.close()
                    again.unlink()
                case _:
                    text.decode()


def compared(journal: Journal, path: Path) -> None:
    """The recording beside the one that it was made from."""
    original = load_recording(ORIGINALS / path.name)
    for left, right in ((journal, original), (original, journal)):
        for line in comparison_lines(compare_recordings(left, right)):
            assert line.text is not None
    original.close()


CONSUMERS: Final[tuple[Consumer, ...]] = (
    judged, findings, travelled, forms, traffic, caused, covered, logged, stepped, asked, exported,
    compared,
)  # fmt: skip
