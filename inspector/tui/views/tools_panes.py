"""How a request is started from a form, shown, cancelled, remembered and copied.

What tools, resources and prompts have in common; what is sent is decided by subclasses.
"""

from abc import abstractmethod
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import ClassVar

from textual import on, work

from inspector.errors import InspectorError, Undeclared
from inspector.protocol.messages import Sendable
from inspector.render.commands import curl_command, rpc_line
from inspector.session.catalog import METHOD_OF
from inspector.session.pending import Call
from inspector.session.session import Session
from inspector.tui.views.tools_items import Item
from inspector.tui.views.tools_lists import ListedView
from inspector.tui.widgets.history import History, Past
from inspector.tui.widgets.result import Reading, ResultPane
from inspector.tui.widgets.result_block import BlockView


class PanesView(ListedView):
    """A list whose items can be asked for."""

    METHOD: ClassVar[str] = ""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.history = History(self.METHOD, *self.history_members())
        self._in_form = 0

    # -- what a subclass says -------------------------------------------------------------------

    def history_members(self) -> tuple[str, ...]:
        """The members of the parameters that hold the name and the arguments."""
        return ("name",)

    @abstractmethod
    def reading(self, item: Item | None) -> Reading:
        """How results of the item are read."""

    def read_as(self, item: Item | None) -> Reading:
        """`reading`, but that in the past nothing can be asked for any more."""
        reading = self.reading(item)
        return replace(reading, idle="Not asked for by then") if self.past and item else reading

    @abstractmethod
    def params(self, item: Item) -> dict[str, Sendable]:
        """What would be sent now. Raises UsageError where the form makes no sense."""

    @abstractmethod
    def request(self, item: Item) -> Callable[[Session], Coroutine[object, object, Call]]:
        """What sends it, run on the workbench's loop. Raises UsageError like `params`."""

    @abstractmethod
    def command(self, item: Item) -> str:
        """The same as a `mcp-inspect` command. Raises UsageError like `params`."""

    @abstractmethod
    def recall(self, past: Past) -> None:
        """Put the arguments of an earlier call into the form."""

    def called_name(self, item: Item) -> str:
        """What calls of this item name."""
        return item.name

    # -- showing ---------------------------------------------------------------------------------

    def on_mount(self) -> None:
        """Nothing was called yet."""
        self.result.show_past(None, self.read_as(None))

    def show_changes(self, topics: frozenset[str]) -> None:
        """Lists and calls."""
        super().show_changes(topics)
        if "calls" in topics and self._composed:
            calls = self.bench.session.calls
            if self.past:  # what comes later has not been called yet
                self.history = History(self.METHOD, *self.history_members())
                wall = self.bench.journal.columns.wall
                self.history.take(calls, lambda call: wall[call.entry])
            else:
                self.history.take(calls)
            self._show_calls()

    def item_shown(self, *, again: bool) -> None:
        """The calls of the item on show."""
        self._in_form = 0
        self._show_calls(keep=again)

    # -- calls ----------------------------------------------------------------------------------

    def _show_calls(self, *, keep: bool = True) -> None:
        item = self._shown
        if item is None:
            self.result.show_past(None, self.read_as(None))
            self.result.set_history([])
            return
        name = self.called_name(item)
        past = self.result.past if keep else None
        if self.past and past is not None:
            past = self.history.find(past.number)
        if past is None or past.item != name:
            past = self.history.latest(name)
        if past is self.result.past and past is not None:
            self.result.look_again()
        else:
            self.result.show_past(past, self.read_as(item))
        self.result.set_history(self.history.of(name))
        if self.past and past is not None and past.number != self._in_form:
            self._in_form = past.number
            self.recall(past)  # nobody writes there: the form shows what was sent

    def action_act(self) -> None:
        """Ctrl+R: the item under the cursor, also while its form is still to be made."""
        if self.settling:
            self.call_later(self._act_when_settled)
        else:
            self._act()

    async def _act_when_settled(self) -> None:
        await self.settle()
        self._act()

    def _act(self) -> None:
        item = self.rows.current if self._shown is None else self._shown
        if item is None or not self.can_send():
            return
        try:
            send = self.request(item)
        except InspectorError as error:
            self.complain(error)
            return
        self._send(item, send)

    @work(description="worker", group="calls")
    async def _send(
        self, item: Item, send: Callable[[Session], Coroutine[object, object, Call]]
    ) -> None:
        session = self.bench.session
        try:
            try:
                call = await self.bridge.run(lambda: send(session))
            except Undeclared as error:
                if not await self.agreed(error, session):
                    return
                call = await self.bridge.run(lambda: send(session))
        except InspectorError as error:
            self.complain(error)
            return
        self.history.take([call])
        if self._shown is not None and self._shown.key == item.key:
            name = self.called_name(item)
            newest = next((past for past in self.history.of(name) if past.call is call), None)
            self.result.show_past(newest, self.reading(item))
            self.result.set_history(self.history.of(name))
        if self.has_class("-narrow"):
            inside = self.query_one("#pane-form").has_focus_within
            self.show_pane("result")
            if inside:
                # After the change of classes has taken effect: what is hidden takes no focus.
                self.call_after_refresh(self.result.focus_content)

    def complain(self, error: InspectorError) -> None:
        """Say what went wrong on our side."""
        words = f"{error.message}\n{error.hint}" if error.hint else error.message
        self.inspector.notify_safe(words, title=f"Not sent ({error.kind})", severity="error")

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Keys that would do nothing are left to others."""
        if action == "cancel_call":
            return self._running_past() is not None
        if action == "back":
            return self.can_go_back()
        return True

    def _running_past(self) -> Past | None:
        shown = self.result.past if self.is_mounted and self.query("#result") else None
        return shown if shown is not None and not shown.call.done else self.history.running()

    def action_cancel_call(self) -> None:
        """Ctrl+X."""
        if self.is_now() and (past := self._running_past()) is not None:
            self.bridge.post(lambda: past.call.cancel("cancelled by the user"))

    def action_refresh_list(self) -> None:
        """r; a list that the server does not declare is asked for where the user agrees."""
        if self.can_send():
            self.send(self._refresh)

    async def _refresh(self, session: Session) -> None:
        for kind in self.KINDS:
            force = any(METHOD_OF[mine] in session.permitted for mine in self.KINDS)
            if (await session.catalog.refresh(kind, force=force)).state == "unsupported":
                session.check(METHOD_OF[kind])  # raises: it is not declared

    @on(ResultPane.Recalled)
    def _recalled(self, event: ResultPane.Recalled) -> None:
        self.recall(event.past)
        self.result.show_past(event.past, self.reading(self._shown))

    @on(BlockView.Followed)
    def _followed(self, event: BlockView.Followed) -> None:
        event.stop()
        self.inspector.open_item("resources", event.uri)

    @on(ResultPane.Left)
    def _left_result(self) -> None:
        self.go_to_pane("form")

    def action_matrix(self) -> None:
        """F12: the same under every revision."""
        if not self.is_now():
            return
        self.call_later(self._open_matrix)

    async def _open_matrix(self) -> None:
        from inspector.tui.screens.matrix import MatrixScreen, matrix_command, wanted_of

        await self.settle()
        item = self.rows.current if self._shown is None else self._shown
        if item is None:
            return
        try:
            wanted = wanted_of(self.METHOD, self.params(item))
            command = matrix_command(self.METHOD, self.command(item))
        except InspectorError as error:
            self.complain(error)
            return
        self.app.push_screen(MatrixScreen(wanted, command))

    # -- copying --------------------------------------------------------------------------------

    def action_copy_command(self) -> None:
        """c"""
        self._copy(self.command)

    def action_copy_rpc(self) -> None:
        """J"""
        self._copy(lambda item: rpc_line(self.METHOD, self.params(item)))

    def action_copy_curl(self) -> None:
        """u"""
        revision = self.bench.session.state.revision_text

        def curl(item: Item) -> str:
            return curl_command(
                self.bench.target, self.METHOD, self.params(item), revision=revision
            )

        self._copy(curl)

    def _copy(self, make: Callable[[Item], str]) -> None:
        if (item := self._shown) is None:
            return
        try:
            text = make(item)
        except (InspectorError, ValueError) as error:
            self.inspector.notify_safe(str(error), title="Not copied", severity="error")
            return
        if text:
            self.inspector.copy(text)
        else:
            self.inspector.notify_safe("This server has no URL, so there is no curl command")
