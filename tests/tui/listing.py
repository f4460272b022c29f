"""An app whose list of traffic has the focus, and a talk into its journal."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from textual.pilot import Pilot

from inspector.journal.journal import Journal
from inspector.tui.app import InspectorApp
from tests.journal.conversation import Conversation
from tests.tui.world import rows, running, wait_for


class Joined(Conversation):
    """Talks into the journal of a running app."""

    def __init__(self, journal: Journal) -> None:
        super().__init__()
        self.journal = journal
        self.connection = 1


def said(app: InspectorApp) -> str:
    return " / ".join(note.message for note in app._notifications)


@asynccontextmanager
async def listing(
    size: tuple[int, int] = (120, 40),
) -> AsyncIterator[tuple[InspectorApp, Pilot[int], Joined]]:
    """The app with the focus in its list of traffic, all of it in view."""
    async with running(size=size) as (app, pilot):
        await pilot.press("ctrl+g")
        await wait_for(pilot, lambda: rows(app).has_focus)
        yield app, pilot, Joined(app.bridge.workbench.journal)


async def settled(app: InspectorApp, pilot: Pilot[int]) -> None:
    await wait_for(pilot, lambda: not rows(app).index.behind)
