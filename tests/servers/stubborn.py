"""Servers that do not want to end: `python -S stubborn.py MARK KIND...`.

Each KIND is a habit of the server itself or of a process that it starts before it serves. MARK
stands on the command line of all of them; in their environment it comes from whoever starts the
server. Nothing here lives for longer than `LIFE` seconds, whatever a test does. Standard library
only, so that it starts quickly.
"""

import contextlib
import json
import os
import signal
import sys
import time
from collections.abc import Callable

LIFE = 120.0
RESPAWNS = 30

MARK = sys.argv[1] if len(sys.argv) > 1 else ""


def deaf() -> None:
    """No signal that can be ignored ends this process."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGUSR1):
        signal.signal(number, signal.SIG_IGN)


def last() -> None:
    """Does nothing until its time is over."""
    end = time.monotonic() + LIFE
    while time.monotonic() < end:
        time.sleep(0.5)
    os._exit(0)


def without_files() -> None:
    """Closes everything that it inherited."""
    os.closerange(0, 64)


def forked(what: Callable[[], None]) -> None:
    """A child that does `what`, deaf, until its time is over."""
    if os.fork() == 0:
        deaf()
        what()
        last()


def left_alone(what: Callable[[], None]) -> None:
    """The same by way of a parent that is gone at once, in a session of its own."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            deaf()
            what()
            last()
        os._exit(0)


def stranger() -> None:
    """Another program in place of this process, without any environment."""
    code = "import sys, stubborn; stubborn.deaf(); stubborn.without_files(); stubborn.last()"
    words = [sys.executable, "-S", "-c", code, MARK]
    os.chdir(os.path.dirname(os.path.abspath(__file__)))
    os.execve(sys.executable, words, {})


def respawning() -> None:
    """Whoever ends it gets another one, a bounded number of times."""
    left = [RESPAWNS]

    def again(number: int, frame: object) -> None:
        left[0] -= 1
        if left[0] > 0 and os.fork() != 0:
            os._exit(0)

    signal.signal(signal.SIGTERM, again)


def respawning_apart() -> None:
    """The same in a session of its own."""
    os.setsid()
    respawning()


def zombies() -> None:
    """Children that are never waited for."""
    for _ in range(5):
        if os.fork() == 0:
            os._exit(0)


def flood() -> None:
    """Writes to stderr for ever."""
    with contextlib.suppress(OSError):
        end = time.monotonic() + LIFE
        while time.monotonic() < end:
            os.write(2, b"noise\n")
            time.sleep(0.001)


def blocked() -> None:
    """Every signal that can be held back is."""
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())


HABITS: dict[str, Callable[[], None]] = {
    "ignores-term": deaf,
    "blocks-signals": blocked,
    "helper": lambda: forked(lambda: None),
    "own-group": lambda: forked(lambda: os.setpgid(0, 0)),
    "own-session": lambda: forked(os.setsid),
    "daemon": lambda: left_alone(without_files),
    "stranger": lambda: left_alone(stranger),
    "respawns": lambda: forked(respawning),
    "own-respawns": lambda: forked(respawning_apart),
    "zombies": lambda: forked(zombies),
    "flood": lambda: forked(flood),
    "child-stopped": lambda: forked(lambda: os.kill(os.getpid(), signal.SIGSTOP)),
    "wrapped": lambda: forked(lambda: forked(lambda: forked(os.setsid))),
}
"""What is done before serving."""
AFTERWARDS = ("ignores-eof", "leaves", "closes", "stops")
"""What is done in place of ending, or as soon as the session is open."""


def main() -> None:
    """Serves as far as its habits let it."""
    kinds = sys.argv[2:]
    for kind in kinds:
        if kind in HABITS:
            HABITS[kind]()
    for line in sys.stdin:
        message = json.loads(line)
        method = message.get("method")
        if "id" in message and method != "tools/call":
            result = {
                "initialize": {
                    "protocolVersion": "2025-11-25",
                    "capabilities": {"tools": {}},
                    "serverInfo": {"name": "stubborn", "version": "1"},
                },
                "tools/list": {"tools": [{"name": "hangs", "inputSchema": {"type": "object"}}]},
            }.get(method, {})
            reply = {"jsonrpc": "2.0", "id": message["id"], "result": result}
            if method == "server/discover":
                reply = {"jsonrpc": "2.0", "id": message["id"]}
                reply["error"] = {"code": -32601, "message": "no"}
            print(json.dumps(reply), flush=True)
        if method == "notifications/initialized":
            if "leaves" in kinds:
                os._exit(0)
            if "closes" in kinds:
                without_files()
                last()
            if "stops" in kinds:
                os.kill(os.getpid(), signal.SIGSTOP)
    if "ignores-eof" in kinds:
        last()


if __name__ == "__main__":
    main()
