"""One ask with everything needed to decide it: the question, the answer's form, and the keys.

Used by the Asks tab and by the dialog that opens where the user is. It only collects an answer;
what is sent, and that it is sent once, is decided by `inspector.session.inbox`.
"""

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Label, Static, TextArea

from inspector.errors import InspectorError, UsageError
from inspector.protocol.json_text import parse_json
from inspector.protocol.messages import JsonObject, RawJson, Sendable, encode_json
from inspector.render.safe import safe_text
from inspector.render.values import shown_json
from inspector.session.asks import Ask
from inspector.session.inbox import Inbox
from inspector.session.policies import roots_result
from inspector.transport.browser import open_page
from inspector.tui import ask_text
from inspector.tui.bindings import bindings_for
from inspector.tui.key_hints import key_hints
from inspector.tui.readiness import is_now
from inspector.tui.screens.dialogs import EditDialog, LineDialog, kept_members
from inspector.tui.views.base import View
from inspector.tui.widgets.form import SchemaForm
from inspector.tui.widgets.text_box import TextBox

if TYPE_CHECKING:
    from inspector.session.session import Session
    from inspector.tui.app import InspectorApp


class RequestDialog(EditDialog):
    """Changes what a model would be asked."""

    NOTE = "is kept here and copied, to be shown to a model; the server is told nothing of it"


class AskPanel(Widget):
    """Shows one ask; `show_ask` changes which."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("asks")]
    HELP: ClassVar[str] = (
        "The server waits for a person. Nothing is sent before you decide, and the call's own "
        "clock stands still meanwhile. Ctrl+S accepts with what the form holds (wrong values are "
        "marked and can be sent), Ctrl+D declines, F8 cancels, Ctrl+R edits the whole result as "
        "JSON, Escape puts it off: the ask stays in the Asks tab. F7 edits what a model is asked, "
        "for showing it to one. Ctrl+X gives up the call that asks."
    )
    DEFAULT_CSS = """
    AskPanel {
        layout: vertical; width: 1fr; height: 1fr;
        & #ask-heading {
            height: auto; max-height: 2; padding: 0 1; text-wrap: nowrap; text-overflow: ellipsis;
        }
        & #ask-told {
            height: auto; max-height: 50%; margin: 1 0; padding: 0 1; scrollbar-size-vertical: 1;
        }
        & #ask-question { height: auto; }
        & #ask-answer {
            height: 1fr; padding: 0 1; overflow-y: auto; scrollbar-size-vertical: 1;
        }
        & #ask-answer Label { color: $text-muted; width: auto; padding: 0 1 0 0; }
        & #ask-answer Static { height: auto; }
        & #ask-answer #ask-text { height: 1fr; min-height: 2; max-height: 16; }
        & #ask-answer Horizontal { height: 1; margin-top: 1; }
        & #ask-answer Input { height: 1; border: none; padding: 0 1; width: 1fr; margin-right: 2; }
        & #ask-answer SchemaForm { height: 1fr; min-height: 3; }
        & #ask-hints { height: 1; padding: 0 1; margin-top: 1; }
    }
    AskPanel.-low {
        & #ask-told { max-height: 35%; margin: 0; }
        & #ask-answer Horizontal { margin-top: 0; }
        & #ask-hints { margin-top: 0; }
    }
    AskPanel.-whole {
        & #ask-told { height: 1fr; max-height: 100%; }
        & #ask-answer { display: none; }
    }
    """

    class Decided(Message):
        """The ask on show was decided by the user."""

    class PutOff(Message):
        """The user wants to decide later."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._ask: Ask | None = None
        self._built: int | None = None
        self._requests: dict[int, JsonObject] = {}
        self._building = asyncio.Lock()
        # Held: the focus still moves while the panel is taken apart.
        self._hints = Static(id="ask-hints", markup=False)

    def compose(self) -> ComposeResult:
        """Heading, question, answer, hints; question and answer scroll each for themselves."""
        yield Static(id="ask-heading", markup=False)
        with VerticalScroll(id="ask-told", can_focus=True):
            yield Static(id="ask-question", markup=False)
        yield Vertical(id="ask-answer")
        yield self._hints

    @property
    def ask(self) -> Ask | None:
        """The ask on show."""
        return self._ask

    @property
    def _inspector(self) -> "InspectorApp":
        from inspector.tui.app import InspectorApp

        assert isinstance(self.app, InspectorApp)
        return self.app

    @property
    def _view(self) -> View | None:
        """The tab that it stands in."""
        return next((one for one in self.ancestors if isinstance(one, View)), None)

    @property
    def _session(self) -> "Session":
        """The session that asks: that of its tab, or the present one."""
        view = self._view
        return (self._inspector.bridge.workbench if view is None else view.bench).session

    @property
    def _inbox(self) -> Inbox:
        return self._session.inbox

    async def show_ask(self, ask: Ask | None) -> None:
        """Shows `ask` as it stands; what was typed stays while it is the same ask and open."""
        self._ask = ask
        async with self._building:
            await self._build()

    async def _build(self) -> None:
        ask, answer = self._ask, self.query_one("#ask-answer", Vertical)
        if ask is None:
            self._built = None
            await answer.remove_children()
            self.query_one("#ask-heading", Static).update("")
            self.query_one("#ask-question", Static).update("")
            self._hints.update("")
            return
        self.tick()
        built = ask.number if ask.is_open else -ask.number
        if built == self._built:
            return
        self._built = built
        self.set_class(ask.kind == "round" and ask.is_open, "-whole")
        self._show_question(ask)
        self._show_hints()
        await answer.remove_children()
        await answer.mount_all(self._open_form(ask) if ask.is_open else self._closed_form(ask))

    def _show_question(self, ask: Ask) -> None:
        told = ask_text.question(ask, self._requests.get(ask.number))
        self.query_one("#ask-question", Static).update(told)

    def tick(self) -> None:
        """Redraws the running clock."""
        if self._ask is not None:
            session = self._session
            self.query_one("#ask-heading", Static).update(ask_text.heading(self._ask, session))

    def on_resize(self) -> None:
        """On few lines, the answer has the most of them."""
        self.set_class(self.size.height < 22, "-low")

    def on_descendant_focus(self) -> None:
        """Its keys work now."""
        self._show_hints()

    def on_descendant_blur(self) -> None:
        """They may no longer work."""
        self.call_after_refresh(self._show_hints)

    def _show_hints(self) -> None:
        ask = self._ask
        if ask is None:
            return
        hints = ask_text.HINTS[ask.kind] if ask.is_open else ()
        if (view := self._view) is not None and view.past:
            self._hints.update(Text("it stood open then" if ask.is_open else "", "mcp.dim"))
            return
        if not self.has_focus_within:
            hints = (("rows.open", "to answer it" if ask.is_open else "to its entry"),)
        self._hints.update(key_hints(self._inspector, *hints, gap=2))

    def focus_answer(self) -> None:
        """Puts the focus where the answer is written."""
        for widget in self.query_one("#ask-answer").query("*"):
            if widget.focusable and widget.display:
                widget.focus()
                return
        self.query_one("#ask-told").focus()

    # -- forms ----------------------------------------------------------------------------------

    def _open_form(self, ask: Ask) -> list[Widget]:
        match ask.kind:
            case "sampling":
                return [
                    Label("answer"),
                    TextArea(id="ask-text"),
                    Horizontal(
                        Label("model"), TextBox("human", id="ask-model"),
                        Label("stop reason"), TextBox("endTurn", id="ask-stop"),
                    ),
                ]  # fmt: skip
            case "elicitation":
                return [SchemaForm(ask.params.get("requestedSchema", {}), id="ask-form")]
            case "roots":
                session = self._session
                shown = shown_json(roots_result(session.roots), indent=2)
                return [Static(safe_text(shown.decode()), markup=False)]
            case "elicitation-url" | "round":
                return []

    def _closed_form(self, ask: Ask) -> list[Widget]:
        if ask.answer is None:
            return []
        shown = shown_json(ask.answer, indent=2)
        what = "what was sent" if ask.owed else "what was decided (not sent)"
        if ask.key:
            what = "what was answered"
        return [Label(what, markup=False), Static(safe_text(shown.decode()), markup=False)]

    def _sampling_result(self) -> JsonObject:
        result: JsonObject = {
            "role": "assistant",
            "content": {"type": "text", "text": self.query_one("#ask-text", TextArea).text},
            "model": self.query_one("#ask-model", Input).value,
        }
        if stop := self.query_one("#ask-stop", Input).value:
            result["stopReason"] = stop
        return result

    def _collected(self, ask: Ask) -> Sendable:
        match ask.kind:
            case "sampling":
                return self._sampling_result()
            case "elicitation":
                return self.query_one("#ask-form", SchemaForm).value()
            case _:
                return None

    # -- keys -----------------------------------------------------------------------------------

    @on(SchemaForm.Submitted)
    def _submitted(self, event: SchemaForm.Submitted) -> None:
        event.stop()
        self.action_accept()

    def action_accept(self) -> None:
        """Sends what the form holds."""
        ask = self._ask
        if ask is None or not ask.is_open:
            return
        try:
            answer = self._collected(ask)
        except UsageError as error:
            self._inspector.notify_safe(error.message, severity="error")
            return
        number, inbox = ask.number, self._inbox
        self._decide(lambda: inbox.accept(number, answer))

    @work
    async def action_decline(self) -> None:
        """Says no; sampling and roots may say why."""
        ask = self._ask
        if ask is None or not ask.is_open:
            return
        message: str | None = ""
        if ask.kind in ("sampling", "roots") and ask.request_id is not None:
            message = await self.app.push_screen_wait(
                LineDialog("Decline with this message", f"User rejected the {ask.kind} request")
            )
            if message is None:
                return
        number, inbox, words = ask.number, self._inbox, message or ""
        self._decide(lambda: inbox.decline(number, words))

    def action_dismiss_ask(self) -> None:
        """Neither yes nor no."""
        if self._ask is not None and self._ask.is_open:
            number, inbox = self._ask.number, self._inbox
            self._decide(lambda: inbox.cancel(number))

    @work
    async def action_edit_answer(self) -> None:
        """Edits the whole result as JSON and sends it as it stands, right or wrong."""
        ask = self._ask
        if ask is None or not ask.is_open:
            return
        try:
            raw = encode_json(self._result_now(ask))
        except (UsageError, ValueError) as error:
            self._inspector.notify_safe(str(error), severity="error")
            return
        title = "The parameters to send" if ask.kind == "round" else "The result to send"
        edited = await self.app.push_screen_wait(EditDialog(title, raw, must_be_json=True))
        if edited is None:
            return
        number, inbox, result = ask.number, self._inbox, RawJson(kept_members(raw, edited))
        self._decide(lambda: inbox.answer_raw(number, result))

    @work
    async def action_edit_request(self) -> None:
        """Edits what a model would be asked: the user shows it to one, so it is copied too."""
        ask = self._ask
        if ask is None or ask.kind != "sampling":
            self._inspector.notify_safe("Only what a model is asked can be edited before it is")
            return
        raw = encode_json(self._requests.get(ask.number, ask.params))
        edited = await self.app.push_screen_wait(
            RequestDialog("What a model is asked", raw, must_be_json=True)
        )
        if edited is None:
            return
        asked = parse_json(edited)
        if not isinstance(asked, dict):
            self._inspector.notify_safe("Not kept: a request is a JSON object", severity="error")
            return
        self._requests[ask.number] = asked
        self._show_question(ask)
        self._inspector.copy(edited.decode())

    def _result_now(self, ask: Ask) -> Sendable:
        match ask.kind:
            case "sampling":
                return self._sampling_result()
            case "elicitation":
                return {"action": "accept", "content": self._collected(ask)}
            case "elicitation-url":
                return {"action": "accept"}
            case "roots":
                return roots_result(self._session.roots)
            case "round":
                return RawJson(ask.raw)

    @work
    async def action_open_page(self) -> None:
        """Opens the page of a URL elicitation; pressing the key is the consent."""
        if self._ask is None or self._ask.kind != "elicitation-url":
            return
        url = self._ask.params.get("url")
        try:
            await open_page(url if isinstance(url, str) else "")
        except UsageError as error:
            self._inspector.notify_safe(f"{error.message}. {error.hint}", severity="error")
            return
        self._inspector.notify_safe("The page was handed to the browser; accept when done")

    def action_abort_call(self) -> None:
        """Gives up the call that asks."""
        if not is_now(self._inspector):
            return
        session = self._session
        cause = self._ask.cause if self._ask is not None else None
        call = next((one for one in session.calls if one.number == cause and not one.done), None)
        if call is None:
            self._inspector.notify_safe("No call is known to wait for this; decline it instead")
            return
        asking = call
        self._inspector.bridge.post(lambda: asking.cancel("cancelled by the user"))
        self._inspector.notify_safe(f"Cancelled {call.method} {call.label}")

    def action_put_off(self) -> None:
        """Later."""
        self.post_message(self.PutOff())

    @work(description="worker")
    async def _decide(self, make: Callable[[], Coroutine[object, object, None]]) -> None:
        if not is_now(self._inspector):
            return
        try:
            await self._inspector.bridge.run(make)
        except InspectorError as error:
            self._inspector.notify_safe(error.message, severity="error")
        self.post_message(self.Decided())
