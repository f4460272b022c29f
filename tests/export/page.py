"""Reads an exported page as a browser does, for tests."""

from html.parser import HTMLParser

VOID = frozenset({"meta", "input", "br", "link"})


class Page(HTMLParser):
    """Tags with their attributes, the text of each `pre`, and whether every tag was closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.bodies: list[str] = []
        self.text: list[str] = []
        self.open: list[str] = []
        self.crooked = False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)
        if tag == "pre":
            self.bodies.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag in ("p", "li") and tag not in self.open:
            self.crooked = True
        elif self.open and self.open[-1] == tag:
            self.open.pop()
        else:
            self.crooked = True

    def handle_data(self, data: str) -> None:
        if "pre" in self.open:
            self.bodies[-1] += data
        if "script" not in self.open and "style" not in self.open:
            self.text.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of all such tags."""
        return [attributes for name, attributes in self.tags if name == tag]
