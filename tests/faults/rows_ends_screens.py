"""Rows 20 to 22 and 42 to 46: what the interface shows of them, on a terminal."""

import asyncio
import random
import re
import resource
import signal
import sys
import termios
import time
from functools import partial
from pathlib import Path

from inspector.config.targets import Target
from inspector.session.options import Options
from inspector.tui.app import InspectorApp
from inspector.workbench import Workbench
from tests.calm import steady_pilots
from tests.faults.rows_ends import COUNTING, SMALL, killed_after
from tests.faults.table import screen, wire
from tests.hostile.exit_pty import SECONDS, Pty, program
from tests.hostile.survivors import mark, stubborn, survivors
from tests.tui.world import wait_for

TABS = "12345678"
DIALOGS = ("f1", "ctrl+p", "ctrl+o", "f4", "f3")
SIZES = ((1, 2), (2, 1), (20, 5), (500, 300), (3, 40), (300, 2), (80, 24))


@screen(20, "S")
@screen(21, "S")
async def the_traffic_says_what_it_took_to_end_a_server(place: str, _: Path) -> None:
    one = mark()
    server = stubborn(one, "ignores-eof", "ignores-term", "own-session")
    pty = Pty(program("--no-record", "--", *server), columns=120, rows=40)
    try:
        pty.wait_for("hangs", "ready")
        pty.type(b"\x10disconnect\r")
        pty.wait_for("stdin-closed", "sigterm", "sigkill", "daemons-ended")
        assert survivors(one, 0) == {}
        pty.type(b"\x11")
        assert pty.finish() == 0
    finally:
        pty.close()


@screen(22, "S")
@screen(43, "R")
async def what_was_recorded_before_the_kill_is_there(place: str, tmp_path: Path) -> None:
    said, record = tmp_path / "said", tmp_path / "one.jsonl"
    server = (sys.executable, "-S", "-c", COUNTING, str(said))
    early = killed_after(("call", "hangs", "--record", str(record), "--", *server), said, 100)
    pty = Pty(program("open", str(record)))
    try:
        pty.wait_for("RECORDING one.jsonl", "(end)")
        end = time.monotonic() + SECONDS
        while max(int(n.replace(",", "")) for n in re.findall("↓([0-9,]+)", pty.plain())) < (
            early - 64
        ):
            assert time.monotonic() < end
            await asyncio.sleep(0.1)
        pty.type(b"\x11")
        assert pty.finish() == 0
        assert pty.left_on() == []
    finally:
        pty.close()


@screen(42, "R")
async def a_banner_says_that_nothing_is_recorded_any_more(place: str, tmp_path: Path) -> None:
    said, record = tmp_path / "said", tmp_path / "one.jsonl"
    server = (sys.executable, "-S", "-c", COUNTING, str(said))
    pty = Pty(program("--record", str(record), "--", *server), columns=120)
    try:
        pty.wait_for("counting", "ready")
        resource.prlimit(pty.process.pid, resource.RLIMIT_FSIZE, (SMALL, -1))
        pty.wait_for("not recording", "File too large")
        record.unlink()
        pty.type(b"\x11")
        assert pty.finish() == 0
        assert pty.left_on() == []
    finally:
        pty.close()


@screen(44, "*")
async def a_screen_that_was_not_read_is_of_now_when_it_is(place: str, _: Path) -> None:
    pty = Pty(program("--no-record", "--", *stubborn("unmarked")))
    try:
        pty.wait_for("hangs", "ready")
        pty.stall()
        pty.type(b"\x14" * 12)
        await asyncio.sleep(1.0)  # it has taken what it takes
        since = len(pty.output)
        pty.stall(stalled=False)
        pty.type(b"\x12")
        pty.wait_for("tools/call", since=since)
        pty.type(b"\x11")
        assert pty.finish() == 0
        assert pty.left_on() == []
    finally:
        pty.close()


@screen(45, "*")
async def an_interrupt_cancels_the_call_and_the_next_one_ends(place: str, _: Path) -> None:
    pty = Pty(program("--no-record", "--", *stubborn("unmarked")))
    try:
        pty.wait_for("hangs", "ready")
        pty.type(b"\x12")
        pty.wait_for("running")
        pty.process.send_signal(signal.SIGINT)
        pty.wait_for("Cancelled tools/call")
        pty.process.send_signal(signal.SIGINT)
        assert pty.finish() == 130
        assert pty.left_on() == []
    finally:
        pty.close()


def resized(pty: Pty, rows: int, columns: int) -> None:
    """As a terminal does it that reports its size in band, too."""
    termios.tcsetwinsize(pty.slave, (rows, columns))
    pty.type(f"\x1b[48;{rows};{columns};{rows * 20};{columns * 10}t".encode())


@wire(46, "*")
async def a_storm_of_sizes_ends_in_a_whole_screen(place: str, _: Path) -> None:
    """More sizes than are painted, also none at all; then it is drawn for the last one."""
    sizes = random.Random(46)
    pty = Pty(program("--no-record", "--", *stubborn("unmarked")))
    try:
        pty.wait_for("hangs", "ready")
        for _turn in range(300):
            size = (sizes.choice((0, 1, 2, 9, 24, 100)), sizes.choice((0, 1, 2, 30, 80, 300)))
            resized(pty, *size)
            await asyncio.sleep(0.002)
        since = len(pty.output)
        resized(pty, 24, 80)
        pty.wait_for("hangs", "ready", "Ctrl+P Commands", since=since)
        pty.type(b"\x11")
        assert pty.finish() == 0
        assert pty.left_on() == []
    finally:
        pty.close()


def is_of_size(app: InspectorApp, size: tuple[int, int]) -> bool:
    """Whether what is on top is laid out for it."""
    return app.screen.outer_size == size


@screen(46, "*")
async def every_tab_and_dialog_survives_every_size(place: str, _: Path) -> None:
    target = Target(tuple(stubborn("unmarked")))
    app = InspectorApp(lambda one: Workbench(one, options=Options(no_record=True)), target)
    with steady_pilots():
        await _resize_everywhere(app)


async def _resize_everywhere(app: InspectorApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        for key in (*TABS, *DIALOGS):
            await pilot.press(f"alt+{key}" if key in TABS else key)
            for size in SIZES if key == "2" else SIZES[:2]:
                await pilot.resize_terminal(*size)
                await wait_for(pilot, partial(is_of_size, app, size))
            await pilot.resize_terminal(80, 24)
            if key in DIALOGS:
                await pilot.press("escape")
        assert app.defect is None
        app.close_bridge()
