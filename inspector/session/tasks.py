"""Tasks: calls that the server goes on with after it has answered.

Keeps what is known of all, in either era, and follows our own tasks of 2025-11-25 to their end
(poll at the server's interval, `tasks/result` for what they need and for the outcome). The call of
a task ends with the task's outcome. Whether a call may be made as a task is decided by the session
(basic/utilities/tasks), how a task of the modern era goes on by
`inspector.session.extension_tasks`.
"""

import asyncio
from contextlib import suppress
from dataclasses import replace
from typing import Final

from inspector.errors import RequestCancelled, RequestTimeout
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.messages import Json, JsonObject, Sendable
from inspector.protocol.versions import Era
from inspector.session.asks import RELATED_TASK
from inspector.session.engine import Engine
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.session.task_state import TaskState as TaskState
from inspector.session.task_state import TaskSupport as TaskSupport
from inspector.session.task_state import read_task
from inspector.session.task_state import task_support as task_support

RELATED: Final = RELATED_TASK
DEFAULT_POLL: Final = 1.0
SHORTEST_POLL: Final = 0.02
LONGEST_POLL: Final = 300.0
PERSON_POLL: Final = 10.0
"""While somebody answers what a task needs the pauses double up to this, in seconds."""
BOUND: Final = 500
LIST_PAGES: Final = 100
LOST_POLLS: Final = 3
"""So many polls in a row may time out before the task is given up."""


class Tasks:
    """The tasks of one session."""

    def __init__(self, engine: Engine) -> None:
        self.tasks: tuple[TaskState, ...] = ()
        self._engine = engine
        self._calls: dict[str, Call] = {}
        self._wake: dict[str, asyncio.Event] = {}
        self._waits: dict[str, int] = {}

    def find(self, task_id: str) -> TaskState | None:
        """The task with this id."""
        return next((task for task in self.tasks if task.id == task_id), None)

    def call_of(self, task_id: str) -> Call | None:
        """Our call that the task runs for."""
        return self._calls.get(task_id)

    def related(self, params: JsonObject | None) -> Call | None:
        """Our call that a message belongs to by the task it names in its `_meta`."""
        meta = params.get("_meta") if params else None
        named = meta.get(RELATED) if isinstance(meta, dict) else None
        task_id = named.get("taskId") if isinstance(named, dict) else None
        return self._calls.get(task_id) if isinstance(task_id, str) else None

    # -- one of ours --

    def created(self, call: Call, success: Success) -> bool:
        """Takes over the answer to a task-augmented request if it is a CreateTaskResult.

        Where it comes after the call was given up, the task is cancelled: no notification of ours
        could do that before (2025-11-25 basic/utilities/tasks).
        """
        described = success.result.get("task") if isinstance(success.result, dict) else None
        task = read_task(described, success.entry)
        if task is None:
            return False
        if not self.begin(call, task):
            return False
        self._engine.nest.spawn(self._follow(call, task.id))
        return True

    def begin(self, call: Call, task: TaskState) -> bool:
        """`call` goes on as `task`, and its end is the task's. False where the call is over: such
        a task is cancelled."""
        late = call.done
        if late and call.task_id is not None:
            return False
        call.task_id = task.id
        self._put(replace(task, call=call.number, method=call.method, label=call.label))
        if late:
            if self._can_cancel and not task.over:
                self._engine.nest.spawn(self.cancel(task.id))
            return False
        call.deadline.only_total((task.ttl or 0) / 1000)  # it is polled: silence is no fault
        call.cancel_by(self._cancel_call)
        self._calls[task.id] = call
        self._wake[task.id] = asyncio.Event()
        return True

    def ended(self, task_id: str) -> None:
        """Nobody follows the task any more."""
        self._wake.pop(task_id, None)
        self._waits.pop(task_id, None)
        self._engine.changes.bump("tasks")

    @property
    def _can_cancel(self) -> bool:
        """By capability in 2025-11-25, always in the extension."""
        return self._modern or self._engine.state.declares("tasks", "cancel")

    @property
    def _modern(self) -> bool:
        return self._engine.strategy.era is Era.MODERN

    async def _follow(self, call: Call, task_id: str) -> None:
        """Polls until the end; `tasks/result` is asked for early where the task needs input,
        because that is how the server gets to send its requests."""
        result: Call | None = None
        lost = 0
        while not call.done:
            task = self.find(task_id)
            if task is None or task.over:
                break
            if task.status == "input_required" and result is None:
                result = await self._ask_result(task_id, call.number)
                self._engine.nest.spawn(self._wake_when_done(result, task_id))
            await self.pause(task)
            if call.done or (result is not None and result.done):
                break
            outcome = await (await self.get(task_id, parent=call.number)).wait()
            if isinstance(outcome, Failure):
                self._engine.finish(call, outcome)
            elif isinstance(outcome, Lost):
                lost = lost + 1 if isinstance(outcome.error, RequestTimeout) else LOST_POLLS
                if lost >= LOST_POLLS:
                    self._engine.finish(call, outcome)
            else:
                lost = 0
        if not call.done:
            self._engine.finish(call, await self._outcome(call, task_id, result))
        if result is not None and not result.done:
            await result.cancel("the task has ended")
        self.ended(task_id)

    async def _outcome(self, call: Call, task_id: str, result: Call | None) -> Outcome:
        task = self.find(task_id)
        if task is not None and task.status == "cancelled" and result is None:
            return Lost(RequestCancelled(f"the task of {call.method} was cancelled"), task.entry)
        asked = result or await self._ask_result(task_id, call.number)
        outcome = await asked.wait()
        if task is not None and not task.over:  # the result came before a poll saw the end
            await (await self.get(task_id, parent=call.number)).wait()
        return outcome

    async def _ask_result(self, task_id: str, parent: int) -> Call:
        """`tasks/result` blocks until the end, so that it has no clock of its own."""
        params: dict[str, Sendable] = {"taskId": task_id}
        return await self._engine.request("tasks/result", params, timeout=0.0, parent=parent)

    async def pause(self, task: TaskState) -> None:
        """Until the next poll is due, the status was announced, or the result is there."""
        needs = task.status == "input_required"
        waits = self._waits[task.id] = self._waits.get(task.id, 0) + 1 if needs else 0
        wake = self._wake[task.id]
        with suppress(TimeoutError):
            async with asyncio.timeout(poll_after(task.poll_interval, waits)):
                await wake.wait()
        wake.clear()

    def answered(self, task_id: str) -> None:
        """What the task needed has gone out: it is asked for at once, then at its interval."""
        self._waits.pop(task_id, None)
        self._poke(task_id)

    async def _wake_when_done(self, result: Call, task_id: str) -> None:
        await result.wait()
        self._poke(task_id)

    async def _cancel_call(self, call: Call, reason: str) -> None:
        """A task is cancelled by `tasks/cancel`, not by `notifications/cancelled`."""
        self._engine.finish(
            call, Lost(RequestCancelled(f"{call.method} was cancelled", hint=reason))
        )
        if call.task_id is not None and not self._engine.state.over:
            self._poke(call.task_id)
            if self._can_cancel:
                await self.cancel(call.task_id)
            for asked in self._engine.calls.all_pending():
                if asked.method == "tasks/result" and asked.parent == call.number:
                    await asked.cancel(reason)

    # -- any task --

    async def get(self, task_id: str, flags: Flag = NO_FLAGS, *, parent: int | None = None) -> Call:
        """`tasks/get`; the call is done, and what it said is taken, when this returns."""
        params: dict[str, Sendable] = {"taskId": task_id}
        call = await self._engine.request("tasks/get", params, flags=flags, parent=parent)
        outcome = await call.wait()
        if isinstance(outcome, Success):
            known = self.find(task_id)
            if known is not None:
                self._put(replace(known, polls=known.polls + 1))
            self._take(outcome.result, outcome.entry, outcome.raw)
        return call

    async def result(self, task_id: str, flags: Flag = NO_FLAGS) -> Call:
        """`tasks/result` of any task; it may block for as long as the task runs."""
        params: dict[str, Sendable] = {"taskId": task_id}
        return await self._engine.request("tasks/result", params, timeout=0.0, flags=flags)

    async def cancel(self, task_id: str, flags: Flag = NO_FLAGS) -> Call:
        """`tasks/cancel`; the call is done when this returns."""
        call = await self._engine.request("tasks/cancel", {"taskId": task_id}, flags=flags)
        outcome = await call.wait()
        if isinstance(outcome, Success):
            if self._modern:  # a bare acknowledgement: how it stands has to be asked for
                await self.get(task_id)
            else:
                self._take(outcome.result, outcome.entry)
            self._poke(task_id)
        return call

    async def list_all(self, flags: Flag = NO_FLAGS) -> Call:
        """`tasks/list`, all pages; returns the call of the last page read."""
        cursor: str | None = None
        seen: set[str] = set()
        for _ in range(LIST_PAGES):
            params: dict[str, Sendable] | None = {"cursor": cursor} if cursor else None
            call = await self._engine.request("tasks/list", params, flags=flags)
            outcome = await call.wait()
            body = outcome.result if isinstance(outcome, Success) else None
            if not isinstance(body, dict) or not isinstance(outcome, Success):
                return call
            described = body.get("tasks")
            for item in described if isinstance(described, list) else []:
                self._take(item, outcome.entry)
            following = body.get("nextCursor")
            if not isinstance(following, str) or not following or following in seen:
                return call
            seen.add(following)
            cursor = following
        return call

    def announced(self, params: JsonObject, entry: int) -> None:
        """`notifications/tasks/status`: take it, and look at once instead of at the next poll."""
        self.described(params, entry, b"")

    def described(self, params: JsonObject, entry: int, text: bytes) -> None:
        """`notifications/tasks` of the extension, which says all that a poll would."""
        if (task := self._take(params, entry, text)) is not None:
            self._poke(task.id)

    def _take(self, described: Json, entry: int, text: bytes = b"") -> TaskState | None:
        task = read_task(described, entry, text)
        if task is None:
            return None
        known = self.find(task.id)
        if known is not None:
            if known.over and not task.over:  # a late message cannot bring a task back
                return known
            task = replace(
                task, call=known.call, method=known.method, label=known.label, polls=known.polls
            )
        self._put(task)
        return task

    def _poke(self, task_id: str) -> None:
        if (wake := self._wake.get(task_id)) is not None:
            wake.set()

    def _put(self, task: TaskState) -> None:
        others = tuple(known for known in self.tasks if known.id != task.id)
        if len(others) == len(self.tasks):
            self.tasks = (*others[-(BOUND - 1) :], task)
        else:
            self.tasks = tuple(task if known.id == task.id else known for known in self.tasks)
        self._engine.changes.bump("tasks")


def poll_after(interval: int | None, waits: int) -> float:
    """Seconds until a task is asked for again. `interval` are the server's milliseconds; `waits`
    how many times in a row the task was found to wait for somebody's answer."""
    seconds = DEFAULT_POLL if interval is None else interval / 1000
    seconds = min(max(seconds, SHORTEST_POLL), LONGEST_POLL)
    if waits > 1:
        return max(seconds, min(seconds * 2.0 ** min(waits - 1, 20), PERSON_POLL))
    return seconds
