"""The table of formats."""

import pytest

from inspector.errors import UsageError
from inspector.export.formats import FORMATS, NAMES, format_named, format_of
from tests.export.canary import exported, recording


@pytest.mark.parametrize("one", FORMATS, ids=lambda one: one.name)
def test_the_suffix_of_a_file_tells_its_format(one: object) -> None:
    for known in FORMATS:
        assert format_of(f"Some.File{known.suffix.upper()}") is known


@pytest.mark.parametrize(
    ("name", "expected"),
    [("a.htm", "html"), ("a.mermaid", "mermaid"), ("a.txt", None), ("json", None), ("", None)],
)
def test_other_suffixes(name: str, expected: str | None) -> None:
    found = format_of(name)
    assert (found.name if found is not None else None) == expected


def test_a_mistyped_format_is_told_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'markdown'"):
        format_named("markdwon")
    assert format_named("HTML").name == "html"


@pytest.mark.parametrize("name", NAMES)
def test_an_export_comes_in_pieces_and_is_the_same_every_time(name: str) -> None:
    journal = recording()
    assert exported(journal, name) == exported(journal, name) != b""
