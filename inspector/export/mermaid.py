"""The conversation as a Mermaid sequence diagram, for Markdown files and issues.

Messages only, one arrow each: solid for requests, dashed for outcomes, a cross for errors, open for
notifications. Hundreds of arrows draw badly and thousands not at all, so there is an end to it,
which the diagram itself states. Pure.
"""

from collections.abc import Iterator
from typing import Final

from inspector.export.source import Source, outcome_word
from inspector.journal.causality_mermaid import escaped
from inspector.journal.entries import Direction, Entry, Flag, Kind
from inspector.journal.glance import glance
from inspector.render.safe import one_line

MOST: Final = 300
"""Arrows in one diagram."""
LONGEST: Final = 60


def export(source: Source) -> Iterator[bytes]:
    """The diagram, without a fence around it."""
    kinds = source.journal.kinds
    source.want(
        lambda number: Kind(kinds[number]).is_frame or Kind(kinds[number]) is Kind.NOTE,
        "nothing in it is a message, which is what a diagram has arrows for",
    )
    yield b"sequenceDiagram\n    participant C as client\n    participant S as server\n"
    drawn, over, connection = 0, 0, 0
    for number in source.each():
        kind = Kind(source.journal.kinds[number])
        if not kind.is_frame and kind is not Kind.NOTE:
            continue
        if drawn >= MOST:
            over += 1
            continue
        entry = source.entry(number)
        if entry.row.connection != connection:
            if connection:
                yield f"    Note over C,S: connection {entry.row.connection}\n".encode()
            connection = entry.row.connection
        yield _arrow(source, entry).encode()
        drawn += 1
    if over:
        yield f"    Note over C,S: and {over:,} messages more\n".encode()
        source.told.append(
            f"the diagram has the first {MOST:,} messages; {over:,} are left out: use --filter"
        )


def _arrow(source: Source, entry: Entry) -> str:
    row = entry.row
    if row.kind is Kind.NOTE:
        return f"    Note over C,S: {label(f'note: {source.name(row.number)}')}\n"
    sides = "CS" if row.direction is Direction.SENT else "SC"
    words = [row.method or "message", source.name(row.number)]
    if row.kind in (Kind.RESULT, Kind.ERROR):
        words = [outcome_word(row), *words]
    elif row.kind is Kind.MALFORMED:
        words = ["malformed"]
    elif row.kind is Kind.BATCH:
        words = ["batch"]
    identity = glance(entry.body)[2]
    facts = [f"id {identity}"] if identity is not None else []
    if row.latency is not None:
        facts.append(f"{row.latency * 1000:.0f} ms")
    for flag in (Flag.PENDING, Flag.LATE, Flag.ORPHAN, Flag.DUPLICATE, Flag.CANCELLED):
        if row.flags & flag:
            facts.append(str(flag.name).lower())
    text = " ".join(label(word) for word in words if word)
    more = f" ({label(', '.join(facts))})" if facts else ""
    return f"    {sides[0]}{_head(row.kind, row.flags)}{sides[1]}: {row.number} {text}{more}\n"


def _head(kind: Kind, flags: Flag) -> str:
    match kind:
        case Kind.RESULT:
            return "--x" if flags & Flag.IS_ERROR else "-->>"
        case Kind.ERROR:
            return "--x"
        case Kind.MALFORMED:
            return "-x"
        case Kind.NOTIFICATION:
            return "-)"
        case _:
            return "->>"


def label(text: str) -> str:
    """A text of a server as a label: visible, short, and nothing in it that Mermaid reads."""
    return escaped(one_line(text, LONGEST))
