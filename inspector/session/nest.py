"""Background tasks of one session: born in the owner's task group, ended together with it.

A failure that was raised on purpose ends its own task only and is handed to `report`, of each kind
the first, the second, the fourth and so on: a server that reads nothing must not flood us with
that. Anything else is a mistake of ours and ends the task group, loudly.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Final

from inspector.errors import InspectorError

LIMIT: Final = 5000
"""Most tasks at once: a server that floods us with pings must not fill the memory."""


class Nest:
    """Spawns tasks in `group` and can end all it spawned."""

    __slots__ = ("_failed", "_group", "_report", "_tasks")

    def __init__(
        self, group: asyncio.TaskGroup, report: Callable[[InspectorError], None] = lambda _: None
    ) -> None:
        self._failed: Counter[str] = Counter()
        self._group = group
        self._report = report
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def spawn(self, work: Coroutine[object, object, object]) -> asyncio.Task[None] | None:
        """Starts `work`; None where there are too many tasks already (it is dropped then)."""
        if len(self._tasks) >= LIMIT:
            work.close()
            return None
        task = self._group.create_task(self._contain(work))
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._ended(done, work))
        return task

    def _ended(self, task: asyncio.Task[None], work: Coroutine[object, object, object]) -> None:
        self._tasks.discard(task)
        work.close()  # a task that was cancelled before its first step has not touched its work

    async def _contain(self, work: Coroutine[object, object, object]) -> None:
        try:
            await work
        except InspectorError as error:
            self._failed[error.kind] += 1
            if self._failed[error.kind].bit_count() == 1:
                self._report(error)

    async def stop(self) -> None:
        """Cancels what still runs and waits until it has ended."""
        current = asyncio.current_task()
        tasks = [task for task in self._tasks if task is not current]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
