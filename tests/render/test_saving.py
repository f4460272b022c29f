"""Saved files have our names, stay in the chosen directory, and overwrite nothing."""

import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.errors import UsageError
from inspector.render.saving import save_new, write_pieces


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


def test_a_file_is_written_in_pieces_for_the_user_only(tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    write_pieces(path, iter([b"a", b"b"]))
    assert path.read_bytes() == b"ab"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_file_or_link_that_is_there_stays_unless_it_may_be_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "it.txt", tmp_path / "link.txt"
    path.write_text("mine")
    link.symlink_to(path)
    for place in (path, link):
        with pytest.raises(UsageError, match="exists already"):
            write_pieces(place, [b"new"])
    write_pieces(link, [b"new"], replace=True)
    assert path.read_text() == "mine"
    assert link.read_text() == "new"
    assert not link.is_symlink()


@pytest.mark.parametrize("replace", [False, True])
def test_what_could_not_be_finished_leaves_nothing_behind(replace: bool, tmp_path: Path) -> None:
    path = tmp_path / "it.txt"
    if replace:
        path.write_text("mine")

    def pieces() -> Iterator[bytes]:
        yield b"a"
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_pieces(path, pieces(), replace=replace)
    assert [one.read_text() for one in tmp_path.iterdir()] == (["mine"] if replace else [])


def test_a_place_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file or directory"):
        write_pieces(tmp_path / "no" / "it.txt", [b""])
    with pytest.raises(UsageError, match="cannot write"):
        write_pieces(tmp_path / "a\0b", [b""])
