"""When judging begins, and what is said of how far it is."""

import asyncio
import subprocess
import sys
from collections import Counter
from types import SimpleNamespace
from typing import cast

import pytest

from inspector.config.targets import Target
from inspector.lint.rule import Severity
from inspector.tui.judging import BEHIND, begin_judging, concern, judged_words
from inspector.workbench import Options, Workbench
from tests.session.scene import soon
from tests.tui.world import Server


def bench_on(server: Server) -> Workbench:
    return Workbench(
        Target(("server",)),
        options=Options(no_record=True, protocol="2025-11-25"),
        transport_factory=server.transport,
    )


async def test_what_is_only_looked_at_is_judged_at_once() -> None:
    async with bench_on(Server()) as bench:
        await soon(begin_judging(bench, grace=3600))
        assert bench.judge is not None


async def test_judging_waits_for_the_connection() -> None:
    async with bench_on(Server(silent=["initialize"])) as bench, asyncio.TaskGroup() as group:
        group.create_task(bench.connect())
        await soon(bench.changes.until(lambda: bench.session.state.connection > 0))
        judging = group.create_task(begin_judging(bench, grace=3600))
        for _ in range(50):
            await asyncio.sleep(0)
        assert bench.judge is None
        await bench.disconnect()
        async with asyncio.timeout(60):
            await judging
        assert bench.judge is not None


async def test_a_server_that_never_answers_is_judged_all_the_same() -> None:
    async with bench_on(Server(silent=["initialize"])) as bench, asyncio.TaskGroup() as group:
        group.create_task(bench.connect())
        await soon(bench.changes.until(lambda: bench.session.state.connection > 0))
        await soon(begin_judging(bench, grace=0.01))
        assert bench.judge is not None
        await bench.disconnect()


def stub(judged: int, whole: int, **counts: int) -> Workbench:
    """A workbench as far as the header reads it."""
    found = Counter({Severity(name): count for name, count in counts.items()})
    judge = SimpleNamespace(
        failure="", judged=judged, behind=whole - judged, count=lambda severity: found[severity]
    )
    return cast("Workbench", SimpleNamespace(judge=judge, journal=range(whole)))


@pytest.mark.parametrize(
    ("judged", "whole", "words"),
    [(10, 10, ""), (1000, 1000 + BEHIND, ""), (340, 1000, "judged 34 %"), (0, 9999, "judged 0 %")],
)
def test_how_much_is_judged_is_said_where_it_is_far_behind(
    judged: int, whole: int, words: str
) -> None:
    assert judged_words(stub(judged, whole)) == words


def test_judging_that_ended_early_is_told() -> None:
    bench = stub(10, 10)
    assert bench.judge is not None
    bench.judge.failure = "KeyError behind entry 10"
    assert judged_words(bench) == "judging ended by a mistake of ours: KeyError behind entry 10"


def test_errors_and_warnings_concern_and_remarks_do_not() -> None:
    assert concern(stub(1, 1, info=5)) == (0, "mcp.warn")
    assert concern(stub(1, 1, warn=2, info=5)) == (2, "mcp.warn")
    assert concern(stub(1, 1, error=1, warn=2)) == (3, "mcp.error")


def test_no_rule_is_loaded_with_the_interface() -> None:
    code = (
        "import sys, inspector.tui.app; "
        "print(sorted(n for n in sys.modules if n.startswith(('inspector.lint', "
        "'inspector.journal.hanging', 'inspector.journal.coverage'))))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
