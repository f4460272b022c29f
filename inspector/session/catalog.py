"""What the server offers: tools, resources, resource templates and prompts, read page by page.

Decides when a list is read again and when paging stops. An item is kept as it came, next to its
exact text; what an item means, and whether it is valid, is for whoever shows it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from inspector.errors import InspectorError, PeerViolation
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.messages import RawJson, Sendable, raw_members
from inspector.protocol.versions import Era
from inspector.session.catalog_pages import CatalogList as CatalogList
from inspector.session.catalog_pages import ListKind as ListKind
from inspector.session.catalog_pages import ListState as ListState
from inspector.session.catalog_pages import Salvage, salvage, with_freshness, with_page
from inspector.session.engine import Engine
from inspector.session.pending import Failure, Lost, Success

PAGE_CAP: Final = 1000
BYTES_CAP: Final = 64 * 1024 * 1024
"""So many bytes of answers are read of one list: a server that pages for ever must not fill the
memory with what it says."""
READINGS: Final = 3
"""How often one refresh reads a list that changes while it is being read."""
AUTOMATIC_LIMIT: Final = 10
AUTOMATIC_WINDOW: Final = 10.0
"""At most `AUTOMATIC_LIMIT` automatic reloads of a list in so many seconds: a server that
announces a change after every answer must not keep us reading for ever."""

METHOD_OF: Final[Mapping[ListKind, str]] = {
    "tools": "tools/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
    "prompts": "prompts/list",
}
CAPABILITY_OF: Final[Mapping[ListKind, str]] = {
    "tools": "tools",
    "resources": "resources",
    "resourceTemplates": "resources",
    "prompts": "prompts",
}
KINDS: Final[tuple[ListKind, ...]] = ("tools", "resources", "resourceTemplates", "prompts")


class Catalog:
    """The four lists of one session."""

    def __init__(self, engine: Engine) -> None:
        self.lists: Mapping[ListKind, CatalogList] = {kind: CatalogList(kind) for kind in KINDS}
        self._engine = engine
        self._looked: set[ListKind] = set()
        self._wanted: set[ListKind] = set()
        self._loading: set[ListKind] = set()
        self._again: set[ListKind] = set()
        self._waiting: set[ListKind] = set()
        self._automatic: dict[ListKind, deque[float]] = {
            kind: deque(maxlen=AUTOMATIC_LIMIT) for kind in KINDS
        }

    def __getitem__(self, kind: ListKind) -> CatalogList:
        return self.lists[kind]

    def opened(self) -> None:
        """The session is ready: what the server does not declare is unsupported."""
        for kind in KINDS:
            if not self._declared(kind):
                self._put(replace(self.lists[kind], state="unsupported"))

    async def look(self, kind: ListKind) -> CatalogList:
        """The list for somebody who wants to see it: read if it was not, and kept fresh."""
        self._looked.add(kind)
        if self.lists[kind].state in ("unknown", "stale", "loading"):
            return await self.refresh(kind)
        return self.lists[kind]

    async def refresh(self, kind: ListKind, *, force: bool = False) -> CatalogList:
        """Reads all pages. A second call while one runs waits for that one.

        An undeclared list is not asked for unless `force`, which holds for this session. Peer
        faults are in the returned list.
        """
        if force:
            self._wanted.add(kind)
        if not self._declared(kind) and kind not in self._wanted:
            self._put(replace(self.lists[kind], state="unsupported"))
            return self.lists[kind]
        if kind in self._loading:
            await self._engine.changes.until(lambda: kind not in self._loading)
            return self.lists[kind]
        self._looked.add(kind)
        self._loading.add(kind)
        flags = NO_FLAGS if self._declared(kind) else Flag.FORCED
        try:
            for _ in range(READINGS):
                self._again.discard(kind)
                await self._read(kind, flags)
                if kind not in self._again:
                    break
        except InspectorError as error:
            self._put(replace(self.lists[kind], state="failed", error=error.message))
        finally:
            self._loading.discard(kind)
            if self.lists[kind].state == "loading":  # cancelled between two pages
                self._put(replace(self.lists[kind], state="stale", error="reading was cut short"))
            self._engine.changes.bump("catalog")
        if kind in self._again:
            self._again.discard(kind)
            self.changed(kind)
        return self.lists[kind]

    def changed(self, *kinds: ListKind) -> None:
        """The server announced a change: read again what somebody has looked at."""
        for kind in kinds:
            if kind in self._loading:
                self._again.add(kind)
                continue
            if self.lists[kind].state in ("ready", "failed", "stale"):
                self._put(replace(self.lists[kind], state="stale"))
            if kind in self._looked and not self._engine.state.over:
                self._reload(kind)

    def _reload(self, kind: ListKind) -> None:
        now, earlier = time.monotonic(), self._automatic[kind]
        if len(earlier) == AUTOMATIC_LIMIT and now - earlier[0] < AUTOMATIC_WINDOW:
            why = "the server announces changes faster than they can be read"
            self._put(replace(self.lists[kind], state="stale", error=why))
            if kind not in self._waiting:
                self._waiting.add(kind)
                self._engine.nest.spawn(self._later(kind, earlier[0] + AUTOMATIC_WINDOW - now))
            return
        earlier.append(now)
        self._engine.nest.spawn(self.refresh(kind))

    async def _later(self, kind: ListKind, seconds: float) -> None:
        """One reading once the window is over, so that the last change is not missed."""
        try:
            await asyncio.sleep(seconds)
        finally:
            self._waiting.discard(kind)
        if self.lists[kind].state == "stale" and not self._engine.state.over:
            self._reload(kind)

    def _declared(self, kind: ListKind) -> bool:
        return self._engine.state.declares(CAPABILITY_OF[kind])

    def _put(self, new: CatalogList) -> None:
        self.lists = {**self.lists, new.kind: new}
        self._engine.changes.bump("catalog")

    async def _read(self, kind: ListKind, flags: Flag) -> None:
        before = self.lists[kind]
        self._put(replace(before, state="loading", error=""))
        fresh = CatalogList(kind, "loading")
        cursor: bytes | None = None
        seen: set[bytes] = set()
        size = 0
        while True:
            params: dict[str, Sendable] | None = (
                {"cursor": RawJson(cursor)} if cursor is not None else None
            )
            call = await self._engine.request(METHOD_OF[kind], params, flags=flags)
            outcome = await call.wait()
            page = self._salvaged(kind, outcome) if isinstance(outcome, Lost) else None
            match outcome:
                case Success():
                    fresh, problem = with_page(fresh, outcome)
                    fresh = self._dated(fresh, outcome)
                case Failure():
                    problem = f"the server answered {outcome.code} {outcome.message}"
                case Lost():
                    problem = "" if page is not None else outcome.error.message
            if page is not None:
                fresh = page.added_to(fresh)
            if problem:
                kept = fresh if fresh.pages else before
                self._put(replace(kept, state="failed", error=problem))
                return
            cursor = self._next_cursor(outcome) if page is None else page.cursor
            if cursor is None:
                break
            size += self._engine.journal.row(outcome.entry).size
            if cursor in seen or fresh.pages >= PAGE_CAP or size >= BYTES_CAP:
                what = f"there are more than {PAGE_CAP} pages"
                if cursor in seen:
                    what = f"the cursor {cursor.decode('utf-8', 'replace')[:80]} came twice"
                elif size >= BYTES_CAP:
                    what = f"{fresh.pages} pages have {size} bytes, and there are more"
                fresh = replace(fresh, error=f"reading stopped: {what}")
                break
            seen.add(cursor)
            self._put(fresh)
        self._put(replace(fresh, state="ready"))

    def _dated(self, so_far: CatalogList, page: Success) -> CatalogList:
        """`so_far` with what its last page says of its own life (2026-07-28 on)."""
        if self._engine.strategy.era is not Era.MODERN:
            return so_far
        received_at = self._engine.journal.row(page.entry).monotonic
        return with_freshness(so_far, page.result, received_at)

    def _salvaged(self, kind: ListKind, lost: Lost) -> Salvage | None:
        """What can be read of an answer that is no message: one item that is nested too deep, or
        is no JSON, must not hide the others."""
        if not lost.entry or not isinstance(lost.error, PeerViolation):
            return None
        return salvage(kind, lost.entry, self._engine.journal.body(lost.entry))

    def _next_cursor(self, outcome: Success | Failure | Lost) -> bytes | None:
        """The exact text of `nextCursor`; opaque, so it is never parsed and sent back as it came.

        Null ends the list. So does the empty string before 2026-07-28, where servers write it for
        "none" (server/utilities/pagination).
        """
        if not isinstance(outcome, Success):
            return None
        raw = raw_members(outcome.raw).get("nextCursor")
        if raw is None or raw == b"null":
            return None
        if raw == b'""' and self._engine.strategy.era is Era.HANDSHAKE:
            return None
        return raw
