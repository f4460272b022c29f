"""A time limit for a block of code that stands still while a person is being asked.

The peer must not pay for the time that our user takes. Decides only the counting; what has run out
is said by whoever set the limit.
"""

import asyncio
from types import TracebackType
from typing import Self


class Limit:
    """`async with Limit(seconds):` raises TimeoutError when they have passed (0: never). Pauses
    nest."""

    def __init__(self, seconds: float) -> None:
        self._left: float | None = seconds or None
        self._pauses = 0
        self._timeout = asyncio.timeout(None)
        self._entered = False

    async def __aenter__(self) -> Self:
        await self._timeout.__aenter__()
        self._entered = True
        self._run()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._entered = False
        await self._timeout.__aexit__(kind, error, trace)

    def pause(self) -> None:
        """Stops the clock."""
        self._pauses += 1
        if self._pauses == 1 and (when := self._timeout.when()) is not None:
            self._left = max(0.0, when - asyncio.get_running_loop().time())
            if self._entered and not self._timeout.expired():
                self._timeout.reschedule(None)

    def resume(self) -> None:
        """Ends one pause; with the last one the clock goes on where it stood."""
        self._pauses = max(0, self._pauses - 1)
        if not self._pauses:
            self._run()

    def _run(self) -> None:
        runs = self._entered and not self._pauses and not self._timeout.expired()
        if runs and self._left is not None:
            self._timeout.reschedule(asyncio.get_running_loop().time() + self._left)
