"""Variables: expanded as the hosts do it, noted, and never silently empty."""

from pathlib import Path

import pytest

from inspector.config.expansion import Expander


def expander(**environ: str) -> Expander:
    return Expander(environ, Path("/home/me"), Path("/work/project"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("${A}", "1"),
        ("x${A}y${A}", "x1y1"),
        ("${A:-2}", "1"),
        ("${B:-2}", "2"),
        ("${B:-}", ""),
        ("${env:A}", "1"),
        ("${EMPTY:-d}", "d"),
        ("${EMPTY}", ""),
        ("${userHome}/x", "/home/me/x"),
        ("${workspaceFolder}", "/work/project"),
        ("${workspaceFolderBasename}", "project"),
        ("a${/}b${pathSeparator}c", "a/b/c"),
        ("$A ${", "$A ${"),
        ("no variables", "no variables"),
    ],
)
def test_each_form_is_understood(text: str, expected: str) -> None:
    tool = expander(A="1", EMPTY="")
    assert tool.expand(text, "args[0]") == expected
    assert tool.problems == []


@pytest.mark.parametrize("text", ["${B}", "${env:B}", "${input:x}", "${command:x}", "${}", "${1}"])
def test_what_cannot_be_expanded_is_a_problem_and_stays_as_it_is(text: str) -> None:
    tool = expander()
    assert tool.expand(text, "url") == text
    assert tool.problems[0].startswith("url ")


def test_a_value_is_not_expanded_again() -> None:
    assert expander(A="${B}", B="x").expand("${A}", "x") == "${B}"


def test_notes_are_said_once() -> None:
    tool = expander(A="1")
    tool.expand("${A}${A}", "url")
    assert tool.notes == ["url: ${A} comes from your environment"]
