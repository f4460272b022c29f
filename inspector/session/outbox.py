"""The sending half of the message engine: requests and answers go out, clocks run, calls end.

It knows JSON-RPC and nothing of tools or resources; how requests are framed and withdrawn is the
strategy's business, what comes back is `inspector.session.engine`'s.
"""

import asyncio
import itertools
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace

import msgspec

from inspector.errors import (
    ConnectionFailed,
    RequestCancelled,
    RequestTimeout,
    UsageError,
)
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.journal.journal import Journal
from inspector.protocol.messages import (
    Json,
    JsonObject,
    MessageKind,
    Request,
    RequestId,
    Sendable,
    decode,
    encode_error,
    encode_result,
    raw_members,
    read_envelope,
)
from inspector.protocol.versions import Revision
from inspector.session.changes import Changes
from inspector.session.deadline import Deadline
from inspector.session.negotiate import Strategy, frame_notification, label_of
from inspector.session.nest import Nest
from inspector.session.options import Options
from inspector.session.pending import Call, Calls, Failure, Lost, Outcome, Success
from inspector.session.state import SessionState
from inspector.transport.base import Outgoing, Transport


class Outbox:
    """Everything one session sends, and the calls that wait for answers."""

    def __init__(
        self,
        *,
        transport: Transport,
        journal: Journal,
        strategy: Strategy,
        options: Options,
        changes: Changes,
        nest: Nest,
        connection: int,
        numbers: Iterator[int],
    ) -> None:
        self.transport = transport
        self.journal = journal
        self.strategy = strategy
        self.options = options
        self.changes = changes
        self.nest = nest
        self.calls = Calls()
        self.state = SessionState(connection=connection)
        self._dropped = 0
        self._ids = itertools.count(1)
        self._taken: set[RequestId] = set()
        self._numbers = numbers

    def update(self, change: Callable[[SessionState], SessionState]) -> None:
        """Replaces the state by what `change` makes of it."""
        self.state = change(self.state)
        self.changes.bump("state")

    # -- sending --

    async def request(
        self,
        method: str,
        params: Sendable = None,
        *,
        timeout: float | None = None,
        progress: bool = False,
        flags: Flag = NO_FLAGS,
        parent: int | None = None,
        retry_of: int | None = None,
        on_success: Callable[[Call, Success], bool] | None = None,
        on_refusal: Callable[[Call, Failure], bool] | None = None,
    ) -> Call:
        """Sends a request as it stands and returns its call; a failed write ends the call.

        `on_success` may take a result over, and `on_refusal` an error: where it returns True the
        call goes on, and whoever took it ends it.
        """
        request_id = next(number for number in self._ids if number not in self._taken)
        token: RequestId | None = request_id if progress else None
        if token is not None and self.calls.by_token(token) is not None:
            token = f"progress-{request_id}"
        try:
            outgoing = self.strategy.frame(request_id, method, params, token)
        except (ValueError, TypeError, OverflowError, msgspec.MsgspecError) as error:
            raise UsageError(f"cannot write the parameters of {method} as JSON: {error}") from error
        call = self._new_call(request_id, method, params, timeout, flags, parent, retry_of)
        call.progress_token = _token_of(outgoing.raw)
        call.on_success = on_success
        call.on_refusal = on_refusal
        await self._send_call(call, replace(outgoing, flags=outgoing.flags | flags))
        return call

    async def send_raw(self, raw: bytes, flags: Flag = Flag.RESENT) -> int:
        """Sends bytes as they stand. A request among them becomes a call, found by its answer.

        Returns the journal entry's number; raises ConnectionFailed where it cannot be written.
        """
        envelope = read_envelope(raw)
        outgoing = Outgoing(raw, envelope.kind, envelope.id, envelope.method, flags=flags)
        message = decode(raw)
        if not isinstance(message, Request) or self.calls.pending(message.id) is not None:
            return await self.transport.send(outgoing)
        self._taken.add(message.id)
        call = self._new_call(message.id, message.method, message.params, None, flags, None, None)
        call.progress_token = _token_of(raw)
        headers = self.strategy.headers(message.method, message.params)
        await self._send_call(call, replace(outgoing, name=call.label, headers=headers))
        if isinstance(call.outcome, Lost) and not call.entry:
            raise call.outcome.error
        return call.entry

    def _new_call(
        self,
        request_id: RequestId,
        method: str,
        params: Sendable,
        timeout: float | None,
        flags: Flag,
        parent: int | None,
        retry_of: int | None,
    ) -> Call:
        idle = self.options.timeout if timeout is None else timeout
        total = self.options.max_timeout if idle else 0.0
        return Call(
            next(self._numbers),
            request_id,
            method,
            params,
            deadline=Deadline(idle, total, time.monotonic()),
            cancel=self._cancel,
            label=label_of(method, params),
            parent=parent,
            retry_of=retry_of,
            forced=Flag.FORCED in flags,
            clock=self.journal.clock.monotonic,
        )

    async def _send_call(self, call: Call, outgoing: Outgoing) -> None:
        self.calls.add(call)
        self._arm(call)
        self.changes.bump("calls")
        try:
            call.entry = await self.transport.send(outgoing)
        except ConnectionFailed as error:
            self.finish(call, Lost(error))
        except asyncio.CancelledError:
            self.finish(call, Lost(RequestCancelled(f"{call.method} was cancelled unsent")))
            raise
        if isinstance(call.outcome, Lost) and isinstance(call.outcome.error, RequestTimeout):
            self._note_timeout(call)

    async def notify(self, method: str, params: Sendable = None) -> int:
        """Sends a notification; returns its entry. Raises ConnectionFailed."""
        return await self.transport.send(frame_notification(method, params))

    async def respond(self, request_id: RequestId, result: Sendable) -> int:
        """Answers a request of the server. Raises ConnectionFailed."""
        raw = encode_result(request_id, result)
        return await self.transport.send(Outgoing(raw, MessageKind.RESULT, request_id, ""))

    async def refuse(
        self, request_id: RequestId, code: int, message: str, data: Sendable = None
    ) -> int:
        """Answers a request of the server with an error. Raises ConnectionFailed."""
        raw = encode_error(request_id, code, message, data)
        return await self.transport.send(Outgoing(raw, MessageKind.ERROR, request_id, ""))

    def negotiated(self, revision: Revision) -> None:
        """Tells the transport which revision is spoken from here on."""
        self.transport.negotiated(revision)
        self.update(lambda s: replace(s, revision=revision, revision_text=revision.value))

    def offering(self, revision: Revision, capabilities: JsonObject) -> None:
        """Notes what is being offered, for whoever watches."""
        self.update(lambda s: replace(s, offered=revision.value, client_capabilities=capabilities))

    def post(self, work: Coroutine[object, object, object]) -> None:
        """Sends in the background; too many of these at once are dropped, and that is noted (at
        the first one, the second, the fourth and so on: the note must not flood what it notes)."""
        if self.nest.spawn(work) is not None:
            return
        self._dropped += 1
        if self._dropped & (self._dropped - 1) == 0:
            facts: JsonObject = {"answers": self._dropped}
            self.journal.event("answers-dropped", facts, connection=self.state.connection)

    # -- the end of a call --

    def finish(self, call: Call, outcome: Outcome) -> None:
        """Ends `call`, unless it has ended already."""
        self.calls.answered(call)
        self.calls.forget_token(call)
        if call.finish(outcome):
            if isinstance(outcome, Lost) and call.entry:
                self.unanswered(call.entry)
            self.changes.bump("calls")

    def unanswered(self, number: int) -> None:
        """Entry `number` is a request that nobody will answer any more: it waits no longer."""
        if self.journal.row(number).flags & Flag.PENDING:
            self.journal.flag(number, Flag.PENDING, on=False)

    async def _cancel(self, call: Call, reason: str) -> None:
        self.finish(call, Lost(RequestCancelled(f"{call.method} was cancelled", hint=reason)))
        if not self.state.over:
            await self._withdraw(call, reason)

    async def _withdraw(self, call: Call, reason: str) -> None:
        """Tells the server, and the transport, that nobody waits for the answer any more."""
        try:
            await self.strategy.withdraw(self, call, reason)
        finally:
            await self.transport.abandon(call.id)

    def pause(self, call: Call) -> None:
        """Stops the clock of `call`: the server waits for us."""
        call.deadline.pause(time.monotonic())
        self.changes.bump("calls")

    def resume(self, call: Call) -> None:
        """Lets the clock of `call` go on."""
        call.deadline.resume(time.monotonic())
        open_still = self.calls.pending(call.id) is call or call.task_id is not None
        if not call.done and call.timer is None and open_still:
            self._arm(call)
        self.changes.bump("calls")

    def rearm(self, call: Call) -> None:
        """Sets the timer of `call` anew, where its limits have changed."""
        call.stop_timer()
        if not call.done:
            self._arm(call)

    def _arm(self, call: Call) -> None:
        left = call.deadline.left(time.monotonic())
        call.timer = None
        if left != float("inf"):
            call.timer = asyncio.get_running_loop().call_later(left, self._due, call)

    def _note_timeout(self, call: Call) -> None:
        """The flag says so at the request, the event at the time."""
        self.journal.flag(call.entry, Flag.TIMED_OUT)
        facts: JsonObject = {"request": call.entry, "seconds": round(call.elapsed, 3)}
        self.journal.event("timed-out", facts, connection=self.state.connection)

    def _due(self, call: Call) -> None:
        if call.deadline.left(time.monotonic()) > 0:
            self._arm(call)
            return
        call.timer = None
        said = f"{call.method} got no answer in {call.elapsed:.3g} s"
        if call.task_id is not None:
            said = f"the task of {call.method} did not end in {call.elapsed:.3g} s"
        more = "the server may still be working; allow more time with --timeout"
        if call.arriving:
            more = f"{call.arriving} bytes of an answer came; allow more time with --timeout"
        error = RequestTimeout(said, hint=call.hint or more)
        self.finish(call, Lost(error))
        if call.entry:
            self._note_timeout(call)
        self.nest.spawn(call.withdraw("timed out"))


def _token_of(raw: bytes) -> RequestId | None:
    """The progress token that a request carries, ours or one that the user put there.

    Read member by member: other parts may be what no parser takes, sent on purpose.
    """
    params = raw_members(raw).get("params", b"")
    text = raw_members(raw_members(params).get("_meta", b"")).get("progressToken", b"")
    try:
        token: Json = msgspec.json.decode(text)
    except msgspec.DecodeError:
        return None
    return token if isinstance(token, int | str) and not isinstance(token, bool) else None
