"""One inspection: its journal and recording, its sessions one after the other, and all its tasks.

Decides when a session begins and ends, and that nothing it started outlives it. A front end runs
inside `async with`; what goes wrong with a peer is in `session.state`, never raised.
"""

import asyncio
import itertools
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

from inspector.auth.authorities import Authorities
from inspector.config.paths import state_dir
from inspector.config.targets import Target
from inspector.errors import ConnectionFailed, InspectorError, UsageError
from inspector.journal.exchanges import Exchanges
from inspector.journal.facts import ASIDE
from inspector.journal.journal import Journal
from inspector.journal.recording import RecordingFile
from inspector.journal.target_secrets import secrets_of
from inspector.protocol.messages import JsonObject
from inspector.protocol.versions import Era, Revision, parse_revision
from inspector.session.changes import TOPICS as TOPICS
from inspector.session.changes import Changes as Changes
from inspector.session.connection_facts import connection_facts
from inspector.session.era_memory import OUTLIVED_NOTHING, EraMemory, assumption_failed
from inspector.session.negotiate import pinned_revision
from inspector.session.nest import Nest
from inspector.session.options import Advertise as Advertise
from inspector.session.options import Options as Options
from inspector.session.pending import Success
from inspector.session.renewal import RESTORING, restore
from inspector.session.session import Session
from inspector.session.state import Phase as Phase
from inspector.session.state import SessionState as SessionState
from inspector.session.unconnected import Unconnected
from inspector.transport.base import Transport, hurried, make_transport

if TYPE_CHECKING:
    from inspector.auth.authority import Authority
    from inspector.auth.late import UnopenedStore
    from inspector.auth.person import Person
    from inspector.auth.store import Store
    from inspector.lint.judge import Judge
    from inspector.recording_source import RecordingSource

TransportFactory = Callable[[Target, Journal, int], Transport]
TICK: Final = 0.25
"""Seconds between two looks of the journal at whether its file must be flushed."""


class Workbench:
    """One inspection of one target.

    `session` is a new object at each connect; `journal`, `exchanges` and `changes` stay.
    `recording` is the file being written (None: none), `recording_problem` why there is none
    though one was wanted. Attributes may be read from any thread; coroutines run on the loop that
    entered the workbench.
    """

    def __init__(
        self,
        target: Target,
        *,
        options: Options | None = None,
        transport_factory: TransportFactory = make_transport,
        journal: Journal | None = None,
        aside: str = "",
        person: "Person | None" = None,
        store: "Store | UnopenedStore | None" = None,
        authorities: Authorities | None = None,
        source: "RecordingSource | None" = None,
    ) -> None:
        """`aside` says what for, where the sections in `journal` are beside those of another. With
        `source` that is the journal of a recording, which is read while the workbench is open.
        `person` is who can be asked to log in (None: nobody), `store` where tokens are kept (None:
        in memory); `authorities` are those of the other inspection."""
        self.target = target
        self.person, self.source = person, source
        self._aside = aside
        self._spared: InspectorError | None = None
        self.options = options or Options()
        self.changes = Changes()
        self.recording_problem = ""
        self.journal = journal if journal is not None else self._new_journal()
        self.exchanges = Exchanges(self.journal)
        self._unsubscribe = self.journal.subscribe(lambda _: self.changes.bump("journal"))
        self._make_transport = transport_factory
        self._group = asyncio.TaskGroup()
        self._nest = Nest(self._group)
        self._own_authorities = authorities is None
        self._authorities = authorities or Authorities(
            self.journal,
            self._nest.spawn,
            lambda: self.changes.bump("auth"),
            person=person,
            store=store,
        )
        self._entered = self._closed = False
        self._turn = asyncio.Lock()
        self._opening: asyncio.Task[None] | None = None
        self._renewed: Session | None = None
        self._eras = EraMemory()
        self._call_numbers = itertools.count(1)
        self._ask_numbers = itertools.count(1)
        self.session = self._make_session(Unconnected(target.label), 0)
        self.judge: Judge | None = None
        """The findings, once `begin_judging` was called."""

    def begin_judging(self) -> "Judge":
        """From now on what happens is judged too, in slices between other work; topic "findings".
        Only while the workbench is open; called on its loop."""
        if self.judge is None:
            from inspector.lint.judge import Judge
            from inspector.session.judging import keep_judging

            self.judge = Judge(self.journal)
            self._nest.spawn(keep_judging(self.judge, self.changes, self.source))
        return self.judge

    def beside(
        self, options: Options, what_for: str, *, spared: InspectorError | None = None
    ) -> "Workbench":
        """Another inspection of the same target, to be entered while this one goes on: it writes
        into this journal, in sections tagged `what_for`. `spared`: why nobody is asked for a token
        there, where what they did has failed for want of one before."""
        bench = Workbench(
            self.target,
            options=options,
            transport_factory=hurried(self._make_transport),
            journal=self.journal,
            aside=what_for,
            authorities=self._authorities,
        )
        bench._spared = spared
        return bench

    @property
    def authority(self) -> "Authority | None":
        """What concerns tokens of the target; None where that has nothing to do with OAuth (a
        command, or an Authorization header of the user's own). Raises UsageError where the user's
        choices make no sense."""
        return self._authorities.get(self.target, self._rules)

    @property
    def authorizing(self) -> bool:
        """Whether an authorization is under way, for which the connection may wait."""
        made = self._authorities.made(self.target, self._rules)
        return made is not None and made.state.phase in ("running", "waiting")

    @property
    def _rules(self) -> Revision | None:
        """The revision whose rules of authorization hold, where the user chose one."""
        return parse_revision(self.options.protocol)

    @property
    def recording(self) -> Path | None:
        """The recording being written, None where there is none (or no longer: disk full)."""
        return self.journal.file.path if self.journal.file.recording else None

    # -- life --

    async def __aenter__(self) -> Self:
        await self._group.__aenter__()
        self._entered = True
        self._nest.spawn(self._tick())
        if self.source is not None:
            self._nest.spawn(self.source.keep_reading(lambda: self.changes.bump("journal")))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Ends the session, every task, and the journal, whatever happened inside.

        The task group is left without the error, which goes on as it is and not inside a group.
        """
        self._closed = True
        try:
            if self._own_authorities:
                await self._authorities.close()
            await self.disconnect()
        finally:
            try:
                await self._nest.stop()
                await self._group.__aexit__(None, None, None)
            finally:
                self._entered = False
                self._unsubscribe()
                self.journal.close()

    async def _tick(self) -> None:
        while True:
            self.journal.tick()
            await asyncio.sleep(TICK)

    # -- connecting --

    async def connect(self) -> SessionState:
        """Connects, unless that is done already; the state says how it went."""
        if self.session.state.ready:
            return self.session.state
        return await self.reconnect()

    async def reconnect(self) -> SessionState:
        """Ends the session if there is one and opens a new one, in a new section of the journal.

        Roots and policies are kept as they are now. Cancelling this, or `disconnect`, gives up.
        """
        return await self._open_new()

    async def _open_new(self, *, renewal: bool = False) -> SessionState:
        if self.source is not None:
            raise UsageError("this is a recording: nothing is connected")
        if not self._entered or self._closed:
            raise UsageError("the workbench is not open", fault="us")
        async with self._turn:
            await self._leave()
            session = self._begin()
            self._renewed = session if renewal else None
            opening = self._group.create_task(self._open(session))
            self._opening = opening
        try:
            await asyncio.wait((opening,))
        except asyncio.CancelledError:
            await self.disconnect()
            raise
        return self.session.state

    async def disconnect(self) -> None:
        """Gives up connecting, or ends the session; bounded, and leaves no process."""
        async with self._turn:
            await self._leave()

    async def switch(self, target: Target) -> SessionState:
        """Goes on with another target: same journal, new section."""
        async with self._turn:
            await self._leave()
            self.target = target
        return await self.reconnect()

    async def speak(self, protocol: str) -> SessionState:
        """Goes on with the same target in another revision or era, as `Options.protocol` names it.

        What was found out about the era before is forgotten. Raises UsageError for a choice that
        names nothing.
        """
        pinned_revision(protocol)
        async with self._turn:
            await self._leave()
            self.options = replace(self.options, protocol=protocol)
            self._eras.forget(self.target)
        return await self.reconnect()

    def advertise(self, advertise: Advertise) -> None:
        """Chooses the client capabilities to declare: from the next connect on, and in the modern
        era from the next request on."""
        self.options = replace(self.options, advertise=advertise)
        self.session.advertise_from_now(advertise)
        self.changes.bump("state")

    async def _open(self, session: Session) -> None:
        try:
            await session.open()
            if session is not self.session:
                return
            if session.died_on_probe:
                self._eras.keep(self.target, Era.HANDSHAKE, OUTLIVED_NOTHING)
                session = await self._open_again(session, "started-again")
            elif session.remembered is not None and assumption_failed(session.state):
                self._eras.forget(self.target)
                session = await self._open_again(session, "era-asked-again")
            if session.state.ready and self.options.protocol == "auto":
                self._eras.keep(self.target, session.era)
        except asyncio.CancelledError:
            await session.close()
            raise

    async def _open_again(self, failed: Session, event: str) -> Session:
        """A process that the probe cost its life, or a server that speaks another era than it did,
        once more."""
        why = failed.state.error.message if failed.state.error else "no answer"
        facts: JsonObject = {"reason": why}
        self.journal.event(event, facts, connection=failed.state.connection)
        session = self._begin()
        try:
            await session.open()
        except asyncio.CancelledError:
            await session.close()
            raise
        return session

    async def _leave(self) -> None:
        opening, self._opening = self._opening, None
        if opening is not None and not opening.done():
            opening.cancel()
            await asyncio.wait((opening,))
        if self.session.state.phase is not Phase.IDLE:  # a server may live on without a session
            await self.session.close()

    def _begin(self) -> Session:
        before = self.session
        self.options = replace(
            self.options, roots=before.roots, policies=dict(before.inbox.policies)
        )
        self._learn_secrets()
        facts = connection_facts(self.target, self.options)
        facts["url"] = self.journal.redactor.url(self.target.url)
        if self._aside:
            facts = {ASIDE: self._aside, **facts}
        connection = self.journal.begin_connection(facts)
        try:
            tokens = self._authorities.tokens(self.target, self._rules)
            transport = self._make_transport(self.target, self.journal, connection)
            if tokens is not None:
                transport.authorized_by(tokens)
            if self._spared is not None and (whole := self.authority) is not None:
                whole.spare(connection, self._spared)
        except InspectorError as error:
            transport = Unconnected(self.target.label, error)
        self.session = self._make_session(transport, connection)
        for topic in TOPICS:
            self.changes.bump(topic)
        return self.session

    def _make_session(self, transport: Transport, connection: int) -> Session:
        return Session(
            transport=transport,
            journal=self.journal,
            options=self.options,
            changes=self.changes,
            nest=Nest(self._group, self._report),
            connection=connection,
            call_numbers=self._call_numbers,
            ask_numbers=self._ask_numbers,
            on_expired=self._renew,
            remembered=self._eras.of(self.target) if self.options.protocol == "auto" else None,
        )

    def _renew(self, session: Session) -> None:
        """The server has forgotten the session (404): open calls fail, and a new one begins.

        Only once in a row: a session that was opened that way and never brought a result either
        is not worth another try.
        """
        ours = {"initialize", *(RESTORING if session is self._renewed else ())}
        asked = [call for call in session.calls if call.entry and call.method not in ours]
        worked = any(isinstance(call.outcome, Success) for call in asked)
        again = session.state.ready and (worked or (bool(asked) and session is not self._renewed))
        error = ConnectionFailed(
            "the server ended our session (404 on its id)",
            hint="a new session is being opened; call again"
            if again
            else "it ends each session at once; reconnect to try again",
            kind="session-expired",
        )
        self.journal.event(
            "session-expired", {"reopening": again}, connection=session.state.connection
        )
        session.engine.end(error)
        if again and session is self.session and not self._closed:
            self._nest.spawn(self._reopen(session))

    async def _reopen(self, expired: Session) -> None:
        await expired.close()
        if self.session is not expired or self._closed:
            return
        state = await self._open_new(renewal=True)
        if state.ready and self.session.state.connection == state.connection:
            await restore(expired, self.session)

    def _report(self, error: InspectorError) -> None:
        """Something in the background could not be sent; the journal says so."""
        facts: JsonObject = {"kind": error.kind, "message": error.message}
        self.journal.event("background-failure", facts, connection=self.session.state.connection)

    def _new_journal(self) -> Journal:
        """Recording is on by default; a state directory that cannot be written stops nothing."""
        options = self.options
        if options.record is not None:
            return Journal(file=RecordingFile.create(options.record))
        if options.no_record:
            return Journal()
        try:
            return Journal(file=RecordingFile.create_in(options.state_dir or state_dir()))
        except InspectorError as error:
            self.recording_problem = error.message
            return Journal()

    def _learn_secrets(self) -> None:
        """Values that may not get into any sink, known before the first byte is sent."""
        self.journal.redactor.learn_url(self.target.url)
        for value in secrets_of(self.target):
            self.journal.redactor.learn(value)
