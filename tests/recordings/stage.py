"""The real app on a recorded session, the same every time: what pictures and snapshots are made of.

Every time that is shown comes from the journal's clock, and here that clock counts journal entries
instead of seconds. What is done on the stage is decided by `tests.recordings.scenes`.
"""

import os
import re
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from html import unescape
from pathlib import Path
from typing import Final

from rich.cells import cell_len
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input, TextArea

from inspector.config.targets import Target
from inspector.journal.entries import Clock
from inspector.journal.journal import Journal
from inspector.journal.loading import load_recording
from inspector.journal.redact import Redactor
from inspector.recording_source import RecordingSource
from inspector.session.asks import ASK_KINDS, Policy
from inspector.session.options import Options
from inspector.session.roots import Root
from inspector.transport.base import TransportFacts
from inspector.transport.replay import ReplayTransport
from inspector.tui.app import InspectorApp
from inspector.tui.screens.main import LINES_EVERY
from inspector.workbench import Workbench
from tests.calm import calm, tick, under_way

FOLDER: Final = Path(__file__).resolve().parent
BEGIN: Final = 1_768_478_400.0
"""Seconds since the Unix epoch at which every play begins: 2026-01-15 12:00:00 UTC."""
BOUND: Final = 600
"""Turns of 20 ms that anything may take to come about."""
CELL: Final = 12.2
"""Width of a cell in the SVGs."""
_TEXT: Final = re.compile(
    r'(<text (?=[^>]*x="([\d.]+)")(?=[^>]*textLength="([\d.]+)")[^>]*>)([^<]*)'
)
_APART: Final = re.compile(r"[^\xa0]+(?:\xa0[^\xa0]+)*")
KEPT: Final = re.compile(
    r"PATH|HOME|LANG|LC_ALL|TMPDIR|VIRTUAL_ENV|PYTHON.*|PYTEST_.*|TEXTUAL_SNAPSHOT_.*"
)


@dataclass(frozen=True, slots=True)
class Part:
    """A recording, and what it is a recording of. `shown` is what the header says of the
    transport, which is the recorded one and not the replay."""

    name: str
    target: Target
    shown: TransportFacts
    protocol: str = "2025-11-25"
    opened: bool = False
    """Whether the recording is looked at (`open`), and not played as a server."""


DEMO: Final = Part(
    "demo",
    Target(("python", "-m", "inspector.demo"), transport="stdio", name="demo"),
    TransportFacts("stdio", "demo", pid=4711, state="open"),
)
MODERN: Final = replace(DEMO, name="demo-modern", protocol="2026-07-28")
EVERYTHING: Final = Part(
    "everything-http",
    Target(url="http://127.0.0.1:3001/mcp", transport="http", name="everything"),
    TransportFacts(
        "http", "everything", url="http://127.0.0.1:3001/mcp", session=True, state="open"
    ),
)
PROTECTED: Final = replace(
    EVERYTHING,
    target=Target(url="https://mcp.example.com/mcp", transport="http", name="tickets"),
    shown=replace(EVERYTHING.shown, url="https://mcp.example.com/mcp"),
)
WEATHER: Final = Part(
    "weather",
    Target(("python", "weather.py"), transport="stdio", name="weather"),
    TransportFacts("stdio", "weather", pid=4711, state="open"),
)
MENDED: Final = replace(
    WEATHER,
    name="weather-mended",
    target=replace(WEATHER.target, command=("python", "weather.py", "--mended")),
)
"""The same server a release later."""
OPENED: Final = replace(WEATHER, opened=True)
MISSING: Final = Part(
    "",
    Target(("/srv/acme/mcp-server", "--stdio"), transport="stdio", name="acme"),
    TransportFacts("stdio", "acme"),
)
"""No recording at all: a program that cannot be started."""


class EntryClock:
    """Time that passes with every journal entry, between 2 and 24 ms, and with `skip`."""

    def __init__(self) -> None:
        self.journal: Journal | None = None
        self._skipped = 0.0

    def skip(self, seconds: float) -> None:
        """Lets time pass."""
        self._skipped += seconds

    def since(self) -> float:
        """Seconds since the play began."""
        entries = len(self.journal) if self.journal is not None else 0
        return self._skipped + sum(2 + n * 7919 % 23 for n in range(entries)) / 1000

    def as_clock(self) -> Clock:
        """The two clocks of a journal."""
        return Clock(lambda: 1000.0 + self.since(), lambda: BEGIN + self.since())


class Played(ReplayTransport):
    """A replay that is shown as the connection that was recorded."""

    shown: TransportFacts | None = None

    @property
    def facts(self) -> TransportFacts:
        """What the header says."""
        own = super().facts
        return own if self.shown is None else replace(self.shown, state=own.state)


@dataclass(frozen=True, slots=True)
class Stage:
    """The app and the clock it shows."""

    app: InspectorApp
    clock: EntryClock


def stage(part: Part | None, theme: str = "") -> Stage:
    """The app on `part`; None: on the connect screen. `close` it afterwards."""
    clock = EntryClock()

    def transport(target: Target, journal: Journal, connection: int) -> Played:
        assert part is not None
        played = Played(
            load_recording(FOLDER / f"{part.name}.jsonl"), journal, connection, label=target.label
        )
        played.shown = part.shown
        return played

    def opened(target: Target, recording: Path) -> Workbench:
        source = RecordingSource.open(recording)
        options = Options(no_record=True)
        return Workbench(target, options=options, journal=source.journal, source=source)

    def make(target: Target) -> Workbench:
        if part is not None and part.opened:
            copy = Path(shutil.copy(FOLDER / f"{part.name}.jsonl", Path.home()))
            return opened(target, copy)
        protocol = part.protocol if part is not None else "auto"
        options = Options(
            protocol=protocol,
            no_record=True,
            client_version="0.1.0",
            policies={kind: Policy("ask") for kind in ASK_KINDS if kind != "round"},
            roots=(Root("file:///srv/project", "project"),),
            timeout=0,
            max_timeout=0,
        )
        clock.journal = journal = Journal(clock=clock.as_clock(), redactor=Redactor(b"stage"))
        if part is None or not part.name:
            return Workbench(target, options=options, journal=journal)
        return Workbench(target, options=options, journal=journal, transport_factory=transport)

    shown = part.target if part is not None else None
    if part is not None and part.opened:
        shown = Target(name=f"{part.name}.jsonl")
    connects = part is None or not part.opened
    return Stage(InspectorApp(make, shown, connect=connects, theme=theme), clock)


@contextmanager
def plain_environment(home: Path) -> Iterator[None]:
    """No terminal, time zone, setting or colour wish of this machine, in `home`."""
    before = dict(os.environ)
    kept = {name: value for name, value in before.items() if KEPT.fullmatch(name)}
    os.environ.clear()
    os.environ.update(kept, HOME=str(home), TZ="UTC", TERM="xterm-256color")
    os.environ["MCP_INSPECT_HOME"] = str(home / "mcp-inspect")
    time.tzset()
    try:
        yield
    finally:
        os.environ.clear()
        os.environ.update(before)
        time.tzset()


# -- looking ------------------------------------------------------------------------------------


def picture(app: InspectorApp) -> str:
    """The screen as an SVG whose names do not depend on what it shows."""
    svg = app.export_screenshot(simplify=True).replace("&#160;", "\xa0")
    svg = re.sub(r"terminal-\d+", "terminal", svg)
    return _TEXT.sub(_trimmed, svg).replace("\xa0", "&#160;")


def _trimmed(found: re.Match[str]) -> str:
    """Words that stand apart as elements of their own: some programs squeeze spaces."""
    head, parts = found[1], []
    for part in _APART.finditer(found[4]):
        at = float(found[2]) + cell_len(unescape(found[4][: part.start()])) * CELL
        placed = re.sub(r'x="[^"]*"', f'x="{at:.6g}"', head, count=1)
        length = cell_len(unescape(part[0])) * CELL
        placed = re.sub(r'textLength="[^"]*"', f'textLength="{length:.6g}"', placed, count=1)
        parts.append(placed + part[0])
    return "</text>".join(parts) if parts else head


def words(app: InspectorApp) -> str:
    """Everything on the screen, line by line."""
    return "\n".join(strip.text.rstrip() for strip in drawn(app))


def drawn(app: InspectorApp) -> list[Strip]:
    """The lines on the screen, with their looks."""
    return app.screen._compositor.render_strips()


async def until(pilot: Pilot[int], holds: Callable[[], bool], what: str) -> None:
    """Lets the app work until `holds`; fails after a bounded number of turns."""
    for _ in range(BOUND):
        if holds():
            return
        await pilot.pause(0.02)
    raise AssertionError(f"{what} did not come about")


async def until_shown(pilot: Pilot[int], app: InspectorApp, text: str) -> None:
    """Waits for words on the screen."""
    try:
        await until(pilot, lambda: text in words(app), repr(text))
    except AssertionError as error:
        raise AssertionError(f"{error}; the screen shows:\n{words(app)}") from None


async def settled(pilot: Pilot[int], app: InspectorApp) -> None:
    """Waits until nothing is under way, and the tickers change nothing on the screen."""
    still, last, waiting = 0, list[Strip](), list[str]()
    for _ in range(BOUND):
        for screen in app.screen_stack:
            for field in screen.query(Input):
                field.cursor_blink = False
            for area in screen.query(TextArea):
                if area.cursor_blink:
                    area.cursor_blink = False
                    area._line_cache.clear()  # it may hold the line without its cursor
                    area.refresh()
        await calm(app)
        if waiting := under_way(app):
            still = 0
            await pilot.pause(0.02)
            continue
        for _ in range(LINES_EVERY):
            await tick(app)
            await calm(app)
        now = drawn(app)
        still, last = (still + 1, last) if now == last else (0, now)
        if still == 2 and not (waiting := under_way(app)):
            return
    raise AssertionError(f"the screen never came to rest: {waiting}")
