"""What judging costs, as JSON with ratios: `python -m bench.lint [--entries N]`.

For four kinds of traffic, in memory of the same process: the cost of judging an entry beside that
of reading it and `json.loads`, and how it grows from a tenth of the entries to all; for a flood of
lines that are no messages also the bytes held for a finding. Times are CPU, the best of three.
Nothing here is a test.
"""

import argparse
import json
import sys
import tracemalloc
from collections.abc import Callable, Iterator
from time import process_time
from typing import Final

from inspector.journal.entries import Direction, HttpFacts
from inspector.journal.journal import Journal
from inspector.lint.engine import STEP, Linter

ROUNDS: Final = 3
D, E = "2025-11-25", "2026-07-28"
META: Final = {
    "io.modelcontextprotocol/protocolVersion": E,
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "bench", "version": "1"},
}
SCHEMA: Final = {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}
TOOL: Final = {"name": "echo", "description": "Echoes.", "inputSchema": SCHEMA}
Message = tuple[Direction, bytes]


def _raw(message: dict[str, object]) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def _asks(number: int, method: str, **params: object) -> Message:
    return Direction.SENT, _raw({"id": number, "method": method, "params": params})


def _gets(number: int, **result: object) -> Message:
    return Direction.RECEIVED, _raw({"id": number, "result": result})


def _hears(method: str, **params: object) -> Message:
    return Direction.RECEIVED, _raw({"method": f"notifications/{method}", "params": params})


def opening() -> Iterator[Message]:
    """A handshake of 2025-11-25, and the list of tools."""
    info = {"name": "bench", "version": "1"}
    yield _asks(0, "initialize", protocolVersion=D, capabilities={}, clientInfo=info)
    yield _gets(0, protocolVersion=D, capabilities={"tools": {}, "logging": {}}, serverInfo=info)
    yield Direction.SENT, _raw({"method": "notifications/initialized"})
    yield _asks(1, "tools/list")
    yield _gets(1, tools=[TOOL, {**TOOL, "name": "told", "outputSchema": SCHEMA}])


def calls(count: int) -> Iterator[Message]:
    """Tool calls with progress, a log and a result, some of it structured."""
    yield from opening()
    for number in range(2, 2 + count // 5):
        name = "told" if number % 3 else "echo"
        token = {"progressToken": number}
        yield _asks(number, "tools/call", name=name, arguments={"text": "hello"}, _meta=token)
        yield _hears("progress", progressToken=number, progress=1, total=2)
        yield _hears("progress", progressToken=number, progress=2, total=2)
        yield _hears("message", level="info", logger="bench", data="x" * 120)
        told = {"structuredContent": {"text": "hello"}} if name == "told" else {}
        yield _gets(number, content=[{"type": "text", "text": "hello"}], **told)


def modern(count: int) -> Iterator[Message]:
    """The same under 2026-07-28, without logs."""
    own = {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "bench", "version": "1"}}}
    kept = {"resultType": "complete", "ttlMs": 0, "cacheScope": "private", **own}
    yield _asks(0, "server/discover", _meta=META)
    yield _gets(0, supportedVersions=[E], capabilities={"tools": {}}, **kept)
    for number in range(1, 1 + count // 2):
        yield _asks(number, "tools/call", name="echo", arguments={"text": "hello"}, _meta=META)
        content = [{"type": "text", "text": "hello"}]
        yield _gets(number, resultType="complete", content=content, **own)


def logs(count: int) -> Iterator[Message]:
    """A flood of one kind of notification."""
    yield from opening()
    for _ in range(count):
        yield _hears("message", level="info", logger="bench", data="x" * 120)


def junk(count: int) -> Iterator[Message]:
    """A flood of lines that are no messages."""
    for number in range(count):
        yield Direction.RECEIVED, b"[info] line %d" % number


def journal_of(traffic: Callable[[int], Iterator[Message]], count: int) -> Journal:
    """A journal of about so many entries; each request of `modern` has its exchange."""
    journal, web = Journal(), traffic is modern
    url = "http://127.0.0.1:1/mcp"
    facts = {"transport": "http", "url": url} if web else {"transport": "stdio"}
    connection = journal.begin_connection({**facts})
    http: int | None = None
    for direction, raw in traffic(count):
        carrier = http if direction is Direction.RECEIVED else None
        frame = journal.frame(direction, raw, connection=connection, http=carrier)
        if web and direction is Direction.SENT:
            head = (("Content-Type", "application/json"),)
            facts_ = HttpFacts("POST", url, (), 200, "OK", head)
            http = journal.http(facts_, connection=connection, frame=frame)
    return journal


def judged(journal: Journal) -> float:
    """Seconds of judging it all."""
    start = process_time()
    linter = Linter(journal)
    while linter.judged < len(journal):
        linter.advance(STEP)
    return process_time() - start


def loaded(journal: Journal) -> float:
    """Seconds of reading and parsing it all."""
    start = process_time()
    for number in range(1, len(journal) + 1):
        try:
            json.loads(journal.body(number))
        except ValueError:
            continue
    return process_time() - start


def measured(traffic: Callable[[int], Iterator[Message]], count: int) -> dict[str, float]:
    """The costs of one kind of traffic."""
    journal = journal_of(traffic, count)
    try:
        work = min(judged(journal) for _ in range(ROUNDS))
        peer = min(loaded(journal) for _ in range(ROUNDS))
        tracemalloc.start()
        linter = Linter(journal)
        while linter.judged < len(journal):
            linter.advance(STEP)
        held, _ = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return {
            "entries": len(journal),
            "us_an_entry": round(work * 1e6 / len(journal), 2),
            "to_json_loads": round(work / peer, 2),
            "findings": linter.kept.version,
            "bytes_an_entry": round(held / len(journal), 1),
        }
    finally:
        journal.close()


def main() -> None:
    """Prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=200_000)
    count = parser.parse_args().entries
    found: dict[str, object] = {}
    for traffic in (calls, modern, logs, junk):
        few, many = (measured(traffic, size) for size in (count // 10, count))
        growth = round(many["us_an_entry"] / few["us_an_entry"], 2)
        found[traffic.__name__] = {**many, "growth_an_entry": growth}
    json.dump(found, sys.stdout, indent=1)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
