"""Judging what happens while it happens, without getting in its way.

Decides how much of the loop's time the linter may take: a small part while messages come fast, so
that it falls behind in a flood, and most of it as soon as they do not, so that it has caught up by
the time somebody looks. A slice is short in either case: a ping waits for no longer. Whoever just
pressed a key goes first.
"""

import asyncio
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Protocol

from inspector.journal.freed import give_back
from inspector.journal.precedence import PERSON
from inspector.session.changes import Changes

if TYPE_CHECKING:
    from inspector.lint.judge import Judge


@dataclass(frozen=True, slots=True)
class Pace:
    """Seconds of judging at a time, and seconds left to others after that."""

    work: float
    rest: float


BUSY: Final = Pace(0.004, 0.02)
QUIET: Final = Pace(0.008, 0.004)
MANY: Final = 50_000
"""Entries that, judged in one go, leave freed memory behind."""
IDLE: Final = 0.1
"""Seconds between two looks while there is nothing to judge."""
FEW: Final = 300.0
"""Entries a second that are no flood."""


def pace(came: int, seconds: float) -> Pace:
    """How to go on after so many entries came in so many seconds."""
    return BUSY if came > FEW * max(seconds, BUSY.rest) else QUIET


class Source(Protocol):
    """A recording that is being read."""

    @property
    def reading(self) -> bool:
        """Whether entries that are there already are still being read."""
        ...


async def keep_judging(judge: "Judge", changes: Changes, source: Source | None = None) -> None:
    """Judges what comes, until it is cancelled; bumps "findings". What `source` has to read is
    read first. A rule that fails ends the judging, and nothing else: opinions are not worth a
    session."""
    now, known, going = time.monotonic(), judge.judged + judge.behind, BUSY
    tidied = judge.judged
    while True:
        if source is not None and source.reading:
            await asyncio.sleep(IDLE)
            continue
        await asyncio.sleep(PERSON.rest)
        try:
            found = bool(judge.behind) and judge.advance(going.work)
        except Exception as error:  # noqa: BLE001 - the border between opinions and evidence
            judge.failure = f"{type(error).__name__} behind entry {judge.judged}"
            changes.bump("findings")
            return
        if found:
            changes.bump("findings")
        if judge.judged - tidied > MANY * (4 if judge.behind else 1):
            tidied = judge.judged
            give_back()
        await asyncio.sleep(going.rest if judge.behind else IDLE)
        before, now = now, time.monotonic()
        count = judge.judged + judge.behind
        going, known = pace(count - known, now - before), count
