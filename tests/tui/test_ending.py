"""What a second SIGINT does, and what errors say. Every way out: tests/hostile/test_exits.py."""

import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest

from inspector.errors import ConnectionFailed
from inspector.tui.ending import describe, raise_ours
from tests.hostile.exit_pty import SECONDS, Pty, program
from tests.hostile.survivors import mark, survivors

STUBBORN = """
import signal, sys
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdin.read()
"""


@pytest.fixture
def connecting() -> Iterator[tuple[Pty, str]]:
    """The interface up, and a server that answers nothing and ignores SIGTERM; its mark."""
    one = mark()
    server = ["--env", f"MARK={one}", "--", sys.executable, "-S", "-c", STUBBORN]
    pty = Pty(program("--no-record", *server), columns=140)
    pty.wait_for("egotiating")
    yield pty, one
    pty.close()


def test_sigint_twice_ends_while_a_stubborn_server_is_still_being_ended(
    connecting: tuple[Pty, str],
) -> None:
    pty, one = connecting
    pty.process.send_signal(signal.SIGINT)
    pty.wait_for("Gave up")
    pty.process.send_signal(signal.SIGINT)
    assert pty.finish() == 130
    assert pty.left_on() == []
    assert survivors(one) == {}


def test_sigint_twice_ends_on_a_terminal_that_nobody_reads(connecting: tuple[Pty, str]) -> None:
    pty, one = connecting
    pty.stall()
    pty.type(b"\x14" * 100)  # each Ctrl+T paints the screen anew
    time.sleep(1.0)  # the pty has taken what it takes
    pty.process.send_signal(signal.SIGINT)
    with pytest.raises(subprocess.TimeoutExpired):
        pty.process.wait(0.2)
    pty.process.send_signal(signal.SIGINT)
    assert pty.process.wait(SECONDS) == 130
    assert survivors(one) == {}


def test_errors_of_peers_are_described_and_defects_raised() -> None:
    error = ConnectionFailed("gone", hint="try again")
    assert describe(error) == "gone\ntry again"
    raise_ours(error)
    with pytest.raises(ZeroDivisionError):
        raise_ours(ZeroDivisionError())
