"""Which recordings are offered to compare with."""

import os
from pathlib import Path

from inspector.tui.screens.compare_choice import draw_kept, kept_recordings


def test_the_newest_recording_is_the_first_and_the_open_one_is_left_out(tmp_path: Path) -> None:
    for age, name in enumerate(("new", "old", "here")):
        path = tmp_path / f"{name}.jsonl"
        path.write_text("x" * 2000)
        os.utime(path, (1e9 - age * 60, 1e9 - age * 60))
    (tmp_path / "other.txt").write_text("")
    found = kept_recordings(tmp_path, tmp_path / "none", but=tmp_path / "here.jsonl")
    assert [one.path.name for one in found] == ["new.jsonl", "old.jsonl"]
    drawn = draw_kept(found[0], 60).plain
    assert "2.0 kB" in drawn
    assert len(drawn) <= 60
