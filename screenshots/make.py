"""Draws the README's pictures: recorded sessions of real servers, played through the real app.

`python screenshots/make.py [FOLDER] [WORD]...` writes SVGs into FOLDER (this one), of all pictures
or of those whose name holds a WORD. Two runs write the same bytes. What is done before a picture is
taken is decided by `tests.recordings.scenes`.
"""

import argparse
import asyncio
import os
import re
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.calm import steady_pilots  # noqa: E402
from tests.recordings.play import Play, Scene  # noqa: E402
from tests.recordings.scenes import SCENES  # noqa: E402
from tests.recordings.stage import picture, plain_environment, settled, stage  # noqa: E402

DARK, LIGHT = "inspector-dark", "inspector-light"
WIDE, NARROW = (120, 40), (80, 24)
FORBIDDEN: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]|&#(?:27|x1b);", re.IGNORECASE)
"""What a terminal could obey, were the file printed: C0 but tab and newline, DEL, C1."""


@dataclass(frozen=True, slots=True)
class Shot:
    """One file."""

    scene: str
    size: tuple[int, int] = WIDE
    theme: str = DARK

    @property
    def name(self) -> str:
        """Its name without the suffix."""
        size = "" if self.size == WIDE else f"-{self.size[0]}x{self.size[1]}"
        return f"{self.scene}{size}{'' if self.theme == DARK else '-light'}"


MAIN: Final = (
    "tools-result",
    "ask-form",
    "traffic-detail",
    "server",
    "logs",
    "resources",
    "connect",
    "era-matrix",
    "ask-modern",
    "auth",
    "findings",
    "time-travel",
    "causes",
    "compare",
)
SHOTS: Final = (
    *(Shot(scene) for scene in MAIN),
    *(Shot(scene, theme=LIGHT) for scene in MAIN),
    *(Shot(scene, NARROW) for scene in ("tools-result", "ask-form", "traffic-detail")),
)


async def draw(scene: Scene, size: tuple[int, int], theme: str, home: Path) -> str:
    """The SVG of one scene."""
    scene.prepare(home)
    on = stage(scene.part, theme)
    try:
        with steady_pilots():
            async with on.app.run_test(size=size) as pilot:
                await scene.act(Play(on, pilot))
                await settled(pilot, on.app)
                svg = picture(on.app)
    finally:
        on.app.close_bridge()
    if found := FORBIDDEN.search(svg):
        raise SystemExit(f"{scene.name}: {found.group()!r} in the picture")
    return svg


def main() -> None:
    """Draws what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=Path(__file__).parent)
    parser.add_argument("words", nargs="*", help="only pictures whose name holds one of these")
    parser.add_argument("--all", action="store_true", help="every scene, size and both themes")
    given = parser.parse_args()
    folder: Path = given.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    shots = SHOTS
    if given.all:
        shots = tuple(
            Shot(scene.name, size, theme)
            for scene in SCENES
            for size in (WIDE, NARROW)
            for theme in (DARK, LIGHT)
        )
    scenes = {scene.name: scene for scene in SCENES}
    for shot in shots:
        if given.words and not any(word in shot.name for word in given.words):
            continue
        with tempfile.TemporaryDirectory() as home, plain_environment(Path(home)):
            here = Path.cwd()
            os.chdir(home)
            try:
                svg = asyncio.run(draw(scenes[shot.scene], shot.size, shot.theme, Path(home)))
            finally:
                os.chdir(here)
        path = folder / f"{shot.name}.svg"
        path.write_text(svg)
        print(path.name, file=sys.stderr)


if __name__ == "__main__":
    main()
