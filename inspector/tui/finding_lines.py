"""How findings look: a line of the list, and the whole of one with the place in the guilty body.

What is listed is decided by `inspector.tui.finding_index`. Messages quote what a server sent, so
everything goes through `render.safe`.
"""

import textwrap
from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.journal.entries import Kind
from inspector.lint.catalog import RULES
from inspector.lint.rule import Finding, Severity
from inspector.render.jsonlines import JsonLines
from inspector.render.pointed import line_of
from inspector.render.safe import one_line, shown_text, visible
from inspector.tui.finding_index import FindingLine, GroupLine, MemberLine, MoreLine
from inspector.tui.traffic_row import ARROWS

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

SIGNS: Final = {
    Severity.ERROR: ("✗", "mcp.error"),
    Severity.WARN: ("!", "mcp.warn"),
    Severity.INFO: ("i", "mcp.dim"),
}
"""Told apart by their shape, so that colours are not needed."""
WORDS: Final = {Severity.ERROR: "error", Severity.WARN: "warning", Severity.INFO: "remark"}
SITE: Final = "https://modelcontextprotocol.io/specification"
ENTRIES_SHOWN: Final = 8
BEFORE: Final = 4
AFTER: Final = 8
"""Lines of the body around the place."""
BODY_LIMIT: Final = 1024 * 1024
RULE_CELLS: Final = 30
WIDE: Final = 90


def page_url(finding: Finding) -> str:
    """The page of the specification, of the revision that the finding is judged by."""
    return f"{SITE}/{finding.revision.value}/{finding.page}"


def draw_line(line: FindingLine, width: int) -> Text:
    """One line of the list."""
    text = Text(end="", no_wrap=True)
    match line:
        case GroupLine(group, opened, count, finding):
            sign, ink = SIGNS[group.severity]
            text.append(f" {sign} ", ink)
            fold = " " if count == 1 else "▾" if opened else "▸"
            text.append(f"{fold} ", "mcp.dim")
            rule_cells = min(RULE_CELLS, max(14, width * 2 // 5))
            times = f" ×{count:,}" if count > 1 else ""
            text.append(one_line(group.rule, rule_cells - len(times)), "mcp.title")
            text.append(times, "mcp.badge")
            text.append(" " * (5 + rule_cells + 1 - text.cell_len))
            if opened:
                return text
            _entry(text, finding, width)
        case MemberLine(finding, _):
            text.append("     ")
            _entry(text, finding, width)
        case MoreLine(_, count):
            text.append(f"     … {count:,} more; the traffic's filter shows them all", "mcp.dim")
    return text


def _entry(text: Text, finding: Finding, width: int) -> None:
    if width >= WIDE:
        text.append(f"{finding.revision.value} ", "mcp.dim")
    text.append(f"#{finding.entries[0]:<4} ", "mcp.primary")
    if (room := width - text.cell_len) > 1:
        text.append(one_line(finding.message, room))


def detail_lines(
    finding: Finding, journal: "Journal", width: int
) -> tuple[list[Text], dict[int, int]]:
    """The whole finding, and which of the lines stand for an entry."""
    lines: list[Text] = []
    entries: dict[int, int] = {}
    sign, ink = SIGNS[finding.severity]
    words = textwrap.wrap(visible(finding.message), max(20, width - 2)) or [""]
    lines += [shown_text(one, "mcp.title") for one in words]
    head = Text(end="", no_wrap=True)
    head.append(f"{sign} {WORDS[finding.severity]}", ink)
    head.append(f"  judged by {finding.revision.value}  ", "mcp.dim")
    head.append_text(
        shown_text(one_line(finding.rule, max(8, width - head.cell_len)), "mcp.accent")
    )
    lines.append(head)
    if title := RULES[finding.rule].title if finding.rule in RULES else "":
        _fact(lines, "rule", title, "", width)
    _fact(lines, "page", page_url(finding), "mcp.link", width)
    for number in finding.entries[:ENTRIES_SHOWN]:
        entries[len(lines)] = number
        name = "entry" if number == finding.entries[0] else "with"
        _fact(lines, name, entry_words(journal, number), "mcp.primary", width)
    if len(finding.entries) > ENTRIES_SHOWN:
        _fact(lines, "", f"and {len(finding.entries) - ENTRIES_SHOWN} more", "mcp.dim", width)
    if finding.pointer:
        _fact(lines, "place", finding.pointer, "mcp.key", width)
    lines += snippet(finding, journal, width)
    return lines, entries


def entry_words(journal: "Journal", number: int) -> str:
    """`#12 ← tools/list result`"""
    if not 1 <= number <= len(journal):
        return f"#{number}"
    row = journal.row(number)
    what = row.method or row.kind.name.lower()
    suffix = {Kind.RESULT: " result", Kind.ERROR: " error"}.get(row.kind, "")
    name = journal.name(number) if row.kind.is_frame else ""
    return f"#{number} {ARROWS[row.direction]} {what}{suffix} {name}".rstrip()


def _fact(lines: list[Text], name: str, words: str, ink: str, width: int) -> None:
    room = max(16, width - 12)
    shown = visible(words)
    parts = textwrap.wrap(shown, room, break_on_hyphens=False) or [""]
    for place, part in enumerate(parts):
        text = Text(end="", no_wrap=True)
        text.append(f"{name if not place else '':<10} ", "mcp.dim")
        text.append_text(shown_text(part, ink))
        lines.append(text)


def snippet(finding: Finding, journal: "Journal", width: int) -> list[Text]:
    """The lines of the guilty body around the place, which is marked."""
    number = finding.entries[0]
    if not 1 <= number <= len(journal) or journal.row(number).size > BODY_LIMIT:
        return []
    shown = JsonLines(journal.body(number))
    if not shown.line_count:
        return []
    here, exact = line_of(shown.body, finding.pointer) if shown.pretty else (0, False)
    found = [Text(end="")]
    last = min(shown.line_count, here + AFTER + 1)
    for line in range(max(0, here - BEFORE), last):
        text = Text(end="", no_wrap=True)
        guilty = line == here and bool(finding.pointer)
        text.append("▶ " if guilty else "  ", SIGNS[finding.severity][1])
        drawn = shown.draw(line, 0, max(20, width - 2))
        if guilty:
            drawn.stylize("mcp.cursor")
        text.append_text(drawn)
        found.append(text)
    if finding.pointer and not exact and shown.pretty:
        found.insert(1, Text("there is nothing at that place; it belongs here", "mcp.dim", end=""))
    if last < shown.line_count:
        found.append(Text("  …", "mcp.dim", end=""))
    return found


def finding_text(finding: Finding, journal: "Journal") -> str:
    """The finding for the clipboard."""
    lines, _ = detail_lines(finding, journal, 100)
    return "\n".join(line.plain.rstrip() for line in lines) + "\n"


def head_facts(counts: dict[Severity, int], hidden: frozenset[Severity], judged: str) -> Text:
    """`2 errors · 1 warning · no remarks · judged 34 %`"""
    text = Text(end="")
    for severity, count in counts.items():
        if text.plain:
            text.append(" · ")
        word = WORDS[severity] + ("" if count == 1 else "s")
        if severity in hidden and count:
            text.append(f"{count:,} {word} hidden", "mcp.faint")
        else:
            text.append(f"{count:,} {word}", SIGNS[severity][1] if count else "mcp.dim")
    if judged:
        text.append(f" · {judged}", "mcp.badge")
    return text
