"""Where the screens stand in time, and the thread that finds out what there was to be seen there.

A look at a distant entry may take a tenth of a second, and the way along a long recording seconds:
so the timeline lives in a thread of its own, goes along in small slices while nothing is asked of
it, and always works at what was wished for last. What is shown of it is the screens' business.
"""

import threading
import time
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Final, TypeVar

from inspector.errors import UsageError
from inspector.journal.precedence import PERSON
from inspector.tui.bridge import Bridge

if TYPE_CHECKING:
    from inspector.past.bench import Past, PastBench, Scene
    from inspector.recording_source import RecordingSource
    from inspector.workbench import Workbench

T = TypeVar("T")

IDLE_SLICE: Final = 1_000
"""Entries gone along at a time while nobody asks, and the pause after them: what crosses the wire
and what is typed come first."""
IDLE_PAUSE: Final = 0.02
REST: Final = 0.5
"""Seconds between two looks at whether there is more, when all was gone along."""
END_PAUSE: Final = 0.3
"""Seconds between two looks at an end that moves on (a recording that is still read)."""


class Traveller:
    """The way back and forth.

    `goal` is the entry that was wished for (None: now, or the end of a recording), `bench` what
    was seen at the entry looked at last. Methods are called from the interface's thread.
    """

    def __init__(self, live: "Scene", source: "RecordingSource | None" = None) -> None:
        """`source` is the recording, where there is one: then there is no now."""
        self.live = live
        self.source = source
        self.goal: int | None = None
        self.bench: PastBench | None = None
        self.position = 0
        """How far the timeline has gone along."""
        self._thread: threading.Thread | None = None
        self._turn = threading.Event()
        self._over = False
        self._past: Past | None = None
        self._looked = 0.0

    # -- where we are ---------------------------------------------------------------------------

    @property
    def travelling(self) -> bool:
        """Whether the screens show what was, and not what is."""
        return self.goal is not None or self.source is not None

    @property
    def number(self) -> int:
        """The entry that is wished for; the last one where none is."""
        return len(self.live.journal) if self.goal is None else self.goal

    @property
    def arrived(self) -> bool:
        """Whether `bench` is what is wished for."""
        return self.bench is not None and self.bench.number == self.number

    @property
    def words(self) -> str:
        """Why nothing can be done here, and what helps."""
        if self.source is not None:
            return (
                "This is a recording, with no server behind it: nothing can be sent. "
                "In a list, c copies a call as a command"
            )
        return f"This is the state as of #{self.number:,}; Esc returns to now"

    # -- going ----------------------------------------------------------------------------------

    def begin(self) -> None:
        """Starts going along; once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._main, name="travel", daemon=True)
            self._thread.start()

    def go(self, number: int) -> None:
        """Wishes for entry `number`, or the nearest there is."""
        self.goal = max(1, min(number, len(self.live.journal)))
        self.begin()
        self._turn.set()

    def back(self) -> bool:
        """Returns to now, or to the end of a recording; False where we are there."""
        if self.goal is None:
            return False
        self.goal = None
        self._turn.set()
        return True

    def close(self) -> None:
        """Ends the thread, at the end of what it is doing."""
        self._over = True
        self._turn.set()

    # -- the thread -----------------------------------------------------------------------------

    def _main(self) -> None:
        from inspector.past.bench import Past

        self._past = past = Past(self.live)
        while not self._over:
            self._turn.clear()
            wished = self._wished()
            if self._is_read and self.goal is None and self.bench is not None:
                self._turn.wait(END_PAUSE)  # two readers of one file would both be slow
            elif wished is not None:
                self._look(past, wished)
            elif past.advance(limit=IDLE_SLICE):
                self.position = past.position
                self._turn.wait(REST if self.source is None else END_PAUSE)
            else:
                self.position = past.position
                self._turn.wait(max(IDLE_PAUSE, PERSON.rest))

    @property
    def _is_read(self) -> bool:
        """Whether a recording is still being read: the first of it is shown at once, the rest when
        that is done."""
        return self.source is not None and self.source.reading

    def _wished(self) -> int | None:
        """The entry that is to be looked at next, None where all is seen."""
        seen = None if self.bench is None else self.bench.number
        if self.goal is not None:
            return self.goal if seen != self.goal else None
        last = len(self.live.journal)
        if self.source is None or not last or seen == last:
            return None
        if seen is not None and time.monotonic() - self._looked < END_PAUSE:
            return None
        return last

    def _look(self, past: "Past", number: int) -> None:
        """As of `number`, unless something else is wished for meanwhile."""
        while not past.advance(number):
            self.position = past.position
            if self._over or self.goal not in (None, number):
                return
        self.position = past.position
        self.bench = past.at(number, self.words)
        self._looked = time.monotonic()


class RefusingBridge(Bridge):
    """What views of the past have in place of the way to the workbench: nothing gets through."""

    def __init__(self, why: Callable[[], str], tell: Callable[[str], None]) -> None:
        """`why` says in words why not; `tell` shows them."""
        super().__init__(_nothing)
        self._why, self._tell = why, tell

    async def run(self, make: Callable[[], Coroutine[object, object, T]]) -> T:
        """Raises UsageError."""
        raise UsageError(self._why(), kind="past")

    def post(self, make: Callable[[], Coroutine[object, object, object]]) -> None:
        """Tells why not."""
        self._tell(self._why())


def _nothing() -> "Workbench":
    raise RuntimeError("nothing is started in the past")
