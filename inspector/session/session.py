"""One session with one server, as front ends and tests use it.

Checks what was negotiated before anything is sent, and joins the parts: the engine that sends and
correlates, catalog, inbox, tasks, subscriptions, logs. How a session is opened and its requests
are framed is the strategy's business (`inspector.session.negotiate`).
"""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from msgspec import MsgspecError

from inspector.errors import ConnectionFailed, InspectorError, Undeclared, UsageError
from inspector.forms.hidden import hidden_texts
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.journal.journal import Journal
from inspector.protocol.codes import URL_ELICITATION_REQUIRED
from inspector.protocol.json_text import parse_json
from inspector.protocol.messages import Sendable, encode_json
from inspector.protocol.methods import INPUT_REQUIRED_METHODS, extension_of
from inspector.protocol.methods import method as method_row
from inspector.protocol.versions import Era, Revision
from inspector.session.catalog import Catalog
from inspector.session.changes import Changes
from inspector.session.detect import Detect, PinnedModern
from inspector.session.dispatch import Dispatch
from inspector.session.engine import Engine
from inspector.session.era_memory import Remembered
from inspector.session.extension_tasks import ExtensionTasks
from inspector.session.features import Features
from inspector.session.freshness import Freshness, freshness_of
from inspector.session.inbox import Cause, Inbox
from inspector.session.logs import Logs
from inspector.session.modern import Modern
from inspector.session.negotiate import Handshake, Opened, Strategy, pinned_revision
from inspector.session.nest import Nest
from inspector.session.options import Advertise, Options
from inspector.session.pending import Call, Failure, Success
from inspector.session.roots import Root
from inspector.session.rounds import Rounds
from inspector.session.state import Phase
from inspector.session.subscriptions import Subscriptions
from inspector.session.tasks import Tasks
from inspector.transport.base import Transport, TransportFacts
from inspector.transport.limit import Limit

LAST_WORDS: Final = 1.0
"""Seconds to wait for a dying process's exit code, to say more than "cannot write"."""


class Session(Features):
    """A session from opening to end. A reconnect makes a new one.

    Attributes may be read from any thread; coroutines run on the workbench loop. They raise
    UsageError for what was not negotiated (unless `force`), never for what the server does: that
    is in the outcome of the call.
    """

    def __init__(
        self,
        *,
        transport: Transport,
        journal: Journal,
        options: Options,
        changes: Changes,
        nest: Nest,
        connection: int,
        call_numbers: Iterator[int],
        ask_numbers: Iterator[int],
        on_expired: Callable[["Session"], None] = lambda _: None,
        remembered: Remembered | None = None,
    ) -> None:
        """`remembered` is the era that the server spoke before: then it is not asked again."""
        self.remembered = remembered
        self.options = options
        self.changes = changes
        self.roots: tuple[Root, ...] = options.roots
        self.pings: tuple[float, ...] = ()
        self.permitted: frozenset[str] = frozenset()
        self._nest = nest
        self.engine = Engine(
            transport=transport,
            journal=journal,
            strategy=self._strategy(options),
            options=options,
            changes=changes,
            nest=nest,
            connection=connection,
            numbers=call_numbers,
        )
        self.catalog = Catalog(self.engine)
        self.inbox = Inbox(self.engine, ask_numbers, lambda: self.roots, options.policies)
        self.tasks = Tasks(self.engine)
        self.subscriptions = Subscriptions(self.engine)
        self.rounds = Rounds(
            self.engine,
            self.inbox,
            ExtensionTasks(self.engine, self.tasks, self.inbox, self.subscriptions.listening),
            lambda: self.catalog.refresh("tools"),
        )
        self.subscriptions.listening.on_again = lambda: self.catalog.changed(*self.catalog.lists)
        self.logs = Logs(changes)
        self.engine.on_failure = self._ask_for_urls
        self._dispatch = Dispatch(
            self.engine,
            inbox=self.inbox,
            catalog=self.catalog,
            tasks=self.tasks,
            subscriptions=self.subscriptions,
            logs=self.logs,
            on_expired=lambda: on_expired(self),
        )
        self.engine.receiver = self._dispatch

    @property
    def calls(self) -> tuple[Call, ...]:
        """The recent calls, oldest first."""
        return self.engine.calls.recent

    @property
    def pending(self) -> tuple[Call, ...]:
        """The calls that have no outcome yet."""
        return tuple(call for call in self.calls if not call.done)

    @property
    def transport(self) -> TransportFacts:
        """The transport as it is now."""
        return self.engine.transport.facts

    @property
    def advertise(self) -> Advertise:
        """The switches that the declared client capabilities came from."""
        return self.options.advertise

    def advertise_from_now(self, advertise: Advertise) -> None:
        """2026-07-28 basic: each request says what the client can do, so that another choice is in
        force with the next one. No other era has that."""
        revision = self.state.revision
        if revision is None or self.era is not Era.MODERN:
            return
        self.options = replace(self.options, advertise=advertise)
        declared = advertise.capabilities(revision)
        self.engine.update(lambda s: replace(s, client_capabilities=declared))

    def _strategy(self, options: Options) -> Strategy:
        """The era that `options.protocol` chooses. Raises UsageError for what nobody speaks."""
        pinned = pinned_revision(options.protocol)
        before = self.remembered.story if self.remembered else ""
        modern = Modern(
            options,
            self.marks_of,
            lambda: self.state.log_level,
            lambda: self.advertise,
            before=before,
        )
        if pinned is not None:
            handshake = Handshake(options)
            return PinnedModern(modern, handshake) if pinned.era is Era.MODERN else handshake
        if options.protocol == "handshake":
            return Handshake(options)
        if self.remembered is None:
            return Detect(modern, Handshake(options))
        older = self.remembered.era is Era.HANDSHAKE
        return Handshake(options, before=before) if older else modern

    @property
    def died_on_probe(self) -> bool:
        """Whether the process was beyond use after `server/discover`: started again, it may well
        speak the handshake era (2026-07-28 basic/versioning)."""
        strategy = self.engine.strategy
        probing = isinstance(strategy, Detect) and strategy.probing
        return probing and self.state.over and self.transport.kind == "stdio"

    # -- opening and closing --

    async def open(self) -> None:
        """Connects and negotiates. What goes wrong is in `state.error`, not raised."""
        engine = self.engine
        engine.update(lambda s: replace(s, phase=Phase.CONNECTING))
        try:
            async with Limit(self.options.connect_timeout) as engine.clocks.opening:
                await engine.transport.open(engine)
            facts = engine.transport.facts
            engine.update(lambda s: replace(s, phase=Phase.NEGOTIATING, transport=facts))
            opened = await engine.strategy.open(engine)
        except TimeoutError:
            limit = f"{self.options.connect_timeout:g} s"
            await self._fail(ConnectionFailed(f"no connection within {limit}", kind="timeout"))
        except InspectorError as error:
            await self._fail(await self._better_reason(error))
        else:
            if engine.state.over:
                return
            facts = engine.transport.facts
            engine.update(
                lambda s: replace(
                    s,
                    phase=Phase.READY,
                    why=opened.why,
                    server_info=opened.server_info,
                    capabilities=opened.capabilities,
                    instructions=opened.instructions,
                    initialize_raw=opened.raw,
                    transport=facts,
                    connected_at=engine.journal.clock.monotonic(),
                    discover_freshness=self._freshness(opened),
                )
            )
            self.catalog.opened()
            self._dispatch.opened()

    def _freshness(self, opened: Opened) -> Freshness | None:
        """What the answer to `server/discover` says of its own life."""
        if self.era is not Era.MODERN or not opened.entry:
            return None
        received_at = self.engine.journal.row(opened.entry).monotonic
        return freshness_of(parse_json(opened.raw), received_at)

    async def _better_reason(self, error: InspectorError) -> InspectorError:
        """A write to a dying process fails before its exit is known; the exit says more."""
        if isinstance(error, ConnectionFailed) and self.transport.kind == "stdio":
            try:
                async with asyncio.timeout(LAST_WORDS):
                    await self.engine.gone.wait()
            except TimeoutError:
                return error
        return self.state.error or error

    async def _fail(self, error: InspectorError) -> None:
        self.engine.end(error)
        await self.engine.transport.close()
        await self._nest.stop()

    async def close(self, error: InspectorError | None = None) -> None:
        """Ends the session; bounded. `error` says why, where it was not the user's wish."""
        if not self.state.over:
            self.engine.update(lambda s: replace(s, phase=Phase.CLOSING))
        await self.engine.transport.close()
        self.engine.end(error)
        await self._nest.stop()

    # -- requests --

    async def request(
        self,
        method: str,
        params: Sendable = None,
        *,
        timeout: float | None = None,
        force: bool = False,
        progress: bool = True,
        retry_of: int | None = None,
        on_success: Callable[[Call, Success], bool] | None = None,
    ) -> Call:
        """Sends a request; `await call.wait()` has its outcome.

        `timeout` is seconds (0: no limit), None the configured one. `progress` asks for progress
        notifications; without it the parameters go out exactly as given.
        """
        flags = self.check(method, force)
        if method == "tools/call":
            self._learn(params)
        in_rounds = self.era is Era.MODERN and method in INPUT_REQUIRED_METHODS
        if on_success is None and in_rounds:
            on_success = partial(self.rounds.take, timeout=timeout)
        return await self.engine.request(
            method,
            params,
            timeout=timeout,
            progress=progress,
            flags=flags,
            retry_of=retry_of,
            on_success=on_success,
            on_refusal=partial(self.rounds.mend, timeout=timeout) if in_rounds else None,
        )

    def _learn(self, params: Sendable) -> None:
        """What stands in a password's field of a tool is a secret from now on."""
        try:
            call = parse_json(encode_json(params))
        except (ValueError, TypeError, OverflowError, MsgspecError):
            return  # the request says so, too
        if isinstance(call, dict):
            tool = self.catalog["tools"].find("name", str(call.get("name")))
            schema = tool.get("inputSchema") if isinstance(tool, dict) else None
            for text in hidden_texts(schema, call.get("arguments")):
                self.engine.journal.redactor.learn(text)

    def check(self, method: str, force: bool = False) -> Flag:
        """Whether `method` may be sent: no flag, or FORCED where only force allows it.

        Raises Undeclared where it is not `permitted`. What no revision knows needs nothing.
        """
        state = self.state
        if not state.ready:
            raise UsageError(f"cannot send {method}: the session is {state.phase.value}")
        problem = self.undeclared(method)
        if not problem:
            return NO_FLAGS
        if not force and method not in self.permitted:
            raise Undeclared(problem, method)
        return Flag.FORCED

    def undeclared(self, method: str) -> str:
        """Why the negotiated revision and capabilities do not allow `method` ("" if they do)."""
        row, revision = method_row(method), self.state.revision
        if row is None or revision is None:
            return ""
        if (extension := extension_of(method, revision)) is not None:
            if self.state.declares("extensions", extension):
                return ""
            return f"the server does not declare the extension {extension}, which {method} needs"
        if revision not in row.revisions:
            return f"{method} is not part of {revision}"
        path = row.needs(revision) if row.declared_by != "client" else None
        if path and not self.state.declares(*path):
            needed = ".".join(path)
            return f"the server does not declare the capability {needed}, which {method} needs"
        return ""

    async def notify(self, method: str, params: Sendable = None) -> int:
        """Sends a notification; returns its journal entry. Raises ConnectionFailed."""
        if not self.state.ready:
            raise UsageError(f"cannot send {method}: the session is {self.state.phase.value}")
        return await self.engine.notify(method, params)

    async def send_raw(self, raw: bytes) -> int:
        """Sends bytes as they stand, marked as resent; returns the journal entry.

        A request among them becomes a call (see `calls`). Raises ConnectionFailed.
        """
        if self.state.phase not in (Phase.READY, Phase.NEGOTIATING):
            raise UsageError(f"cannot send: the session is {self.state.phase.value}")
        return await self.engine.send_raw(raw)

    async def retry(self, number: int) -> Call:
        """Sends the same method and parameters again, as a new call that names the old one."""
        call = self.engine.calls.by_number(number)
        if call is None:
            raise UsageError(f"call {number} is not known")
        return await self.request(call.method, call.params, force=call.forced, retry_of=number)

    def _ask_for_urls(self, call: Call, failure: Failure) -> None:
        """2025-11-25 client/elicitation: -32042 names URLs that need consent before a retry. In
        other revisions the code is any server's own."""
        if failure.code != URL_ELICITATION_REQUIRED or not isinstance(failure.data, dict):
            return
        if self.state.revision is not Revision.V2025_11_25:
            return
        named = failure.data.get("elicitations")
        for item in named if isinstance(named, list) else []:
            if isinstance(item, dict) and isinstance(item.get("url"), str):
                cause = Cause((call,), "error")
                self.inbox.take(
                    "elicitation-url", "elicitation/create", item, None, failure.entry, cause
                )
