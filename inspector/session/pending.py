"""Calls: requests of ours, from sending to outcome, and the table that answers are looked up in.

A call ends exactly once, with what the server said or with why nothing usable will come. What is
sent, when a clock runs out and which message ends which call is decided by
`inspector.session.engine`.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeAlias

from inspector.errors import InspectorError
from inspector.protocol.messages import Json, RequestId, Sendable
from inspector.session.deadline import Deadline

RECENT: Final = 500
"""How many calls a session remembers."""
LOGS_PER_CALL: Final = 1000


@dataclass(frozen=True, slots=True)
class Success:
    """The server's result; `raw` is the exact text of the `result` member."""

    result: Json
    raw: bytes
    entry: int


@dataclass(frozen=True, slots=True)
class Failure:
    """The server's error; `raw` is the exact text of the `error` member. `hint` is what we have to
    say about it: the next step for whoever reads it ("" where the error says all)."""

    code: int
    message: str
    data: Json
    raw: bytes
    entry: int
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Lost:
    """No usable answer: timed out, cancelled, connection gone, or an answer that is no message.
    `entry` is the journal entry that shows why (0 where there is none)."""

    error: InspectorError
    entry: int = 0


Outcome: TypeAlias = Success | Failure | Lost


@dataclass(frozen=True, slots=True)
class Progress:
    """The latest progress of a call; `count` is how many notifications came so far."""

    progress: float
    total: float | None
    message: str
    entry: int
    count: int


class Call:
    """One request of ours.

    Attributes are replaced, never mutated in place, so any thread may read them; coroutines run on
    the workbench loop only. `number` is unique within an inspection, `id` within a session.
    `label` is the tool, prompt or URI it names. `task_id` is set once the server runs it as a
    task; then `outcome` comes from the task. `rounds` counts the further requests that carried
    answers to what it asked back. `late` are entries that answered after the end,
    `hint` is a remark for somebody who wonders why no answer comes, `arriving` how many bytes of
    one have come that is not whole.
    """

    __slots__ = (
        "_cancel",
        "_clock",
        "_done",
        "arriving",
        "deadline",
        "ended",
        "entry",
        "forced",
        "hint",
        "id",
        "label",
        "late",
        "logs",
        "method",
        "number",
        "on_refusal",
        "on_success",
        "outcome",
        "params",
        "parent",
        "progress",
        "progress_token",
        "retry_of",
        "rounds",
        "started",
        "task_id",
        "timer",
    )

    def __init__(
        self,
        number: int,
        request_id: RequestId,
        method: str,
        params: Sendable,
        *,
        deadline: Deadline,
        cancel: Callable[["Call", str], Awaitable[None]],
        label: str = "",
        parent: int | None = None,
        retry_of: int | None = None,
        forced: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` gives monotonic seconds: the journal's, so that they fit its entries."""
        self.number = number
        self.id = request_id
        self.method = method
        self.params = params
        self.label = label
        self.parent = parent
        self.retry_of = retry_of
        self.forced = forced
        self.entry = 0
        self._clock = clock
        self.started = clock()
        self.ended: float | None = None
        self.progress: Progress | None = None
        self.progress_token: RequestId | None = None
        self.logs: tuple[int, ...] = ()
        self.late: tuple[int, ...] = ()
        self.hint = ""
        self.arriving = 0
        self.task_id: str | None = None
        self.rounds = 0
        self.outcome: Outcome | None = None
        self.deadline = deadline
        self.timer: asyncio.TimerHandle | None = None
        self.on_success: Callable[[Call, Success], bool] | None = None
        self.on_refusal: Callable[[Call, Failure], bool] | None = None
        self._cancel = cancel
        self._done = asyncio.Event()

    @property
    def done(self) -> bool:
        """Whether the outcome is known."""
        return self.outcome is not None

    @property
    def elapsed(self) -> float:
        """Seconds from sending to the outcome, or until now."""
        return (self.ended if self.ended is not None else self._clock()) - self.started

    @property
    def waiting_for_us(self) -> bool:
        """Whether the clock stands still because the server waits for an answer of ours."""
        return not self.done and self.deadline.paused

    async def wait(self) -> Outcome:
        """The outcome, once there is one. To stop waiting does not cancel the call."""
        await self._done.wait()
        assert self.outcome is not None
        return self.outcome

    async def cancel(self, reason: str = "") -> None:
        """Gives up: tells the server and ends with `Lost`. Does nothing once it is done."""
        if not self.done:
            await self._cancel(self, reason)

    async def withdraw(self, reason: str) -> None:
        """Tells the server that the answer is not waited for any more, though the call is done."""
        await self._cancel(self, reason)

    def cancel_by(self, cancel: Callable[["Call", str], Awaitable[None]]) -> None:
        """Changes how this call is cancelled (a task has a request of its own for that)."""
        self._cancel = cancel

    def finish(self, outcome: Outcome) -> bool:
        """Ends the call; False if it had ended already."""
        if self.outcome is not None:
            return False
        self.ended = self._clock()
        self.outcome = outcome
        self.stop_timer()
        self._done.set()
        return True

    def stop_timer(self) -> None:
        """No deadline ends this call any more."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer = None

    def note_log(self, entry: int) -> None:
        """Remembers a log notification that came on this call's own stream."""
        if len(self.logs) < LOGS_PER_CALL:
            self.logs = (*self.logs, entry)


class Calls:
    """The calls of one session: the pending ones by id, the recent ones in order."""

    __slots__ = ("_by_token", "_pending", "recent")

    def __init__(self) -> None:
        self.recent: tuple[Call, ...] = ()
        self._pending: dict[RequestId, Call] = {}
        self._by_token: dict[RequestId, Call] = {}

    def add(self, call: Call) -> None:
        """Takes a call that is about to be sent."""
        self._pending[call.id] = call
        if call.progress_token is not None:
            self._by_token[call.progress_token] = call
        self.recent = (*self.recent[-(RECENT - 1) :], call)

    def pending(self, request_id: RequestId | None) -> Call | None:
        """The call that waits for exactly this id; 1 and "1" are different."""
        return None if request_id is None else self._pending.get(request_id)

    def all_pending(self) -> tuple[Call, ...]:
        """Calls whose request has no answer yet, oldest first."""
        return tuple(self._pending.values())

    def answered(self, call: Call) -> None:
        """The request has its answer; the call itself may go on as a task."""
        if self._pending.get(call.id) is call:
            del self._pending[call.id]

    def forget_token(self, call: Call) -> None:
        """Progress for this call is no longer expected."""
        token = call.progress_token
        if token is not None and self._by_token.get(token) is call:
            del self._by_token[token]

    def by_token(self, token: RequestId) -> Call | None:
        """The active call that a progress token belongs to."""
        return self._by_token.get(token)

    def by_id(self, request_id: RequestId | None) -> Call | None:
        """The newest remembered call with this id, done or not."""
        if request_id is None:
            return None
        return next((call for call in reversed(self.recent) if call.id == request_id), None)

    def by_number(self, number: int | None) -> Call | None:
        """The remembered call with this number."""
        return next((call for call in reversed(self.recent) if call.number == number), None)
