"""Every promise of SECURITY.md names the tests that hold it, and they are there."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
PROMISES = re.findall(r"^\| (.+?) \| (.+) \|$", PAGE, re.MULTILINE)
ROWS = [(promise, held) for promise, held in PROMISES if promise != "promise" and held[0] != "-"]


@cache
def named_in(path: Path) -> frozenset[str]:
    """The names of the tests in a file."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (
        one for one in ast.walk(tree) if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    return frozenset(one.name for one in functions if one.name.startswith("test_"))


def test_there_are_promises() -> None:
    assert len(ROWS) >= 25


@pytest.mark.parametrize(("promise", "held"), ROWS)
def test_a_promise_is_held_by_tests_that_exist(promise: str, held: str) -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(test_\w+))?`", held)
    assert named, f"no test holds: {promise}"
    for file, test in named:
        path = ROOT / file
        assert path.is_file(), file
        assert named_in(path), f"{file} holds no test"
        assert not test or test in named_in(path), f"{test} is not in {file}"
