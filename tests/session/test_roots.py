"""A root is a file:// URI; a path is understood as one."""

from pathlib import Path

import pytest

from inspector.errors import UsageError
from inspector.session.roots import Root, read_root


def test_a_path_becomes_a_file_uri(tmp_path: Path) -> None:
    root = read_root(str(tmp_path / "a b"), "name")
    assert root.uri == (tmp_path / "a b").as_uri()
    assert root.path == str(tmp_path / "a b")
    assert root.as_json() == {"uri": root.uri, "name": "name"}


def test_a_file_uri_is_taken_as_it_stands() -> None:
    assert read_root("file:///srv/x") == Root("file:///srv/x")
    assert Root("file:///srv/x").as_json() == {"uri": "file:///srv/x"}


@pytest.mark.parametrize("text", ["https://a.test/", "file://", "ftp://x/y"])
def test_anything_else_is_refused(text: str) -> None:
    """2025-11-25 client/roots: this MUST be a file:// URI."""
    with pytest.raises(UsageError):
        read_root(text)
