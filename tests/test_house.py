"""The rules of the house that no linter knows: file length, a test file per module, wording."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MODULES = sorted(
    path for path in (ROOT / "inspector").rglob("*.py") if path.name not in {"__init__.py"}
)
SOURCES = sorted(
    path
    for folder in ("inspector", "tests", "bench", "screenshots", "themes")
    for pattern in ("*.py", "*.tcss")
    for path in (ROOT / folder).rglob(pattern)
)


def _short(path: Path) -> str:
    return str(path.relative_to(ROOT))


def test_no_file_is_longer_than_400_lines() -> None:
    lengths = {_short(path): len(path.read_text().splitlines()) for path in SOURCES}
    assert {name: length for name, length in lengths.items() if length > 400} == {}


def test_every_module_has_a_test_file() -> None:
    missing = []
    for path in MODULES:
        module = path.relative_to(ROOT / "inspector")
        names = {f"test_{module.stem.strip('_')}.py"}
        folder = ROOT / "tests" / module.parent
        candidates = {found.name for found in folder.glob("test_*.py")}
        if module.parts[0] == "tui":  # the TUI's tests lie in one folder, by widget or view
            candidates = {found.name for found in (ROOT / "tests" / "tui").rglob("test_*.py")}
        if not names & candidates:
            missing.append(_short(path))
    assert missing == []


@pytest.mark.parametrize("path", MODULES, ids=_short)
def test_every_module_says_what_it_decides(path: Path) -> None:
    docstring = ast.get_docstring(ast.parse(path.read_text()))
    assert docstring
    assert len(docstring) > 40


def test_nothing_is_left_open_in_the_code() -> None:
    marks = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError)\b")
    found = [_short(path) for path in MODULES if marks.search(path.read_text())]
    assert found == []


def test_broad_excepts_stand_only_at_the_marked_borders() -> None:
    """A journal subscriber, the command line's main, the app's error screen and live opinions
    may have one."""
    broad = re.compile(r"except( Exception| BaseException)?( as \w+)?:")
    borders = {
        _short(path)
        for path in MODULES
        if any(broad.search(x) for x in path.read_text().split("\n"))
    }
    allowed = {
        "inspector/journal/journal.py",
        "inspector/session/judging.py",
        "inspector/cli/main.py",
        "inspector/__main__.py",
        "inspector/tui/app.py",
    }
    assert borders <= allowed


def test_tasks_are_born_in_a_task_group() -> None:
    """`asyncio.create_task` and `ensure_future` make tasks that nobody owns."""
    bare = re.compile(r"asyncio\.(create_task|ensure_future)\(")
    assert [_short(path) for path in MODULES if bare.search(path.read_text())] == []


def test_the_import_contracts_hold() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


def test_every_changelog_has_an_unreleased_section() -> None:
    assert "## [Unreleased]" in (ROOT / "CHANGELOG.md").read_text()


def test_no_worker_describes_what_it_was_given() -> None:
    """Without a description, or with an empty one, Textual takes the `repr` of every argument:
    seconds, for an answer of 64 MiB, and secrets stand in it."""
    silent, asked = [], 0
    for path in sorted((ROOT / "inspector" / "tui").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                continue
            takes = len(node.args.args) + len(node.args.kwonlyargs) > 1
            for mark in node.decorator_list:
                call = mark.func if isinstance(mark, ast.Call) else mark
                if not takes or not isinstance(call, ast.Name) or call.id != "work":
                    continue
                asked += 1
                given = mark.keywords if isinstance(mark, ast.Call) else []
                said = [one.value for one in given if one.arg == "description"]
                if not any(isinstance(one, ast.Constant) and one.value for one in said):
                    silent.append(f"{path.name}:{node.lineno} {node.name}")
    assert asked > 5
    assert silent == []
