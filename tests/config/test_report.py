"""Places in TOML files, found by reading the text again."""

import tomllib

import pytest

from inspector.config.report import line_of, read_toml, toml_problem, where

TEXT = 'a = 1\n[one]\nkey = 2\n"quoted.key" = 3\n[two]\nkey = 4\n'


@pytest.mark.parametrize(
    ("key", "table", "line"),
    [
        ("a", "", 1),
        ("one", "", 2),
        ("key", "one", 3),
        ("quoted.key", "one", 4),
        ("key", "two", 6),
        ("key", "three", 0),
    ],
)
def test_the_line_of_a_key_in_its_table(key: str, table: str, line: int) -> None:
    assert line_of(TEXT, key, table) == line


def test_an_unknown_place_is_left_out() -> None:
    assert where(TEXT, "nowhere") == ""
    assert where(TEXT, "a") == "line 1: "


@pytest.mark.parametrize(("text", "start"), [("a = ?", "line 1, column 5: "), ("a =", "end of")])
def test_a_syntax_error_has_its_place_first(text: str, start: str) -> None:
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)
    assert start in toml_problem(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a = " + "9" * 5_000, "digits"),
        ("a = " + "[" * 5_000 + "]" * 5_000, "deep"),
        ("a = ]", "line 1, column 5"),
    ],
    ids=["digits", "depth", "nothing"],
)
def test_whatever_is_wrong_with_a_file_is_said(text: str, problem: str) -> None:
    found = read_toml(text)
    assert isinstance(found, str)
    assert problem in found
