"""A session as it stood at an entry: a real one, filled from a state, that refuses to send.

So screens show the past as they show the present. What no entry tells (policies, what we had
switched on but not declared yet, roots that the server was not told of) is left at nothing.
"""

import asyncio
import itertools
from collections.abc import Coroutine
from dataclasses import replace
from typing import Final

from inspector.errors import ConnectionFailed
from inspector.journal.entries import Direction, Kind
from inspector.journal.facts import decode_facts
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import parsed, text
from inspector.journal.timeline_values import ConnectionAt, ListAt, StateAt, StreamAt
from inspector.past.asks import PastAsks
from inspector.past.calls import PastCalls
from inspector.past.journal import JournalAsOf
from inspector.past.tasks import past_tasks
from inspector.protocol.messages import JsonObject, raw_members
from inspector.protocol.versions import TASKS_EXTENSION, Era
from inspector.session.catalog import KINDS, CatalogList, ListKind
from inspector.session.catalog_pages import read_page
from inspector.session.changes import Changes
from inspector.session.features import PINGS
from inspector.session.freshness import freshness_of
from inspector.session.listening import Stream
from inspector.session.nest import Nest
from inspector.session.options import Advertise, Options
from inspector.session.pending import Call, Success
from inspector.session.roots import Root
from inspector.session.session import Session
from inspector.session.state import Phase, SessionState, capability_at
from inspector.session.subscriptions import Subscription
from inspector.session.unconnected import Unconnected
from inspector.transport.base import TransportFacts

PID_WITHIN: Final = 20
"""So many entries after its beginning a connection has told the number of its process."""
LISTS_KEPT: Final = 16
"""So many versions of lists are kept, to be shown again without being read again."""
CAPABILITY_OF_SWITCH: Final = {
    "roots": ("roots",),
    "roots_list_changed": ("roots", "listChanged"),
    "sampling": ("sampling",),
    "sampling_tools": ("sampling", "tools"),
    "sampling_context": ("sampling", "context"),
    "elicitation": ("elicitation",),
    "elicitation_url": ("elicitation", "url"),
    "tasks": ("extensions", TASKS_EXTENSION),
}


class StillNest(Nest):
    """Starts nothing."""

    __slots__ = ()

    def __init__(self) -> None:
        super().__init__(asyncio.TaskGroup())

    def spawn(self, work: Coroutine[object, object, object]) -> asyncio.Task[None] | None:
        """Drops the work."""
        work.close()
        return None


class PastSessions:
    """Makes sessions of the states of one journal; one thread at a time may use it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._calls = PastCalls(journal)
        self._lists: dict[tuple[ListKind, tuple[int, ...], bool], CatalogList] = {}

    def at(self, state: StateAt, words: str) -> Session:
        """The session of the connection that was current; `words` refuse what would be sent."""
        journal = JournalAsOf(self._journal, state.number)
        here = state.current
        facts = here.facts if here is not None else {}
        refusing = Unconnected(label_of(facts), ConnectionFailed(words, fault="you", kind="past"))
        session = Session(
            transport=refusing,
            journal=journal,
            options=_options(here),
            changes=Changes(),
            nest=StillNest(),
            connection=here.number if here is not None else 0,
            call_numbers=itertools.count(1),
            ask_numbers=itertools.count(1),
        )
        if here is not None:
            self._fill(session, journal.clock.monotonic(), here, state.number)
        return session

    def _fill(self, session: Session, now: float, here: ConnectionAt, number: int) -> None:
        session.engine.state = self._state(here)
        calls = self._calls.as_of(number, here, now)
        by_request = {call.number: call for call in calls}
        for one in here.open:
            if one.direction is Direction.SENT and not one.given_up:
                session.engine.calls.add(by_request.get(one.number) or self._calls.one(one.number))
        session.engine.calls.recent = calls
        session.catalog.lists = {kind: self._list(here, kind) for kind in KINDS}
        session.inbox.asks = PastAsks(self._journal, here, number).all(self._calls.rounds)
        session.tasks.tasks = past_tasks(self._journal, here.tasks, number)
        session.subscriptions.items = self._subscriptions(here, calls)
        session.subscriptions.listening.streams = tuple(self._streams(here, calls))
        if here.roots is not None:
            session.roots = tuple(
                Root(text(root.get("uri")), text(root.get("name"))) for root in here.roots.roots
            )
        pings = [call for call in calls if call.method == "ping" and call.done]
        session.pings = tuple(
            call.elapsed for call in pings[-PINGS:] if isinstance(call.outcome, Success)
        )

    def _state(self, here: ConnectionAt) -> SessionState:
        opening, phase = here.opening, Phase(here.phase.value)
        opened = opening.entry
        raw = raw_members(self._journal.body(opened)).get("result", b"") if opened else b""
        answered_at = self._journal.columns.monotonic[opened] if opened else None
        modern = opening.era is Era.MODERN
        settled = opening.revision is not None and phase not in (
            Phase.CONNECTING,
            Phase.NEGOTIATING,
        )
        fresh = freshness_of(parsed(raw), answered_at or 0.0) if modern and raw else None
        error = ConnectionFailed(here.error) if here.error else None
        return SessionState(
            phase=phase,
            revision=opening.revision,
            revision_text=opening.revision.value if opening.revision is not None else "",
            offered=opening.offered,
            why=opening.why if settled else "",
            transport=self._transport(here),
            server_info=opening.server_info,
            capabilities=opening.capabilities,
            client_capabilities=opening.client_capabilities,
            instructions=opening.instructions,
            error=error if phase.name in ("FAILED", "CLOSED") else None,
            connected_at=answered_at if settled else None,
            connection=here.number,
            log_level=here.log_level,
            initialize_raw=raw,
            discover_freshness=fresh,
        )

    def _transport(self, here: ConnectionAt) -> TransportFacts:
        journal, pid = self._journal, None
        if here.transport == "stdio":
            for number in range(here.began, min(here.began + PID_WITHIN, len(journal)) + 1):
                if journal.columns.kinds[number] == Kind.EVENT:
                    told = decode_facts(journal.body(number)).get("pid")
                    if isinstance(told, int) and journal.columns.connections[number] == here.number:
                        pid = told
                        break
        url = text(here.facts.get("url"))
        return TransportFacts(here.transport, label_of(here.facts), pid=pid, url=url, state="past")

    def _list(self, here: ConnectionAt, kind: ListKind) -> CatalogList:
        known = here.lists.get(kind, ListAt(kind))
        modern = here.opening.era is Era.MODERN
        read = self._lists.pop((kind, known.pages, modern), None)
        if read is None:
            read = CatalogList(kind)
            for entry in known.pages:
                received = self._journal.columns.monotonic[entry] if modern else None
                read = read_page(read, entry, self._journal.body(entry), received)
        self._lists[kind, known.pages, modern] = read
        while len(self._lists) > LISTS_KEPT:
            del self._lists[next(iter(self._lists))]
        return replace(read, state=known.state, error=known.error or read.error)

    def _subscriptions(
        self, here: ConnectionAt, calls: tuple[Call, ...]
    ) -> tuple[Subscription, ...]:
        read = {call.label: call.entry for call in calls if call.method == "resources/read"}
        monotonic = self._journal.columns.monotonic
        return tuple(
            Subscription(
                one.uri,
                monotonic[one.since],
                one.updates,
                # how often since it was read is not counted; that it changed is what matters
                int(bool(one.updates) and read.get(one.uri, 0) < one.entry),
                one.entry,
            )
            for one in here.subscriptions
        )

    def _streams(self, here: ConnectionAt, calls: tuple[Call, ...]) -> list[Stream]:
        by_request = {call.number: call for call in calls}
        streams: list[Stream] = []
        for one in here.streams:
            call = by_request.get(one.request) or self._calls.one(one.request)
            streams.append(_stream(one, call))
        return streams


def _stream(one: StreamAt, call: Call) -> Stream:
    return Stream(call, one.asked, one.granted, "", call.started)


def _options(here: ConnectionAt | None) -> Options:
    """The options of a session that follows the rules of the era that was spoken, and declares
    what was declared."""
    if here is None:
        return Options()
    opening = here.opening
    era = opening.era.value if opening.era is not None else "handshake"
    protocol = opening.revision.value if opening.revision is not None else era
    declared = opening.client_capabilities
    return Options(protocol=protocol, advertise=_advertised(declared))


def _advertised(declared: JsonObject) -> Advertise:
    return Advertise(
        **{name: capability_at(declared, path) for name, path in CAPABILITY_OF_SWITCH.items()}
    )


def label_of(facts: JsonObject) -> str:
    """A name for what a connection was to."""
    command = facts.get("command")
    words = " ".join(text(word) for word in command) if isinstance(command, list) else ""
    return text(facts.get("name")) or text(facts.get("url")) or words or "a recording"
