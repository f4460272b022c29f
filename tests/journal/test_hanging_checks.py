"""Real servers that never answer: each one's reason is the one that is told, live and reopened."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.journal.hanging import Diagnosis, diagnose
from inspector.journal.loading import load_recording
from inspector.session.asks import AskKind, Policy
from inspector.workbench import Options, Workbench
from tests.servers import real
from tests.servers.rude_http import rude_http
from tests.session.scene import soon


def rude(mode: str) -> Workbench:
    """A workbench on a process that is rude in one way."""
    return Workbench(real.rude_stdio(mode), options=Options(no_record=True))


@asynccontextmanager
async def poked(bench: Workbench) -> AsyncIterator[Workbench]:
    """The workbench while its call of the rude tool is under way."""
    async with bench:
        assert (await soon(bench.connect())).ready
        async with asyncio.TaskGroup() as group:
            group.create_task(bench.session.call_tool("poke", {}, timeout=600))
            try:
                yield bench
            finally:
                await bench.disconnect()


def now(bench: Workbench) -> Diagnosis:
    return diagnose(bench.journal, bench.journal.clock.monotonic())


async def told(bench: Workbench, words: str) -> Diagnosis:
    """The diagnosis, once its verdict has these words."""
    await soon(bench.changes.until(lambda: words in now(bench).verdict.text))
    return now(bench)


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("never", "tools/call poke"),
        ("id-type", "the type of an id must not change"),
        ("wrong-id", "the id 987654 came, which no request has"),
        ("crash", "The process has ended with exit code 3"),
        ("segfault", "The process has ended by signal SIGSEGV"),
        ("close-stdout", "The server closed its stdout"),
    ],
)
async def test_the_reason_why_a_process_does_not_answer(mode: str, words: str) -> None:
    async with poked(rude(mode)) as bench:
        found = await told(bench, words)
        assert 1 <= found.verdict.entry <= len(bench.journal)
        if mode == "crash":
            assert "about to fall over" in [one.text for one in found.stderr]


async def test_a_server_that_never_says_a_word_is_told_while_we_connect() -> None:
    async with rude("silent") as bench, asyncio.TaskGroup() as group:
        group.create_task(bench.connect())
        found = await told(bench, "has not said a byte since it was started")
        assert found.waiting
        await bench.disconnect()


async def test_a_server_that_waits_for_us_is_not_blamed() -> None:
    target = Target(command=asking())
    policies: dict[AskKind, Policy] = {"elicitation": Policy("ask")}
    options = Options(no_record=True, protocol="2025-11-25", policies=policies)
    async with Workbench(target, options=options) as bench:
        assert (await soon(bench.connect())).ready
        async with asyncio.TaskGroup() as group:
            group.create_task(bench.session.call_tool("erase", {"path": "/x"}, timeout=600))
            found = await told(bench, "The server waits for your answer to elicitation/create")
            assert "tools/call erase" in found.verdict.text
            assert [one.on_us for one in found.waiting] == [False, True]
            await bench.disconnect()


def asking() -> tuple[str, ...]:
    return real.asking_server("mcp").command


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("never", "No HTTP answer yet"),
        ("comments-only", "its answer has not come"),
        ("accepted", "HTTP 202 for tools/call poke"),
    ],
)
async def test_the_reason_why_an_http_server_does_not_answer(mode: str, words: str) -> None:
    async with rude_http(mode) as peer:
        bench = Workbench(Target(url=peer.url), options=Options(no_record=True))
        async with poked(bench) as running:
            await told(running, words)


async def test_a_recording_is_diagnosed_as_of_its_end(tmp_path: Path) -> None:
    path = tmp_path / "hung.jsonl"
    bench = rude("id-type")
    live = Workbench(bench.target, options=Options(record=path))
    async with poked(live):
        await told(live, "the type of an id must not change")
        live.journal.tick()
        copy = tmp_path / "copy.jsonl"
        copy.write_bytes(path.read_bytes())
    journal = load_recording(copy)
    end = journal.columns.monotonic[len(journal)]
    assert "the type of an id must not change" in diagnose(journal, end).verdict.text
