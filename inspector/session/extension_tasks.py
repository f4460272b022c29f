"""Tasks of the extension `io.modelcontextprotocol/tasks` (2026-07-28, SEP-2663).

The server decides which calls run as tasks. Follows one of ours to its end: asks for it at the
server's interval, has its input requests answered and sends the answers by `tasks/update`, each
key once, and ends the call with the result or error that the last description carries. What is
known of a task is kept by `inspector.session.tasks`.
"""

import asyncio
from dataclasses import dataclass, field

from inspector.errors import InspectorError, PeerViolation, RequestCancelled, RequestTimeout
from inspector.protocol.messages import Json, Sendable, raw_members
from inspector.session.engine import Engine
from inspector.session.inbox import Inbox
from inspector.session.listening import Listening
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.session.questions import InputRequest, answered, read_requests, stepped
from inspector.session.task_state import TaskState, read_task
from inspector.session.tasks import LOST_POLLS, Tasks


@dataclass(slots=True)
class _Errand:
    """A call that runs as a task: the entry that made it one, the keys that were asked, and the
    answering under way by key."""

    call: Call
    task_id: str
    created: int
    asked: set[str] = field(default_factory=set)
    open: dict[str, asyncio.Task[None] | None] = field(default_factory=dict)


class ExtensionTasks:
    """The calls of one session that go on as tasks of the extension."""

    def __init__(self, engine: Engine, tasks: Tasks, inbox: Inbox, listening: Listening) -> None:
        self._engine = engine
        self._tasks = tasks
        self._inbox = inbox
        self._listening = listening

    def take(self, call: Call, success: Success) -> bool:
        """Takes over a CreateTaskResult; False for any other, and where nobody waits any more."""
        if not is_task(success):
            return False
        task = read_task(success.result, success.entry, success.raw)
        if task is None:
            error = PeerViolation(
                f"the task that {call.method} was answered with has no taskId or no status",
                hint=f"entry {success.entry} shows it",
            )
            self._engine.finish(call, Lost(error, success.entry))
            return True
        if not self._tasks.begin(call, task):
            return False
        self._engine.rearm(call)
        self._listening.task_began(task.id)
        self._engine.nest.spawn(self._follow(_Errand(call, task.id, success.entry)))
        return True

    async def _follow(self, errand: _Errand) -> None:
        """From description to description, as they are asked for or announced."""
        call, tasks = errand.call, self._tasks
        lost, seen = 0, 0
        try:
            while not call.done and (task := tasks.find(errand.task_id)) is not None:
                if _ended(task, errand.created):
                    self._engine.finish(call, outcome_of(task, call.method))
                    break
                if task.entry != seen:
                    seen = task.entry
                    self._serve(errand, task)
                if not task.over:
                    await tasks.pause(task)
                now = tasks.find(errand.task_id)
                if call.done or now is None or now.entry != seen:
                    continue  # somebody else has asked, or it was announced
                outcome = await (await tasks.get(task.id, parent=call.number)).wait()
                if isinstance(outcome, Failure):
                    self._engine.finish(call, outcome)
                elif isinstance(outcome, Lost):
                    timed_out = isinstance(outcome.error, RequestTimeout)
                    lost = lost + 1 if timed_out else LOST_POLLS
                    if lost >= LOST_POLLS:
                        self._engine.finish(call, outcome)
                else:
                    lost = 0
                    self._judge_poll(call, task.id, seen, outcome)
        except InspectorError as error:
            await self._give_up(errand, error, seen)
        finally:
            for work in errand.open.values():
                if work is not None:
                    work.cancel()
            self._listening.task_ended(errand.task_id)
            tasks.ended(errand.task_id)

    def _judge_poll(self, call: Call, task_id: str, seen: int, answer: Success) -> None:
        """An answer that does not describe the task would be asked for without end."""
        now = self._tasks.find(task_id)
        if now is not None and now.entry == seen and not now.over:
            error = PeerViolation(
                f"the answer to tasks/get does not describe the task of {call.method}",
                hint=f"entry {answer.entry} shows it",
            )
            self._engine.finish(call, Lost(error, answer.entry))

    # -- what the task needs --

    def _serve(self, errand: _Errand, task: TaskState) -> None:
        """Asks what is newly wanted, each key once; takes back what is wanted no longer."""
        wanted: Json = None
        if task.status == "input_required":
            wanted = (task.raw or {}).get("inputRequests")
            if not wanted:
                errand.call.hint = "the task needs input, but does not say which"
        outstanding = wanted if isinstance(wanted, dict) else {}
        if any(key not in outstanding for key in errand.open):
            for key, work in errand.open.items():
                errand.asked.discard(key)  # of those asked together, what is left is asked anew
                if work is not None:
                    work.cancel()
            errand.open.clear()
        if wanted:
            fresh = (
                {key: one for key, one in outstanding.items() if key not in errand.asked}
                if isinstance(wanted, dict)
                else wanted
            )
            requests = read_requests(fresh, f"the task of {errand.call.method}", self._engine.state)
            if requests:
                errand.asked.update(requests)
                work = self._engine.nest.spawn(self._answer(errand, requests, task.entry))
                errand.open.update(dict.fromkeys(requests, work))

    async def _answer(self, errand: _Errand, requests: dict[str, InputRequest], entry: int) -> None:
        """Has the requests answered, and sends all answers together."""
        call = errand.call
        try:
            answers = await answered(self._inbox, call, requests, entry)
            params: dict[str, Sendable] = {"taskId": errand.task_id, "inputResponses": answers}
            agreed = await stepped(self._inbox, call, "tasks/update", params, entry)
        except RequestCancelled as error:
            await self._give_up(errand, error, entry)
            return
        for key in requests:
            errand.open.pop(key, None)
        if call.done:
            return
        sent = await self._engine.request("tasks/update", agreed, parent=call.number)
        match await sent.wait():
            case Failure(code=code, message=message):
                call.hint = f"the server refused the answers to its task: {code} {message}"
            case Lost(error=lost):
                call.hint = f"the answers to the task may not have arrived: {lost.message}"
            case _:
                self._tasks.answered(errand.task_id)
        self._engine.changes.bump("calls")

    async def _give_up(self, errand: _Errand, error: InspectorError, entry: int) -> None:
        """The call cannot go on, so the server need not either."""
        self._engine.finish(errand.call, Lost(error, entry))
        task = self._tasks.find(errand.task_id)
        if not self._engine.state.over and task is not None and not task.over:
            await self._tasks.cancel(errand.task_id)


def is_task(success: Success) -> bool:
    """Whether a result is a CreateTaskResult of the extension."""
    return isinstance(success.result, dict) and success.result.get("resultType") == "task"


def outcome_of(task: TaskState, method: str) -> Outcome:
    """What a task that is over has to say; the call ends with it."""
    body, members = task.raw or {}, raw_members(task.text)
    said = body.get("error" if task.status == "failed" else "result")
    if task.status == "cancelled":
        why = f"the task of {method} was cancelled"
        return Lost(RequestCancelled(why, hint=task.message), task.entry)
    if task.status == "completed" and isinstance(said, dict):
        return Success(said, members.get("result", b""), task.entry)
    if task.status == "failed" and isinstance(said, dict):
        code, message = said.get("code"), said.get("message")
        if isinstance(code, int) and not isinstance(code, bool) and isinstance(message, str):
            return Failure(code, message, said.get("data"), members.get("error", b""), task.entry)
    missing = "error" if task.status == "failed" else "result"
    error = PeerViolation(
        f"the task of {method} is {task.status}, but carries no {missing} that can be read",
        hint=f"entry {task.entry} shows it",
    )
    return Lost(error, task.entry)


def _ended(task: TaskState, created: int) -> bool:
    """Whether the call can end: a task that was born finished may have its outcome only in the
    answer to `tasks/get`."""
    if not task.over:
        return False
    body = task.raw or {}
    return (
        task.entry != created
        or task.status == "cancelled"
        or bool({"result", "error"} & body.keys())
    )
