"""The whole interface on a real terminal, with a server that is hostile in every text it sends.

Every byte that reaches the terminal is looked at: only sequences of the interface itself may be
among them. With both walls off the same look must find something, else it would be blind.
"""

import os
import pty
import re
import select
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyte
import pytest

from tests.hostile.oracle import foreign
from tests.servers.hostile_texts import NONCE, TEXTS

ROOT = Path(__file__).parents[2]
SECONDS = 60
"""How long anything may take on a machine that is busy with other things."""
DIALOGS = ("the server asks you", "wants you to open a page", "wants a model's answer")
"""Headings of the questions that this server asks."""
WALLS_OFF = """
import sys
from inspector.render import safe
from inspector.tui.wall import Wall
safe.visible.__code__ = (lambda text, *, keep_newlines=False: text).__code__
Wall.apply = lambda self, segments, background: segments
from inspector.__main__ import main
main()
"""
WALLS_ON = "from inspector.__main__ import main; main()"


class Terminal:
    """What a user of 120 x 40 cells sees and types."""

    def __init__(self, master: int, process: "subprocess.Popen[bytes]") -> None:
        self.process = process
        self.output = b""
        self._master = master
        self._screen = pyte.Screen(120, 40)
        self._stream = pyte.ByteStream(self._screen)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def click(self, rows: range, columns: range) -> None:
        """A click on every one of these cells."""
        for row in rows:
            for column in columns:
                place = f"{column + 1};{row + 1}"
                self.press(f"\x1b[<0;{place}M\x1b[<0;{place}m")
            self._read()

    def wait_for(self, *wanted: str) -> None:
        """Until one of the texts stands on the screen."""
        deadline = time.monotonic() + SECONDS
        while not any(self.shows(one) for one in wanted):
            assert time.monotonic() < deadline, "\n".join([*wanted, *self._lines()])
            assert self.process.poll() is None, self.output[-3000:].decode("utf-8", "replace")
            self._read()

    def wait_until_gone(self, *unwanted: str) -> None:
        """Until none of the texts stands on the screen."""
        deadline = time.monotonic() + SECONDS
        while any(self.shows(one) for one in unwanted):
            assert time.monotonic() < deadline, "\n".join([*unwanted, *self._lines()])
            self._read()

    def shows(self, text: str) -> bool:
        """Whether the text stands on the screen."""
        return any(text in line for line in self._lines())

    def _lines(self) -> list[str]:
        """The screen cell by cell: half of a wide character may have been drawn over."""
        screen = self._screen
        return [
            "".join(screen.buffer[row][column].data for column in range(screen.columns))
            for row in range(screen.lines)
        ]

    def wait_for_bytes(self, wanted: bytes) -> None:
        deadline = time.monotonic() + SECONDS
        while wanted not in self.output:
            assert time.monotonic() < deadline
            self._read()

    def end(self) -> int:
        deadline = time.monotonic() + SECONDS
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self._read()
        while self._read():
            pass
        return self.process.returncode

    def _read(self) -> bool:
        if not select.select([self._master], [], [], 0.05)[0]:
            return False
        try:
            chunk = os.read(self._master, 65536)
        except OSError:
            return False
        self.output += chunk
        # The reader of the tests knows neither private modes with $ nor these questions.
        self._stream.feed(re.sub(rb"\x1b\[[<>?][0-9;]*(?:u|\$p)|\x1b\]22;[a-z-]+\x07", b"", chunk))
        return bool(chunk)


@contextmanager
def hostile(program: str, seed: int, home: Path) -> Iterator[Terminal]:
    """The interface on the hostile server."""
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (40, 120))
    # COLUMNS and LINES would be believed before the terminal is.
    own = re.compile("MCP_.*|COLUMNS|LINES")
    kept = {key: value for key, value in os.environ.items() if not own.fullmatch(key)}
    places = {"MCP_INSPECT_HOME": str(home), "HOME": str(home), "TERM": "xterm-256color"}
    server = [sys.executable, "-m", "tests.servers.hostile", str(seed), NONCE]
    process = subprocess.Popen(
        [sys.executable, "-c", program, "--no-record", "--", *server],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**kept, **places},
        cwd=ROOT,
        start_new_session=True,
    )
    os.close(slave)
    try:
        yield Terminal(master, process)
    finally:
        process.kill()
        process.wait()
        os.close(master)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [0, 17])
def test_nothing_of_a_hostile_server_is_obeyed_by_the_terminal(seed: int, tmp_path: Path) -> None:
    with hostile(WALLS_ON, seed, tmp_path) as terminal:
        terminal.wait_for("tool:")
        for key, label in (("3", "uri:"), ("4", "prompt:"), ("1", "servertitle:")):
            terminal.press(key)
            terminal.wait_for(label)
        terminal.wait_for("Server capabilities", "Our capabilities")
        terminal.click(range(3, 24, 2), range(1, 45, 3))  # no text of a server does anything
        terminal.press("2")
        terminal.wait_for("tool:")
        terminal.press("\x1b[18~")  # F7: everything it says about itself
        terminal.wait_for("input schema")
        terminal.press("\x1b")
        terminal.wait_until_gone("input schema")
        terminal.wait_for("fieldtitle:", "default:")
        terminal.press("\x12")  # Ctrl+R calls it, and the server asks
        terminal.wait_for("question:")
        for _ in DIALOGS:  # one after the other
            asked = [one for one in DIALOGS if terminal.shows(one)]
            if asked:
                terminal.press("\x1b")
                terminal.wait_until_gone(*asked)
                terminal.wait_for(*DIALOGS, "F6 Next pane")
        terminal.wait_until_gone(*DIALOGS)
        terminal.wait_for("said:", "markdown:")
        terminal.press("8")
        terminal.wait_for("logger:", "log:")
        terminal.press("\x14\x14")  # Ctrl+T: all for the traffic
        terminal.wait_for("notifications/odd:")
        terminal.press("\x10tool")  # Ctrl+P
        terminal.wait_for("Go to", "tool:")
        terminal.press("\x1b\x11")
        assert terminal.end() == 0
    assert foreign(terminal.output) == []
    assert NONCE.encode() in terminal.output


def test_the_look_sees_what_the_walls_keep_back(tmp_path: Path) -> None:
    with hostile(WALLS_OFF, 0, tmp_path) as terminal:
        terminal.wait_for_bytes(b"servertitle:")
        terminal.press("\x11")
        terminal.end()
    assert foreign(terminal.output)


def test_every_text_but_the_visible_ones_would_be_seen_by_the_look() -> None:
    seen = {name for name, text in TEXTS.items() if foreign(text.encode("utf-8", "surrogatepass"))}
    plain = {name for name in TEXTS if "markup" in name or "bracket" in name}
    assert len(seen) >= 25
    assert not seen & plain
