"""What a filter costs, as JSON with ratios: `python -m bench.search [--entries N]`.

One journal of mixed traffic (calls, logs, HTTP, stderr) of a tenth of the entries and one of all.
For each filter: CPU microseconds an entry, seconds for all, and how the cost of an entry grows.
Filters on columns are measured against `json.loads` of a twentieth of the messages (goal: at most
0.2), searches of bodies against a bare `mmap.find` over the same file (goal: a rate of at least
0.2 for a word with and without hits). Each is the best of several rounds, taken in turns with its
peer. Nothing here is a test; slices are counted in tests/journal.
"""

import argparse
import json
import mmap
import os
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import process_time

from inspector.journal.entries import Direction, Flag, HttpFacts
from inspector.journal.journal import Journal
from inspector.journal.query import Filter, compile_filter
from inspector.journal.recording import RecordingFile

ROUNDS = 3
COLUMN_FILTERS = (
    "method:tools/*",
    "kind:notification -method:notifications/message",
    "is:error|orphan",
    "ms>5",
    "size>300",
    "status:401",
    "after:#50000 before:2100-01-01",
    "conn:1",
)
WORD_FILTERS = ("no-such-needle", "needle", "tenth", "request")
"""Words with no hit, a hit in ten thousand, in ten, and one that stands between bodies too."""
BODY_FILTERS = (
    "name:add",
    "name:tool7",
    "$.params.arguments.a=7",
    "$.params.name=tool7",
    "id:7",
    "/need[l]e/",
    "/t[e]nth|needle/",
    "method:tools/* needle",
)


def filled(path: Path, entries: int) -> Journal:
    """A journal of mixed traffic in a file."""
    journal = Journal(file=RecordingFile.create(path))
    connection = journal.begin_connection({"transport": "memory"})
    data = {"message": "handled", "status": 200, "ms": 12.5, "text": "some text " * 6}
    number = 0
    while len(journal) < entries:
        number += 1
        params = {"name": f"tool{number % 50}" if number % 3 else "add", "arguments": {"a": number}}
        text = "a needle" if number % 2_500 == 0 else "The sum is 5"
        said = {"content": [{"type": "text", "text": text + " and more of it" * 6}]}
        more = {"tenth": 1} if number % 2 == 0 else {}
        asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
        sent = journal.frame(Direction.SENT, json.dumps(asked).encode(), connection=connection)
        if number % 10 == 0:
            facts = HttpFacts("POST", "http://localhost/mcp", status=200 if number % 100 else 401)
            journal.http(facts, connection=connection, frame=sent)
        log = {"level": "info", "logger": "server.http", "data": {**data, **more}}
        for _ in range(2):
            told = {"jsonrpc": "2.0", "method": "notifications/message", "params": log}
            journal.frame(Direction.RECEIVED, json.dumps(told).encode(), connection=connection)
        answered = {"jsonrpc": "2.0", "id": number, "result": said}
        journal.frame(Direction.RECEIVED, json.dumps(answered).encode(), connection=connection)
        if number % 20 == 0:
            journal.stderr(b"some line of stderr", connection=connection)
    journal.flag(len(journal), Flag.MARKED)
    journal.close()
    return journal


def cpu(work: Callable[[], object]) -> float:
    """CPU seconds of one run."""
    start = process_time()
    work()
    return process_time() - start


def in_turns(one: Callable[[], object], other: Callable[[], object]) -> tuple[float, float]:
    """The best CPU seconds of two pieces of work, run in turns."""
    pairs = [(cpu(one), cpu(other)) for _ in range(ROUNDS)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def scanned(wanted: Filter, journal: Journal) -> list[object]:
    """All slices of one search."""
    return list(wanted.scan(journal))


def measured(journal: Journal, path: Path) -> dict[str, dict[str, float]]:
    """All filters over one journal."""
    some = [journal.body(number) for number in range(2, len(journal) // 20 + 2)]
    found: dict[str, dict[str, float]] = {}
    with path.open("rb") as stream:
        whole = mmap.mmap(stream.fileno(), 0, prot=mmap.PROT_READ)
    peers: dict[str, Callable[[], object]] = {
        "to_json_loads_of_a_twentieth": lambda: [json.loads(raw) for raw in some],
        "rate_to_mmap_find": lambda: whole.find(b"\0 no such bytes"),
    }
    for texts, name in (
        (COLUMN_FILTERS, "to_json_loads_of_a_twentieth"),
        (WORD_FILTERS + BODY_FILTERS, "rate_to_mmap_find"),
    ):
        for text in texts:
            wanted = compile_filter(text)
            hits = sum(len(part) for part in wanted.scan(journal))
            ours, peer = in_turns(partial(scanned, wanted, journal), peers[name])
            ratio = ours / peer if name.startswith("to") else peer / ours
            found[text] = {
                "hits": hits,
                "seconds": round(ours, 4),
                "us_an_entry": round(ours / len(journal) * 1e6, 3),
                name: round(ratio, 3),
            }
    whole.close()
    return found


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=1_000_000)
    count = parser.parse_args().entries
    with tempfile.TemporaryDirectory() as folder:
        few_path, many_path = Path(folder) / "few.jsonl", Path(folder) / "many.jsonl"
        few = measured(filled(few_path, count // 10), few_path)
        os.unlink(few_path)
        many = measured(filled(many_path, count), many_path)
        size = many_path.stat().st_size
    for text, figures in many.items():
        figures["growth_an_entry"] = round(
            figures["us_an_entry"] / max(few[text]["us_an_entry"], 0.001), 2
        )
    report = {"python": sys.version.split()[0], "entries": count, "bytes": size, "filters": many}
    json.dump(report, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
