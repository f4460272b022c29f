"""Goals 4 and 5: a whole-pane key while 5,000 messages a second arrive, and a full-speed flood.

The same action (switching the visible tab to and fro) is timed on ours and on the official TUI,
from the key press to the first painted word that only the new pane has. Prints JSON.

    python -m bench.flood [SECONDS]
"""

import json
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench import peer
from bench.terminal import Terminal

SERVER = str(Path(__file__).with_name("flood_server.py"))


@dataclass(frozen=True, slots=True)
class Program:
    """How one program is started, connected and switched between two panes."""

    command: list[str]
    connect: bytes
    ready: str
    panes: tuple[tuple[bytes, str], tuple[bytes, str]]


def programs() -> dict[str, Program]:
    """Ours, and the official TUI where it is found."""
    found = {
        "ours": Program(
            [*peer.OURS, "--no-record", "--"],
            b"",
            "ready",
            ((b"1", "roots.listChanged"), (b"8", "server level")),
        )
    }
    official = peer.official("--tui")
    if official:
        found["official"] = Program(
            official, b"c", "● connected", ((b"i", "Server Configuration"), (b"t", "Select a tool"))
        )
    return found


def keys_under_load(program: Program, seconds: float) -> dict[str, float]:
    """Key to paint in milliseconds while 5,000 messages of 200 bytes a second arrive."""
    with tempfile.NamedTemporaryFile() as report:
        count = int(5000 * (seconds + 6))
        server = [sys.executable, SERVER, str(count), "200", "5000", report.name]
        terminal = Terminal.start([*program.command, *server])
        try:
            terminal.quiet()
            if program.connect:
                terminal.press(program.connect)
            terminal.wait_for(program.ready)
            settled = time.perf_counter() + 2.5
            while time.perf_counter() < settled:
                terminal.pump(0.05)
            waits: list[float] = []
            until = time.perf_counter() + seconds
            turn = 0
            while time.perf_counter() < until:
                key, word = program.panes[turn % 2]
                turn += 1
                pressed = time.perf_counter()
                mark = terminal.press(key)
                terminal.wait_for(word, start=mark, timeout=20)
                waits.append((time.perf_counter() - pressed) * 1000)
                pause = time.perf_counter() + 0.15
                while time.perf_counter() < pause:
                    terminal.pump(0.02)
            return {
                "median ms": statistics.median(waits),
                "max ms": max(waits),
                "presses": float(len(waits)),
                "resident MB": terminal.resident(exclude="flood_server") / 1e6,
            }
        finally:
            terminal.stop()


def drain(program: Program, count: int) -> float:
    """Seconds until the program has accepted `count` messages sent at full speed."""
    with tempfile.NamedTemporaryFile("r") as report:
        server = [sys.executable, SERVER, str(count), "200", "0", report.name]
        terminal = Terminal.start([*program.command, *server])
        try:
            terminal.quiet()
            if program.connect:
                terminal.press(program.connect)
            deadline = time.perf_counter() + 90
            while time.perf_counter() < deadline:
                terminal.pump(0.05)
                text = report.read()
                if text:
                    return float(text)
            raise TimeoutError("the flood was not drained within 90 s")
        finally:
            terminal.stop()


def main(seconds: float = 8.0) -> dict[str, object]:
    """All figures of one run."""
    keys = {name: keys_under_load(program, seconds) for name, program in programs().items()}
    drained = {name: drain(program, 100_000) for name, program in programs().items()}
    ratios: dict[str, float] = {}
    if "official" in keys:
        for figure, goal in (("median ms", 0.7), ("max ms", 0.4), ("resident MB", 0.25)):
            ratios[f"{figure} / official (goal <= {goal})"] = (
                keys["ours"][figure] / keys["official"][figure]
            )
        ratios["100k drained / official (goal <= 0.2)"] = drained["ours"] / drained["official"]
    return {
        "5,000 messages a second": keys,
        "100,000 at full speed, seconds": drained,
        "ratios": {name: round(value, 3) for name, value in ratios.items()},
        "note": "" if "official" in keys else "the official inspector was not found: no ratios",
    }


if __name__ == "__main__":
    print(json.dumps(main(float(sys.argv[1]) if len(sys.argv) > 1 else 8.0), indent=2))
