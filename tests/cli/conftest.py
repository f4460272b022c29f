"""A command line that never touches the developer's own files."""

from pathlib import Path

import pytest

from tests.cli.running import Runner


@pytest.fixture
def run(tmp_path: Path) -> Runner:
    home = tmp_path / "home"
    home.mkdir()
    return Runner(home)
