"""The message engine of one session: every answer gets to its call, everything else to a receiver.

It knows JSON-RPC and nothing of tools or resources: what the server asks or announces goes to a
`Receiver`. Nothing that a peer sends makes it raise. Sending is `inspector.session.outbox`.
"""

import asyncio
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final, Protocol

from inspector.errors import (
    STDERR_HEADING,
    ConnectionFailed,
    InspectorError,
    PeerViolation,
    excerpt,
)
from inspector.journal.entries import Flag
from inspector.journal.journal import Journal
from inspector.protocol.codes import INVALID_REQUEST
from inspector.protocol.messages import (
    Batch,
    ErrorReply,
    JsonObject,
    Malformed,
    Message,
    MessageKind,
    Notification,
    Request,
    RequestId,
    Result,
    decode,
    raw_members,
    read_envelope,
)
from inspector.protocol.versions import Revision
from inspector.session.authorizing import Authorizing
from inspector.session.changes import Changes
from inspector.session.negotiate import Strategy
from inspector.session.nest import Nest
from inspector.session.options import Options
from inspector.session.outbox import Outbox
from inspector.session.pending import Call, Failure, Lost, Outcome, Progress, Success
from inspector.session.repeated import message_without_ours, without_ours
from inspector.session.state import Phase
from inspector.transport.base import Closed, Transport

QUOTED_SECONDS: Final = 1.0
"""How long an answer is waited for that was seen behind other text on its line."""


class Receiver(Protocol):
    """Who takes what the server sends of its own accord."""

    def request(self, number: int, request: Request, about: RequestId | None) -> None:
        """The server wants something; it is owed an answer."""

    def notification(self, number: int, raw: bytes, method: str, about: RequestId | None) -> None:
        """The server announces something; the body is still unread."""

    def ended(self, error: InspectorError | None) -> None:
        """The connection is gone; no answer can be sent any more."""

    def expired(self) -> None:
        """The server has forgotten our session; only a new one helps."""


class Engine(Outbox):
    """One session's traffic. Implements `inspector.transport.base.Sink`.

    `gone` is set once the transport has ended; `on_failure` hears of every error answer.
    """

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
        super().__init__(
            transport=transport,
            journal=journal,
            strategy=strategy,
            options=options,
            changes=changes,
            nest=nest,
            connection=connection,
            numbers=numbers,
        )
        self.receiver: Receiver | None = None
        self.on_failure: Callable[[Call, Failure], None] | None = None
        self.gone = asyncio.Event()
        self.clocks = Authorizing(self.calls, self.pause, self.resume)

    def received(self, number: int, raw: bytes, about: RequestId | None) -> None:
        """One message arrived, and is in the journal as entry `number`."""
        if self.journal.columns.flags[number] & Flag.MASKED:
            raw = message_without_ours(raw, self.journal.redactor.without_ours)
        envelope = read_envelope(raw)
        if envelope.kind is MessageKind.NOTIFICATION:
            if self.receiver is not None:
                self.receiver.notification(number, raw, envelope.method, about)
            return
        message = decode(raw, envelope)
        if isinstance(message, Batch):
            self._note_batch(number)
            for member_raw, member in message.members:
                self._take(number, member_raw, member, about)
        else:
            self._take(number, raw, message, about)

    def _note_batch(self, number: int) -> None:
        """Read in every revision, and told where it is none of its messages (2025-03-26 basic has
        batches, 2025-06-18 changelog removes them)."""
        revision = self.state.revision
        if revision not in (None, Revision.V2025_03_26):
            reason = f"entry {number} is a batch, which {revision} does not have; read all the same"
            facts: JsonObject = {"entry": number, "reason": reason}
            self.journal.event("batch-not-allowed", facts, connection=self.state.connection)

    def _take(self, number: int, raw: bytes, message: Message, about: RequestId | None) -> None:
        match message:
            case Result():
                result_raw = raw_members(raw).get("result", b"")
                self._answer(number, message.id, Success(message.result, result_raw, number))
            case ErrorReply():
                self._take_error(number, raw, message, about)
            case Request():
                if self.receiver is not None:
                    self.receiver.request(number, message, about)
            case Notification():
                if self.receiver is not None:
                    self.receiver.notification(number, raw, message.method, about)
            case Malformed():
                self._take_malformed(number, message)
            case Batch():  # a batch inside a batch reads as malformed
                pass

    def _take_error(
        self, number: int, raw: bytes, reply: ErrorReply, about: RequestId | None
    ) -> None:
        """Errors may come without a usable id: then the HTTP exchange tells whose they are.

        Servers also send `"id": null` or `"server-error"` there. While `initialize` is open
        nothing else can be meant.
        """
        error_raw = raw_members(raw).get("error", b"")
        failure = Failure(reply.code, reply.message, reply.data, error_raw, number)
        if self.calls.pending(reply.id) is None and self.calls.by_id(reply.id) is None:
            pending = self.calls.all_pending()
            opening = [call for call in pending if call.method == "initialize"]
            if call := self.calls.pending(about) or (
                opening[0] if opening and reply.id is None else None
            ):
                self._answer(number, call.id, failure)
                return
        if reply.id is not None:
            self._answer(number, reply.id, failure)
        else:
            self._remark(f"an error came that names no request (entry {number}): {reply.message}")

    def _take_malformed(self, number: int, message: Malformed) -> None:
        if message.id is not None and self.calls.pending(message.id) is not None:
            error = PeerViolation(
                f"the answer cannot be read: {message.reason}",
                hint=f"entry {number} shows its bytes",
            )
            self._answer(number, message.id, Lost(error, number))
            if message.inside is not None and (other := self.calls.pending(message.inside)):
                self._quoted(other, number, message.reason)
            return
        if message.asked is not None:
            self.post(self.refuse(message.asked, INVALID_REQUEST, message.reason))
        if message.inside is not None and (call := self.calls.pending(message.inside)):
            self._quoted(call, number, message.reason)
        elif message.asked is None:
            self._remark(f"what came meanwhile is no message (entry {number}): {message.reason}")

    def _quoted(self, call: Call, number: int, reason: str) -> None:
        """The answer to `call` stands behind other text. A log that quotes it would be followed by
        the answer itself; otherwise this is all that will come."""
        error = PeerViolation(
            f"the answer stands in a line with something else: {reason}",
            hint=f"entry {number} shows its bytes; a message needs a line of its own",
        )
        call.hint = f"an answer to this stands inside of entry {number}, which is no message"
        self.changes.bump("calls")
        loop = asyncio.get_running_loop()
        loop.call_later(QUOTED_SECONDS, self.failed, call.id, error, number)

    def _remark(self, words: str) -> None:
        """What may be why the open calls get no answer; it is told where one times out."""
        for call in self.calls.all_pending():
            call.hint = call.hint or words

    def _answer(self, number: int, request_id: RequestId, outcome: Outcome) -> None:
        call = self.calls.pending(request_id)
        if call is None:
            self._unmatched(number, request_id, outcome)
            return
        self.calls.answered(call)
        if isinstance(outcome, Success):
            outcome = self.strategy.judge(call, outcome)
        elif isinstance(outcome, Failure):
            outcome = self.strategy.explained(outcome)
        if self._taken_over(call, outcome):
            self.rearm(call)
            self.changes.bump("calls")
            return
        if self.journal.columns.flags[number] & Flag.MASKED:
            outcome = without_ours(outcome, self.journal.redactor.without_ours)
        self.finish(call, outcome)
        if isinstance(outcome, Failure) and self.on_failure is not None:
            self.on_failure(call, outcome)

    def _taken_over(self, call: Call, outcome: Outcome) -> bool:
        """Whether somebody goes on with the call instead of ending it."""
        if isinstance(outcome, Success):
            return call.on_success is not None and call.on_success(call, outcome)
        if isinstance(outcome, Failure):
            return call.on_refusal is not None and call.on_refusal(call, outcome)
        return False

    def _unmatched(self, number: int, request_id: RequestId, outcome: Outcome) -> None:
        """An answer to nothing that is open: late, duplicate or wrong. Kept, never an error."""
        earlier = self.calls.by_id(request_id)
        if earlier is not None:
            earlier.late = (*earlier.late[-9:], number)
            if isinstance(earlier.outcome, Lost) and not earlier.outcome.entry:
                self.journal.flag(number, Flag.LATE)
                if isinstance(outcome, Success) and earlier.on_success:
                    earlier.on_success(earlier, outcome)
        pending, told = self.calls.all_pending(), excerpt(repr(request_id))
        for call in pending:
            if str(call.id) == str(request_id):
                call.hint = f"an answer with the id {told} came (entry {number}); "
                call.hint += f"this waits for {call.id!r}: a string is not a number"
            elif earlier is None and len(pending) == 1:
                call.hint = f"an answer with the unknown id {told} came (entry {number})"
        self.changes.bump("calls")

    def progress(
        self,
        token: RequestId,
        value: float,
        total: float | None,
        message: str,
        number: int,
    ) -> bool:
        """Progress for the call that `token` belongs to; False where there is none."""
        call = self.calls.by_token(token)
        if call is None:
            return False
        count = call.progress.count + 1 if call.progress else 1
        call.progress = Progress(value, total, message, number, count)
        if call.parent is not None and (top := self.calls.by_number(call.parent)) is not None:
            top.progress = call.progress  # a further request of the same call
            top.deadline.progress(time.monotonic())
        call.deadline.progress(time.monotonic())
        self.changes.bump("calls")
        return True

    def remark(self, request_id: RequestId, words: str) -> None:
        """Whoever waits for that request may want to know this."""
        call = self.calls.pending(request_id)
        if call is not None:
            call.hint = words
            self.changes.bump("calls")

    def arriving(self, request_id: RequestId | None, count: int) -> None:
        """So many bytes of what may be its answer have come."""
        for call in self.calls.all_pending():
            if request_id is None or call.id == request_id:
                call.arriving = count

    def failed(self, request_id: RequestId, error: InspectorError, number: int | None) -> None:
        """That one request can get no answer; the session goes on."""
        call = self.calls.pending(request_id)
        if call is not None:
            self.finish(call, Lost(error, number or 0))

    def authorizing(self, request_id: RequestId | None, on: bool) -> None:
        """That request (None: the connection itself) waits for a token, or has ended to."""
        self.clocks.turn(request_id, on)

    def closed(self, closed: Closed) -> None:
        """The whole transport ended."""
        expected = closed.expected or self.state.phase is Phase.CLOSING
        self.end(None if expected else failure_of(closed), closed.reason)

    def end(self, error: InspectorError | None, reason: str = "") -> None:
        """The session is over: every open call fails, every ask is withdrawn."""
        if self.state.over:
            return
        lost = error or ConnectionFailed(reason or "the connection was closed", fault="you")
        for call in self.calls.recent:
            if not call.done:
                self.finish(call, Lost(lost))
        for number in self.journal.correlator.open_requests():
            if self.journal.row(number).connection == self.state.connection:
                self.unanswered(number)
        phase = Phase.CLOSED if error is None else Phase.FAILED
        facts = self.transport.facts
        self.update(lambda s: replace(s, phase=phase, error=error, transport=facts))
        self.gone.set()
        if self.receiver is not None:
            self.receiver.ended(error)

    def session_expired(self) -> None:
        """404 on our session id (2025-11-25 basic/transports): a new session is needed."""
        if self.receiver is not None:
            self.receiver.expired()


def failure_of(closed: Closed) -> ConnectionFailed:
    """Why the transport ended, with exit code or signal and the last lines of stderr."""
    how = closed.reason or "the connection ended"
    if closed.signal:
        how += "" if closed.signal in how else f" (signal {closed.signal})"
    elif closed.exit_code is not None and f"code {closed.exit_code}" not in how:
        how += f" (exit code {closed.exit_code})"
    tail = "\n".join(closed.stderr_tail[-20:])
    ended = bool(closed.signal) or closed.exit_code is not None
    return ConnectionFailed(
        how,
        hint=f"{STDERR_HEADING}{tail}" if tail else "",
        kind="exited" if ended else "closed",
    )
