"""Counters that say which part of an inspection has moved since somebody last looked.

A front end in another thread polls the numbers; code on the workbench loop may wait for the next
bump. What changed, and what it looks like now, is read from the snapshots of the room concerned.
"""

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Final

TOPICS: Final = (
    "state",
    "catalog",
    "asks",
    "tasks",
    "calls",
    "logs",
    "subscriptions",
    "journal",
    "auth",
    "findings",
)


class Changes:
    """One counter per topic. Read from any thread; bumped on the workbench loop, and by whoever
    appends to the journal from elsewhere (a note that somebody writes)."""

    __slots__ = ("_counts", "_home", "_waiters")

    def __init__(self) -> None:
        self._counts: dict[str, int] = dict.fromkeys(TOPICS, 0)
        self._waiters: list[asyncio.Future[None]] = []
        self._home = 0

    def __getitem__(self, topic: str) -> int:
        return self._counts[topic]

    def snapshot(self) -> dict[str, int]:
        """All counters, as they stand now."""
        return self._counts.copy()

    def bump(self, topic: str) -> None:
        """Says that `topic` has moved."""
        self._counts[topic] += 1
        if not self._waiters:
            return
        if threading.get_ident() == self._home:
            self._wake()
        else:
            with suppress(IndexError, RuntimeError):  # woken meanwhile, or the loop is closed
                self._waiters[0].get_loop().call_soon_threadsafe(self._wake)

    def _wake(self) -> None:
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def until(self, condition: Callable[[], bool]) -> None:
        """Returns once `condition()` holds; it is looked at after every bump of any topic.

        Only on the workbench loop. Unbounded: the caller brings the deadline.
        """
        self._home = threading.get_ident()
        while not condition():
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
