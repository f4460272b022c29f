"""What the server sends of its own accord, handed to the part of the session that it concerns.

Decides which requests are answered at once (ping), become an ask, or are refused, and before
`initialize` is over which may be answered at all, and which have to wait for its end.
Notifications are never answered; unknown ones stay in the journal and nowhere else.
"""

from collections.abc import Callable
from typing import Final

from inspector.errors import InspectorError
from inspector.protocol.codes import INVALID_REQUEST
from inspector.protocol.messages import (
    JsonObject,
    Notification,
    Request,
    RequestId,
    decode,
    raw_members,
)
from inspector.protocol.numbers import measured
from inspector.protocol.versions import Era
from inspector.session.catalog import Catalog, ListKind
from inspector.session.declared import Unasked, ask_kind
from inspector.session.engine import Engine
from inspector.session.inbox import Inbox, find_cause
from inspector.session.logs import Logs
from inspector.session.pending import Success
from inspector.session.subscriptions import Subscriptions
from inspector.session.tasks import Tasks

HELD_LIMIT: Final = 100
"""So many requests of the server wait for the end of `initialize`; further ones are refused."""
LIST_CHANGED: Final[dict[str, tuple[ListKind, ...]]] = {
    "notifications/tools/list_changed": ("tools",),
    "notifications/resources/list_changed": ("resources", "resourceTemplates"),
    "notifications/prompts/list_changed": ("prompts",),
}


class Dispatch:
    """Implements `inspector.session.engine.Receiver`."""

    def __init__(
        self,
        engine: Engine,
        *,
        inbox: Inbox,
        catalog: Catalog,
        tasks: Tasks,
        subscriptions: Subscriptions,
        logs: Logs,
        on_expired: Callable[[], None],
    ) -> None:
        self._engine = engine
        self._inbox = inbox
        self._catalog = catalog
        self._tasks = tasks
        self._subscriptions = subscriptions
        self._logs = logs
        self._on_expired = on_expired
        self._held: list[tuple[int, Request, RequestId | None]] = []

    # -- requests --

    def request(self, number: int, request: Request, about: RequestId | None) -> None:
        """Answers, asks, or refuses."""
        if self._engine.strategy.era is Era.MODERN:
            # 2026-07-28 basic: servers send no requests, and none is answered
            facts: JsonObject = {"entry": number, "method": request.method}
            self._engine.journal.event(
                "request-not-answered", facts, connection=self._engine.state.connection
            )
            return
        if request.method == "ping":
            self._engine.post(self._engine.respond(request.id, {}))
            return
        if self._engine.state.revision is None:
            # 2025-11-25 basic/lifecycle: before `initialized` a server may only ping
            if self._initialize_answered() and len(self._held) < HELD_LIMIT:
                self._held.append((number, request, about))
            else:
                why = f"{request.method} came before initialize was over"
                self._refuse(request, INVALID_REQUEST, why)
            return
        params = request.params or {}
        state = self._engine.state
        kind = ask_kind(request.method, params, state.client_capabilities, state.revision)
        if isinstance(kind, Unasked):
            self._refuse(request, kind.code, kind.why)
            return
        cause = find_cause(self._engine, self._tasks.related(params), about)
        self._inbox.take(kind, request.method, params, request.id, number, cause)

    def opened(self) -> None:
        """The session is ready: takes what came together with the answer to `initialize`."""
        held, self._held = self._held, []
        for number, request, about in held:
            self.request(number, request, about)

    def _initialize_answered(self) -> bool:
        """Whether the server has done its part: a message behind its answer, often in the same
        read, is early only because we have not looked at the answer yet."""
        return any(
            call.method == "initialize" and isinstance(call.outcome, Success)
            for call in self._engine.calls.recent
        )

    def _refuse(self, request: Request, code: int, why: str) -> None:
        self._engine.post(self._engine.refuse(request.id, code, why))

    # -- notifications --

    def notification(self, number: int, raw: bytes, method: str, about: RequestId | None) -> None:
        """Hands it on; only the bodies that matter here are read."""
        if method == "notifications/message":
            self._logs.add(number, raw)
            call = self._engine.calls.by_id(about) if about is not None else None
            if call is not None:
                call.note_log(number)
                whole = self._engine.calls.by_number(call.parent) if call.parent else None
                if whole is not None:  # a further request of the same call
                    whole.note_log(number)
            return
        if method in LIST_CHANGED:
            self._catalog.changed(*LIST_CHANGED[method])
            return
        if method == "notifications/tasks":
            message = decode(raw)
            if isinstance(message, Notification):
                said = raw_members(raw).get("params", b"")
                self._tasks.described(message.params or {}, number, said)
            return
        take = {
            "notifications/progress": self._progress,
            "notifications/cancelled": self._cancelled,
            "notifications/resources/updated": self._updated,
            "notifications/tasks/status": self._tasks.announced,
            "notifications/elicitation/complete": self._elicitation_complete,
        }.get(method)
        if method == "notifications/subscriptions/acknowledged":
            message = decode(raw)
            if isinstance(message, Notification):
                self._subscriptions.listening.acknowledged(message.params or {}, about)
            return
        if take is not None:
            message = decode(raw)
            if isinstance(message, Notification):
                take(message.params or {}, number)

    def _progress(self, params: JsonObject, number: int) -> None:
        """basic/utilities/progress: a token that is not active is ignored; the frame is kept."""
        token, value, total = (params.get(key) for key in ("progressToken", "progress", "total"))
        message = params.get("message")
        if isinstance(token, bool) or not isinstance(token, int | str):
            return
        reached = measured(value)
        if reached is not None:
            text = message if isinstance(message, str) else ""
            self._engine.progress(token, reached, measured(total), text, number)

    def _cancelled(self, params: JsonObject, number: int) -> None:
        """The server withdraws a request of its own; no answer is sent then."""
        request_id, reason = params.get("requestId"), params.get("reason")
        if isinstance(request_id, int | str) and not isinstance(request_id, bool):
            self._held = [held for held in self._held if held[1].id != request_id]
            why = reason if isinstance(reason, str) else ""
            if not self._subscriptions.listening.cancelled(request_id, why):
                self._inbox.withdraw(request_id, why)

    def _updated(self, params: JsonObject, number: int) -> None:
        uri = params.get("uri")
        if isinstance(uri, str):
            self._subscriptions.updated(uri, number)

    def _elicitation_complete(self, params: JsonObject, number: int) -> None:
        elicitation_id = params.get("elicitationId")
        if isinstance(elicitation_id, str) and elicitation_id:
            self._inbox.completed(elicitation_id)

    # -- the end --

    def ended(self, error: InspectorError | None) -> None:
        """No answer can be sent any more."""
        self._inbox.withdraw_all("the connection is gone" if error else "the session was closed")

    def expired(self) -> None:
        """The server has forgotten our session."""
        self._on_expired()
