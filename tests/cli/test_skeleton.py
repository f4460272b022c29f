"""The first frame is one harmless line, and the screen is given back."""

import os
import pty
import re
import select
import subprocess
import sys
import time
import unicodedata

import pytest
from rich.cells import cell_len

from inspector.cli import skeleton
from inspector.render.safe import DANGEROUS
from tests.servers.hostile_texts import TEXTS


def test_the_header_fits_and_names_the_target() -> None:
    assert skeleton.header("python server.py", 80) == (
        " mcp-inspect  connecting to python server.py …"
    )
    assert skeleton.header("", 80) == " mcp-inspect …"
    assert len(skeleton.header("x" * 500, 40)) < 40


def test_the_first_frame_names_the_tabs_of_the_interface() -> None:
    from inspector.tui.views.registry import VIEWS

    assert tuple(f"{spec.key} {spec.title}" for spec in VIEWS) == skeleton.TABS
    shown = skeleton.frame("server", 120, 40)
    assert all(tab in shown for tab in skeleton.TABS)


@pytest.mark.parametrize(("width", "height"), [(80, 24), (20, 10), (1, 2), (120, 40)])
def test_no_line_of_the_first_frame_is_wider_than_the_screen(width: int, height: int) -> None:
    shown = skeleton.frame("x" * 300, width, height)
    for row, line in re.findall(r"\x1b\[(\d+);1H([^\x1b]*)", shown):
        assert len(line) <= width
        assert int(row) <= height


@pytest.mark.parametrize("width", [0, 1, 2, 3, 10])
def test_no_width_is_too_small(width: int) -> None:
    assert len(skeleton.header("abc", width)) <= max(1, width)


def test_nothing_a_terminal_obeys_gets_into_the_header() -> None:
    line = skeleton.header("a\x1b]0;x\x07b\x9bc\u202ed\ud800\n", 80)
    assert re.search(r"[\x00-\x1f\x7f-\x9f\u202e\ud800]", line) is None


def test_a_hostile_name_is_seen_and_piles_nothing_up() -> None:
    for text in TEXTS.values():
        line = skeleton.header(text, 10_000)
        assert DANGEROUS.search(line) is None
        assert line.isprintable()
        assert not any(unicodedata.combining(sign) for sign in line)
    assert "漢·" in skeleton.header("漢\ufe0f", 80)
    for width in range(200):
        assert cell_len(skeleton.header("漢" * 60 + "x" * 60, width)) <= max(1, width)


def test_without_a_terminal_nothing_is_painted(capsys: pytest.CaptureFixture[str]) -> None:
    skeleton.paint("x")
    skeleton.leave()
    assert capsys.readouterr().out == ""


def read_until(master: int, wanted: bytes) -> bytes:
    seen = b""
    deadline = time.monotonic() + 60
    while wanted not in seen and time.monotonic() < deadline:
        if select.select([master], [], [], 0.5)[0]:
            try:
                seen += os.read(master, 65536)
            except OSError:
                break
    return seen


PROGRAM = """
import sys, time
from inspector.cli import skeleton
skeleton.paint("the server")
forbidden = {"click", "textual", "rich", "msgspec", "asyncio", "httpx", "pydantic"}
print("LOADED", sorted(forbidden & set(sys.modules)), end="", flush=True)
time.sleep(30)
"""


@pytest.mark.parametrize("ending", [15, 1])
def test_a_signal_before_the_interface_gives_the_screen_back(ending: int) -> None:
    master, slave = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env={**os.environ, "TERM": "xterm-256color"},
    )
    os.close(slave)
    try:
        before = read_until(master, b"LOADED []")
        assert b"\x1b[?1049h" in before
        assert b"connecting to the server" in before
        assert b"LOADED []" in before
        process.send_signal(ending)
        assert process.wait(60) == 128 + ending
        assert b"\x1b[?1049l" in read_until(master, b"\x1b[?1049l")
    finally:
        process.kill()
        process.wait()
        os.close(master)
