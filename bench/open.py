"""Goal 7: opening a recording, beside an empty one in the same run.

`first_screen` is the time on a pty until the first entries are painted: of a long recording over
that of an empty one (goal: at most 1.15). `load` is CPU time to read all of it, against json.loads
of the same messages, and a long recording against one of a tenth. `loaded` is the whole program:
seconds until everything is in the list, resident MB then (goal: under 150), and, meanwhile, the
time from F1 to the help on the screen. Prints JSON; nothing here is a test.

    python -m bench.open [--entries 1000000] [--sizes 200 2000] [--rounds 7]
"""

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from time import process_time

from bench import peer
from bench.journal import call_messages, log_message
from bench.startup import interleave
from bench.terminal import Terminal
from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile

MARKER = "session-begins"
"""The name of the first events of each recording, which fill the first screen."""
MARKERS = 60
SAMPLE = 20_000
HELP, ESCAPE = b"\x1bOP", b"\x1b"


def record(path: Path, entries: int, size: int) -> list[bytes]:
    """A recording of calls and log messages of about `size` bytes; some of its messages."""
    file = RecordingFile.create(path)
    journal = Journal(file=file)
    connection = journal.begin_connection({"transport": "stdio"})
    for _ in range(MARKERS):
        journal.event(MARKER, {}, connection=connection)
    log = log_message(size)
    sample: list[bytes] = []
    for at, (direction, raw) in enumerate(call_messages(entries)):
        way, message = (Direction.RECEIVED, log) if at // 2 % 5 < 3 else (direction, raw)
        journal.frame(way, message, connection=connection)
        if len(sample) < SAMPLE:
            sample.append(message)
    journal.close()
    return sample


def paint_of(path: Path) -> float:
    """Milliseconds until the first entry is painted."""
    terminal = Terminal.start([*peer.OURS, "open", str(path)])
    try:
        return terminal.wait_for(MARKER) * 1000
    finally:
        terminal.stop()


def cpu_of_load(path: Path) -> tuple[int, float]:
    """How many entries there are, and CPU seconds to read them all, the best of three."""
    best, count = float("inf"), 0
    for _ in range(3):
        started = process_time()
        count = len(load_recording(path))
        best = min(best, process_time() - started)
    return count, best


def whole(path: Path, entries: int) -> dict[str, object]:
    """The program on a recording until all of it is in the list."""
    terminal = Terminal.start([*peer.OURS, "open", str(path)])
    keys: list[float] = []
    try:
        terminal.wait_for(MARKER)
        deadline = time.perf_counter() + 120
        while f"{entries:,} ·" not in terminal.text(max(0, len(terminal.output) - 100_000)):
            if time.perf_counter() > deadline:
                raise TimeoutError("not everything was read")
            mark, pressed = terminal.press(HELP), time.perf_counter()
            terminal.wait_for("Help", start=mark)
            keys.append((time.perf_counter() - pressed) * 1000)
            terminal.press(ESCAPE)
            until = time.perf_counter() + 0.25
            while time.perf_counter() < until:
                terminal.pump(0.05)
        seconds = time.perf_counter() - terminal.started
        resident = terminal.resident() / 1e6
    finally:
        terminal.stop()
    keys.sort()
    return {
        "seconds": round(seconds, 2),
        "resident_mb": round(resident, 1),
        "help_ms_p50": round(statistics.median(keys), 1),
        "help_ms_p95": round(keys[int(len(keys) * 0.95)], 1),
    }


def measure(folder: Path, entries: int, size: int, rounds: int) -> dict[str, object]:
    """All figures for entries of one size."""
    empty, tenth, long = folder / "empty", folder / f"tenth{size}", folder / f"long{size}"
    if not empty.exists():
        record(empty, 0, size)
    record(tenth, entries // 10, size)
    sample = record(long, entries, size)
    paints = interleave({"empty": lambda: paint_of(empty), "long": lambda: paint_of(long)}, rounds)
    medians = {name: statistics.median(values) for name, values in paints.items()}
    few, short = cpu_of_load(tenth)
    count, seconds = cpu_of_load(long)
    started = process_time()
    for message in sample:
        json.loads(message)
    reference = (process_time() - started) / len(sample)
    return {
        "entries": count,
        "file_mb": round(long.stat().st_size / 1e6),
        "first_screen": {
            **{f"{name}_ms": round(value) for name, value in medians.items()},
            "ratio": round(medians["long"] / medians["empty"], 2),
        },
        "load": {
            "us_per_entry": round(seconds / count * 1e6, 2),
            "to_json_loads": round(seconds / count / reference, 2),
            "per_entry_to_a_tenth": round((seconds / count) / (short / few), 2),
        },
        "loaded": whole(long, count),
    }


def main() -> None:
    """Runs everything and prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=[200, 2000])
    parser.add_argument("--rounds", type=int, default=7)
    given = parser.parse_args()
    report: dict[str, object] = {"python": sys.version.split()[0]}
    for size in given.sizes:
        with tempfile.TemporaryDirectory() as folder:
            figures = measure(Path(folder), given.entries, size, given.rounds)
        report[f"{size}_bytes"] = figures
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
