"""The tree of a call as text: one line a node, with offsets and durations.

Decides the words for each node, and how many lines a tree may take. Everything that a server sent
is written printable (control and bidi characters as escapes), so that the text may go anywhere.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from inspector.journal.causality import Cause, Role, causality
from inspector.journal.entries import Direction, Flag, Kind, Row
from inspector.journal.gist import gist, id_text
from inspector.journal.journal import Journal
from inspector.journal.spans import duration

LINES: Final = 2000
"""Lines of one tree in a text."""
WORDS: Final = 160
"""Characters of what an entry says."""
NAMED: Final = 80

_ARROWS: Final = {Direction.SENT: "→", Direction.RECEIVED: "←", Direction.LOCAL: "·"}
_FLAGS: Final = (
    (Flag.PENDING, "waits"),
    (Flag.TIMED_OUT, "timed out"),
    (Flag.CANCELLED, "cancelled"),
    (Flag.LATE, "late"),
    (Flag.DUPLICATE, "duplicate"),
    (Flag.ID_TYPE_MISMATCH, "id type differs"),
    (Flag.ID_REUSED, "id reused"),
    (Flag.MARKED, "marked"),
)


@dataclass(frozen=True, slots=True)
class Told:
    """A node in words: raw text of the server's is in `said` and `what`, made printable.

    `number` is the entry to go to, `many` how many entries it stands for, `wrong` whether it is an
    error."""

    number: int
    many: int
    offset: str
    arrow: str
    what: str
    said: str
    tail: str
    wrong: bool
    sure: bool

    def line(self) -> str:
        """All of it."""
        last = f"  #{self.number}" + (f" and {self.many - 1} more" if self.many > 1 else "")
        guess = "" if self.sure else " (nothing else waited)"
        words = " ".join(word for word in (self.offset, self.arrow, self.what, self.said) if word)
        return words + (f" · {self.tail}" if self.tail else "") + guess + last


def told(journal: Journal, node: Cause) -> Told:
    """What a node of the tree says."""
    row = journal.row(node.number)
    what, said = _words(journal, node, row)
    wrong = row.kind in (Kind.ERROR, Kind.MALFORMED) or bool(row.flags & Flag.IS_ERROR)
    if row.kind is Kind.HTTP:
        wrong = row.status is None or row.status >= 400
    return Told(
        node.number,
        len(node.entries),
        "" if node.role is Role.CALL else f"+{duration(max(0.0, node.offset))}",
        _ARROWS[row.direction],
        what,
        printable(said, WORDS),
        _tail(node, row),
        wrong,
        node.sure,
    )


def causality_text(journal: Journal, number: int) -> str:
    """The tree of the call that an entry belongs to, as text."""
    lines: list[str] = []
    for indent, node in _walk(causality(journal, number), "", ""):
        if len(lines) >= LINES:
            lines.append("… and more; the tree is cut here")
            break
        lines.append(indent + told(journal, node).line())
    return "\n".join(lines) + "\n"


def printable(text: str, limit: int) -> str:
    """Text on one line of at most `limit` characters, what cannot be seen as escapes."""
    cut = text[: limit + 1]
    shown = "".join(
        sign if sign.isprintable() else " " if sign in "\n\t" else _escaped(sign) for sign in cut
    )
    return shown if len(shown) <= limit else shown[: limit - 1] + "…"


def _escaped(sign: str) -> str:
    code = ord(sign)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def _walk(node: Cause, first: str, rest: str) -> Iterator[tuple[str, Cause]]:
    """The nodes as lines, folded ones without what they stand for."""
    yield first, node
    if len(node.entries) > 1:
        return
    for place, child in enumerate(node.under):
        last = place == len(node.under) - 1
        yield from _walk(child, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ "))


def _words(journal: Journal, node: Cause, row: Row) -> tuple[str, str]:
    """What a node is, and what it says."""
    method = printable(row.method or row.kind.name.lower(), NAMED)
    if len(node.entries) > 1:
        last = journal.row(node.entries[-1])
        return _many(node, method), f"last: {gist(journal, last)}" if gist(journal, last) else ""
    match node.role:
        case Role.HTTP:
            status = "failed" if row.status is None else str(row.status)
            return f"HTTP {method} {status}", gist(journal, row) if row.status is None else ""
        case Role.NOTE:
            return "note", gist(journal, row)
        case Role.PROGRESS | Role.CANCELLED:
            return node.role.value, gist(journal, row)
        case Role.OUTCOME:
            return _outcome(row), gist(journal, row)
    if row.kind in (Kind.REQUEST, Kind.BATCH):
        name = printable(journal.name(row.number), NAMED)
        ident = printable(id_text(journal, row), 24)
        words = f"{method} {name}".strip() + (f" id {ident}" if ident else "")
        return (f"round: {words}" if node.role is Role.ROUND else words), ""
    return method.removeprefix("notifications/"), gist(journal, row)


def _many(node: Cause, method: str) -> str:
    count = f"{len(node.entries):,}"
    if node.role is Role.PROGRESS:
        return f"{count} reports of progress"
    if node.role is Role.FURTHER:
        return f"{count} further requests, as {method}"
    return f"{count} messages, as {method.removeprefix('notifications/')}"


def _outcome(row: Row) -> str:
    if row.kind is Kind.RESULT:
        return "tool error" if row.flags & Flag.IS_ERROR else "result"
    return "error" if row.kind is Kind.ERROR else row.kind.name.lower()


def _tail(node: Cause, row: Row) -> str:
    words = [word for flag, word in _FLAGS if row.flags & flag]
    if node.duration is not None:
        spent = duration(max(0.0, node.duration))
        words.insert(0, f"over {spent}" if len(node.entries) > 1 else f"took {spent}")
    elif row.kind is Kind.REQUEST and not words and not row.partner:
        words.append("never answered")
    return ", ".join(words)
