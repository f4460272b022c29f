"""Resources that we asked to be told about, and the updates that came.

Decides what counts as subscribed and which updates nobody asked for. Reading a changed resource is
left to whoever shows it.
"""

import asyncio
import time
from dataclasses import dataclass, replace

from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.versions import Era
from inspector.session.engine import Engine
from inspector.session.listening import Listening
from inspector.session.pending import Call, Success


@dataclass(frozen=True, slots=True)
class Subscription:
    """One subscribed resource. `unseen` counts the updates since somebody looked; `entry` is the
    latest update's journal entry (0 before the first). `since` is monotonic, in seconds."""

    uri: str
    since: float
    updates: int = 0
    unseen: int = 0
    entry: int = 0


class Subscriptions:
    """The subscriptions of one session; `unasked` are entries of updates nobody asked for."""

    def __init__(self, engine: Engine) -> None:
        self.items: tuple[Subscription, ...] = ()
        self.unasked: tuple[int, ...] = ()
        self.listening = Listening(engine, lambda: self._set(()))
        self._engine = engine
        self._filter = asyncio.Lock()
        """One stream has all subscriptions of the modern era: a change is made after the other."""

    def find(self, uri: str) -> Subscription | None:
        """The subscription to exactly this URI."""
        return next((item for item in self.items if item.uri == uri), None)

    async def subscribe(self, uri: str, flags: Flag = NO_FLAGS) -> Call:
        """Sends `resources/subscribe`; the call is done when this returns.

        In the modern era it opens a stream for all subscriptions, and the call lasts as long as
        that (2026-07-28 basic/patterns/subscriptions).
        """
        if self._engine.strategy.era is Era.MODERN:
            async with self._filter:
                uris = (*(item.uri for item in self.items if item.uri != uri), uri)
                call = await self.listening.listen(uris, flags)
                if not call.done and self.find(uri) is None:
                    self._set((*self.items, Subscription(uri, time.monotonic())))
                return call
        call = await self._engine.request("resources/subscribe", {"uri": uri}, flags=flags)
        if isinstance(await call.wait(), Success) and self.find(uri) is None:
            self._set((*self.items, Subscription(uri, time.monotonic())))
        return call

    async def unsubscribe(self, uri: str, flags: Flag = NO_FLAGS) -> Call:
        """The opposite of `subscribe`, likewise."""
        if self._engine.strategy.era is Era.MODERN:
            async with self._filter:
                self._set(tuple(item for item in self.items if item.uri != uri))
                return await self.listening.listen(tuple(one.uri for one in self.items), flags)
        call = await self._engine.request("resources/unsubscribe", {"uri": uri}, flags=flags)
        if isinstance(await call.wait(), Success):
            self._set(tuple(item for item in self.items if item.uri != uri))
        return call

    async def resume(self, flags: Flag = NO_FLAGS) -> Call:
        """Listens, in the modern era: for the lists, and for what the latest stream watched."""
        latest = self.listening.streams[-1] if self.listening.streams else None
        watched = latest.asked.get("resourceSubscriptions") if latest is not None else None
        named = watched if isinstance(watched, list) else []
        uris = tuple(uri for uri in named if isinstance(uri, str))
        call = await self.listening.listen(uris, flags)
        if not call.done:
            now = time.monotonic()
            self._set(tuple(self.find(uri) or Subscription(uri, now) for uri in uris))
        return call

    def updated(self, uri: str, entry: int) -> None:
        """The server says that `uri` changed; it may lie below a subscribed one (B and later)."""
        known = self.find(uri) or next(
            (item for item in self.items if uri.startswith(item.uri.rstrip("/") + "/")), None
        )
        if known is None:
            self.unasked = (*self.unasked[-99:], entry)
            self._engine.changes.bump("subscriptions")
            return
        fresh = replace(known, updates=known.updates + 1, unseen=known.unseen + 1, entry=entry)
        self._set(tuple(fresh if item is known else item for item in self.items))

    def seen(self, uri: str) -> None:
        """Somebody has looked at `uri` as it is now."""
        self._set(
            tuple(replace(item, unseen=0) if item.uri == uri else item for item in self.items)
        )

    def _set(self, items: tuple[Subscription, ...]) -> None:
        self.items = items
        self._engine.changes.bump("subscriptions")
