"""Saved files have our names, stay in the chosen directory, and overwrite nothing."""

import stat
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.render.saving import save_new


def test_a_second_file_gets_another_name(tmp_path: Path) -> None:
    first = save_new(tmp_path, "call-7", ".png", b"one")
    second = save_new(tmp_path, "call-7", ".png", b"two")
    assert (first.name, second.name) == ("call-7.png", "call-7-1.png")
    assert (first.read_bytes(), second.read_bytes()) == (b"one", b"two")
    assert stat.S_IMODE(first.stat().st_mode) == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "a.txt").symlink_to(outside)
    assert save_new(inside, "a", ".txt", b"x").name == "a-1.txt"
    assert not outside.exists()


def test_a_directory_that_is_none_is_the_users_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        save_new(tmp_path / "absent", "a", ".txt", b"")
    with pytest.raises(UsageError):
        save_new(Path("/proc"), "a", ".txt", b"")


@given(stem=st.text(max_size=20), extension=st.text(max_size=10))
def test_no_name_leads_outside(
    tmp_path_factory: pytest.TempPathFactory, stem: str, extension: str
) -> None:
    folder = tmp_path_factory.mktemp("saved")
    path = save_new(folder, stem, extension, b"")
    assert path.resolve().parent == folder.resolve()
