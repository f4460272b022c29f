"""The findings of `mcp-inspect lint` for people: by severity and rule, with the page of each.

Decides what of many is shown and how an entry is told in a few words. All text of a server passes
`inspector.render.safe`. What a finding is, and what a report has, is decided elsewhere.
"""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.cli.lint_report import Report, page_url
from inspector.cli.output import Paragraph
from inspector.journal.entries import Direction, Kind, Row
from inspector.journal.gist import gist
from inspector.lint.rule import Finding, Rule, Severity
from inspector.protocol.json_pointer import steps_of
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import Json
from inspector.render.safe import one_line, safe_text, shown_text
from inspector.render.values import shown_json

if TYPE_CHECKING:
    from inspector.cli.output import Part
    from inspector.journal.journal import Journal

SHOWN: Final = 3
"""Findings of one rule that are shown; the other forms have all."""
VALUE_CELLS: Final = 60
GIST_CELLS: Final = 44
READ_LIMIT: Final = 4 * 1024 * 1024
"""Bodies longer than this are not opened for the value at a pointer."""
HOSTS: Final = "host/"
"""How the ids of rules begin that are about hosts, and no violations."""
INK: Final = {Severity.ERROR: "mcp.error", Severity.WARN: "mcp.warn", Severity.INFO: "mcp.accent"}
WORDS: Final = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "remark"}
_ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}


def drawn(report: Report) -> "list[Part]":
    """The findings, a summary, and what was not looked at."""
    own = [one for one in report.findings if not one.rule.startswith(HOSTS)]
    hosts = [one for one in report.findings if one.rule.startswith(HOSTS)]
    parts: list[Part] = []
    for severity in Severity:
        parts += _groups(report, [one for one in own if one.severity is severity])
    if hosts:
        parts.append(Text("portability between hosts (no violations)", style="mcp.title"))
        parts += _groups(report, hosts)
    parts += [_summary(report, len(hosts)), *_not_exercised(report)]
    return parts


def _groups(report: Report, found: Sequence[Finding]) -> "Iterable[Part]":
    for name in dict.fromkeys(one.rule for one in found):
        yield from _group(report, [one for one in found if one.rule == name])


def _group(report: Report, found: Sequence[Finding]) -> "Iterable[Part]":
    first = found[0]
    head = Text(f"{first.severity.value:<6}", style=INK[first.severity])
    head.append(first.rule, "mcp.title")
    further = report.more.get(first.rule, 0)
    if len(found) + further > 1:
        head.append(f"  ×{len(found) + further}", "mcp.dim")
    row = report.rules.get(first.rule)
    yield Paragraph(Text(row.title if row is not None else "", style=""), 6, _led(head))
    # Never wrapped, so that a terminal knows it for an address.
    yield Text(f"{' ' * 6}{page_url(first.page, first.revision)}", style="mcp.dim")
    for one in found[:SHOWN]:
        yield from _one(report.journal, one)
    if len(found) > SHOWN:
        has = "most" if further else "them"
        more = f"and {len(found) + further - SHOWN} more; --json has {has}"
        yield Paragraph(Text(more, style="mcp.dim"), 6)
    yield Text("")


def _led(head: Text) -> Text:
    """The head of a group stands in a line of its own."""
    return head.append("\n      ")


def _one(journal: "Journal", one: Finding) -> "Iterable[Part]":
    yield Paragraph(_place(journal, one), 6)
    yield Paragraph(safe_text(one.message, keep_newlines=False), 8)
    if value := _value_at(journal, one):
        yield Paragraph(shown_text(value, "mcp.dim"), 8)


def _place(journal: "Journal", one: Finding) -> Text:
    """Where it is: the entry, what that is in a few words, and the pointer into it."""
    if not one.entries:
        return Text("the session as a whole", style="mcp.key")
    number = one.entries[0]
    text = Text(f"#{number} ", style="mcp.key")
    text.append_text(shown_text(told(journal, number)))
    if one.pointer:
        text.append("  ")
        text.append_text(safe_text(one.pointer, "mcp.accent", keep_newlines=False))
    return text


def told(journal: "Journal", number: int) -> str:
    """An entry in a few visible words: direction, method, what it names, what it says."""
    row = journal.row(number)
    kind = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
    words = [
        _ARROWS[row.direction],
        one_line(row.method or row.kind.name.lower(), GIST_CELLS) + kind,
    ]
    if name := _name(journal, row):
        words.append(name)
    elif said := gist(journal, row):
        words.append(one_line(said, GIST_CELLS))
    return " ".join(words)


def _name(journal: "Journal", row: Row) -> str:
    if row.kind in (Kind.STDERR, Kind.EVENT, Kind.HTTP, Kind.MALFORMED, Kind.BATCH):
        return ""
    return one_line(journal.name(row.number), GIST_CELLS)


def _value_at(journal: "Journal", one: Finding) -> str:
    """The value that a pointer leads to, visible, on one line; "" where there is none."""
    if not one.entries or not one.pointer or journal.row(one.entries[0]).size > READ_LIMIT:
        return ""
    try:
        here: Json = parse_json(journal.body(one.entries[0]))
    except NotJsonError:
        return ""
    for key in steps_of(one.pointer):
        if isinstance(here, dict) and key in here:
            here = here[key]
        elif isinstance(here, list) and key.isdecimal() and int(key) < len(here):
            here = here[int(key)]
        else:
            return ""
    return one_line(shown_json(here).decode("utf-8", "replace"), VALUE_CELLS)


def _summary(report: Report, hosts: int) -> "Part":
    """How many there are of what, under which revision."""
    own = dict(report.counts)
    counted = [
        f"{own[severity]} {WORDS[severity]}{'' if own[severity] == 1 else 's'}"
        for severity in Severity
        if own.get(severity)
    ]
    worst = next((severity for severity in Severity if own.get(severity)), None)
    cut = report.failure is not None
    ink = INK[worst] if worst else "mcp.warn" if cut else "mcp.ok"
    text = Text(", ".join(counted) or "nothing found", style=ink)
    if cut:
        text.append(", and not everything could be looked at", "mcp.warn")
    if hosts:
        text.append(f" ({hosts} on portability)", "mcp.dim")
    spoken = report.revision.value if report.revision else "no session"
    plural = "entry" if report.entries == 1 else "entries"
    text.append(f"  {spoken}, {report.entries} {plural}", "mcp.dim")
    return Paragraph(text)


def _not_exercised(report: Report) -> "Iterable[Part]":
    lines = (
        ("not offered by the server", report.undeclared),
        ("offered, but no result was seen of", report.unseen),
        ("rules that need --active", report.idle),
    )
    told_any = [(words, names) for words, names in lines if names]
    if told_any:
        yield Text("not looked at:", style="mcp.dim")
    for words, names in told_any:
        lead = Text(f"  {words}: ", style="mcp.dim")
        yield Paragraph(Text(", ".join(names), style="mcp.dim"), lead.cell_len, lead)


# -- the catalogue --


def catalogue(rules: Sequence[Rule]) -> "list[Part]":
    """Every rule: its id, how grave it is where, its title and page."""
    parts: list[Part] = []
    for row in rules:
        head = Text(row.id, style="mcp.title")
        head.append(f"  {graveness(row)}", "mcp.warn" if not row.active else "mcp.accent")
        if row.active:
            head.append("  needs --active", "mcp.accent")
        parts.append(head)
        parts.append(Paragraph(Text(row.title), 2))
        parts.append(Text(f"  {_pages(row)}", style="mcp.dim"))
    return parts


def graveness(row: Rule) -> str:
    """Its severities with the revisions in which they hold, in one line."""
    told_of = []
    for severity in Severity:
        held = sorted(rev.value for rev, one in row.severities.items() if one is severity)
        if held:
            told_of.append(f"{severity.value} {', '.join(held)}")
    return "; ".join(told_of)


def _pages(row: Rule) -> str:
    newest = max(row.severities, default=None)
    return page_url(row.page_in(newest) if newest else row.page, newest)
