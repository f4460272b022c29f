"""What travel in time costs, as JSON with ratios: `python -m bench.timeline [--entries N]`.

For three kinds of traffic: the cost of going along once against loading the same recording, the
longest way to a random entry (goal: at most 0.2 seconds), bytes of memory per entry, and how these
grow from a tenth of the entries to all. Times are CPU. Nothing here is a test; how many entries
are gone along again is asserted in tests/journal.
"""

import argparse
import json
import random
import sys
import tempfile
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.recording import RecordingFile
from inspector.journal.timeline import Timeline

LOOKS = 200
Message = tuple[Direction, bytes]


def _raw(message: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def opening() -> Iterator[Message]:
    """A handshake of 2025-11-25 with everything declared."""
    offered = {"protocolVersion": "2025-11-25", "capabilities": {}}
    yield Direction.SENT, _raw({"id": 0, "method": "initialize", "params": offered})
    everything: dict[str, object] = {"tools": {}, "resources": {}, "prompts": {}, "tasks": {}}
    said = {"protocolVersion": "2025-11-25", "capabilities": everything}
    yield Direction.RECEIVED, _raw({"id": 0, "result": said})
    yield Direction.SENT, _raw({"method": "notifications/initialized"})


def logs(count: int) -> Iterator[Message]:
    """A flood of log notifications."""
    data = {"level": "info", "logger": "bench", "data": "x" * 120}
    message = _raw({"method": "notifications/message", "params": data})
    for _ in range(count):
        yield Direction.RECEIVED, message


def calls(count: int) -> Iterator[Message]:
    """Tool calls with progress, each answered."""
    for number in range(1, count // 4 + 1):
        params = {"name": "add", "arguments": {"a": 1}, "_meta": {"progressToken": number}}
        yield Direction.SENT, _raw({"id": number, "method": "tools/call", "params": params})
        report = {"progressToken": number, "progress": 1}
        message = _raw({"method": "notifications/progress", "params": report})
        yield Direction.RECEIVED, message
        yield Direction.RECEIVED, message
        content = [{"type": "text", "text": "x" * 80}]
        yield Direction.RECEIVED, _raw({"id": number, "result": {"content": content}})


def mixed(count: int) -> Iterator[Message]:
    """Everything that a state is made of, at once: lists read again and again, calls that are
    never answered, updates, tasks."""
    tools = [{"name": f"tool{number}", "inputSchema": {"type": "object"}} for number in range(20)]
    for number in range(1, count // 8 + 1):
        head = {"id": number * 4}
        yield Direction.SENT, _raw({**head, "method": "tools/list", "params": {}})
        yield Direction.RECEIVED, _raw({**head, "result": {"tools": tools}})
        yield Direction.RECEIVED, _raw({"method": "notifications/tools/list_changed"})
        head = {"id": number * 4 + 1}
        uri = {"uri": f"memo://{number % 500}"}
        yield Direction.SENT, _raw({**head, "method": "resources/subscribe", "params": uri})
        yield Direction.RECEIVED, _raw({**head, "result": {}})
        yield Direction.RECEIVED, _raw({"method": "notifications/resources/updated", "params": uri})
        head = {"id": number * 4 + 2}
        yield Direction.SENT, _raw({**head, "method": "tools/call", "params": {"name": "never"}})
        task = {"taskId": str(number % 600), "status": "working"}
        yield Direction.RECEIVED, _raw({"method": "notifications/tasks/status", "params": task})


def written(path: Path, traffic: Callable[[int], Iterator[Message]], count: int) -> None:
    """A recording of `count` entries."""
    journal = Journal(file=RecordingFile.create(path))
    connection = journal.begin_connection({"transport": "memory"})
    for made in (opening(), traffic(count)):
        for direction, raw in made:
            journal.frame(direction, raw, connection=connection)
    journal.close()


def measured(path: Path) -> dict[str, float]:
    """The costs of one recording."""
    start = process_time()
    journal = load_recording(path)
    loading = process_time() - start
    start = process_time()
    timeline = Timeline(journal)
    timeline.advance()
    along = process_time() - start
    chance = random.Random(1)
    times: list[float] = []
    most = 0
    for number in chance.sample(range(len(journal)), min(LOOKS, len(journal))):
        start = process_time()
        timeline.state_at(number)
        times.append(process_time() - start)
        most = max(most, timeline.replayed)
    tracemalloc.start()
    fresh = Timeline(journal)
    fresh.advance()
    held, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    times.sort()
    return {
        "entries": len(journal),
        "along_to_loading": round(along / loading, 3),
        "along_us_an_entry": round(along * 1e6 / len(journal), 2),
        "longest_look_s": round(times[-1], 4),
        "median_look_s": round(times[len(times) // 2], 4),
        "most_entries_again": most,
        "checkpoints": len(timeline.checkpoints),
        "bytes_an_entry": round(held / len(journal), 2),
    }


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    count = parser.parse_args().entries
    found: dict[str, object] = {}
    with tempfile.TemporaryDirectory() as folder:
        for traffic in (logs, calls, mixed):
            figures: list[dict[str, float]] = []
            for size in (count // 10, count):
                path = Path(folder) / f"{traffic.__name__}-{size}.jsonl"
                written(path, traffic, size)
                figures.append(measured(path))
                path.unlink()
            few, many = figures
            found[traffic.__name__] = {
                **many,
                "look_growth": round(many["longest_look_s"] / few["longest_look_s"], 2),
                "along_growth_an_entry": round(
                    many["along_us_an_entry"] / few["along_us_an_entry"], 2
                ),
                "bytes_growth": round(
                    many["bytes_an_entry"]
                    * many["entries"]
                    / few["bytes_an_entry"]
                    / few["entries"],
                    2,
                ),
            }
    json.dump(found, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
