"""A command line with a home of its own, for a whole module of runs."""

import pytest

from tests.cli.running import Runner


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Runner:
    return Runner(tmp_path_factory.mktemp("home"))
