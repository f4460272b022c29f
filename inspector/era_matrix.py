"""The era matrix: one call under every protocol revision, one after the other, side by side.

Each revision gets a session of its own on the same target, beside whatever session lives there: a
process of its own for stdio, and a section of its own in the same journal. Decides when a revision
counts as refused, what is noted of a run, and that nothing of it outlives it. What counts as the
same outcome is `inspector.era_compare`.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from inspector.era_compare import Comparison, Run, asked_of, compare
from inspector.errors import WRONG_ERA, InspectorError, UsageError
from inspector.journal.entries import Direction, Kind
from inspector.protocol.messages import Json, Sendable
from inspector.protocol.versions import REVISIONS, Era, Revision
from inspector.session.asks import ASK_KINDS, HEADLESS, AskKind, Policy, PolicyMode
from inspector.session.pending import Call, Lost
from inspector.session.session import Session
from inspector.workbench import Workbench

ASIDE: Final = "era matrix"
"""What the sections of the journal are tagged with."""
NOT_SPOKEN: Final = frozenset({"version", "initialize", WRONG_ERA})
"""Failures to connect that say that the server does not speak the revision."""
CANCEL_TIME: Final = 2.0
"""Seconds to get a cancellation out before the connection is closed."""
METHODS: Final[Mapping[str, str]] = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
}
"""What can be compared, and the parameter that names what is called."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """The call to be made: a method of `METHODS`, what it names, and the arguments.

    `read` makes the arguments from a tool's input schema where they were typed as text. It is
    asked once, with the first schema that is listed, so that every revision gets the same call.
    """

    method: str
    name: str
    arguments: Sendable = None
    read: Callable[[Json], Sendable] | None = None

    def __post_init__(self) -> None:
        if self.method not in METHODS:
            raise UsageError(
                f"{self.method} cannot be compared across revisions",
                hint=f"choose one of {', '.join(METHODS)}",
            )


def same_for_all(policies: Mapping[AskKind, Policy], instead: PolicyMode) -> dict[AskKind, Policy]:
    """The policies with `instead` wherever a person would be asked: nobody answers the same
    question five times alike."""
    chosen = {kind: policies.get(kind, HEADLESS[kind]) for kind in ASK_KINDS}
    answer = Policy("answer")
    return {
        kind: policy
        if policy.mode != "ask"
        else (answer if kind in ("roots", "round") else Policy(instead))
        for kind, policy in chosen.items()
    }


class EraMatrix:
    """The runs of one comparison on the target of `bench`, oldest revision first.

    `runs` is replaced as they go on and may be read from any thread. Coroutines run on the loop of
    `bench`, whose own session, if there is one, is left alone.
    """

    def __init__(
        self,
        bench: Workbench,
        wanted: Wanted,
        *,
        policies: Mapping[AskKind, Policy],
        revisions: Sequence[Revision] = REVISIONS,
    ) -> None:
        self.wanted = wanted
        self.policies = same_for_all(policies, "decline")
        self.runs: tuple[Run, ...] = tuple(Run(revision) for revision in revisions)
        self._bench = bench
        self._arguments = wanted.arguments
        self._read = wanted.read
        self.stopping = False
        self._current: asyncio.Task[None] | None = None
        self._refusal: InspectorError | None = None

    @property
    def comparison(self) -> Comparison:
        """What the runs that are done say of each other."""
        return compare(self.runs)

    @property
    def over(self) -> bool:
        """Whether every run has ended."""
        return all(run.over for run in self.runs)

    def find(self, revision: Revision) -> Run:
        """The run of a revision."""
        return next(run for run in self.runs if run.revision is revision)

    async def run(self) -> None:
        """Makes the call under each revision. To cancel this gives up the running one and leaves
        the rest; both are `stopped` then."""
        try:
            for run in self.runs:
                if self.stopping:
                    break
                async with asyncio.TaskGroup() as group:
                    self._current = group.create_task(self._one(run.revision))
                    await asyncio.wait((self._current,))
                if not self.find(run.revision).over:
                    self._put(run.revision, state="stopped")
        finally:
            self._current = None
            for run in self.runs:
                if not run.over:
                    self._put(run.revision, state="stopped")

    async def skip(self) -> None:
        """Gives up the revision that is running and goes on with the next."""
        if (current := self._current) is not None:
            current.cancel()
            await asyncio.wait((current,))

    async def stop(self) -> None:
        """Gives up the revision that is running and all that would follow."""
        self.stopping = True
        await self.skip()

    # -- one revision --

    async def _one(self, revision: Revision) -> None:
        journal = self._bench.journal
        self._put(revision, state="connecting", first=len(journal) + 1)
        options = replace(
            self._bench.options,
            protocol=revision.value,
            roots=self._bench.session.roots,
            policies=self.policies,
        )
        bench = self._bench.beside(options, f"{ASIDE}, {revision}", spared=self._refusal)
        try:
            async with bench:
                state = await bench.connect()
                self._put(revision, connection=state.connection)
                if state.error is not None or not state.ready:
                    self._not_opened(revision, state.error)
                    return
                if revision.era is Era.MODERN and not state.initialize_raw:
                    # 2026-07-28 server/discover: a server of that era has it
                    why = f"it has no server/discover, so it does not say that it speaks {revision}"
                    self._put(revision, state="refused", why=why)
                    return
                self._put(revision, state="calling", why=state.why)
                await self._call(revision, bench.session)
        finally:
            self._count(revision)

    def _not_opened(self, revision: Revision, error: InspectorError | None) -> None:
        spoken = error is None or error.kind not in NOT_SPOKEN
        self._ask_once(error)
        why = error.message if error is not None else "the session ended at once"
        self._put(revision, state="failed" if spoken else "refused", why=why, error=error)

    async def _call(self, revision: Revision, session: Session) -> None:
        try:
            call = await self._send(revision, session)
        except InspectorError as error:
            self._ask_once(error)
            self._put(revision, state="done", unsent=error.message, error=error)
            return
        self._put(revision, entry=call.entry)
        try:
            outcome = await call.wait()
        except asyncio.CancelledError:
            with suppress(TimeoutError, InspectorError):
                async with asyncio.timeout(CANCEL_TIME):
                    await call.cancel("given up by the user")
            raise
        finally:
            self._put(
                revision,
                seconds=call.elapsed,
                asked=tuple(asked_of(ask) for ask in session.inbox.asks),
            )
        self._ask_once(outcome.error if isinstance(outcome, Lost) else None)
        self._put(revision, state="done", outcome=outcome)

    def _ask_once(self, error: InspectorError | None) -> None:
        """Who was asked for a token in vain is not asked again for each of the others."""
        if error is not None and error.kind == "auth":
            self._refusal = self._refusal or error

    async def _send(self, revision: Revision, session: Session) -> Call:
        """Sends the call as any other call is sent: a tool is looked up first, for its header
        marks and for whether it runs as a task only."""
        name = self.wanted.name
        if self.wanted.method == "tools/call":
            await self._look_up(revision, session)
            return await session.call_tool(name, self._arguments)
        params: dict[str, Sendable] = {METHODS[self.wanted.method]: name}
        if self._arguments:
            params["arguments"] = self._arguments
        return await session.request(self.wanted.method, params)

    async def _look_up(self, revision: Revision, session: Session) -> None:
        found = await session.catalog.refresh("tools")
        tool = found.find("name", self.wanted.name)
        if found.state == "ready":
            self._put(revision, listed=tool is not None)
        if self._read is not None:
            schema = tool.get("inputSchema", True) if isinstance(tool, dict) else True
            self._arguments = self._read(schema)
            if tool is not None:
                self._read = None

    def _count(self, revision: Revision) -> None:
        """What the run left in the journal."""
        run, journal = self.find(revision), self._bench.journal
        entries = progress = logs = notifications = last = 0
        for number in range(run.first, len(journal) + 1):
            row = journal.row(number)
            if row.connection != run.connection or not run.connection:
                continue
            entries, last = entries + 1, number
            if row.kind is Kind.NOTIFICATION and row.direction is Direction.RECEIVED:
                notifications += 1
                progress += row.method == "notifications/progress"
                logs += row.method == "notifications/message"
        self._put(
            revision,
            entries=entries,
            last=last,
            progress=progress,
            logs=logs,
            notifications=notifications,
        )

    def _put(self, revision: Revision, **facts: object) -> None:
        self.runs = tuple(
            replace(run, **facts) if run.revision is revision else run  # type: ignore[arg-type]
            for run in self.runs
        )
        self._bench.changes.bump("calls")
