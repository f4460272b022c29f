"""When the linter begins: behind the first paint and the connection, whatever became of that.

Decides how long it waits, and what is said of how far it is. What it finds is shown by the
Findings tab and the header.
"""

import asyncio
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Final

from inspector.session.state import Phase

if TYPE_CHECKING:
    from inspector.past.bench import Scene
    from inspector.workbench import Workbench

GRACE: Final = 3.0
"""Seconds after which judging begins though the server has not answered yet."""
MODULE: Final = "inspector.lint.judge"
BEHIND: Final = 500
"""Entries that may wait to be judged before anybody is told."""
_UNDER_WAY: Final = frozenset({Phase.IDLE, Phase.CONNECTING, Phase.NEGOTIATING})


async def begin_judging(bench: "Workbench", grace: float = GRACE) -> None:
    """Judges from now on what happens; on the loop of `bench`. The rules are loaded in a thread, so
    that nothing waits for that."""

    def settled() -> bool:
        # Without a connection there is nothing to wait for: a recording.
        return not bench.session.state.connection or bench.session.state.phase not in _UNDER_WAY

    with suppress(TimeoutError):
        async with asyncio.timeout(grace):
            await bench.changes.until(settled)
    await asyncio.to_thread(import_module, MODULE)
    bench.begin_judging()


def judged_words(bench: "Scene") -> str:
    """How much of a journal is judged, where that is not nearly all: `judged 34 %`."""
    judge, whole = bench.judge, len(bench.journal)
    if judge is None:
        return "not judged yet"
    if judge.failure:
        return f"judging ended by a mistake of ours: {judge.failure}"
    if judge.behind <= BEHIND:
        return ""
    return f"judged {judge.judged * 100 // whole} %"


def concern(bench: "Scene") -> tuple[int, str]:
    """How many findings are errors or warnings, and the ink of the worst."""
    if bench.judge is None:
        return 0, ""
    from inspector.lint.rule import Severity

    errors, warnings = bench.judge.count(Severity.ERROR), bench.judge.count(Severity.WARN)
    return errors + warnings, "mcp.error" if errors else "mcp.warn"
