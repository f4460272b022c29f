"""The whole interface on a real terminal, with a server that is hostile in every text it sends.

Every byte that reaches the terminal is looked at: only sequences of the interface itself may be
among them. With both walls off the same look must find something, else it would be blind.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.hostile.oracle import foreign
from tests.hostile.terminal import Terminal, terminal
from tests.servers.hostile_texts import NONCE

ROOT = Path(__file__).parents[2]
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


@contextmanager
def hostile(program: str, seed: int, home: Path) -> Iterator[Terminal]:
    """The interface on the hostile server."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("MCP_")}
    places = {"MCP_INSPECT_HOME": str(home), "HOME": str(home)}
    server = [sys.executable, "-m", "tests.servers.hostile", str(seed), NONCE]
    command = [sys.executable, "-c", program, "--no-record", "--", *server]
    with terminal(command, {**kept, **places}, size=(120, 40), cwd=ROOT) as user:
        yield user


@pytest.mark.timeout(300)
@pytest.mark.parametrize("seed", [0])
def test_nothing_of_a_hostile_server_is_obeyed_by_the_terminal(seed: int, tmp_path: Path) -> None:
    with hostile(WALLS_ON, seed, tmp_path) as user:
        user.wait_until_shown("tool:")
        for key, label in (("3", "uri:"), ("4", "prompt:"), ("1", "servertitle:")):
            user.type(key)
            user.wait_until_shown(label)
        user.wait_until_shown("Server capabilities", "Our capabilities")
        user.click(range(3, 24, 2), range(1, 45, 3))  # no text of a server does anything
        user.type("2")
        user.wait_until_shown("tool:")
        user.type("\x1b[18~")  # F7: everything it says about itself
        user.wait_until_shown("input schema")
        user.type("\x1b")
        user.wait_until_gone("input schema")
        user.wait_until_shown("fieldtitle:", "default:")
        user.type("\x12")  # Ctrl+R calls it, and the server asks
        user.wait_until_shown("question:")
        for _ in DIALOGS:  # one after the other
            asked = [one for one in DIALOGS if user.shows(one)]
            if asked:
                user.type("\x1b")
                user.wait_until_gone(*asked)
                user.wait_until_shown(*DIALOGS, "F6 Next pane")
        user.wait_until_gone(*DIALOGS)
        user.wait_until_shown("said:", "markdown:")
        user.type("8")
        user.wait_until_shown("logger:", "log:")
        user.type("\x14\x14")  # Ctrl+T: all for the traffic
        user.wait_until_shown("notifications/odd:")
        user.type("\x10tool")  # Ctrl+P
        user.wait_until_shown("Go to", "tool:")
        user.type("\x1b\x11")
        assert user.end() == 0
    assert foreign(user.seen) == []
    assert NONCE.encode() in user.seen


def test_the_look_sees_what_the_walls_keep_back(tmp_path: Path) -> None:
    with hostile(WALLS_OFF, 0, tmp_path) as user:
        user.wait_for("servertitle:")
        user.type("\x11")
        user.end()
    assert foreign(user.seen)
