"""One body, as long as it may be: pretty JSON, the raw text, or hex, drawn line by line.

Nothing but the visible lines is ever highlighted, and no token changes its spelling. How bytes
become lines is decided by `inspector.tui.documents`; here are cursor, folding, search and views.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final, Literal

from rich.text import Text
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip

from inspector.render.jsonlines import JsonLines, TextLines
from inspector.tui.bindings import bindings_for
from inspector.tui.documents import (
    Document,
    HexDocument,
    JsonDocument,
    LinesDocument,
    RawDocument,
    TextDocument,
    hex_per_line,
)
from inspector.tui.widgets.lines import LineArea

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp

Mode = Literal["pretty", "raw", "hex", "text"]

MODES: Final[tuple[Mode, ...]] = ("pretty", "raw", "hex")
LATER: Final = 5_000_000
"""Bodies above this many bytes are formatted after a line that says so has been painted."""


class BodyView(LineArea):
    """Shows bytes. `set_bytes` replaces them; `v` changes between pretty, raw and hex."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("body")]
    HELP: ClassVar[str] = (
        "JSON keeps every token as it was sent. Space folds the block at the cursor, z all of "
        "them; / searches; v changes between pretty, raw and hex; y copies the bytes."
    )

    class Opened(Message):
        """Enter on a line that stands for a journal entry (None for every other line)."""

        def __init__(self, body: "BodyView", line: int, entry: int | None) -> None:
            super().__init__()
            self.body = body
            self.line = line
            self.entry = entry

        @property
        def control(self) -> "BodyView":
            """The view."""
            return self.body

    def __init__(
        self,
        raw: bytes = b"",
        *,
        mode: Mode = "pretty",
        empty: str = "",
        own_modes: bool = True,
        cursor: bool = True,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """Without `own_modes` the key for the next view is left to the widget around; without
        `cursor` it is a text to read, with no line of its own under the cursor."""
        super().__init__(id=id, classes=classes)
        self._raw = raw
        self._mode: Mode = mode
        self._empty = empty
        self._own_modes = own_modes
        self._has_cursor = cursor
        self._document: Document = TextDocument([])
        self._given: Document | None = None
        self._entries: Mapping[int, int] = {}
        self._needle = ""
        self._marked: int | None = None
        if raw:
            self._build()

    @property
    def raw(self) -> bytes:
        """The bytes shown."""
        return self._raw

    @property
    def mode(self) -> Mode:
        """The present view."""
        return self._mode

    @property
    def document(self) -> Document:
        """What is drawn."""
        return self._document

    def set_bytes(self, raw: bytes, *, mode: Mode | None = None) -> None:
        """Show `raw`. "pretty" shows what is no JSON as it stands; "text" keeps its own lines."""
        self._given, self._entries = None, {}
        self._raw = raw
        if mode is not None:
            self._mode = mode
        self._begin()
        if len(raw) > LATER and self._mode == "pretty" and self.is_attached:
            size = f"Formatting {len(raw) / 1e6:.0f} MB…"
            self._document = TextDocument([Text(size, "mcp.dim", end="")])
            self.lines_changed()
            self.call_after_refresh(self._build_if, raw)
        else:
            self._build()

    def set_document(
        self, document: Document, raw: bytes = b"", *, entries: Mapping[int, int] | None = None
    ) -> None:
        """Show ready lines; `raw` is what copying copies, `entries` maps lines to entries."""
        self._given, self._entries, self._raw = document, entries or {}, raw
        self._begin()
        self._build()

    def set_empty(self, text: str) -> None:
        """What to say where there is nothing."""
        if text != self._empty:
            self._empty = text
            self.refresh()

    def search(self, needle: str) -> bool:
        """Find `needle` from the cursor on, wrapping around; marks every match. "" ends it."""
        self._needle = needle
        self.refresh()
        if not needle:
            return True
        here = self._document.find(needle, self._cursor - 1, 1)
        found = here if here is not None else self._document.find(needle, -1, 1)
        if found is None:
            return False
        self.lines_changed()
        self.go_to(found, centre=True)
        return True

    def mark_pointer(self, pointer: str) -> bool:
        """Go to the place that a JSON pointer names and mark it with ◀, until other bytes are
        shown; "" takes the mark away. False where this is no JSON, or shown in another way."""
        self._marked = None
        document = self._document
        line = document.pointed(pointer) if pointer and isinstance(document, JsonDocument) else None
        if line is not None:
            self.lines_changed()
            self.go_to(line, centre=True)
            self._marked = line
        self.refresh()
        return line is not None

    # -- LineArea -------------------------------------------------------------------------------

    def count_lines(self) -> int:
        """Lines of the document."""
        return self._document.count()

    def empty_text(self) -> str:
        """Says that nothing is here."""
        return self._empty

    def draw_line(self, line: int, width: int) -> Strip:
        """The window of the line; scrolling sideways happens here, not by cropping."""
        text = self._document.line(line, self._left, width - self._left)
        if line == self._marked:
            text.stylize("mcp.warn bold underline")
            text.append("  ◀", "mcp.error")
        if self._needle:
            text.highlight_words([self._needle], "mcp.match", case_sensitive=False)
        strip = self.strip_of(text)
        return Strip.join([Strip.blank(self._left), strip]) if self._left else strip

    def shows_cursor(self) -> bool:
        """Not in a text to read."""
        return self._has_cursor

    def on_resize(self) -> None:
        """Raw and hex are broken at the width."""
        if self._mode in ("raw", "hex") and self._given is None and self._raw:
            self._build()
        super().on_resize()

    # -- actions --------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Some keys are the widget's around."""
        if action == "next_mode":
            return self._own_modes
        if action == "find_next":
            return bool(self._needle)
        return True

    def action_next_mode(self) -> None:
        """v"""
        modes = MODES if self._mode in MODES else (*MODES, self._mode)
        self._mode = modes[(modes.index(self._mode) + 1) % len(modes)]
        self._begin()
        self._build()

    def action_fold(self) -> None:
        """Space; Enter on a heading opens what it stands for."""
        if self._cursor in self._entries:
            self.post_message(self.Opened(self, self._cursor, self._entries[self._cursor]))
            return
        line = self._document.fold(self._cursor)
        if line is not None:
            self._marked = None
            self.lines_changed()
            self.go_to(line)

    def action_fold_all(self) -> None:
        """z"""
        if self._document.fold_all():
            self._marked = None
            self.lines_changed()
            self.go_to(min(self._cursor, self.count_lines() - 1))

    def action_search(self) -> None:
        """/"""
        from inspector.tui.screens.dialogs import LineDialog

        def begin(needle: str | None) -> None:
            if needle is not None and not self.search(needle):
                self._inspector().notify_safe(f"{needle!r} is not in this text")

        self.app.push_screen(LineDialog("Search in this text", self._needle), begin)

    def action_find_next(self, step: int) -> None:
        """n and N"""
        found = self._document.find(self._needle, self._cursor, step)
        if found is None:
            self._inspector().notify_safe("No further match")
            return
        self.lines_changed()
        self.go_to(found, centre=True)

    def action_copy(self) -> None:
        """y"""
        self._inspector().copy(self._raw.decode("utf-8", "replace"))

    def action_copy_line(self) -> None:
        """Y"""
        if self._cursor < self.count_lines():
            self._inspector().copy(self._document.plain(self._cursor))

    # -- inside ---------------------------------------------------------------------------------

    def _begin(self) -> None:
        self._top = self._cursor = self._left = 0
        self._marked = None

    def _build_if(self, raw: bytes) -> None:
        if raw is self._raw:
            self._build()

    def _build(self) -> None:
        width = max(20, self.body_width)
        if self._given is not None:
            self._document = self._given
        elif not self._raw:
            self._document = TextDocument([])
        elif self._mode == "pretty":
            self._document = JsonDocument(JsonLines(self._raw))
        elif self._mode == "raw" and b"\n" not in self._raw.rstrip():
            self._document = RawDocument(self._raw, width - 3)
        elif self._mode == "hex":
            self._document = HexDocument(self._raw, hex_per_line(width))
        else:
            self._document = LinesDocument(TextLines(self._raw))
        self.lines_changed()

    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        app = self.app
        assert isinstance(app, InspectorApp)
        return app
