"""When a request has taken too long: a clock that progress restarts and asks stop.

Pure: `now` is passed in, in monotonic seconds. Who sets the timer and what happens when it fires
is decided by `inspector.session.engine`.
"""

import math


class Deadline:
    """The time left for one request.

    `idle` seconds without progress, `total` seconds in any case (2025-11-25 basic/lifecycle,
    timeouts: progress may reset the clock, a hard maximum stays); 0 means no such limit. While it
    is paused neither runs: the server waits for us, so the time is not its own.
    """

    __slots__ = ("_idle", "_paused_at", "_pauses", "_quiet_since", "_started", "_total")

    def __init__(self, idle: float, total: float, now: float) -> None:
        self._idle = idle or math.inf
        self._total = max(total or math.inf, self._idle)
        self._started = self._quiet_since = now
        self._pauses = 0
        self._paused_at = now

    @property
    def paused(self) -> bool:
        """Whether the clock stands still."""
        return self._pauses > 0

    def progress(self, now: float) -> None:
        """The server reported progress: the idle clock starts again."""
        self._quiet_since = self._paused_at if self._pauses else now

    def only_total(self, at_least: float) -> None:
        """From now on silence is no fault; the limit for the whole stays, and is no shorter than
        `at_least` seconds. What had no limit gets none."""
        if self._idle == math.inf:
            return
        self._idle = math.inf
        self._total = max(self._total, at_least)

    def pause(self, now: float) -> None:
        """Stops the clock; pauses nest."""
        if not self._pauses:
            self._paused_at = now
        self._pauses += 1

    def resume(self, now: float) -> None:
        """Ends one pause; with the last one the clock goes on where it stood."""
        if not self._pauses:
            return
        self._pauses -= 1
        if not self._pauses:
            stood = now - self._paused_at
            self._started += stood
            self._quiet_since += stood

    def left(self, now: float) -> float:
        """Seconds until the limit, at least 0; infinite while paused or without a limit."""
        if self._pauses:
            return math.inf
        due = min(self._quiet_since + self._idle, self._started + self._total)
        return max(0.0, due - now)
