"""What every test of the interface gets: keys that have been acted upon when `press` returns, and
notifications that do not go away while a test looks for them."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest
from textual._context import active_app

from inspector.tui.app import InspectorApp
from tests.calm import calm


async def _calm(min_sleep: float = 0, max_sleep: float = 0) -> None:
    """In place of `textual._wait.wait_for_idle`."""
    await calm(active_app.get())


@pytest.fixture(autouse=True)
def steady_interface() -> Iterator[None]:
    """However busy the machine is."""
    with (
        patch("textual.app.wait_for_idle", _calm),
        patch("textual.pilot.wait_for_idle", _calm),
        patch.object(InspectorApp, "NOTIFICATION_TIMEOUT", 600.0),
    ):
        yield
