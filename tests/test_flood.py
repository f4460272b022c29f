"""Nothing is lost in a flood: what a server wrote is in the journal and in the file, in order."""

import asyncio
import sys
from pathlib import Path

from inspector.config.targets import Target
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.workbench import Options, Workbench

COUNT = 100_000
PIECE = 500
SERVER = """
import json, sys
count, piece = int(sys.argv[1]), int(sys.argv[2])
said = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}\\n'
for line in sys.stdin:
    message = json.loads(line)
    if message.get("method") == "notifications/initialized":
        for first in range(0, count, piece):
            sys.stdout.write("".join(said % n for n in range(first, first + piece)))
        sys.stdout.flush()
    elif "id" in message:
        result = {}
        if message["method"] == "initialize":
            result = {
                "protocolVersion": message["params"]["protocolVersion"],
                "capabilities": {"logging": {}},
                "serverInfo": {"name": "flood", "version": "1"},
            }
        answer = {"jsonrpc": "2.0", "id": message["id"], "result": result}
        print(json.dumps(answer), flush=True)
"""


def _numbers(journal: Journal) -> list[int]:
    """What the messages of the flood say, in the order of the journal."""
    method = journal.columns.known["notifications/message"]
    ids = journal.method_ids
    of_flood = [number for number in range(1, len(journal) + 1) if ids[number] == method]
    return [
        int(journal.body(number).rpartition(b":")[2].rstrip(b"}").decode()) for number in of_flood
    ]


async def test_a_hundred_thousand_messages_at_full_speed_are_all_kept_and_come_back_from_the_file(
    tmp_path: Path,
) -> None:
    path = tmp_path / "recording"
    target = Target((sys.executable, "-c", SERVER, str(COUNT), str(PIECE)))
    options = Options(record=path, protocol="2025-11-25")
    async with Workbench(target, options=options) as bench:
        bench.begin_judging()
        assert (await bench.connect()).ready
        async with asyncio.timeout(60):
            await bench.changes.until(lambda: bench.journal.received > COUNT)
        assert _numbers(bench.journal) == list(range(COUNT))
        seen = len(bench.journal)
    entries = len(bench.journal)
    assert entries >= seen
    again = load_recording(path)
    assert (len(again), again.dropped_bytes) == (entries, 0)
    assert _numbers(again) == list(range(COUNT))
    assert again.received == bench.journal.received
