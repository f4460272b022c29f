import shutil
from pathlib import Path

from inspector.journal.recording import RecordingFile
from inspector.journal.reopened import ReopenedFile
from tests.journal.conversation import recorded


def _file(tmp_path: Path) -> ReopenedFile:
    recorded(tmp_path / "live", 4).journal.close()
    return ReopenedFile.open(Path(shutil.copy(tmp_path / "live", tmp_path / "r")))


def test_a_line_is_added_at_the_end(tmp_path: Path) -> None:
    file = _file(tmp_path)
    before = (tmp_path / "r").read_bytes()
    assert file.add(b"line\n", torn=False) == ""
    assert file.add(b"other\n", torn=True) == ""
    assert (tmp_path / "r").read_bytes() == before + b"line\n\nother\n"


def test_nothing_is_added_to_what_somebody_else_has_open(tmp_path: Path) -> None:
    file = _file(tmp_path)
    other = ReopenedFile.open(tmp_path / "r")
    assert "another program" in file.add(b"line\n", torn=False)
    assert "another program" in other.add(b"line\n", torn=False)
    assert not file.being_written


def test_a_recording_that_is_being_written_is_known(tmp_path: Path) -> None:
    writer = RecordingFile.create(tmp_path / "r")
    file = ReopenedFile.open(tmp_path / "r")
    assert file.being_written
    assert writer.recording


def test_what_is_appended_elsewhere_follows_what_was_read(tmp_path: Path) -> None:
    file = _file(tmp_path)
    size = (tmp_path / "r").stat().st_size
    file.reaches(size)
    offset = file.append(b"elsewhere\n", 0.0)
    file.tick(1.0)
    assert offset == size
    assert file.read(offset, 9) == b"elsewhere"
    assert file.read(size - 2, 6) == (tmp_path / "r").read_bytes()[-2:] + b"else"
    assert (tmp_path / "r").stat().st_size == size


def test_a_symbolic_link_is_not_written_through(tmp_path: Path) -> None:
    _file(tmp_path)
    (tmp_path / "link").symlink_to(tmp_path / "r")
    file = ReopenedFile.open(tmp_path / "link")
    before = (tmp_path / "r").read_bytes()
    assert "cannot be written" in file.add(b"line\n", torn=False)
    assert (tmp_path / "r").read_bytes() == before
