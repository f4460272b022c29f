"""A pane's heading: one line with a title on the left and facts on the right.

It is drawn from two texts and never takes part in layout, so it may change with every tick.
"""

from rich.cells import cell_len
from rich.text import Text
from textual.widget import Widget


class Rule(Widget):
    """`── title ───────── facts ──`; bright while the pane that it heads has the focus."""

    DEFAULT_CSS = """
    Rule { height: 1; width: 1fr; }
    """

    def __init__(self, title: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._title = Text(title)
        self._facts = Text()
        self._lit = False

    def show(self, *, title: Text | None = None, facts: Text | None = None) -> None:
        """Change the texts (made with `render.safe`); repaints only where they differ."""
        title = self._title if title is None else title
        facts = self._facts if facts is None else facts
        if (title, facts) != (self._title, self._facts):
            self._title, self._facts = title, facts
            self.refresh()

    def light(self, lit: bool) -> None:
        """Say whether the focus is in this pane."""
        if lit != self._lit:
            self._lit = lit
            self.refresh()

    def render(self) -> Text:
        """The whole line."""
        width = self.size.width
        line = "mcp.primary" if self._lit else "mcp.bar"
        title, facts = self._title.copy(), self._facts.copy()
        facts.truncate(max(0, width - 12), overflow="ellipsis")
        title.truncate(max(0, width - facts.cell_len - 9), overflow="ellipsis")
        text = Text("", no_wrap=True, end="")
        text.append("── ", line)
        text.append_text(_styled(title, "mcp.title" if self._lit else "mcp.dim"))
        if title.plain:
            text.append(" ")
        tail = cell_len(facts.plain) + 4 if facts.plain else 0
        text.append("─" * max(0, width - text.cell_len - tail), line)
        if facts.plain:
            text.append(" ")
            text.append_text(_styled(facts, "mcp.dim"))
            text.append(" ──", line)
        return text


def _styled(text: Text, ink: str) -> Text:
    whole = Text(end="")
    whole.append(text.plain, ink)
    for start, end, style in text.spans:
        whole.stylize(style, start, end)
    return whole
