"""Files of ours are private whatever the umask, and written all or not at all."""

import os
import stat
from pathlib import Path

import pytest

from inspector.config import paths
from inspector.errors import InspectorError


def test_one_variable_moves_everything(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MCP_INSPECT_HOME", str(tmp_path))
    places = (
        paths.settings_file(),
        paths.keymap_file(),
        paths.user_themes_dir(),
        paths.trust_file(),
        paths.recents_file(),
        paths.recordings_dir(),
    )
    assert all(place.is_relative_to(tmp_path) for place in places)


def test_without_the_variable_the_platform_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MCP_INSPECT_HOME", raising=False)
    assert "mcp-inspect" in str(paths.config_dir())
    assert "mcp-inspect" in str(paths.state_dir())


def test_private_files_stay_private_under_an_open_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        paths.write_private(tmp_path / "a" / "b" / "file", b"x")
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "a" / "b" / "file").stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "a" / "b").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o700


def test_an_open_directory_is_tightened(tmp_path: Path) -> None:
    directory = tmp_path / "state"
    directory.mkdir()
    directory.chmod(0o755)
    paths.private_dir(directory)
    assert stat.S_IMODE(directory.stat().st_mode) == 0o700


def test_a_file_in_place_of_the_directory_is_reported(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("")
    with pytest.raises(InspectorError, match="state"):
        paths.private_dir(tmp_path / "state")


def test_writing_replaces_the_whole_file_and_leaves_no_temporary(tmp_path: Path) -> None:
    path = tmp_path / "s" / "file"
    paths.write_private(path, b"one" * 1000)
    paths.write_private(path, b"two")
    assert paths.read_private(path) == b"two"
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_failed_write_keeps_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "s" / "file"
    path.mkdir(parents=True)
    with pytest.raises(InspectorError, match="file"):
        paths.write_private(path, b"x")
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


def test_a_missing_file_reads_as_nothing(tmp_path: Path) -> None:
    assert paths.read_private(tmp_path / "none") is None


def test_the_shipped_themes_are_there() -> None:
    assert (paths.shipped_themes_dir() / "inspector-dark.toml").is_file()
