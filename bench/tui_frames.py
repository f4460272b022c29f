"""What the interface costs without a terminal: frames of the traffic list, and a 5 MB body.

Headless, in one process, so that only our own drawing counts. Prints JSON: the time of a frame
with 1,000 and 1,000,000 entries and their ratio, processor time at 5,000 entries a second, and
opening and paging a big JSON body next to `json.loads` of the same bytes.

    python -m bench.tui_frames
"""

import asyncio
import json
import statistics
import time

from textual.app import App, ComposeResult
from textual.pilot import Pilot

from inspector.journal.entries import Direction
from inspector.journal.exchanges import Exchanges
from inspector.journal.journal import Journal
from inspector.tui.themes import rich_inks
from inspector.tui.widgets.body import BodyView
from inspector.tui.widgets.traffic import TrafficList

NOTE = b'{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d"}}'
FRAMES = 60


class Host(App[None]):
    """A list and nothing else."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.console.push_theme(rich_inks(self.current_theme))
        self.rows = TrafficList(journal, Exchanges(journal))
        self.body = BodyView()

    def compose(self) -> ComposeResult:
        yield self.rows
        yield self.body


def fill(journal: Journal, count: int) -> None:
    for number in range(count):
        journal.frame(Direction.RECEIVED, NOTE % number, connection=1)


async def frames(preloaded: int) -> dict[str, float]:
    """Median milliseconds of one frame, and CPU share at 5,000 entries a second."""
    journal = Journal()
    journal.begin_connection({})
    fill(journal, preloaded)
    app = Host(journal)
    async with app.run_test(size=(120, 40)) as pilot:
        while app.rows.index.behind:
            app.rows.tick()
        await pilot.pause()
        spent, began = [], time.process_time()
        for _ in range(FRAMES):
            fill(journal, 250)  # a twentieth of a second's worth
            start = time.process_time()
            app.rows.tick()
            await pilot.pause()
            spent.append(time.process_time() - start)
        whole = time.process_time() - began
    journal.close()
    return {
        "frame_ms": round(statistics.median(spent) * 1000, 2),
        "cpu_share_at_5000_per_s": round(whole / (FRAMES / 20), 3),
    }


async def body() -> dict[str, float]:
    """Opening a 5 MB body until it is painted, and paging in it."""
    raw = json.dumps([{"id": n, "text": "some words", "ok": True} for n in range(110_000)]).encode()
    start = time.perf_counter()
    json.loads(raw)
    reference = time.perf_counter() - start
    app = Host(Journal())
    async with app.run_test(size=(120, 40)) as pilot:
        start = time.perf_counter()
        app.body.set_bytes(raw)
        await _painted(app, pilot)
        opened = time.perf_counter() - start
        pages = []
        for _ in range(20):
            start = time.perf_counter()
            app.body.action_page(1)
            await pilot.pause()
            pages.append(time.perf_counter() - start)
    return {
        "megabytes": round(len(raw) / 1e6, 1),
        "open_ms": round(opened * 1000, 1),
        "page_ms": round(statistics.median(pages) * 1000, 1),
        "open_over_json_loads": round(opened / reference, 2),
    }


async def _painted(app: Host, pilot: Pilot[None]) -> None:
    while app.body.count_lines() < 1000:
        await pilot.pause(0)
    await pilot.pause()


def main() -> None:
    """Print one JSON object."""
    small, large = asyncio.run(frames(1_000)), asyncio.run(frames(1_000_000))
    ratio = large["frame_ms"] / small["frame_ms"]
    found = {"1k": small, "1M": large, "1M_over_1k": round(ratio, 2), "body": asyncio.run(body())}
    print(json.dumps(found, indent=2))


if __name__ == "__main__":
    main()
