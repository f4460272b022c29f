"""Real processes that misbehave: the call says why, and the session lives on where it can."""

import sys
from pathlib import Path

import pytest

from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, PeerViolation, RequestTimeout
from inspector.session.pending import Lost, Outcome, Success
from inspector.workbench import Options, Phase, Workbench
from tests.session.scene import soon

RUDE = Path(__file__).parents[1] / "servers" / "rude_stdio.py"


def rude(mode: str, number: int = 0, *, connect_timeout: float = 60.0) -> Workbench:
    """A workbench on a server that is rude in one way."""
    command = (sys.executable, str(RUDE), mode, str(number))
    options = Options(no_record=True, connect_timeout=connect_timeout)
    return Workbench(Target(command=command), options=options)


async def poke(bench: Workbench, timeout: float = 60.0) -> Outcome:
    """Calls the server's one tool."""
    assert (await soon(bench.connect())).ready
    call = await soon(bench.session.call_tool("poke", {}, timeout=timeout))
    return await soon(call.wait())


@pytest.mark.parametrize(
    ("mode", "number"),
    [
        ("honest", 0),
        ("junk", 0),
        ("duplicate", 0),
        ("our-id", 0),
        ("batch", 0),
        ("slow-pieces", 0),
        ("answers-notifications", 0),
        ("flood", 20_000),
        ("stderr-flood", 1_000_000),
        ("big", 5_000_000),
    ],
)
async def test_the_call_succeeds_and_so_does_the_next(mode: str, number: int) -> None:
    async with rude(mode, number) as bench:
        assert isinstance(await poke(bench), Success)
        assert await soon(bench.session.ping()) > 0
        if mode == "flood":
            assert bench.session.logs.total == 20_000


@pytest.mark.parametrize("mode", ["invalid-utf8", "deep", "odd-json"])
async def test_an_unreadable_answer_fails_its_call_at_once(mode: str) -> None:
    async with rude(mode) as bench:
        outcome = await poke(bench)
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, PeerViolation)
        assert bench.journal.row(outcome.entry)
        assert await soon(bench.session.ping()) > 0


@pytest.mark.parametrize(
    ("mode", "timeout", "hint"),
    [
        ("wrong-id", 3.0, "unknown id 987654"),  # time enough for what the hint is about
        ("id-type", 3.0, "a string is not a number"),
        ("never", 0.3, "--timeout"),
    ],
)
async def test_a_call_without_its_answer_times_out_with_a_hint(
    mode: str, timeout: float, hint: str
) -> None:
    async with rude(mode) as bench:
        outcome = await poke(bench, timeout)
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, RequestTimeout)
        assert hint in outcome.error.hint
        assert await soon(bench.session.ping()) > 0


@pytest.mark.parametrize(
    ("mode", "words"), [("crash", "exited with code 3"), ("segfault", "killed by SIGSEGV")]
)
async def test_a_server_that_dies_says_how_and_can_be_started_again(mode: str, words: str) -> None:
    async with rude(mode) as bench:
        outcome = await poke(bench)
        assert isinstance(outcome, Lost)
        assert isinstance(outcome.error, ConnectionFailed)
        assert words in outcome.error.message
        assert bench.session.state.phase is Phase.FAILED
        if mode == "crash":
            assert "about to fall over" in outcome.error.hint
        assert (await soon(bench.reconnect())).ready


async def test_a_server_that_exits_at_once_shows_code_and_last_words() -> None:
    async with rude("exit-at-start", 4) as bench:
        state = await soon(bench.connect())
        assert state.phase is Phase.FAILED
        assert state.error is not None
        assert "exited with code 4" in state.error.message
        assert "reason 29" in state.error.hint


async def test_a_server_that_never_answers_initialize_is_given_up_in_time() -> None:
    async with rude("silent", connect_timeout=0.3) as bench:
        state = await soon(bench.connect())
        assert isinstance(state.error, RequestTimeout)
        assert state.error.message.startswith("initialize got no answer")


async def test_a_command_that_does_not_exist_is_named() -> None:
    target = Target(command=("/no/such/server",))
    async with Workbench(target, options=Options(no_record=True)) as bench:
        state = await soon(bench.connect())
        assert isinstance(state.error, ConnectionFailed)
        assert "/no/such/server" in state.error.message
