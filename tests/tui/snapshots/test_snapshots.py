"""Every screen looks as it did when somebody last looked at it, at 80x24 or at 120x40 or both.

What is played and how, so that it looks the same on every machine, is `tests.recordings`. After a
change of looks: `pytest tests/tui/snapshots --snapshot-update`, then look at the SVGs that changed.
"""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.recordings.play import Play, Scene
from tests.recordings.scenes import SCENES
from tests.recordings.stage import Stage, plain_environment, settled, stage

SIZES = ((80, 24), (120, 40))
NARROW, WIDE, WIDER = *SIZES, (160, 40)
ONCE = {
    "tools-structured": WIDE,
    "tools-error": NARROW,
    "resources-markdown": WIDE,
    "tasks": NARROW,
    "help": NARROW,
    "palette": NARROW,
    "jump": WIDE,
    "ask-url": NARROW,
    "ask-roots": NARROW,
    "ask-modern": WIDE,
    "traffic-filter": NARROW,
    "hanging": NARROW,
    "waterfall": WIDER,
    "recording-opened": WIDE,
    "trust": NARROW,
    "failed": NARROW,
}
"""Scenes whose other size would show nothing new. A wide list has bars unasked."""
LIGHT = ("server", "tools-result")
"""Scenes that are also drawn in a light theme, once."""
CASES = [
    *(
        (scene, size, "inspector-dark")
        for scene in SCENES
        for size in ((ONCE[scene.name],) if scene.name in ONCE else SIZES)
    ),
    *((scene, SIZES[1], "inspector-light") for scene in SCENES if scene.name in LIGHT),
]
NAMES = [
    f"{scene.name}-{width}x{height}{'-light' if theme.endswith('light') else ''}"
    for scene, (width, height), theme in CASES
]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty home directory, worked in."""
    monkeypatch.chdir(tmp_path)
    with plain_environment(tmp_path):
        yield tmp_path


def test_there_are_not_more_pictures_than_somebody_looks_at() -> None:
    assert len(CASES) <= 60
    assert len(set(NAMES)) == len(CASES)


@pytest.mark.parametrize(("scene", "size", "theme"), CASES, ids=NAMES)
def test_the_screen_looks_as_it_did(
    scene: Scene,
    size: tuple[int, int],
    theme: str,
    home: Path,
    snap_compare: Callable[..., bool],
) -> None:
    scene.prepare(home)
    on: Stage = stage(scene.part, theme)

    async def act(pilot: Pilot[int]) -> None:
        await scene.act(Play(on, pilot))
        await settled(pilot, on.app)

    try:
        assert snap_compare(on.app, terminal_size=size, run_before=act)
    finally:
        on.app.close_bridge()
