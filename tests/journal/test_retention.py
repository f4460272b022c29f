import os
from pathlib import Path

import pytest

from inspector.journal import retention
from inspector.journal.recording import RecordingFile
from inspector.journal.retention import new_name, private_directory, prune


def _old(directory: Path, age: int, size: int = 10) -> Path:
    path = new_name(directory, 1_800_000_000.0 - age)
    path.write_bytes(b"x" * size)
    os.utime(path, (1_800_000_000 - age, 1_800_000_000 - age))
    return path


def test_the_oldest_recordings_go_first(tmp_path: Path) -> None:
    files = [_old(tmp_path, age) for age in (5, 4, 3, 2, 1)]
    assert prune(tmp_path, files_kept=3) == files[:3]
    assert sorted(tmp_path.iterdir()) == sorted(files[3:])


def test_too_many_bytes_make_the_oldest_go(tmp_path: Path) -> None:
    files = [_old(tmp_path, age, size=100) for age in (3, 2, 1)]
    assert prune(tmp_path, bytes_kept=250) == files[:1]


def test_a_recording_in_use_stays(tmp_path: Path) -> None:
    used = RecordingFile.create_in(tmp_path)
    assert used.path is not None
    os.utime(used.path, (1, 1))
    other = _old(tmp_path, 1)
    assert prune(tmp_path, files_kept=1) == [other]
    assert used.path.exists()


def test_files_of_others_are_not_touched(tmp_path: Path) -> None:
    for name in ("notes.jsonl", "20270115T080000Z-1-xyz.jsonl", "settings.toml"):
        (tmp_path / name).write_bytes(b"x")
    (tmp_path / "20270115T080000Z-1-01234567.jsonl").symlink_to(tmp_path / "settings.toml")
    (tmp_path / "20270115T080000Z-2-01234567.jsonl").mkdir()
    assert prune(tmp_path, files_kept=0, bytes_kept=0) == []


def test_a_new_recording_makes_room_for_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for age in range(retention.FILES_KEPT + 5):
        _old(tmp_path, age)
    RecordingFile.create_in(tmp_path)
    assert len(list(tmp_path.iterdir())) == retention.FILES_KEPT


def test_a_directory_of_somebody_else_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: tmp_path.stat().st_uid + 1)
    with pytest.raises(PermissionError):
        private_directory(tmp_path)


def test_no_directory_on_the_way_to_the_recordings_is_open_to_others(tmp_path: Path) -> None:
    """Also where the umask forbids nothing."""
    before = os.umask(0)
    try:
        file = RecordingFile.create_in(tmp_path / "a" / "b" / "c")
    finally:
        os.umask(before)
    assert file.path is not None
    assert file.path.stat().st_mode & 0o777 == 0o600
    for directory in ("a", "a/b", "a/b/c"):
        assert (tmp_path / directory).stat().st_mode & 0o777 == 0o700
