"""A walk through the screens of an app behind glass: press keys, look, page through.

A look asks whether anything foreign was written, whether every cell holds what the app believes,
and whether the second wall had to stop anything that the first should have. What is wrong is
gathered with the name of the place, so that one walk tells all.
"""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FunctionType
from typing import Any, Final, TypeVar
from unittest.mock import patch

from rich.segment import Segment
from textual.content import Content
from textual.pilot import Pilot
from textual.widget import Widget

from inspector.render import safe
from inspector.tui import wall
from inspector.tui.app import InspectorApp
from inspector.tui.views.base import View
from inspector.tui.wall import Wall
from tests.hostile.glass import Glass
from tests.servers.hostile_texts import NONCE
from tests.tui.world import wait_for

T = TypeVar("T")
PAGES: Final = 5
"""Pages of one list or text that are looked at."""


class Walk:
    """The eyes and hands; `problems` is empty where all is well."""

    def __init__(
        self, app: InspectorApp, pilot: Pilot[int], glass: Glass, stopped: list[str]
    ) -> None:
        self.app = app
        self.whole = os.environ.get("HYPOTHESIS_PROFILE") == "deep"
        """Whether every text is looked at wherever several of them could be looked at at once."""
        self.pilot = pilot
        self.glass = glass
        self.visited: set[type[Widget]] = set()
        self.problems: list[str] = []
        self._stopped = stopped

    def some(self, all_of_them: Iterable[T], every: int) -> list[T]:
        """Each one, or in haste one of so many."""
        return list(all_of_them)[:: 1 if self.whole else every]

    def most(self, pages: int) -> int:
        """So many pages, or all of them."""
        return 200 if self.whole else pages

    def groups(self, texts: Iterable[str], size: int = 12) -> list[list[str]]:
        """Texts that are shown together."""
        said = list(texts)
        step = 1 if self.whole else size
        return [said[at : at + step] for at in range(0, len(said), step)]

    async def press(self, *keys: str) -> None:
        """Keys, one after the other."""
        for key in keys:
            await self.pilot.press(key)

    async def look(self, place: str) -> None:
        """Notes what is wrong on the screen, and where one is."""
        await self.pilot.pause()
        self.visited |= {type(one) for one in self.app.screen.walk_children(View) if one.display}
        self.visited |= {type(one) for one in self.app.screen_stack}
        found = [*self.glass.foreign(), *self.glass.crooked(self.app)]
        found += [f"the first wall let through {text!r}" for text in self._stopped]
        self._stopped.clear()
        self.problems += [f"{place}: {one}" for one in found]

    async def do(self, place: str, *keys: str) -> None:
        """Keys, and a look."""
        await self.press(*keys)
        await self.look(place)

    async def pages(self, place: str, *, key: str = "pagedown", most: int = PAGES) -> None:
        """Pages to the end, or as far as `most`."""
        await self.look(place)
        for _ in range(most):
            before = self.glass.rows()
            await self.do(place, key)
            if self.glass.rows() == before:
                return

    async def until(self, condition: Callable[[], bool]) -> None:
        """Until the condition holds."""
        await wait_for(self.pilot, condition)


@contextmanager
def first_wall_off() -> Iterator[None]:
    """Texts of the server go on as they came, also where they have to be drawn one for one."""
    visible, stand_ins = safe.visible.__code__, safe.stand_ins.__code__
    kept = FunctionType(visible, vars(safe))
    kept.__kwdefaults__ = safe.visible.__kwdefaults__
    with patch.object(wall, "visible", kept):  # the second wall's own
        # Modules hold these functions by name: their code is exchanged.
        safe.visible.__code__ = (lambda text, *, keep_newlines=False: text).__code__
        safe.stand_ins.__code__ = (lambda text: text).__code__
        try:
            yield
        finally:
            safe.visible.__code__, safe.stand_ins.__code__ = visible, stand_ins


@contextmanager
def second_wall_off() -> Iterator[None]:
    """Lines go on as they are drawn."""
    with patch.object(Wall, "apply", lambda self, segments, background: segments):
        yield


@contextmanager
def noted() -> Iterator[list[str]]:
    """What the second wall stops."""
    stopped: list[str] = []
    clean = Wall._clean

    def noting(self: Wall, segment: Segment, before: str) -> Segment:
        count = self.stopped
        cleaned = clean(self, segment, before)
        if self.stopped > count:
            stopped.append(segment.text[:80])
        return cleaned

    with patch.object(Wall, "_clean", noting):
        yield stopped


@contextmanager
def no_markup() -> Iterator[None]:
    """Fails where a text of the server is read as markup."""
    read = Content.from_markup.__func__  # type: ignore[attr-defined]

    def reading(cls: type[Content], /, *said: Any, **variables: object) -> Content:
        assert NONCE not in str(said[0]) or isinstance(said[0], Content), said[0]
        found: Content = read(cls, *said, **variables)
        return found

    with patch.object(Content, "from_markup", classmethod(reading)):
        yield
