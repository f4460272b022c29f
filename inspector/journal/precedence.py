"""A person goes first: work in the background leaves the interpreter to whoever pressed a key.

Threads take turns at the interpreter, so that whatever reads, judges or goes along a journal in the
background makes every key wait. Decides for how long it rests after a key, and that it is never
starved: whoever holds a key down slows it and does not stop it. Pure.
"""

import time
from collections.abc import Callable
from typing import Final

KEY: Final = 0.06
"""Seconds that a key takes, from the press to the paint, on a machine of some years."""
PATIENCE: Final = 0.1
"""Seconds that work rests before a slice, at most."""


class Precedence:
    """Until when somebody goes first. Any thread."""

    __slots__ = ("_clock", "_until")

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._until = 0.0

    def claim(self, seconds: float = KEY) -> None:
        """Somebody waits for the screen, for about so long."""
        self._until = max(self._until, self._clock() + seconds)

    @property
    def rest(self) -> float:
        """Seconds to rest before the next slice of work; 0 where nobody waits."""
        return min(max(0.0, self._until - self._clock()), PATIENCE)


PERSON: Final = Precedence()
"""The one at the keyboard of this process."""
