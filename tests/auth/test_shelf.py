"""Shelves: texts under names, replaced wholly or not at all."""

from pathlib import Path

import pytest

from inspector.auth.shelf import FileShelf, MemoryShelf, Shelf
from inspector.errors import InspectorError


@pytest.fixture(params=["memory", "file"])
def shelf(request: pytest.FixtureRequest, tmp_path: Path) -> Shelf:
    return MemoryShelf() if request.param == "memory" else FileShelf(tmp_path / "new" / "folder")


def test_texts_come_back_under_their_names(shelf: Shelf) -> None:
    assert (shelf.get("a"), shelf.names(), shelf.remove("a")) == (None, (), False)
    shelf.put("a", "one")
    shelf.put("b", "two")
    shelf.put("a", "three")
    assert (shelf.get("a"), shelf.get("b"), set(shelf.names())) == ("three", "two", {"a", "b"})
    assert shelf.remove("a") is True
    assert (shelf.get("a"), shelf.names()) == (None, ("b",))


def test_a_lock_is_given_back_after_an_error(shelf: Shelf) -> None:
    with pytest.raises(ValueError, match="inside"), shelf.locked():
        raise ValueError("inside")
    with shelf.locked():
        shelf.put("a", "one")
    assert shelf.get("a") == "one"


def test_a_file_that_is_too_long_is_not_read_whole(tmp_path: Path) -> None:
    shelf = FileShelf(tmp_path)
    shelf.put("a", "x" * ((1 << 20) + 1))
    with pytest.raises(InspectorError, match="too long"):
        shelf.get("a")


def test_a_directory_in_the_place_of_a_file_cannot_be_deleted_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "a.json").mkdir()
    with pytest.raises(InspectorError, match="cannot delete"):
        FileShelf(tmp_path).remove("a")


def test_other_files_in_the_directory_are_no_texts(tmp_path: Path) -> None:
    shelf = FileShelf(tmp_path)
    shelf.put("a", "one")
    (tmp_path / "lock").touch()
    (tmp_path / ".a.json.123").touch()
    assert shelf.names() == ("a",)
