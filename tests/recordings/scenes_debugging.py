"""Scenes of the debugger: findings, what hangs, call trees, the past, recordings, differences.

They play on a server with faults, `tests.servers.weather_server`.
"""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Final

from inspector.tui.waterfall import BAR_FROM
from tests.recordings.play import Play, Scene
from tests.recordings.stage import FOLDER, MENDED, OPENED, WEATHER, settled, until

PLANNED: Final = 26
"""The answer to a call with progress, a log message and questions."""
ASKED: Final = 20
"""One of its questions."""


async def _calls(play: Play) -> None:
    """What was recorded, up to the call that nobody answers."""
    await play.ready()
    await play.choose("tools", "forecast")
    await play.keys("enter")
    await play.text("Bern")
    await play.keys("ctrl+r")
    await play.sees("21.5")
    await settled(play.pilot, play.app)


async def _findings(play: Play) -> None:
    await _calls(play)
    await play.keys("alt+7")
    await play.sees("stdio/stdout-pollution")
    await play.keys("down")
    await play.sees("── tool/output-mismatch ─")
    await settled(play.pilot, play.app)


async def _hanging(play: Play) -> None:
    await play.ready()
    await play.choose("tools", "radar")
    await play.keys("ctrl+r")
    await settled(play.pilot, play.app)
    play.clock.skip(12)
    await play.keys("alt+w")
    await settled(play.pilot, play.app)


async def _opened(play: Play) -> None:
    """All of a recording that will not grow any more."""
    app = play.app
    await until(play.pilot, lambda: app.has_bridge and app.bridge.ready, "the workbench")
    source = app.bridge.workbench.source
    assert source is not None
    await until(play.pilot, lambda: not source.reading and not source.following, "its end")
    await play.sees("(end)")
    await settled(play.pilot, play.app)


async def _goes_to(play: Play, entry: int) -> None:
    """The cursor of the traffic on an entry, and all tabs as they were there."""
    await play.keys("ctrl+g", "colon")
    await play.text(str(entry))
    await play.keys("enter", "t")
    await play.sees(f"as of #{entry} ")


async def _causes(play: Play) -> None:
    await _opened(play)
    await play.keys("ctrl+t", "ctrl+t", "ctrl+g", "colon")
    await play.text(str(PLANNED))
    await play.keys("enter", "c")
    await settled(play.pilot, play.app)


async def _waterfall(play: Play) -> None:
    await _opened(play)
    await play.keys("ctrl+t", "ctrl+t", "ctrl+g")
    if play.app.size.width < BAR_FROM:
        await play.keys("w")
    await settled(play.pilot, play.app)


async def _time_travel(play: Play) -> None:
    await _opened(play)
    await play.keys("2")
    await _goes_to(play, ASKED)
    await settled(play.pilot, play.app)


async def _compare(play: Play) -> None:
    await _opened(play)
    await play.keys("alt+d")
    await play.paste(f"{WEATHER.name}.jsonl")
    await play.keys("enter")
    await play.sees("they differ")
    await settled(play.pilot, play.app)


def _older(home: Path) -> None:
    """What the recording is compared with."""
    shutil.copy(FOLDER / f"{WEATHER.name}.jsonl", home)


DEBUGGING: Final = (
    Scene("findings", WEATHER, _findings),
    Scene("hanging", WEATHER, _hanging),
    Scene("causes", OPENED, _causes),
    Scene("waterfall", OPENED, _waterfall),
    Scene("time-travel", OPENED, _time_travel),
    Scene("recording-opened", OPENED, _opened),
    Scene("compare", replace(OPENED, name=MENDED.name), _compare, _older),
)
