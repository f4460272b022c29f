"""The hands of a person on the stage, and what a scene is: keys, words, and time that passes.

A scene types keys and waits for what must then be on the screen; it asserts nothing else. Keys go
through the real bindings.
"""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from inspector.session.state import Phase
from inspector.tui.app import InspectorApp
from tests.calm import calm
from tests.recordings.stage import EntryClock, Part, Stage, settled, until, until_shown


class Play:
    """The hands of a person: keys, text, waiting for words, letting time pass."""

    def __init__(self, stage: Stage, pilot: Pilot[int]) -> None:
        self.app: InspectorApp = stage.app
        self.clock: EntryClock = stage.clock
        self.pilot = pilot

    async def keys(self, *keys: str) -> None:
        """Presses keys, Textual's names."""
        for key in keys:
            await self.pilot.press(key)
            await calm(self.app)

    async def text(self, text: str) -> None:
        """Types a text."""
        names = {" ": "space", "/": "slash", ":": "colon", "-": "minus", "*": "asterisk"}
        await self.keys(*(names.get(letter, letter) for letter in text))

    async def paste(self, text: str) -> None:
        """A text all at once, and the suggestions for it: typing may ask for some on the way."""
        focused = self.app.focused
        assert focused is not None
        focused.post_message(events.Paste(text))
        await settled(self.pilot, self.app)

    async def sees(self, *texts: str) -> None:
        """Waits for words on the screen."""
        for text in texts:
            await until_shown(self.pilot, self.app, text)

    async def ready(self) -> None:
        """Waits for the session and everything that is read of a server at first."""
        app = self.app
        await until(
            self.pilot,
            lambda: (
                app.has_bridge
                and app.bridge.ready
                and app.bridge.workbench.session.state.phase is Phase.READY
            ),
            "a session",
        )
        lists = app.bridge.workbench.session.catalog
        await until(
            self.pilot,
            lambda: all(one.state in ("ready", "unsupported") for one in lists.lists.values()),
            "the lists",
        )
        self.clock.skip(134)
        await self.sees("● ready 02:14")

    async def choose(self, tab: str, item: str, title: str = "") -> None:
        """Goes to an item of a tab, as a link does; `title` is how it is called there."""
        self.app.open_item(tab, item)
        await self.sees(f"── {title or item} ─")
        await settled(self.pilot, self.app)

    async def asked(self, tool: str, sees: str) -> None:
        """Calls a tool that asks back, and lets the ask wait for a while."""
        await self.choose("tools", tool)
        await self.keys("ctrl+r")
        await self.sees(sees)
        self.clock.skip(12)
        await self.sees("waiting 12")


Act = Callable[[Play], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Scene:
    """One picture: the recording it is played on (None: no server), and what is done first."""

    name: str
    part: Part | None
    act: Act
    prepare: Callable[[Path], None] = lambda home: None
