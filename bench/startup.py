"""Goals 1 and 2: first paint, memory once connected, and headless `list tools`, beside the peer.

Runs are interleaved in random order and the first round is discarded. Prints JSON; figures are
medians, in milliseconds and MB, and the ratios are what counts.

    python -m bench.startup [ROUNDS]
"""

import json
import random
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

from bench import peer
from bench.terminal import Terminal


def wall_of(command: list[str]) -> float:
    """Milliseconds that `command` takes from start to end."""
    started = time.perf_counter()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return (time.perf_counter() - started) * 1000


def paint_of(command: list[str], marker: str) -> float:
    """Milliseconds until `marker` is painted."""
    terminal = Terminal.start(command)
    try:
        return terminal.wait_for(marker) * 1000
    finally:
        terminal.stop()


def memory_of(command: list[str], connected: str, server: str, connect: bytes = b"") -> float:
    """Resident MB of the program, less the server, once connected and quiet."""
    terminal = Terminal.start(command)
    try:
        if connect:
            terminal.quiet()
            terminal.press(connect)
        terminal.wait_for(connected)
        terminal.quiet(1.0)
        return terminal.resident(exclude=server) / 1e6
    finally:
        terminal.stop()


def cpu_of(measure: Callable[[], float]) -> float:
    """CPU milliseconds of the children that `measure` starts and ends."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    measure()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) * 1000


def interleave(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Every measure once a round, in random order; the first round is thrown away."""
    figures: dict[str, list[float]] = {name: [] for name in measures}
    for round_number in range(rounds + 1):
        for name in random.sample(list(measures), len(measures)):
            value = measures[name]()
            if round_number:
                figures[name].append(value)
    return figures


def main(rounds: int = 10) -> dict[str, object]:
    """All figures of one run."""
    server = peer.everything_server()
    official_tui, official_cli = peer.official("--tui"), peer.official("--cli")
    demo = [sys.executable, "-m", "inspector.demo"]
    target = server or demo
    first = {
        "pass": lambda: wall_of(peer.PASS),
        "ours: first paint of the whole screen": lambda: paint_of(
            [*peer.OURS, "--no-record", "--", *target], "Tools"
        ),
        "ours: interface takes keys": lambda: paint_of(
            [*peer.OURS, "--no-record", "--", *target], "Ctrl+"
        ),
        "ours: list tools": lambda: wall_of(
            [*peer.OURS, "list", "tools", "--json", "--no-record", "--", *target]
        ),
    }
    if official_tui and official_cli:
        first["official: first paint"] = lambda: paint_of([*official_tui, *target], "MCP Servers")
        first["official: list tools"] = lambda: wall_of(
            [*official_cli, *target, "--method", "tools/list"]
        )
    figures = interleave(first, rounds)
    medians = {name: statistics.median(values) for name, values in figures.items()}
    memory = {"ours": memory_of([*peer.OURS, "--no-record", "--", *target], "ready", target[-2])}
    if official_tui:
        memory["official"] = memory_of([*official_tui, *target], "● connected", target[-2], b"c")
    ours_paint = medians["ours: first paint of the whole screen"]
    ratios = {"first paint / pass (goal <= 30)": ours_paint / medians["pass"]}
    if official_tui:
        ratios["first paint / official (goal <= 0.5)"] = (
            ours_paint / medians["official: first paint"]
        )
        ratios["interface takes keys / official first paint"] = (
            medians["ours: interface takes keys"] / medians["official: first paint"]
        )
        ratios["list tools / official (goal <= 0.5)"] = (
            medians["ours: list tools"] / medians["official: list tools"]
        )
        ratios["memory connected / official (goal <= 0.5)"] = memory["ours"] / memory["official"]
    return {
        "rounds": rounds,
        "server": "npm server-everything" if server else "demo (npm peers not found)",
        "median ms": medians,
        "memory MB": memory,
        "ratios": {name: round(value, 3) for name, value in ratios.items()},
    }


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]) if len(sys.argv) > 1 else 10), indent=2))
