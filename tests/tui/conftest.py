"""What every test of the interface gets: keys that have been acted upon when `press` returns, and
notifications that do not go away while a test looks for them."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from inspector.tui.app import InspectorApp
from tests.calm import steady_pilots


@pytest.fixture(autouse=True)
def steady_interface() -> Iterator[None]:
    """However busy the machine is."""
    with steady_pilots(), patch.object(InspectorApp, "NOTIFICATION_TIMEOUT", 600.0):
        yield
