"""`subscriptions/listen` (2026-07-28 basic/patterns/subscriptions): one stream for all that the
server may announce.

A new wish opens a stream for everything wanted by now, and closes the one before only when the
server has acknowledged it, so that nothing is missed in between. A stream that stood and broke off
is opened again by itself, a bounded number of times in a row. What an announcement means is
decided by the catalog and by `inspector.session.subscriptions`.
"""

import asyncio
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from inspector.errors import ConnectionFailed, RequestCancelled
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.messages import Json, JsonObject, RequestId, Sendable
from inspector.session.engine import Engine
from inspector.session.pending import Call, Failure, Lost, Outcome

LISTEN: Final = "subscriptions/listen"
META_SUBSCRIPTION: Final = "io.modelcontextprotocol/subscriptionId"
LIST_FILTERS: Final[Mapping[str, tuple[str, str]]] = {
    "toolsListChanged": ("tools", "listChanged"),
    "promptsListChanged": ("prompts", "listChanged"),
    "resourcesListChanged": ("resources", "listChanged"),
}
"""What a filter may ask for, and the capability that promises it."""
ACKNOWLEDGED_SECONDS: Final = 10.0
TASKS_LISTENED: Final = 100
PAUSES: Final = (0.5, 1.0, 2.0, 4.0, 8.0)
"""Seconds before each try to open a stream again that broke off."""
STEADY_SECONDS: Final = 5.0
"""A stream that stood for so long has not failed: the tries are counted anew."""
ENDED_BY_SERVER: Final = "ended"


@dataclass(frozen=True, slots=True)
class Stream:
    """One listen stream. `asked` is the filter sent, `granted` the one acknowledged (None: not
    yet) at the time `since` (monotonic seconds), `ended` how it came to its end ("" while it is
    open)."""

    call: Call
    asked: JsonObject
    granted: JsonObject | None = None
    ended: str = ""
    since: float = 0.0

    @property
    def open(self) -> bool:
        """Whether announcements may still come."""
        return not self.ended


class Listening:
    """The listen streams of one session, the newest last. `again` tells in words when one that
    broke off is opened again, "" where none is; `pauses` are the seconds before each try."""

    def __init__(self, engine: Engine, on_silence: Callable[[], None]) -> None:
        """`on_silence` is called when no stream is left: nothing is announced any more."""
        self._on_silence = on_silence
        self.on_again: Callable[[], None] | None = None
        """Called when a stream stands again: what would have been announced meanwhile is lost."""
        self.again = ""
        self.pauses: tuple[float, ...] = PAUSES
        self._tries = 0
        self._wishes = 0
        self.streams: tuple[Stream, ...] = ()
        self._engine = engine
        self._turn = asyncio.Lock()
        self._uris: tuple[str, ...] = ()
        self._task_ids: tuple[str, ...] = ()

    @property
    def current(self) -> Stream | None:
        """The stream that is listened to, None where there is none."""
        return next((stream for stream in reversed(self.streams) if stream.open), None)

    def filter(self, uris: tuple[str, ...]) -> dict[str, Sendable]:
        """Everything that the server promises to announce, the resources at `uris`, and our tasks
        that run."""
        declares = self._engine.state.declares
        wanted: dict[str, Sendable] = {
            name: True for name, path in LIST_FILTERS.items() if declares(*path)
        }
        if uris:
            wanted["resourceSubscriptions"] = list(uris)
        if self._task_ids:
            wanted["taskIds"] = list(self._task_ids)
        return wanted

    def task_began(self, task_id: str) -> None:
        """A task of ours runs: where we listen anyway, its status is listened for too. Else it is
        polled, which it is in any case."""
        self._task_ids = (*self._task_ids[-(TASKS_LISTENED - 1) :], task_id)
        if self.current is not None:
            self._wishes += 1
            self._engine.nest.spawn(self._open(None))

    def task_ended(self, task_id: str) -> None:
        """The next filter is without it."""
        self._task_ids = tuple(known for known in self._task_ids if known != task_id)

    async def listen(self, uris: tuple[str, ...], flags: Flag = NO_FLAGS) -> Call:
        """Listens for the lists and for `uris`; returns once that is acknowledged or refused."""
        self._wishes += 1
        self._tries = 0
        return await self._open(uris, flags)

    async def _open(self, uris: tuple[str, ...] | None, flags: Flag = NO_FLAGS) -> Call:
        """`uris` None: those that are wished for once it is this one's turn."""
        async with self._turn:
            uris = self._uris if uris is None else uris
            self.again = ""
            before = [stream for stream in self.streams if stream.open]
            self._uris = uris
            wanted = self.filter(uris)
            call = await self._engine.request(
                LISTEN, {"notifications": wanted}, timeout=0.0, flags=flags
            )
            asked: JsonObject = {
                name: list(value) if isinstance(value, list) else True
                for name, value in wanted.items()
            }
            self.streams = (*self.streams[-19:], Stream(call, asked))
            self._engine.nest.spawn(self._watch(call))
            try:
                async with asyncio.timeout(ACKNOWLEDGED_SECONDS):
                    await self._engine.changes.until(lambda: call.done or self._granted(call))
            except TimeoutError:
                call.hint = "the server has not acknowledged it, which must come first"
            if not call.done:
                for stream in before:
                    await stream.call.cancel("replaced by a new filter")
            return call

    def acknowledged(self, params: JsonObject, about: RequestId | None) -> None:
        """`notifications/subscriptions/acknowledged`: the part of the filter that was granted."""
        meta = params.get("_meta")
        named = meta.get(META_SUBSCRIPTION) if isinstance(meta, dict) else None
        granted = params.get("notifications")
        for stream in self.streams:
            if stream.open and stream.granted is None and stream.call.id in (named, about):
                given = granted if isinstance(granted, dict) else {}
                self._put(replace(stream, granted=given, since=time.monotonic()))

    def cancelled(self, request_id: Json, reason: str) -> bool:
        """The server ends a stream by a notification; False for another id."""
        for stream in self.streams:
            if stream.open and stream.call.id == request_id:
                why = "the server ended the subscription" + (f": {reason}" if reason else "")
                self._engine.finish(stream.call, Lost(ConnectionFailed(why, kind=ENDED_BY_SERVER)))
                return True
        return False

    def _granted(self, call: Call) -> bool:
        return any(stream.call is call and stream.granted is not None for stream in self.streams)

    async def _watch(self, call: Call) -> None:
        outcome = await call.wait()
        match outcome:
            case Lost(error=error):
                ended = error.message
            case Failure(code=code, message=message):
                ended = f"refused: {code} {message}"
            case _:
                ended = "the server ended it in order"
        for stream in self.streams:
            if stream.call is call:
                if self.current is stream and self._broke_off(stream, outcome):
                    if self._tries < len(self.pauses):
                        self._plan_again(ended)
                    else:
                        ended += f"; opened again {self._tries} times in vain"
                self._put(replace(stream, ended=ended))
        if self.current is None and not self.again:
            self._on_silence()

    def _broke_off(self, stream: Stream, outcome: Outcome) -> bool:
        """Whether a stream that stood before ended as neither side wished."""
        if not isinstance(outcome, Lost) or isinstance(outcome.error, RequestCancelled):
            return False
        if outcome.error.kind == ENDED_BY_SERVER or self._engine.state.over:
            return False
        if stream.granted is not None and time.monotonic() - stream.since >= STEADY_SECONDS:
            self._tries = 0
        return stream.granted is not None or self._tries > 0

    def _put(self, changed: Stream) -> None:
        self.streams = tuple(
            changed if stream.call is changed.call else stream for stream in self.streams
        )
        self._engine.changes.bump("subscriptions")

    def _plan_again(self, why: str) -> None:
        pause, of = self.pauses[self._tries], len(self.pauses)
        self._tries += 1
        self.again = f"again in {pause:g} s, try {self._tries} of {of}"
        facts: JsonObject = {"reason": why, "try": self._tries, "of": of, "seconds": pause}
        engine = self._engine
        engine.journal.event("listening-again", facts, connection=engine.state.connection)
        engine.nest.spawn(self._open_again(pause, self._wishes))

    async def _open_again(self, pause: float, wishes: int) -> None:
        """Opens a stream for the same after a pause, unless somebody wished for another one."""
        await asyncio.sleep(pause)
        if wishes != self._wishes or self._engine.state.over:
            return
        call = await self._open(None)
        if self._granted(call) and not call.done and self.on_again is not None:
            self.on_again()
