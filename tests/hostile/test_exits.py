"""Every way out of the interface gives the terminal back as it was, with the right exit code.

The terminal is a real one that knows what modern ones know, so that everything that can be switched
on is. What is left on is judged from all that was written to it (`exit_modes`).
"""

import json
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

from tests.hostile.exit_modes import Modes
from tests.hostile.exit_pty import Pty, program
from tests.hostile.survivors import mark, stubborn, survivors

Act = Callable[[Pty], None]
SILENT: Final = "import sys; sys.stdin.read()"
ASKING: Final = Path(__file__).parents[1] / "servers" / "asking_server.py"
DEFECTS: Final = """
import sys
from inspector.tui.app import InspectorApp
from inspector.tui.screens.main import MainScreen
from inspector.workbench import Workbench

class Defect(RuntimeError): pass

def crash(*_):
    raise Defect("boom")

async def crash_later(*_):
    raise Defect("boom")

match sys.argv.pop(1):
    case "key": InspectorApp.action_jump = crash
    case "mount": MainScreen.on_mount = crash
    case "tick": InspectorApp._tick = crash
    case "workbench": Workbench.connect = crash_later
    case "thread": Workbench.__aenter__ = crash_later
    case "start": InspectorApp.get_default_screen = crash
from inspector.__main__ import main
main()
"""


@pytest.fixture
def leave() -> Iterator[Callable[..., Pty]]:
    """Starts the program, waits for words on its screen, acts, and holds what every exit owes."""
    started: list[Pty] = []

    def run(
        command: list[str],
        code: int,
        *acts: Act,
        wait: tuple[str, ...] = (),
        size: tuple[int, int] = (100, 30),
    ) -> Pty:
        pty = Pty(command, columns=size[0], rows=size[1])
        started.append(pty)
        pty.wait_for(*wait)
        for act in acts:
            act(pty)
        assert pty.finish() == code, pty.plain()[-2000:]
        assert pty.left_on() == []
        return pty

    yield run
    for pty in started:
        pty.close()


def keys(raw: bytes) -> Act:
    """They are typed."""
    return lambda pty: pty.type(raw)


def sent(number: int) -> Act:
    """A signal from outside."""
    return lambda pty: pty.process.send_signal(number)


def seen(*words: str) -> Act:
    """Waits for them, anywhere in what was written."""
    return lambda pty: pty.wait_for(*words)


def on(*words: str) -> list[str]:
    """The interface on a server that only ever hangs in a call."""
    return program("--no-record", *words, "--", *stubborn("unmarked"))


READY: Final = ("hangs", "ready")


@pytest.mark.parametrize(
    ("acts", "code"),
    [
        pytest.param([keys(b"\x11")], 0, id="ctrl-q"),
        pytest.param([keys(b"\x03"), seen("again to quit"), keys(b"\x03")], 0, id="ctrl-c"),
        pytest.param([keys(b"\x10"), seen("Search"), keys(b"quit\r")], 0, id="palette"),
        pytest.param([keys(b"\x1bOP"), seen("Help"), keys(b"\x11")], 0, id="in-help"),
        pytest.param([keys(b"\x12"), seen("running"), keys(b"\x11")], 0, id="in-a-call"),
        pytest.param(
            [keys(b"\x12"), seen("running"), sent(signal.SIGTERM)], 143, id="term-in-call"
        ),
        pytest.param([keys(b"\xff\xfe\x1b[1;2:1A"), keys(b"\x11")], 0, id="after-odd-bytes"),
        pytest.param([keys(b"\x1b[<35;20;5M\x1b[<0;30;8M"), keys(b"\x11")], 0, id="after-a-click"),
        pytest.param([sent(signal.SIGINT)], 130, id="sigint"),
        pytest.param([sent(signal.SIGTERM), sent(signal.SIGTERM)], 143, id="sigterm-twice"),
        pytest.param([sent(signal.SIGPIPE), sent(signal.SIGHUP)], 129, id="sighup"),
        pytest.param([sent(signal.SIGQUIT)], 131, id="sigquit"),
        pytest.param([sent(signal.SIGUSR1)], 138, id="sigusr1"),
        pytest.param([sent(signal.SIGABRT)], 134, id="sigabrt"),
    ],
)
def test_the_terminal_is_as_before(leave: Callable[..., Pty], acts: list[Act], code: int) -> None:
    leave(on(), code, *acts, wait=READY)


def test_the_oracle_sees_what_was_switched_on(leave: Callable[..., Pty]) -> None:
    def look(pty: Pty) -> None:
        on = {7, 25, 1000, 1003, 1004, 1006, 1015, 1016, 1049, 2004, 2048}
        left = " ".join(pty.left_on())
        assert [mode for mode in on if f"?{mode} " not in left] == []
        assert "keyboard" in left
        assert "termios" in left

    leave(on(), 0, look, keys(b"\x11"), wait=READY)


@pytest.mark.parametrize("way", ["key", "mount", "tick", "workbench", "thread", "start"])
def test_a_defect_of_ours_gives_the_terminal_back(leave: Callable[..., Pty], way: str) -> None:
    words = ["--no-record", "--", *stubborn("unmarked")]
    acts = [seen(*READY), keys(b"\x0f")] if way == "key" else []
    pty = leave([sys.executable, "-c", DEFECTS, way, *words], 70, *acts)
    assert "Defect: boom" in pty.plain()
    assert "File " not in pty.plain()


def stopped(pty: Pty) -> None:
    """Until the program stands still."""
    end = time.monotonic() + 60
    while True:
        facts = Path(f"/proc/{pty.process.pid}/stat").read_text().rpartition(")")[2]
        if facts.split()[0] == "T":
            return
        assert time.monotonic() < end
        time.sleep(0.02)


@pytest.mark.parametrize("number", [signal.SIGTSTP, signal.SIGSTOP], ids=["tstp", "stop"])
def test_after_a_stop_the_screen_comes_back_and_the_terminal_at_the_end(
    leave: Callable[..., Pty], number: int
) -> None:
    def back(pty: Pty) -> None:
        time.sleep(0.2)  # what was written before the stop is read
        if number == signal.SIGTSTP:
            assert pty.left_on() == []
        since = len(pty.output)
        pty.process.send_signal(signal.SIGCONT)
        pty.wait_for("Server", "hangs", "traffic", since=since)
        assert Modes(bytes(pty.output)).alternate

    twice = [sent(number), stopped, back]
    leave(on(), 0, *twice, *twice, keys(b"\x11"), wait=READY)


@pytest.mark.parametrize(
    "late",
    [(signal.SIGCONT,), (signal.SIGTSTP, signal.SIGCONT), (signal.SIGTERM, signal.SIGTERM)],
    ids=["cont", "tstp", "term"],
)
def test_signals_while_a_stubborn_server_is_ended_change_nothing(
    leave: Callable[..., Pty], late: tuple[int, ...]
) -> None:
    def signalled(pty: Pty) -> None:
        end = time.monotonic() + 60
        while Modes(bytes(pty.output)).alternate:
            assert time.monotonic() < end
            time.sleep(0.02)
        for number in late:
            pty.process.send_signal(number)
            time.sleep(0.1)  # a signal that waits is not sent twice

    one = mark()
    command = program("--no-record", "--", *stubborn(one, "ignores-eof", "ignores-term"))
    code = 143 if signal.SIGTERM in late else 0
    leave(command, code, keys(b"\x11"), signalled, wait=READY)
    assert survivors(one) == {}


def test_the_way_out_of_a_recording(leave: Callable[..., Pty], tmp_path: Path) -> None:
    record = tmp_path / "one.jsonl"
    command = program("--record", str(record), "--", *stubborn("unmarked"))
    leave(command, 0, keys(b"\x11"), wait=READY)
    assert json.loads(record.read_bytes().splitlines()[-1])
    leave(program("open", str(record)), 0, keys(b"\x11"), wait=("hangs",))
    leave(program("open", str(record)), 143, sent(signal.SIGTERM), wait=("hangs",))


def test_the_way_out_of_the_list_of_servers_and_while_connecting(
    leave: Callable[..., Pty],
) -> None:
    leave(program(), 0, keys(b"\x11"), wait=("demo",))
    waiting = program("--no-record", "--", sys.executable, "-S", "-c", SILENT)
    leave(waiting, 0, keys(b"\x11"), wait=("egotiating",))
    gave_up = [sent(signal.SIGINT), seen("Gave up"), sent(signal.SIGINT)]
    leave(waiting, 130, *gave_up, wait=("egotiating",))


def test_a_signal_at_any_moment_of_the_start(leave: Callable[..., Pty]) -> None:
    for number, after in ((signal.SIGTERM, 0.05), (signal.SIGHUP, 0.2), (signal.SIGUSR1, 0.35)):
        pause: Act = lambda pty, seconds=after: time.sleep(seconds)  # type: ignore[misc]  # noqa: E731
        leave(on(), 128 + number, pause, sent(number))
    painted = [seen("connecting to"), sent(signal.SIGINT)]
    pty = Pty(on())
    try:
        for act in painted:
            act(pty)
        pty.process.send_signal(signal.SIGINT)
        assert pty.finish() == 130
        assert pty.left_on() == []
    finally:
        pty.close()


@pytest.mark.parametrize(("columns", "rows"), [(1, 1), (2, 1), (0, 0), (500, 300)])
def test_terminals_of_any_size(leave: Callable[..., Pty], columns: int, rows: int) -> None:
    def entered(pty: Pty) -> None:
        end = time.monotonic() + 60
        while not Modes(bytes(pty.output)).private.get(2004):
            assert time.monotonic() < end
            time.sleep(0.02)

    leave(on(), 0, entered, keys(b"\x11"), size=(columns, rows))


@pytest.mark.parametrize("controlling", [True, False])
def test_a_terminal_that_hangs_up_ends_the_program_and_its_server(controlling: bool) -> None:
    one = mark()
    pty = Pty(program("--no-record", "--", *stubborn(one)), controlling=controlling)
    try:
        pty.wait_for(*READY)
        pty.hang_up()
        assert pty.finish() == 129
        assert survivors(one) == {}
    finally:
        pty.close()


def test_a_terminal_that_nobody_reads_keeps_neither_the_program_nor_its_modes() -> None:
    pty = Pty(on())
    try:
        pty.wait_for(*READY)
        pty.stall()
        pty.type(b"\x14" * 100)  # each paints anew
        time.sleep(1)
        pty.process.send_signal(signal.SIGTERM)
        assert pty.process.wait(60) == 143
        pty.stall(stalled=False)
        pty.finish()
        assert pty.left_on() == []
    finally:
        pty.close()
