"""Markdown of a server as a rich renderable: calm, without links to click and without highlighting.

Decides what looks like Markdown, how long it may be before it is shown as plain text, and how
headings, code and tables look. Nothing is hidden: HTML and entities are shown as they are written.
"""

import re
from typing import ClassVar, Final

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement
from rich.padding import Padding
from rich.segment import Segment
from rich.text import Text
from rich.theme import Theme

from inspector.render.safe import DANGEROUS, safe_text, visible

CHARACTERS_CAP: Final = 50_000
"""Markdown longer than this is shown as plain text: laying it out would stop the screen."""

_SIGNS: Final = re.compile(
    r"^#{1,6} \S|^```|^~~~|^ {0,3}[-*+] \S|^ {0,3}\d{1,3}[.)] \S|^> \S|^\|.*\|[ \t]*$"
    r"|^[ \t]*\|?:?-{3,}:?\||\*\*\S[^*\n]*\*\*|(?<![\w`])`[^`\n]++`"
    r"|\[[^\[\]\n]++\]\([^)\s]{1,2000}\)",
    re.MULTILINE,
)

_INKS: Final = {
    "markdown.h1": "mcp.title",
    "markdown.h2": "mcp.title",
    "markdown.h3": "mcp.title",
    "markdown.h4": "mcp.title",
    "markdown.h5": "mcp.title",
    "markdown.h6": "mcp.title",
    "markdown.code": "mcp.code",
    "markdown.code_block": "mcp.code",
    "markdown.block_quote": "mcp.dim",
    "markdown.list": "mcp.dim",
    "markdown.item.bullet": "mcp.accent",
    "markdown.item.number": "mcp.accent",
    "markdown.link": "mcp.link",
    "markdown.link_url": "mcp.dim",
    "markdown.hr": "mcp.faint",
    "markdown.table.border": "mcp.faint",
    "markdown.table.header": "mcp.title",
}


class _Heading(Heading):
    """All levels at the left; a centred one looks lost in a narrow pane."""

    LEVEL_ALIGN: ClassVar = dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "left")


class _Code(CodeBlock):
    """Code in its ink, indented; no lexer reads text of a server."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        code = Text(str(self.text).rstrip(), style="markdown.code_block", overflow="fold")
        yield Padding(code, (0, 0, 0, 2))


class _Calm(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
    }

    def __init__(self, markup: str) -> None:
        from markdown_it import MarkdownIt

        super().__init__("", hyperlinks=False)
        parser = MarkdownIt("commonmark", {"html": False})
        # An entity would bring back a character that has just been made visible.
        parser.enable(["strikethrough", "table"]).disable("entity")
        self.markup = markup
        self.parsed = parser.parse(markup)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        styles = {
            name: style
            for name, ink in _INKS.items()
            if (style := console.get_style(ink, default="")) is not None
        }
        segments: list[Segment] = []
        # Collected, not yielded: a generator given up half-way would leave its theme behind.
        with console.use_theme(Theme(styles)):
            for part in super().__rich_console__(console, options):
                if isinstance(part, Segment):
                    segments.append(part)
                else:
                    segments.extend(console.render(part, options))
        yield from segments


def looks_like_markdown(text: str) -> bool:
    """Whether plain text would lose something to a reader of Markdown."""
    return _SIGNS.search(text[:CHARACTERS_CAP]) is not None


def markdown(text: str) -> RenderableType:
    """`text` as Markdown; as plain text where it is too long or cannot be read as Markdown."""
    if len(text) > CHARACTERS_CAP or _nested_deep(text):
        plain = safe_text(text)
        plain.end = "\n"  # as Markdown ends: without it whoever counts line ends loses the last
        return plain
    calm = _Calm(visible(text, keep_newlines=True))
    for part in calm.parsed:
        for token in (part, *(part.children or ())):
            for name in ("href", "src", "title"):
                if isinstance(value := token.attrs.get(name), str) and DANGEROUS.search(value):
                    token.attrs[name] = visible(value)
    return calm


def _nested_deep(text: str) -> bool:
    """Quotes and lists nested to hundreds of levels exhaust the stack of the renderer."""
    return re.search(r"(?:>[ \t]?){30}|^ {120}[-*+\d>]|(?:[-*+][ \t]){30}", text, re.M) is not None
