"""Calls as a Mermaid sequence diagram.

Decides who stands where, which arrow a message gets and how much of a flood is drawn. Whatever a
server sent is written so that Mermaid reads it as text: everything but letters, digits and a few
harmless signs as an entity code. Pure.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from inspector.journal.causality import Cause, Role, causality
from inspector.journal.causality_text import Told, told
from inspector.journal.entries import Direction, Kind
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal

LINES: Final = 1000
"""Lines of a diagram; Mermaid refuses long ones."""
LABEL: Final = 100

_HARMLESS: Final = frozenset(" /._-,()=+*'!?→←…·")


def causality_mermaid(journal: Journal, numbers: Iterable[int]) -> str:
    """The calls that entries belong to, each once, in order, as a `sequenceDiagram`."""
    lines = ["sequenceDiagram", "  participant C as client", "  participant S as server"]
    exchanges = Exchanges(journal)
    drawn: set[int] = set()
    for number in numbers:
        if number in drawn:
            continue
        tree = causality(journal, number)
        if tree.number in drawn:
            continue
        drawn.update(exchanges.of(tree.number))
        nodes = sorted(_flat(tree), key=lambda node: node.number)
        drawn.update(node.number for node in nodes)
        for node in nodes:
            if len(lines) >= LINES:
                lines.append("  Note over C,S: " + escaped("the rest is left out"))
                return "\n".join(lines) + "\n"
            lines += _lines(journal, node)
    return "\n".join(lines) + "\n"


def escaped(label: str) -> str:
    """A label that Mermaid shows as it stands, whatever is in it."""
    shown = label if len(label) <= LABEL else label[: LABEL - 1] + "…"
    return "".join(
        sign if sign.isalnum() or sign in _HARMLESS else f"#{ord(sign)};" for sign in shown
    )


def _flat(node: Cause) -> Iterator[Cause]:
    yield node
    if len(node.entries) == 1:
        for child in node.under:
            yield from _flat(child)


def _lines(journal: Journal, node: Cause) -> list[str]:
    row, words = journal.row(node.number), told(journal, node)
    label = escaped(_label(words))
    if row.direction is Direction.LOCAL or row.kind is Kind.HTTP:
        if node.role is Role.HTTP and not words.wrong:
            return []
        return [f"  Note over C,S: {label}"]
    ends = ("C", "S") if row.direction is Direction.SENT else ("S", "C")
    if row.kind in (Kind.REQUEST, Kind.BATCH):
        arrow = "->>"
    elif row.kind is Kind.NOTIFICATION:
        arrow = "-)"
    else:
        arrow = "--x" if words.wrong else "-->>"
    return [f"  {ends[0]}{arrow}{ends[1]}: {label}"]


def _label(words: Told) -> str:
    more = f"{words.offset}" + ("" if words.sure else " perhaps")
    parts = (f"#{words.number}", words.what, words.said, words.tail, more)
    return " ".join(part for part in parts if part)
