"""A command line with a scripted browser, in a home of its own."""

from pathlib import Path

import pytest

from tests.auth.e2e.shell import Shell
from tests.cli.running import Runner


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    home = tmp_path / "home"
    home.mkdir()
    return Shell(Runner(home), tmp_path / "browser.jsonl")
