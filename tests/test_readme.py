"""The README's pictures are there, and are those that `screenshots/make.py` draws."""

import re
from pathlib import Path

from screenshots.make import SHOTS

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_every_picture_is_there() -> None:
    pictures = re.findall(r"!\[[^]]+\]\(([^)]+)\)", README)
    assert len(pictures) >= 5
    assert [name for name in pictures if not (ROOT / name).is_file()] == []


def test_the_folder_holds_what_is_drawn_and_nothing_else() -> None:
    drawn = {f"{shot.name}.svg" for shot in SHOTS}
    assert {path.name for path in (ROOT / "screenshots").glob("*.svg")} == drawn
