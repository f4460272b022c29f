"""The Auth screen: the steps of an authorization as they happen, what is asked meanwhile, and what
is known of the token (never the token).

Opens by itself where the user is asked something, and by its key. What the words are is
`inspector.tui.auth_text`; what happens is decided by `inspector.auth.authority`.
"""

from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, ClassVar

from rich.text import Text
from textual import on, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.screen import ModalScreen
from textual.widgets import Static

from inspector.auth.registration import Client, ClientOrigin
from inspector.auth.secret import Secret
from inspector.errors import InspectorError, UsageError
from inspector.render.safe import one_line
from inspector.session.state import Phase
from inspector.transport.browser import open_page
from inspector.tui.auth_person import Answer, PersonAtScreen, Question
from inspector.tui.auth_text import auth_lines, auth_title, question_lines
from inspector.tui.bindings import bindings_for
from inspector.tui.documents import TextDocument
from inspector.tui.screens.dialogs import ConfirmDialog, LineDialog
from inspector.tui.screens.once import LeftOnce
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.header import HintLine
from inspector.tui.widgets.rows import RowList

if TYPE_CHECKING:
    from inspector.auth.authority import Authority
    from inspector.tui.app import InspectorApp
    from inspector.workbench import Workbench

LOOKS_PER_SECOND = 8
FRAME = 8
"""Cells that the frame of the screen takes of its width."""


class AuthScreen(ModalScreen[None], LeftOnce[None]):
    """The authorization of the server that the workbench has."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_for("auth")]
    HELP: ClassVar[str] = (
        "Each step says where it asked, by which rule, and what it found; the requests stand in "
        "the traffic, their secrets masked. No browser opens before you have said yes to the "
        "whole address. Where the browser runs on another machine, copy the address, and paste "
        "the one at which it ends."
    )
    DEFAULT_CSS = """
    AuthScreen { align: center middle; background: $background 60%; }
    AuthScreen > Vertical {
        width: 96%; max-width: 110; height: 92%; padding: 1 2; background: $panel;
        border-left: outer $primary;
    }
    AuthScreen #auth-title { height: 1; margin-bottom: 1; }
    AuthScreen #auth-steps { height: 1fr; }
    AuthScreen #auth-question { height: auto; max-height: 60%; margin-top: 1; }
    AuthScreen RowList { height: auto; max-height: 6; background: $panel; }
    AuthScreen HintLine { margin-top: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._drawn: object = None
        self._asked = 0

    def compose(self) -> ComposeResult:
        """Title, steps, the question, the keys."""
        with Vertical():
            yield Static("", id="auth-title", markup=False)
            yield BodyView(own_modes=False, cursor=False, id="auth-steps")
            yield Static("", id="auth-question", markup=False)
            yield RowList[str](
                lambda issuer, width: Text(one_line(issuer, width), end=""),
                key=str,
                id="auth-choices",
            )
            yield HintLine()

    def on_mount(self) -> None:
        """Looks at once, and again and again."""
        self.query_one("#auth-choices").display = False
        self.query_one(BodyView).focus()
        self._look()
        self.set_interval(1 / LOOKS_PER_SECOND, self._look)
        self.call_after_refresh(self.query_one(HintLine).update_hints)

    def on_resize(self) -> None:
        """Folds anew."""
        self._drawn = None
        self._look()

    # -- what is shown --

    def _look(self) -> None:
        authority, person = self.authority, self.person
        if authority is None or not self.is_attached:
            return
        state = authority.state
        question = person.question if person is not None else None
        remarks = person.remarks if person is not None else ()
        now = (state, question, remarks, self.size.width)
        if now == self._drawn:
            return
        self._drawn = now
        width = max(40, min(110, self.size.width * 96 // 100) - FRAME)
        redactor = self.inspector.bridge.workbench.journal.redactor
        title = auth_title(redactor.url(authority.server_url), state)
        self.query_one("#auth-title", Static).update(title)
        lines = auth_lines(state, width)
        body = self.query_one(BodyView)
        body.set_document(
            TextDocument(lines), "\n".join(one.plain for one in lines).encode("utf-8", "replace")
        )
        if state.steps:  # what happened last, or what is known of the token
            body.go_to(len(lines) - 1)
        self._show_question(question, remarks, width)
        self.query_one(HintLine).update_hints()

    def _show_question(
        self, question: Question | None, remarks: tuple[str, ...], width: int
    ) -> None:
        place = self.query_one("#auth-question", Static)
        lines = question_lines(question, remarks, width) if question is not None else []
        place.update(Text("\n", end="").join(lines))
        place.display = bool(lines)
        choices = self.query_one("#auth-choices", RowList)
        asked = question.number if question is not None else 0
        if asked == self._asked:
            return
        self._asked = asked
        choices.display = question is not None and question.kind == "server"
        if question is not None and question.kind == "server":
            choices.set_items(list(question.choices))
            choices.focus()
        else:
            self.query_one(BodyView).focus()

    # -- what is done --

    @property
    def inspector(self) -> "InspectorApp":
        """The app."""
        from inspector.tui.app import InspectorApp

        assert isinstance(self.app, InspectorApp)
        return self.app

    @property
    def authority(self) -> "Authority | None":
        """Whose steps are shown."""
        return self.inspector.bridge.workbench.authority

    @property
    def person(self) -> PersonAtScreen | None:
        """Who answers."""
        person = self.inspector.bridge.workbench.person
        return person if isinstance(person, PersonAtScreen) else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Only keys that do something now are offered."""
        if not self.is_attached or self.authority is None:
            return True
        question = self.person.question if self.person is not None else None
        state = self.authority.state
        return {
            "act": question is not None,
            "refuse": question is not None or state.phase == "running",
            "copy_url": question is not None and bool(question.url),
            "paste": question is not None and bool(question.url),
            "login": state.phase not in ("running", "waiting"),
            "retry": state.phase == "failed" and state.error is not None,
            "logout": state.phase in ("stored", "authorized") or bool(state.facts),
        }.get(action, True)

    @on(RowList.Selected)
    async def action_act(self) -> None:
        """Does what is asked."""
        question = self.person.question if self.person is not None else None
        if question is None:
            return
        match question.kind:
            case "consent":
                self._open(question.url)
            case "server":
                issuer = self.query_one("#auth-choices", RowList).current
                self._answer(question, issuer if isinstance(issuer, str) else None)
            case "issuer" | "scopes":
                self._answer(question, True)
            case "client":
                self._name_client(question)

    def action_refuse(self) -> None:
        """Gives up."""
        question = self.person.question if self.person is not None else None
        if question is not None:
            self._answer(question, None)
        elif (authority := self.authority) is not None:
            self._do(_cancelling(authority))

    @work(description="worker")
    async def _open(self, url: str) -> None:
        try:
            await open_page(url)
        except UsageError as error:
            self.inspector.notify_safe(f"{error.message}. {error.hint}", severity="error")
            return
        self.inspector.notify_safe("The page was handed to the browser; agree there")

    def action_copy_url(self) -> None:
        """Copies the whole address, state and all: it is the user's own."""
        question = self.person.question if self.person is not None else None
        if question is not None and question.url:
            self.inspector.copy(question.url)

    def action_paste(self) -> None:
        """Takes an address from another machine's browser."""
        question = self.person.question if self.person is not None else None
        if question is None:
            return

        def pasted(line: str | None) -> None:
            if line:
                self._answer(question, line.strip())

        self.app.push_screen(LineDialog("The address at which the browser ended"), pasted)

    def _name_client(self, question: Question) -> None:
        def secret_given(client_id: str, secret: str | None) -> None:
            if secret is not None:
                held = Secret(secret) if secret else None
                client = Client(client_id, ClientOrigin.PREREGISTERED, secret=held)
                self._answer(question, client)

        def id_given(client_id: str | None) -> None:
            if client_id:
                dialog = LineDialog("Its secret (empty where it has none)", password=True)
                self.app.push_screen(dialog, lambda secret: secret_given(client_id, secret))

        self.app.push_screen(LineDialog("Client id"), id_given)

    def action_login(self) -> None:
        """From the first step on; then the session is opened again, as it was without a token."""
        bench = self.inspector.bridge.workbench
        self._do(lambda: _log_in(bench))

    def action_retry(self) -> None:
        """From the failed step on."""
        bench = self.inspector.bridge.workbench
        self._do(lambda: _retry_login(bench))

    def action_logout(self) -> None:
        """Asks first: what is revoked is gone."""
        bench = self.inspector.bridge.workbench

        def agreed(yes: bool | None) -> None:
            if yes:
                self._do(lambda: _log_out(bench))

        told = "The token is revoked where the server can do that, and deleted here."
        self.app.push_screen(ConfirmDialog("Log out?", told), agreed)

    def action_close(self) -> None:
        """What runs goes on; its question waits here."""
        self.dismiss()

    def _answer(self, question: Question, answer: Answer) -> None:
        person = self.person
        if person is not None:
            self._do(lambda: person.answer(question.number, answer))

    @work(description="worker")
    async def _do(self, make: Callable[[], Coroutine[object, object, object]]) -> None:
        try:
            done = await self.inspector.bridge.run(make)
        except InspectorError as error:
            self.inspector.notify_safe(f"{error.message}. {error.hint}", severity="error")
        else:
            if isinstance(done, tuple):
                self.inspector.notify_safe("; ".join(str(one) for one in done))
        if self.is_attached:
            self._look()


def show_auth(app: "InspectorApp") -> None:
    """Opens the screen, or says why there is nothing to show."""
    bench = app.bridge.workbench if app.has_bridge and app.bridge.ready else None
    if bench is None:
        app.notify_safe("There is no server yet to be authorized at")
        return
    try:
        authority = bench.authority
    except UsageError as error:
        app.notify_safe(f"{error.message}. {error.hint}".strip(), severity="error")
        return
    if authority is not None:
        app.push_screen(AuthScreen())
    elif bench.target.url:
        app.notify_safe("The token is your own: it was given with the target, as a header")
    else:
        app.notify_safe("Authorization is for HTTP; over stdio, credentials come from --env")


def _cancelling(authority: "Authority") -> Callable[[], Coroutine[object, object, None]]:
    async def cancel() -> None:
        authority.cancel()

    return cancel


async def _log_in(bench: "Workbench") -> None:
    if (authority := bench.authority) is not None:
        await authority.login(bench.session.state.connection)
        await _open_again(bench)


async def _retry_login(bench: "Workbench") -> None:
    if (authority := bench.authority) is not None:
        await authority.retry(bench.session.state.connection)
        await _open_again(bench)


async def _log_out(bench: "Workbench") -> tuple[str, ...]:
    authority = bench.authority
    return await authority.logout(bench.session.state.connection) if authority else ()


async def _open_again(bench: "Workbench") -> None:
    """A session that could not be opened for want of a token is opened now."""
    if bench.session.state.phase is Phase.FAILED:
        await bench.reconnect()
