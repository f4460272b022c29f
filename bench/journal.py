"""What the journal costs, as JSON with ratios: `python bench/journal.py [--entries N]`.

Reports CPU, not wall time, each as the best of several rounds taken in turns: ingest of one
message against `json.loads` of the same bytes (goal: at most 1.2), the cost of an append with many
entries against few (at most 1.3), bytes of memory per entry (at most 48), a filter on columns
against `json.loads` of a twentieth of the messages (at most 0.2), a literal search against a bare
`bytes.find` over the same file (rate at least 0.2), and opening a recording. Nothing here is a
test; the counts are asserted in tests/journal.
"""

import argparse
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time

from inspector.journal.entries import Direction
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.query import compile_filter
from inspector.journal.recording import RecordingFile

ROUNDS = 5
BATCH = 20_000


def log_message(size: int) -> bytes:
    """A log notification of about `size` bytes, with some structure in it."""
    data: dict[str, object] = {"message": "request handled", "status": 200, "ms": 12.5}
    while len(json.dumps(data)) < size - 120:
        number = len(data)
        data[f"field{number}"] = {"value": number, "text": f"some text number {number}"}
    params = {"level": "info", "logger": "server.http", "data": data}
    return json.dumps(
        {"jsonrpc": "2.0", "method": "notifications/message", "params": params}
    ).encode()


def call_messages(count: int) -> list[tuple[Direction, bytes]]:
    """`count` messages of tool calls: requests with a progress token, and their results."""
    found: list[tuple[Direction, bytes]] = []
    for number in range(count // 2):
        params = {"name": "add", "arguments": {"a": 2}, "_meta": {"progressToken": number}}
        head = {"jsonrpc": "2.0", "id": number}
        asked = {**head, "method": "tools/call", "params": params}
        content = [{"type": "text", "text": "The sum is 5"}]
        answered = {**head, "result": {"content": content, "isError": False}}
        found.append((Direction.SENT, json.dumps(asked).encode()))
        found.append((Direction.RECEIVED, json.dumps(answered).encode()))
    return found


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    start = process_time()
    work()
    return process_time() - start


def in_turns(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """The best CPU seconds of two pieces of work, run in turns."""
    pairs = [(cpu(one), cpu(other)) for _ in range(ROUNDS)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def ingest(messages: list[tuple[Direction, bytes]]) -> dict[str, float]:
    """Appending against decoding the same messages."""

    def append() -> None:
        journal = Journal()
        connection = journal.begin_connection({})
        for direction, raw in messages:
            journal.frame(direction, raw, connection=connection)

    def decode() -> None:
        for _, raw in messages:
            json.loads(raw)

    ours, reference = in_turns(append, decode)
    count = len(messages)
    return {
        "bytes": round(sum(len(raw) for _, raw in messages) / count),
        "append_us": round(ours / count * 1e6, 2),
        "json_loads_us": round(reference / count * 1e6, 2),
        "ratio": round(ours / reference, 2),
    }


def growth(entries: int) -> tuple[dict[str, float], Journal]:
    """The cost of appending to a long journal against a short one, and what it holds."""
    raw, needle = log_message(200), log_message(200).replace(b"handled", b"needle!")
    journal = Journal()
    connection = journal.begin_connection({})

    def append(count: int) -> None:
        for number in range(count):
            message = needle if number % 10_000 == 0 else raw
            journal.frame(Direction.RECEIVED, message, connection=connection)

    append(1_000)
    first = min(cpu(lambda: append(BATCH)) for _ in range(ROUNDS))
    append(max(entries - len(journal) - ROUNDS * BATCH, 0))
    last = min(cpu(lambda: append(BATCH)) for _ in range(ROUNDS))
    found = {
        "entries": len(journal),
        "ratio": round(last / first, 2),
        "column_bytes_per_entry": round(journal.columns.memory() / len(journal), 1),
    }
    return found, journal


def searches(journal: Journal) -> dict[str, float]:
    """Filters over the whole journal."""
    stop = len(journal) + 1
    messages = [journal.body(number) for number in range(2, min(stop, stop // 20 + 2))]
    columns = compile_filter("kind:notification method:tools/*")
    by_column, decoded = in_turns(
        lambda: columns.select(journal, 1, stop), lambda: [json.loads(raw) for raw in messages]
    )
    whole = journal.file.read(0, journal.file.size)
    word = compile_filter("needle")
    by_word, bare = in_turns(
        lambda: list(word.scan(journal)), lambda: whole.find(b"no such needle")
    )
    return {
        "column_filter_ms": round(by_column * 1e3, 1),
        "column_filter_to_json_loads_of_a_twentieth": round(by_column / decoded, 2),
        "word_search_ms": round(by_word * 1e3, 1),
        "word_search_rate_to_bytes_find": round(bare / by_word, 2),
    }


def opening(count: int) -> dict[str, float]:
    """Loading a recording against decoding its messages."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "recording.jsonl"
        journal = Journal(file=RecordingFile.create(path))
        connection = journal.begin_connection({})
        messages = call_messages(count)
        for direction, raw in messages:
            journal.frame(direction, raw, connection=connection)
        journal.close()
        ours, reference = in_turns(
            lambda: load_recording(path), lambda: [json.loads(raw) for _, raw in messages]
        )
    return {"entries": count, "load_us": round(ours / count * 1e6, 2),
            "ratio_to_json_loads": round(ours / reference, 2)}  # fmt: skip


def main() -> None:
    """Runs everything and prints one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    entries = parser.parse_args().entries
    grown, journal = growth(entries)
    report = {
        "python": sys.version.split()[0],
        "ingest_200_bytes": ingest([(Direction.RECEIVED, log_message(200))] * BATCH),
        "ingest_2_kilobytes": ingest([(Direction.RECEIVED, log_message(2000))] * BATCH),
        "ingest_calls": ingest(call_messages(BATCH)),
        "growth": grown,
        "search": searches(journal),
        "open": opening(BATCH),
    }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
