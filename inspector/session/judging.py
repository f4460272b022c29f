"""Judging what happens while it happens, without getting in its way.

Decides how much of the loop's time the linter may take: a small, fixed part, so that it falls
behind in a flood, and catches up after it.
"""

import asyncio
from typing import TYPE_CHECKING, Final

from inspector.session.changes import Changes

if TYPE_CHECKING:
    from inspector.lint.judge import Judge

SLICE: Final = 0.004
"""Seconds of judging at a time."""
PAUSE: Final = 0.02
"""Seconds left to others after a slice."""
IDLE: Final = 0.1
"""Seconds between two looks while there is nothing to judge."""


async def keep_judging(judge: "Judge", changes: Changes) -> None:
    """Judges what comes, until it is cancelled; bumps "findings"."""
    while True:
        if judge.behind and judge.advance(SLICE):
            changes.bump("findings")
        await asyncio.sleep(PAUSE if judge.behind else IDLE)
