"""A user with secrets goes through every screen of the interface, and copies what can be copied."""

import os
import sys
from pathlib import Path
from typing import Final

from tests.hostile.canary_scene import ROOT, SECRETS, configure, files, stdio, web
from tests.hostile.canary_server import serving
from tests.hostile.terminal import Terminal, terminal

SIZE: Final = (180, 50)
TABS: Final = ("1", "3", "4", "5", "6", "7", "8")
MASKS_ON: Final = "from inspector.__main__ import main; main()"
MASKS_OFF: Final = f"from tests.hostile.canary_runs import masks_off; masks_off(); {MASKS_ON}"


def visit(home: Path, over: str, *, masks: bool = True) -> dict[str, bytes]:
    """Everything that the terminal was sent, and all files that are left, by name."""
    (home / "tmp").mkdir(parents=True)
    with serving(SECRETS["session id"], SECRETS["cookie"]) as url:
        configure(home, url)
        words = stdio() if over == "stdio" else web(url)
        program = [sys.executable, "-c", MASKS_ON if masks else MASKS_OFF, *words]
        own = {"HOME": str(home), "MCP_INSPECT_HOME": str(home / "own"), "PYTHONPATH": str(ROOT)}
        more = {"TMPDIR": str(home / "tmp"), "BEARER": SECRETS["bearer"], "LANG": "C.UTF-8"}
        more |= {"EXPANDED": SECRETS["config expansion"], "PATH": os.environ["PATH"]}
        with terminal(program, own | more, size=SIZE, cwd=home) as user:
            if masks:
                go_everywhere(user)
            else:
                go_where_it_matters(user)
            user.type("\x11")
            assert user.end() == 0, user.text[-2000:]
    left = {str(one.relative_to(home)): one.read_bytes() for one in files(home)}
    return {**left, "terminal": user.seen, "screen": "\n".join(user.lines).encode()}


def go_where_it_matters(user: Terminal) -> None:
    """The tools, and a call."""
    user.wait_until_shown("mirror")
    user.type("\x12")
    user.wait_until_shown("isError", "structured", "✓ ok")


def go_everywhere(user: Terminal) -> None:
    """Every tab, every dialog that shows something of the target or of the server."""
    go_where_it_matters(user)
    for times, key in enumerate("cJ", 1):  # copies the call
        user.type(key)
        user.wait_for_times("\x1b]52;c;", times)
    user.type("\x1b[18~")  # F7
    user.wait_until_shown("description")
    user.type("\x1b")
    for tab in TABS:
        user.type(f"\x1b{tab}")
        user.wait_until_shown(_MARKS[tab])
    user.type("\x1b2")
    user.wait_until_shown("mirror")
    answer_the_question(user)
    user.type("\x14\x14\x07")  # Ctrl+T, Ctrl+G: the traffic has it all
    user.wait_until_shown("notifications/odd")
    for times in range(3, 6):
        user.type("y")
        user.wait_for_times("\x1b]52;c;", times)
        user.type("\rvvJvJv")
        user.wait_until_shown("as it crossed", "pretty", "raw", "hex")
        user.type("\x1b\x1b[A\x1b[A")
    user.type("\x14\x14")
    user.type("\x1bOS")  # F4: the command or URL
    user.wait_until_shown("Command, or URL")
    user.type("\x1b")
    user.wait_until_gone("Command, or URL")
    user.type("\x1b[23~")  # F11: what is waited for
    user.wait_until_shown("Esc")
    user.type("\x1b")
    user.type("\x1bOR")  # F3: the connect screen
    user.wait_until_shown("Built in")
    user.type("\x1b")
    user.wait_until_gone("Built in")


def answer_the_question(user: Terminal) -> None:
    """Types passwords into the form that the server sends."""
    user.type("\x1b")
    user.wait_until_gone("Esc List")  # the list has the focus
    user.type("gjjj\x12")
    user.wait_until_shown("Entrance")
    user.type(SECRETS["typed password"] + "\t")
    user.type(SECRETS["written only"])
    user.wait_until_shown("•••")
    user.type("\x13")
    user.wait_until_gone("Entrance")


_MARKS: Final = {
    "1": "capabilities", "3": "canary://a", "4": "prompt", "5": "ask", "6": "ask", "7": "rule",
    "8": "canary",
}  # fmt: skip
