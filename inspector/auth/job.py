"""Work that is done once for all who wait for it.

Decides who waits for what: a flow that nobody waits for any more is given up; a refresh is not,
since its token may be rotated already. Which work begins when is `authority`'s decision.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass

from inspector.errors import ConnectionFailed, InspectorError

Spawn = Callable[[Coroutine[object, object, None]], "asyncio.Task[None] | None"]
"""Starts a task in a group of somebody's; None where that is not possible."""
Work = Callable[[], Awaitable[InspectorError | None]]
"""Does it; what it ended with is returned, not raised."""


@dataclass(slots=True, eq=False)
class Job:
    """One piece of work under way."""

    is_flow: bool
    task: "asyncio.Task[None] | None" = None
    waiters: int = 0
    error: InspectorError | None = None


class Jobs:
    """At most one job at a time. `on_given_up` is called before a flow is cancelled."""

    def __init__(self, spawn: Spawn, on_given_up: Callable[[], None]) -> None:
        self.current: Job | None = None
        self._spawn = spawn
        self._on_given_up = on_given_up

    def start(self, is_flow: bool, work: Work) -> Job:
        """Begins a job. Raises ConnectionFailed where no task can be started."""
        job = Job(is_flow)
        job.task = self._spawn(self._run(job, work))
        if job.task is None:
            raise ConnectionFailed("too much is under way to authorize", kind="auth", fault="us")
        self.current = job
        return job

    async def join(self, job: Job) -> None:
        """Waits for a job. Raises what it ended with."""
        job.waiters += 1
        try:
            await self.wait(job)
        finally:
            job.waiters -= 1
            if job.is_flow and not job.waiters:
                self.give_up(job)
        if job.error is not None:
            raise again(job.error)

    async def wait(self, job: Job, timeout: float | None = None) -> None:
        """Waits for a job's end, whatever it is."""
        if job.task is None:
            return
        await asyncio.wait((job.task,), timeout=timeout)
        if job.task.done() and job.task.cancelled() and job.error is None:
            job.error = given_up()

    def give_up(self, job: Job) -> None:
        """Ends a job before it is done."""
        if job.task is None or job.task.done():
            return
        job.error = given_up()
        if self.current is job:
            self.current = None
        self._on_given_up()
        job.task.cancel()

    async def _run(self, job: Job, work: Work) -> None:
        try:
            job.error = await work()
        finally:
            if self.current is job:
                self.current = None


def given_up() -> ConnectionFailed:
    """Why somebody waits for nothing any more."""
    return ConnectionFailed(
        "the authorization was given up", hint="call again to begin anew", kind="auth", fault="you"
    )


def again(error: InspectorError) -> ConnectionFailed:
    """The same failure for one more who waited."""
    return ConnectionFailed(error.message, hint=error.hint, kind="auth", fault=error.fault)
