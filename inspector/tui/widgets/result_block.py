"""One block of content as a widget: a heading with facts, and below it what suits its form.

Short texts are laid out; long ones and JSON are drawn line by line by `BodyView`. What a block is
was decided by `inspector.render.content`.
"""

import asyncio
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.errors import InspectorError
from inspector.render.content import Block
from inspector.render.markdown import CHARACTERS_CAP, markdown
from inspector.render.picture import small_picture
from inspector.render.safe import safe_text, suspicious
from inspector.render.saving import save_new
from inspector.tui.bindings import bindings_for
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.result_picture import picture_widget
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp

LAID_OUT: Final = 12_000
"""Characters up to which a text is laid out with wrapping; longer ones are drawn by line."""
LAID_OUT_LINES: Final = 300
LEAST_LINES: Final = 4


class _Body(BodyView):
    """Several of them stand below each other: only the one in use shows a cursor."""

    def shows_cursor(self) -> bool:
        """While it has the focus."""
        return self.has_focus


class BlockView(Widget, can_focus=True):
    """A block; takes the focus, so that keys know which one is meant."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("result")]
    HELP: ClassVar[str] = (
        "s saves this content under a name of ours into a directory you choose, y copies it, m "
        "changes between Markdown and plain text, t shows the frames, Enter opens a link."
    )
    DEFAULT_CSS = """
    BlockView {
        height: auto; width: 1fr; margin-bottom: 1;
        & > Static { height: auto; padding: 0 1; }
        & > .block-note { color: $text-warning; }
        & > BodyView { padding: 0 0 0 1; }
        & > .picture { margin: 0 1; }
    }
    """

    class Followed(Message):
        """The user wants to see the resource at `uri`."""

        def __init__(self, uri: str) -> None:
            super().__init__()
            self.uri = uri

    def __init__(self, block: Block, *, stem: str, room: int = 20) -> None:
        """`stem` begins the name of a saved file; `room` is the lines that are to be had."""
        super().__init__()
        self.block = block
        self._stem = stem
        self._room = max(LEAST_LINES, room)
        self._plain = False
        self._laid_out = asyncio.Event()

    def on_resize(self) -> None:
        """Now there is a width to draw a picture for."""
        if self.size.width:
            self._laid_out.set()

    def compose(self) -> ComposeResult:
        """Heading, a remark, the content."""
        block = self.block
        title = Text(f"{block.role}  {block.kind}" if block.role else block.kind)
        yield Rule(title.plain)
        if block.uri and block.kind != "link":
            yield Static(safe_text(block.uri[:500], "mcp.link", keep_newlines=False))
        if block.note:
            yield Static(safe_text(f"! {block.note}", "mcp.warn"), classes="block-note")
        if block.kind == "link" and (why := suspicious_uri(block.uri)):
            yield Static(safe_text(f"! the address {why}", "mcp.warn"), classes="block-note")
        yield self._content()

    def on_mount(self) -> None:
        """Facts into the heading; a picture is decoded beside the screen."""
        facts = "" if self.block.form == "facts" else self.block.facts
        if self.block.kind == "link":
            facts = "Enter opens it"
        self.query_one(Rule).show(facts=Text(facts))
        if self.block.form == "picture":
            # Its size depends on ours, which is known after the first layout.
            self.call_after_refresh(self._decode)

    def on_focus(self) -> None:
        """A bright heading."""
        self.query_one(Rule).light(True)

    def on_blur(self) -> None:
        """A calm heading."""
        self.query_one(Rule).light(False)

    def on_descendant_focus(self) -> None:
        """The text inside has the focus."""
        self.query_one(Rule).light(True)

    def on_descendant_blur(self) -> None:
        """The text inside lost the focus."""
        self.query_one(Rule).light(False)

    # -- drawing --------------------------------------------------------------------------------

    def _content(self) -> Widget:
        block = self.block
        if block.form in ("json", "hex"):
            mode = "pretty" if block.form == "json" else "hex"
            if self._plain:
                mode = "raw"
            return self._body(block.data, mode)
        if block.form == "facts":
            return Static(_facts(block))
        if block.form == "picture":
            return Static(safe_text("decoding…", "mcp.dim"))
        if block.form == "markdown" and not self._plain and len(block.text) <= CHARACTERS_CAP:
            return Static(markdown(block.text))
        if len(block.text) <= LAID_OUT and block.text.count("\n") <= LAID_OUT_LINES:
            return Static(safe_text(block.text))
        return self._body(block.payload, "text" if "\n" in block.text else "raw")

    def _body(self, data: bytes, mode: str) -> BodyView:
        # The view around is not focusable beside the one inside: one stop for one block.
        self.can_focus = False
        body = _Body(mode="pretty", empty="(empty)")
        body.set_bytes(data, mode=mode)  # type: ignore[arg-type]
        body.styles.height = max(1, min(body.count_lines(), self._room))
        return body

    def set_room(self, room: int) -> None:
        """At most so many lines from now on: the pane around has another height."""
        if room == self._room:
            return
        self._room = room
        for body in self.query(_Body):
            body.styles.height = max(1, min(body.count_lines(), room))

    @work(exclusive=True)
    async def _decode(self) -> None:
        drawn = await asyncio.to_thread(small_picture, self.block.data)
        await self._laid_out.wait()
        if not self.is_attached or not self.query(Static):
            return  # taken off the screen meanwhile, with all that was in it
        old = self.query(Static).last()
        if isinstance(drawn, str):
            self.mount(Static(safe_text(f"! {drawn}", "mcp.warn")), after=old)
        else:
            widget = picture_widget(drawn, self.size.width - 3)
            widget.add_class("picture")
            self.mount(widget, after=old)
        # Not awaited: this worker ends with the block, and would take the removal with it.
        old.remove()

    # -- actions --------------------------------------------------------------------------------

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        assert isinstance(self.app, InspectorApp)
        return self.app

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Links open; Markdown and JSON have two looks."""
        if action == "open_link":
            return bool(self.block.uri)
        if action == "toggle_plain":
            return self.block.form in ("markdown", "json")
        return True

    def action_open_link(self) -> None:
        """Enter, o."""
        self.post_message(self.Followed(self.block.uri))

    async def action_toggle_plain(self) -> None:
        """m"""
        self._plain = not self._plain
        had_focus = self.has_focus_within or self.has_focus
        old = self.children[-1]
        new = self._content()
        await self.mount(new, after=old)
        await old.remove()
        if had_focus:
            (new if new.focusable else self).focus()

    def action_copy_block(self) -> None:
        """y"""
        self._inspector.copy(self.block.payload.decode("utf-8", "replace"))

    def action_save(self) -> None:
        """s"""
        from inspector.tui.screens.dialogs import LineDialog

        def save(directory: str | None) -> None:
            if directory:
                self._save(directory)

        title = f"Save {self._stem}{self.block.extension} into the directory"
        self.app.push_screen(LineDialog(title, LastDirectory.path), save)

    @work(description="worker")
    async def _save(self, directory: str) -> None:
        from pathlib import Path

        block = self.block
        try:
            path = await asyncio.to_thread(
                save_new, Path(directory), self._stem, block.extension, block.payload
            )
        except InspectorError as error:
            self._inspector.notify_safe(error.message, title="Not saved", severity="error")
            return
        LastDirectory.path = directory
        self._inspector.notify_safe(f"Saved as {path}")


def _facts(block: Block) -> Text:
    """What there is to say about content that is not drawn, each fact on a line."""
    first, _, rest = block.facts.partition(" · ")
    text = Text(first, "mcp.link" if block.uri else "", end="")
    for fact in rest.split(" · ") if rest else ():
        text.append(f"\n{fact}", "mcp.dim")
    return text


class LastDirectory:
    """Where the user saved last, for the next time."""

    path: ClassVar[str] = "."


def suspicious_uri(uri: str) -> str:
    """Why an address may not be what it seems ("" where nothing is odd)."""
    return "; ".join(suspicious(uri.translate(_URI_SIGNS)))


_URI_SIGNS: Final = str.maketrans(dict.fromkeys("?#[]@!$&'()*+,;=%~{}|<>\"\\^`", "-"))
