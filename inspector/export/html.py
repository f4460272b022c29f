"""One self-contained HTML file: every entry a line that opens, with pairing, latency and findings.

Everything that came from a server is made visible first (controls, bidi) and escaped then. Long
bodies are cut and say how long they were; a page has an end too, because browsers do. Style and
script are in `html_page`. Pure.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import Final

from inspector.export.html_page import BAR, FOOT, HEAD
from inspector.export.json_document import timestamp
from inspector.export.judged import found_in
from inspector.export.markdown import pretty
from inspector.export.sessions import sessions
from inspector.export.source import Source, outcome_word
from inspector.journal.entries import Direction, Entry, Flag, Kind, Row
from inspector.lint.rule import Finding, Severity
from inspector.render.safe import one_line, visible

MOST: Final = 20_000
"""Entries on a page."""
BODY: Final = 64 * 1024
"""Characters of one body."""
FINDINGS: Final = 500
_ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}
_WAYS: Final = {Direction.SENT: "out", Direction.RECEIVED: "in", Direction.LOCAL: "local"}
_WRONG: Final = (
    Flag.IS_ERROR | Flag.LATE | Flag.ORPHAN | Flag.DUPLICATE | Flag.ID_TYPE_MISMATCH
    | Flag.ID_REUSED | Flag.TIMED_OUT | Flag.STRAY
)  # fmt: skip
_CLASSES: Final = {Severity.ERROR: "error", Severity.WARN: "warn", Severity.INFO: "dim"}


def export(source: Source) -> Iterator[bytes]:
    """The page in pieces."""
    yield HEAD.encode()
    findings = found_in(source)
    at: dict[int, list[Finding]] = {}
    for one in findings:
        for number in one.entries[:20]:
            at.setdefault(number, []).append(one)
    yield "".join(_summary(source)).encode("utf-8", "backslashreplace")
    yield "".join(_findings(source, findings)).encode("utf-8", "backslashreplace")
    yield b"<h2>Traffic</h2>\n" + BAR.encode() + b"<main>\n"
    shown, over = 0, 0
    for number in source.each():
        if shown >= MOST:
            over += 1
            continue
        shown += 1
        written = _entry(source, source.entry(number), at.get(number, ()))
        yield written.encode("utf-8", "backslashreplace")
    yield b"</main>\n"
    if over:
        yield f"<p class=warn>{over:,} entries more are not on this page.</p>\n".encode()
        source.told.append(
            f"the page has the first {MOST:,} entries; {over:,} are left out: use --filter"
        )
    redacted = source.redaction.replaced
    yield f"<p class=dim>{redacted:,} values were redacted. Written by mcp-inspect.</p>\n".encode()
    yield FOOT.encode()


def _summary(source: Source) -> Iterator[str]:
    yield "<h1>MCP session</h1>\n<ul>\n"
    for session in sessions(source):
        facts = [session.server, session.target, session.transport, session.revision]
        words = " · ".join(f"<code>{_safe(word)}</code>" for word in facts if word)
        yield f"<li>connection {session.number}: {words}</li>\n"
    shown = f"{len(source):,} of {len(source.journal):,} entries"
    if source.wanted:
        shown += f", filter <code>{_safe(source.wanted)}</code>"
    yield f"<li>{shown}</li>\n"
    if len(source.journal):
        first, last = source.journal.row(1), source.journal.row(len(source.journal))
        took = last.monotonic - first.monotonic
        yield f"<li>{timestamp(first.wall)}, {took:,.1f} s</li>\n"
    yield "</ul>\n"


def _findings(source: Source, found: Sequence[Finding]) -> Iterator[str]:
    if not found:
        return
    yield f'<details open><summary>{len(found):,} findings</summary><ul id="findings">\n'
    for one in found[:FINDINGS]:
        where = " ".join(f'<a href="#n{number}">{number}</a>' for number in one.entries[:5])
        yield (
            f'<li><span class="{_CLASSES[one.severity]}">{one.severity}</span> '
            f"<code>{_safe(one.rule)}</code> {_safe(source.text(one.message))} "
            f'<span class="dim">({_safe(one.revision)} {_safe(one.page)})</span> {where}</li>\n'
        )
    if len(found) > FINDINGS:
        yield f"<li>and {len(found) - FINDINGS:,} more</li>\n"
    yield "</ul></details>\n"


def _entry(source: Source, entry: Entry, found: Sequence[Finding]) -> str:
    row, body = entry.row, entry.body
    bad = " bad" if found or row.flags & _WRONG or (row.status or 0) >= 400 else ""
    cells = (
        ("n", str(row.number)),
        ("t", timestamp(row.wall)[11:-1]),
        ("d", _ARROWS[row.direction]),
        ("m", _safe(_what(row))),
        ("x", escape(one_line(source.name(row.number), 120))),
        ("o", _outcome(source, row, found)),
        ("s", f"{len(body):,} B"),
    )
    spans = "".join(f'<span class="{name}">{text}</span>' for name, text in cells)
    return (
        f'<details class="e {_WAYS[row.direction]}{bad}" id="n{row.number}">'
        f'<summary>{spans}</summary><div class="b">{"".join(_inside(source, entry, found))}'
        "</div></details>\n"
    )


def _inside(source: Source, entry: Entry, found: Sequence[Finding]) -> Iterator[str]:
    row, body = entry.row, entry.body
    links = []
    if row.partner:
        links.append(f'<a class="partner" href="#n{row.partner}">partner {row.partner}</a>')
    if row.http:
        links.append(f'<a href="#n{row.http}">HTTP {row.http}</a>')
    flags = " ".join(str(flag.name).lower() for flag in Flag if flag & row.flags)
    words = [f"connection {row.connection}", *links, *([_safe(flags)] if flags else [])]
    yield f'<p class="dim">{" · ".join(words)}</p>'
    for one in found:
        yield (
            f'<p class="{_CLASSES[one.severity]}"><code>{_safe(one.rule)} {_safe(one.pointer)}'
            f"</code> {_safe(source.text(one.message))}</p>"
        )
    text, cut = pretty(body, BODY)
    if cut:
        yield f'<p class="warn">cut: the first part of {len(body):,} bytes</p>'
    kind = "json" if body[:1] in (b"{", b"[") else "plain"
    yield f'<pre class="{kind}" tabindex="0">{escape(text)}</pre>'


def _outcome(source: Source, row: Row, found: Sequence[Finding]) -> str:
    partner = source.row(row.partner) if row.kind is Kind.REQUEST and row.partner else None
    shown = partner if partner is not None else row
    words = [outcome_word(shown)]
    if shown.latency is not None:
        words.append(f"{shown.latency * 1000:,.0f} ms")
    words += [
        str(x.name).lower() for x in (Flag.LATE, Flag.ORPHAN, Flag.DUPLICATE) if x & row.flags
    ]
    words += ["⚑"] if found else []
    style = "error" if shown.flags & Flag.IS_ERROR or (shown.status or 0) >= 400 else "dim"
    return f'<span class="{style}">{_safe(" ".join(word for word in words if word))}</span>'


def _what(row: Row) -> str:
    word = row.kind.name.lower()
    match row.kind:
        case Kind.REQUEST | Kind.NOTIFICATION:
            return row.method
        case Kind.HTTP:
            return f"HTTP {row.method}"
        case _:
            return f"{row.method} {word}".strip()


def _safe(text: str) -> str:
    return escape(visible(text))
