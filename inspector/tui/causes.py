"""The tree of a call as a document: lines in ink, and what stands for many folded until wanted.

Decides how the tree is drawn and which line leads to which entry. What hangs where is
`inspector.journal.causality`, the words are `inspector.journal.causality_text`.
"""

from typing import TYPE_CHECKING, Final

from rich.text import Text

from inspector.journal.causality import Cause
from inspector.journal.causality_text import Told, told
from inspector.journal.entries import Kind
from inspector.render.safe import one_line
from inspector.tui.documents import TextDocument

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

WIDEST: Final = 400
UNFOLDED: Final = 2000
"""Lines that one node unfolds into."""


class CausesDocument(TextDocument):
    """Folds what stands for many; `entries` says which line leads to which entry."""

    def __init__(self, journal: "Journal", tree: Cause, here: int) -> None:
        """`here` is the entry that the tree was asked for; its line is marked."""
        super().__init__([])
        self._journal = journal
        self.tree = tree
        self._here = here
        self._nodes: list[Cause] = []
        self._open: set[int] = set()
        self.entries: dict[int, int] = {}
        self.here_line = 0
        """The line of the entry that the tree was asked for."""
        self._draw()

    def keep_open(self, other: "CausesDocument") -> None:
        """Unfold what was unfolded in another drawing of the same call."""
        self._open = set(other._open)
        self._draw()

    def fold(self, number: int) -> int | None:
        """Fold or unfold the node at a line."""
        if not 0 <= number < len(self._nodes) or len(self._nodes[number].entries) < 2:
            return None
        self._open ^= {self._nodes[number].number}
        self._draw()
        return number

    def fold_all(self) -> bool:
        """Unfold everything, or fold it again."""
        many = {node.number for node in self._nodes if len(node.entries) > 1}
        self._open = set() if self._open & many else many
        self._draw()
        return bool(many)

    def _draw(self) -> None:
        self._nodes, self.here_line = [], 0
        self.entries.clear()  # who was given it sees what it becomes
        lines: list[Text] = []
        self._add(lines, self.tree, "", "")
        self._lines = lines

    def _add(self, lines: list[Text], node: Cause, first: str, rest: str) -> None:
        many = len(node.entries) > 1
        opened = node.number in self._open
        if self._here in node.entries and (not many or not opened):
            self.here_line = len(lines)
        if not many:
            self.entries[len(lines)] = node.number
        sign = ("▾ " if opened else "▸ ") if many else ""
        words = told(self._journal, node)
        lines.append(self._line(first, sign, words, here=node.entries == (self._here,)))
        self._nodes.append(node)
        if many and not opened:
            return
        under = node.under[:UNFOLDED]
        for place, child in enumerate(under):
            last = place == len(under) - 1
            self._add(
                lines, child, rest + ("└ " if last else "├ "), rest + ("  " if last else "│ ")
            )

    def _line(self, first: str, sign: str, words: Told, *, here: bool) -> Text:
        text = Text(no_wrap=True, end="")
        text.append(first + sign, "mcp.faint")
        if words.offset:
            text.append(words.offset + " ", "mcp.dim")
        ink = {"→": "mcp.sent", "←": "mcp.received"}.get(words.arrow, "mcp.faint")
        text.append(words.arrow + " ", ink)
        kind = self._journal.kinds[words.number]
        what = "mcp.error" if words.wrong else "mcp.title" if kind == Kind.REQUEST else ""
        text.append(one_line(words.what, WIDEST), what)
        if words.said:
            text.append(" " + one_line(words.said, WIDEST), "mcp.dim")
        if words.tail:
            text.append(" · " + words.tail, "mcp.warn" if "wait" in words.tail else "mcp.dim")
        more = f" and {words.many - 1:,} more" if words.many > 1 else ""
        text.append(f"  #{words.number}{more}", "mcp.accent" if here else "mcp.faint")
        if here:
            text.append(" ◂", "mcp.accent")
        if not words.sure:
            text.append("  ≈ nothing else waited", "mcp.warn")
        return text
