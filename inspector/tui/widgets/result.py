"""The outcome of a call: how it stands, its content block by block, and the calls before it.

The server's own error, a tool's error, and our failure to get an answer look different here.
Starting and cancelling calls is done by the views; drawing one block by `result_block`.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from inspector.protocol.messages import Json, RawJson, raw_members
from inspector.render.content import Block
from inspector.render.safe import one_line, safe_text
from inspector.session.pending import Failure, Outcome, Success
from inspector.tui.bindings import bindings_for
from inspector.tui.bindings_debug import WORTH_ASKING
from inspector.tui.key_hints import key_hints
from inspector.tui.widgets.header import LineWidget
from inspector.tui.widgets.history import (
    HistoryList,
    Past,
    is_error,
)
from inspector.tui.widgets.result_block import BlockView
from inspector.tui.widgets.result_lines import outcome_blocks, progress_line, say_outcome
from inspector.tui.widgets.rule import Rule

if TYPE_CHECKING:
    from inspector.tui.app import InspectorApp

BLOCKS_SHOWN: Final = 200
READ_AT_ONCE: Final = 256 * 1024
"""Bytes of an answer whose blocks are made while the screen waits."""
TICKS: Final = 10
"""How often a second a running call is drawn."""


@dataclass(frozen=True, slots=True)
class Reading:
    """How to read the results of one item: into blocks, and against which schema, if any."""

    blocks: Callable[[Json, bytes], list[Block]]
    stem: str
    output_schema: Json = None
    idle: str = ""


class Blocks(VerticalScroll):
    """The blocks of a result. Long texts among them get a height that fits the pane as it is,
    also where that is laid out only after they came."""

    def room(self, count: int) -> int:
        """Lines for one of `count` blocks."""
        whole = max(6, self.size.height - 3)
        return whole if count < 3 else max(6, whole * 2 // 3)

    def on_resize(self) -> None:
        """The pane has another height."""
        blocks = self.query(BlockView)
        for block in blocks:
            block.set_room(self.room(len(blocks)))


class ResultPane(Widget):
    """Shows one call at a time; `show_past` changes which."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("result")]
    HELP: ClassVar[str] = (
        "Every piece of content by its kind. Tab goes from one to the next; s saves, y copies, m "
        "changes between Markdown and plain, t shows the frames of this call, h goes to the "
        "earlier calls. A tool's error (isError), the server's JSON-RPC error and an answer that "
        "never came are told apart in the first line."
    )
    DEFAULT_CSS = """
    ResultPane {
        layout: vertical; width: 1fr; height: 1fr;
        & #result-head { padding: 0 1; }
        & #result-progress { display: none; padding: 0 1; }
        & #result-remarks { height: auto; padding: 0 1; color: $text-muted; display: none; }
        & #result-blocks { height: 1fr; margin-top: 1; scrollbar-size-vertical: 1; }
        & #result-past { height: 1; display: none; }
        & HistoryList { display: none; height: 3; }
        &.-running #result-progress { display: block; }
        &.-remarks #result-remarks { display: block; }
        &.-past #result-past { display: block; }
        &.-past HistoryList { display: block; }
        &.-past.-low HistoryList { display: none; }
        &.-past.-low.-open HistoryList { display: block; }
    }
    """

    class Left(Message):
        """Escape: the focus goes back to the form."""

    class Recalled(Message):
        """The user wants an earlier call back."""

        def __init__(self, past: Past) -> None:
            super().__init__()
            self.past = past

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._past: Past | None = None
        self._reading = Reading(lambda *_: [], "result")
        self._drawn: tuple[int, bool] | None = None
        self._verdict = Text(end="")
        self._wanted = False  # the focus is on its way here

    def compose(self) -> ComposeResult:
        """Head, progress, remarks, blocks, history."""
        yield Rule("result", id="result-rule")
        yield LineWidget(id="result-head")
        yield LineWidget(id="result-progress")
        yield Static(id="result-remarks", markup=False)
        yield Blocks(id="result-blocks", can_focus=False)
        yield Rule("history", id="result-past")
        yield HistoryList(id="result-history")

    def on_resize(self) -> None:
        """With little height the history opens only when asked for."""
        self.set_class(self.size.height < 20, "-low")

    def on_mount(self) -> None:
        """A clock for what runs."""
        self._timer = self.set_interval(1 / TICKS, self._draw_head, pause=True)
        self._draw_head()

    @property
    def past(self) -> Past | None:
        """The call on show."""
        return self._past

    # -- what views call ------------------------------------------------------------------------

    def show_past(self, past: Past | None, reading: Reading) -> None:
        """Show this call (None: nothing was called yet) and keep showing how it goes on."""
        self._reading = reading
        self._past = past
        self.look_again()

    def set_history(self, pasts: Sequence[Past]) -> None:
        """The calls of the same item, newest first."""
        self.set_class(len(pasts) > 1, "-past")
        listed = self.query_one(HistoryList)
        listed.set_items(list(pasts))
        if self._past is not None and not listed.has_focus:
            listed.select(self._past.number)
        listed.styles.height = min(len(pasts), 5 if self.size.height >= 24 else 3)
        self.query_one("#result-past", Rule).show(facts=Text(f"{len(pasts)} calls · h"))

    def look_again(self) -> None:
        """The call may have moved on."""
        past = self._past
        title = Text("result")
        if past is not None:
            title.append(f" of {one_line(past.item, 40)}")
        self.query_one("#result-rule", Rule).show(title=title)
        state = None if past is None else (id(past.call), past.call.done)
        if state != self._drawn:
            self._drawn = state
            self._verdict = Text(end="")
            # Never in a worker: cancelling one that waits for a removal kills the widgets' pumps.
            self.call_later(self._fill, past)
        running = past is not None and not past.call.done
        self.set_class(running, "-running")
        if running:
            self._timer.resume()
        else:
            self._timer.pause()
        self._draw_head()

    def focus_content(self) -> None:
        """Put the focus on the first block; beside them while it is still being made."""
        for block in self.query(BlockView):
            inside = (one for one in block.query("BodyView") if one.focusable)
            target = block if block.can_focus else next(inside, None)
            if target is None:
                break
            self._wanted = True
            target.focus()
            return
        self._wanted = True
        self.query_one("#result-blocks").can_focus = True
        self.query_one("#result-blocks").focus()

    # -- the lines above ------------------------------------------------------------------------

    def _draw_head(self) -> None:
        head, past = Text(no_wrap=True, end=""), self._past
        if past is None:
            head.append(self._reading.idle or "Nothing yet", "mcp.dim")
        else:
            say_outcome(head, past.call, self._verdict)
            if past.call.entry:
                head.append(f"  #{past.call.entry}", "mcp.faint")
            if not past.call.done and past.call.elapsed >= WORTH_ASKING:
                head.append("  ")
                head.append_text(key_hints(self.app, ("main.hanging", "why?")))
        self.query_one("#result-head", LineWidget).show_line(head)
        self._draw_remarks(past)
        if past is not None and not past.call.done:
            line = progress_line(past.call, max(10, self.size.width - 2))
            self.query_one("#result-progress", LineWidget).show_line(line)

    def _draw_remarks(self, past: Past | None) -> None:
        remarks: list[str] = []
        if past is not None:
            call = past.call
            if call.task_id is not None:
                remarks.append(f"runs as task {one_line(call.task_id, 40)}")
            if call.forced:
                remarks.append("sent although the server does not declare it")
            if call.hint and not isinstance(call.outcome, Success):
                remarks.append(call.hint)
            if call.late:
                numbers = ", ".join(f"#{entry}" for entry in call.late)
                remarks.append(f"answered after the end: {numbers}")
        said = "\n".join(remarks)
        self.set_class(bool(said), "-remarks")
        if said != getattr(self, "_said", ""):
            self._said = said
            self.query_one("#result-remarks", Static).update(safe_text(said, "mcp.dim"))

    # -- the content ----------------------------------------------------------------------------

    async def _fill(self, past: Past | None) -> None:
        if past is not self._past:
            return
        blocks = [] if past is None else await self._blocks_of(past.call.outcome)
        if past is not self._past:
            return
        holder = self.query_one("#result-blocks", Blocks)
        focused = holder.has_focus_within or holder.has_focus
        await holder.remove_children()
        focused, self._wanted = focused or self._wanted, False
        holder.can_focus = False
        number = past.call.entry if past is not None else 0
        room = holder.room(len(blocks))
        await holder.mount_all(
            BlockView(
                block,
                stem=f"{self._reading.stem}-{number}" + (f"-{place}" if place else ""),
                room=room,
            )
            for place, block in enumerate(blocks[:BLOCKS_SHOWN])
        )
        if len(blocks) > BLOCKS_SHOWN:
            more = f"{len(blocks) - BLOCKS_SHOWN} more blocks; t shows the whole frame"
            await holder.mount(Static(safe_text(more, "mcp.warn")))
        if past is not None and isinstance(past.call.outcome, Success) and not blocks:
            await holder.mount(Static(safe_text("(no content)", "mcp.dim")))
        holder.scroll_home(animate=False)
        if focused or holder.has_focus:
            self.focus_content()
        if past is not None and isinstance(past.call.outcome, Success):
            self._judge(past.call.outcome)

    async def _blocks_of(self, outcome: Outcome | None) -> list[Block]:
        """A long answer is read beside the screen, however many blocks it has."""
        read = self._reading.blocks
        if isinstance(outcome, Success | Failure) and len(outcome.raw) > READ_AT_ONCE:
            return await asyncio.to_thread(outcome_blocks, outcome, read)
        return outcome_blocks(outcome, read)

    @work(description="worker", exclusive=True, group="verdict")
    async def _judge(self, success: Success) -> None:
        """structuredContent against outputSchema (2025-06-18 server/tools)."""
        structured = raw_members(success.raw).get("structuredContent")
        schema = self._reading.output_schema
        if schema is None or is_error(success.result):
            if structured is not None and self._reading.stem == "call" and schema is None:
                self._verdict = Text("structured: no outputSchema to judge by", "mcp.dim")
            self._draw_head()
            return
        if structured is None:
            self._verdict = Text("structured: missing, though outputSchema is declared", "mcp.warn")
            self._draw_head()
            return
        from inspector.forms.problems import NotValidated
        from inspector.forms.validate import validate

        self._verdict = Text("structured: checking…", "mcp.dim")
        self._draw_head()
        verdict = await validate(schema, RawJson(structured))
        if self._past is None or self._past.call.outcome is not success:
            return
        if isinstance(verdict, NotValidated):
            self._verdict = Text("structured: not validated", "mcp.warn")
            self._remark("not validated", verdict.reason)
        elif verdict:
            count = len(verdict)
            self._verdict = Text(f"structured: {count} problem{'s'[: count > 1]}", "mcp.error")
            lines = (f"{problem.pointer or '(all)'}  {problem.message}" for problem in verdict[:50])
            self._remark("does not fit outputSchema", "\n".join(lines))
        else:
            self._verdict = Text("structured: valid", "mcp.ok")
        self._draw_head()

    def _remark(self, kind: str, text: str) -> None:
        block = Block(kind, "text", text=text, extension=".txt")
        self.query_one("#result-blocks").mount(BlockView(block, stem="verdict"), before=0)

    # -- actions --------------------------------------------------------------------------------

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        assert isinstance(self.app, InspectorApp)
        return self.app

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a block is the block's own."""
        if action in ("open_link", "toggle_plain"):
            return False
        if action in ("save", "copy_block"):
            return bool(self.query(BlockView))
        return True

    def action_save(self) -> None:
        """s without a block in focus means the first."""
        self.query(BlockView).first().action_save()

    def action_copy_block(self) -> None:
        """y without a block in focus means the first."""
        self.query(BlockView).first().action_copy_block()

    def action_show_traffic(self) -> None:
        """t"""
        if self._past is not None and self._past.call.entry:
            outcome = self._past.call.outcome
            self._inspector.open_entry(
                outcome.entry if outcome is not None and outcome.entry else self._past.call.entry
            )

    def action_focus_history(self) -> None:
        """h"""
        if self.has_class("-past"):
            self.add_class("-open")
            self.call_after_refresh(self.query_one(HistoryList).focus)

    def action_leave(self) -> None:
        """Escape."""
        self.post_message(self.Left())

    @on(HistoryList.Left)
    def _back_to_content(self, event: HistoryList.Left) -> None:
        event.stop()
        self.remove_class("-open")
        self.focus_content()

    @on(HistoryList.Selected)
    def _recall(self, event: HistoryList.Selected) -> None:
        event.stop()
        if isinstance(event.item, Past):
            self.post_message(self.Recalled(event.item))

    def on_descendant_focus(self) -> None:
        """Bright heading."""
        self._wanted = False
        self.query_one("#result-rule", Rule).light(True)

    def on_descendant_blur(self) -> None:
        """Calm heading."""
        self.query_one("#result-rule", Rule).light(False)
