from pathlib import Path

from inspector.config.targets import Target
from inspector.journal.entries import Flag
from inspector.recording_source import FIRST, FRAMES, RecordingSource
from inspector.tui.app import InspectorApp
from inspector.tui.source_words import Remarks, source_words
from inspector.workbench import Workbench
from tests.journal.conversation import recorded
from tests.tui.world import rows, wait_for


def _source(tmp_path: Path, *, cut: int = 0) -> RecordingSource:
    recorded(tmp_path / "live", 2000).journal.close()
    content = (tmp_path / "live").read_bytes()
    (tmp_path / "r").write_bytes(content[: len(content) - cut])
    return RecordingSource.open(tmp_path / "r")


def _words(source: RecordingSource, *, narrow: bool = False) -> str:
    return source_words(source, narrow=narrow).plain


def test_how_far_a_recording_was_read_is_said(tmp_path: Path) -> None:
    source = _source(tmp_path)
    assert _words(source) == "◌ opening 0%"
    source.reader.step(source.reader.size // 2)
    assert _words(source) == "◌ opening 50%"
    while source.reader.step():
        pass
    assert _words(source) == "○ recording"
    source.following = True
    assert _words(source) == "● following"


def test_damage_is_said(tmp_path: Path) -> None:
    source = _source(tmp_path, cut=5)
    while source.reader.step():
        pass
    source.reader.settle()
    assert _words(source) == "○ recording  ! damaged"
    assert _words(source, narrow=True) == "○ recording  !"


def test_that_marks_are_not_kept_is_said_once(tmp_path: Path) -> None:
    source, remarks = _source(tmp_path), Remarks()
    while source.reader.step():
        pass
    source.journal.flag(1, Flag.MARKED)
    assert remarks.new(source) == []
    (tmp_path / "r").chmod(0o400)
    source.journal.flag(2, Flag.MARKED)
    source.journal.flag(3, Flag.MARKED)
    ((words, bad),) = remarks.new(source)
    assert "it may not be written" in words
    assert not bad
    assert remarks.new(source) == []


async def test_the_first_screen_of_a_long_recording_needs_its_first_lines_only(
    tmp_path: Path,
) -> None:
    source = _source(tmp_path)
    source.held = True
    known: list[tuple[int, int]] = []
    let_go = source.let_go

    def counted() -> None:
        known.append((len(source.journal), len(rows(app).index)))
        let_go()

    source.let_go = counted  # type: ignore[method-assign]
    app = InspectorApp(
        lambda target: Workbench(target, journal=source.journal, source=source),
        Target(name="r"),
        connect=False,
    )
    async with app.run_test(size=(80, 24)) as pilot:
        await wait_for(pilot, lambda: not source.held)
        assert known[FRAMES - 1] == (FIRST, FIRST)  # read, and in the list
        await wait_for(pilot, lambda: len(rows(app).index) == 2001)
    assert FIRST <= 2 * 24
