"""A report to paste into an issue: the session, a table of exchanges, each folded below it.

What a server sent stands in code spans and fences longer than any run of backticks inside, so that
it is neither read as markup nor calls anybody by an @. Long bodies are cut and say so; GitHub takes
65,536 characters, which is what the limits here aim at. Pure.
"""

import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from inspector.export.json_document import timestamp
from inspector.export.judged import found_in
from inspector.export.sessions import sessions
from inspector.export.source import Source, outcome_word
from inspector.journal.entries import Direction, Flag, Kind, Row
from inspector.render.safe import one_line, visible

ROWS: Final = 300
"""Rows of the table."""
FOLDED: Final = 60
"""Exchanges that are shown in full."""
MEMBERS: Final = 12
"""Entries of one exchange that are shown in full."""
BODY: Final = 4 * 1024
"""Characters of one body."""
FINDINGS: Final = 100
_READ: Final = re.compile(r"[&<>@`*_\[\]#~!\\|:.\"']")
"""What Markdown or HTML reads as more than text; a colon and a dot make addresses."""
_ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}


def export(source: Source) -> Iterator[bytes]:
    """The report."""
    for part in _report(source):
        yield part.encode("utf-8", "backslashreplace")


def _report(source: Source) -> Iterator[str]:
    yield "# MCP session\n\n"
    yield from _summary(source)
    yield from _findings(source)
    roots = list(dict.fromkeys(_root(source, number) for number in source.each()))
    yield from _table(source, roots)
    yield "\n## In full\n\n"
    for root in roots[:FOLDED]:
        yield from _folded(source, root)
    if len(roots) > FOLDED:
        yield f"{len(roots) - FOLDED:,} more are not shown in full.\n\n"
        source.told.append(
            f"{FOLDED} of {len(roots):,} exchanges are shown in full: use --filter to choose them"
        )
    if source.redaction.replaced:
        yield f"{source.redaction.replaced:,} values were redacted.\n"


def _summary(source: Source) -> Iterator[str]:
    for session in sessions(source):
        facts = [code(session.target or "?")]
        if session.server:
            facts.insert(0, code(session.server))
        facts += [code(word) for word in (session.transport, session.revision) if word]
        yield f"- connection {session.number}: {' · '.join(facts)}\n"
    shown = f"{len(source):,} of {len(source.journal):,} entries"
    if source.wanted:
        shown += f", filter {code(source.wanted)}"
    yield f"- {shown}\n"
    journal = source.journal
    if len(journal):
        start, end = journal.row(1), journal.row(len(journal))
        yield f"- {timestamp(start.wall)}, {end.monotonic - start.monotonic:.1f} s\n"
    yield "- written by mcp-inspect\n\n"


def _findings(source: Source) -> Iterator[str]:
    found = found_in(source)
    if not found:
        return
    yield f"## {len(found):,} {'finding' if len(found) == 1 else 'findings'}\n\n"
    for one in found[:FINDINGS]:
        where = ", ".join(f"{number}" for number in one.entries[:5])
        message = code(source.text(one.message))
        yield f"- **{one.severity}** `{one.rule}` ({one.revision} {one.page}), entry {where}: "
        yield f"{message}\n"
    if len(found) > FINDINGS:
        yield f"- and {len(found) - FINDINGS:,} more\n"
    yield "\n"


def _table(source: Source, roots: Sequence[int]) -> Iterator[str]:
    yield "## Exchanges\n\n| # | time | | what | name | outcome |\n|--:|---|---|---|---|---|\n"
    for root in roots[:ROWS]:
        row = source.row(root)
        name = source.name(root)
        cells = (
            str(root),
            _clock(row.wall),
            _ARROWS[row.direction],
            _cell(_what(row)),
            _cell(name, 60),
            _outcome(source, row),
        )
        yield f"| {' | '.join(cells)} |\n"
    if len(roots) > ROWS:
        yield f"\nand {len(roots) - ROWS:,} more\n"


def _outcome(source: Source, row: Row) -> str:
    if row.kind is Kind.REQUEST and row.partner:
        outcome = source.row(row.partner)
        latency = f", {outcome.latency * 1000:.0f} ms" if outcome.latency is not None else ""
        word = outcome_word(outcome)
        return f"{'**' + word + '**' if word != 'ok' else word}{latency}"
    flags = (Flag.LATE, Flag.ORPHAN, Flag.DUPLICATE, Flag.STRAY)
    words = [outcome_word(row), *(str(x.name).lower() for x in flags if x & row.flags)]
    return ", ".join(word for word in words if word)


def _folded(source: Source, root: int) -> Iterator[str]:
    members = [n for n in source.exchanges.of(root) if n in source] or [root]
    row = source.row(root)
    words = (_what(row), source.name(root), _plain(source, row))
    title = " ".join(f"<code>{_html(word, 60)}</code>" for word in words if word)
    yield f"<details><summary>{root} {title}</summary>\n\n"
    for number in members[:MEMBERS]:
        entry = source.entry(number)
        head = f"{number} {_ARROWS[entry.row.direction]} {entry.row.kind.name.lower()}"
        text, cut = pretty(entry.body, BODY)
        yield f"{head}, {len(entry.body):,} bytes{', cut' if cut else ''}\n\n{fenced(text)}\n\n"
    if len(members) > MEMBERS:
        yield f"{len(members) - MEMBERS:,} more entries of this exchange\n\n"
    yield "</details>\n\n"


def _plain(source: Source, row: Row) -> str:
    return _outcome(source, row).replace("*", "")


def _root(source: Source, number: int) -> int:
    return source.exchanges.root(number)


def _what(row: Row) -> str:
    word = row.kind.name.lower()
    if row.kind is Kind.HTTP:
        return f"HTTP {row.method}"
    return row.method if row.kind is Kind.REQUEST else f"{word} {row.method}".strip()


def _clock(wall: float) -> str:
    return timestamp(wall)[11:-1]


def pretty(body: bytes, most: int) -> tuple[str, bool]:
    """A body as lines of visible text, at most `most` characters, and whether it was cut."""
    if len(body) > 4 * most:
        return visible(body[:most].decode("utf-8", "surrogateescape"), keep_newlines=True), True
    with suppress(msgspec.DecodeError, RecursionError):
        body = msgspec.json.format(body, indent=2)
    text = visible(body.decode("utf-8", "surrogateescape"), keep_newlines=True)
    return text[:most], len(text) > most


def fenced(text: str, language: str = "json") -> str:
    """A block of code that nothing in it can end."""
    runs = [len(run) for run in re.findall(r"`+", text)]
    fence = "`" * max(3, max(runs, default=0) + 1)
    return f"{fence}{language}\n{text}\n{fence}"


def code(text: str, most: int = 300) -> str:
    """A text as a code span on one line of at most so many cells."""
    shown = one_line(text, most)
    if not shown:
        return ""
    runs = [len(run) for run in re.findall(r"`+", shown)]
    ticks = "`" * (max(runs, default=0) + 1)
    space = " " if shown[0] == "`" or shown[-1] == "`" or not shown.strip() else ""
    return f"{ticks}{space}{shown}{space}{ticks}"


def _cell(text: str, most: int = 300) -> str:
    """A code span in a table, where a bar ends the cell even in code: readers differ about which
    backslashes before it keep it from doing so."""
    return f"<code>{_html(text, most)}</code>" if "|" in text else code(text, most)


def _html(text: str, most: int) -> str:
    """A text for between `<code>` and `</code>`, where nobody is called by an @, either."""
    return _READ.sub(lambda found: f"&#{ord(found[0])};", one_line(text, most))
