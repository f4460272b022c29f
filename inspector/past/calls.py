"""The calls that a client had made as of an entry, with what came of them by then.

Decides from the evidence which answer was the last word: a question in a result is gone on with, a
task ends later. Bounded to the latest calls; bodies are read when somebody looks.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from inspector.errors import (
    ConnectionFailed,
    InspectorError,
    PeerViolation,
    RequestCancelled,
    RequestTimeout,
    UsageError,
)
from inspector.journal.columns import Columns, positions
from inspector.journal.entries import Direction, Flag, Kind
from inspector.journal.journal import Journal
from inspector.journal.timeline_readings import (
    asks_or_goes_on,
    code_of,
    id_of_message,
    obj,
    parsed,
    progress_said,
    text,
)
from inspector.journal.timeline_values import ConnectionAt, OpenRequest, ProgressAt
from inspector.past.tasks import description_in, last_words, later_requests, task_in
from inspector.protocol.messages import RawJson, raw_members
from inspector.session.deadline import Deadline
from inspector.session.extension_tasks import outcome_of as outcome_of_task
from inspector.session.negotiate import LABEL_KEYS
from inspector.session.pending import Call, Failure, Lost, Outcome, Progress, Success

LATEST: Final = 300
"""So many calls of tools, resources and prompts are handed out."""
OTHERS: Final = 100
"""So many of the other requests."""
LOOKED_AT: Final = 3_000
"""So many requests are looked at for that."""
KINDS_KEPT: Final = 20_000
"""So many answers are remembered by what they are."""
LEGS: Final = 100
"""So many further requests of one call are followed."""
ASKED_FOR: Final = frozenset({"tools/call", "resources/read", "prompts/get"})


@dataclass(frozen=True, slots=True)
class End:
    """How a call stood: the entry of its last word (0: none yet), the request that this answers,
    how many rounds it took, and the task that it goes on as. `open` while more may come;
    `given_up` where a question was not answered."""

    answer: int
    request: int
    rounds: int = 0
    task: str = ""
    open: bool = False
    given_up: bool = False


class PastCall(Call):
    """A call as it stood. Its outcome is read when somebody looks at it."""

    __slots__ = ("_end", "_journal", "_outcome", "_read")

    def __init__(self, journal: Journal, number: int, end: End, now: float) -> None:
        self._journal, self._end = journal, end
        self._outcome: Outcome | None = None
        self._read = False
        body = journal.body(number)
        row = journal.row(number)
        params = raw_members(body).get("params")
        asked_as = id_of_message(body)
        super().__init__(
            number,
            asked_as if asked_as is not None else 0,
            row.method,
            None if params is None else RawJson(params),
            deadline=Deadline(0, 0, now),
            cancel=_refused,
            label=_label(row.method, params),
            forced=Flag.FORCED in row.flags,
            clock=lambda: now,
        )
        self.entry = number
        self.started = row.monotonic
        self.rounds = end.rounds
        self.task_id = end.task or None
        if not end.open:
            last = journal.columns.monotonic[end.answer] if end.answer else now
            self.ended = max(self.started, last)

    @property
    def outcome(self) -> Outcome | None:
        """What came of it, None while it was open."""
        if not self._read:
            self._read = True
            if not self._end.open:
                self._outcome = outcome_of(self._journal, self.entry, self._end)
        return self._outcome

    @outcome.setter
    def outcome(self, outcome: Outcome | None) -> None:
        self._outcome = outcome

    @property
    def done(self) -> bool:
        """Whether the outcome was known."""
        return not self._end.open

    def finish(self, outcome: Outcome) -> bool:
        """The past is over."""
        return False


def _label(method: str, params: bytes | None) -> str:
    """What the request names, as the live call has it."""
    key = LABEL_KEYS.get(method)
    named = raw_members(params).get(key) if key is not None and params is not None else None
    return "" if named is None else text(parsed(named))


async def _refused(call: Call, reason: str) -> None:
    raise UsageError(f"{call.method} is shown as it stood; it cannot be cancelled there")


@dataclass(frozen=True, slots=True)
class Round:
    """A call that was asked back: its first request, the answer that asks, how often it was asked
    by then, and the request that went on with it (0: none)."""

    first: int
    answer: int
    count: int
    later: int


class PastCalls:
    """Makes the calls as of an entry, and keeps those whose end does not change any more.

    `rounds` are the questions in results that the calls of the last look were asked.
    """

    def __init__(self, journal: Journal) -> None:
        self.rounds: list[Round] = []
        self._journal = journal
        self._columns = journal.columns
        self._kept: dict[tuple[int, End], PastCall] = {}
        self._said: dict[int, str] = {}

    def as_of(self, number: int, here: ConnectionAt, now: float) -> tuple[Call, ...]:
        """The latest calls up to entry `number`, oldest first; those of connections before `here`
        too. `now` is monotonic."""
        opened = {one.number: one for one in here.open}
        asked = {one.request: one.entry for one in here.asks if one.request}
        self.rounds = []
        calls: list[Call] = []
        kept: dict[tuple[int, End], PastCall] = {}
        for request in self._requests(number, here.number):
            end = self._end(request, number, opened, asked)
            call = None if end.open else self._kept.get((request, end))
            if call is None:
                call = PastCall(self._journal, request, end, now)
            if end.open:
                shown = opened.get(end.request)
                progress = shown.progress if shown is not None else None
                call.progress = read_progress(self._journal, progress)
            else:
                kept[request, end] = call
            calls.append(call)
        running = {call.number: call for call in calls if not call.done}
        for task in here.tasks:
            if (whole := running.get(task.request)) is not None and whole.progress is None:
                whole.progress = read_progress(self._journal, task.progress)
        for ask in here.asks:
            if (whole := running.get(ask.request)) is not None:
                whole.deadline.pause(now)
        self._kept = kept
        calls.reverse()
        return tuple(calls)

    def one(self, request: int) -> Call:
        """The call of a request that is open."""
        now = self._journal.columns.monotonic[request]
        return PastCall(self._journal, request, End(0, request, open=True), now)

    def _requests(self, number: int, connection: int) -> Iterator[int]:
        """Our latest requests up to `number`, newest first, of this connection and those before."""
        columns = self._columns
        wanted, others = LATEST, OTHERS
        names = {columns.known[name] for name in ASKED_FOR if name in columns.known}
        for request in requests_before(columns, number, LOOKED_AT):
            if columns.directions[request] != Direction.SENT:
                continue
            if columns.connections[request] > connection:
                continue
            if columns.method_ids[request] in names:
                wanted -= 1
                if wanted >= 0:
                    yield request
            elif columns.connections[request] == connection:
                others -= 1
                if others >= 0:
                    yield request
            if wanted < 0 and others < 0:
                return

    def _end(
        self,
        first: int,
        number: int,
        opened: Mapping[int, OpenRequest],
        asked: Mapping[int, int],
    ) -> End:
        columns, request = self._columns, first
        if self._goes_on(first):  # its own answer is its outcome; the call is the first one
            answer = self._answer(first, number)
            if answer:
                return End(answer, first)
        for rounds in range(LEGS):
            answer = self._answer(request, number)
            if not answer:
                still = request in opened and not opened[request].given_up
                gone = 0 if still else self._given_up(request, number)
                return End(gone, request, rounds, open=still)
            said = self._kind(answer)
            if said == "task" and (task := task_in(self._journal, answer)) is not None:
                return self._task_end(request, task, number, rounds, opened)
            if said != "input_required":
                return End(answer, request, rounds)
            method = columns.methods[columns.method_ids[request]]
            later = later_requests(columns, request, number, method)
            one = Round(first, answer, rounds + 1, later[0] if later else 0)
            if one not in self.rounds:
                self.rounds.append(one)
            if not later:
                waits = request in asked
                return End(answer, request, rounds, open=waits, given_up=not waits)
            request = later[0]
        return End(self._answer(request, number), request, LEGS)

    def _goes_on(self, request: int) -> bool:
        """Whether a request is a further one of an earlier call."""
        columns = self._columns
        return any(
            cause < request and columns.method_ids[cause] == columns.method_ids[request]
            for cause in columns.links.causes(request)
        )

    def _kind(self, answer: int) -> str:
        """What `asks_or_goes_on` says of an answer, which never changes."""
        said = self._said.get(answer)
        if said is None:
            if len(self._said) > KINDS_KEPT:
                self._said.clear()
            said = self._said[answer] = asks_or_goes_on(self._journal.body(answer))
        return said

    def _answer(self, request: int, number: int) -> int:
        answer = self._columns.partners[request]
        late = self._columns.flags[answer] & Flag.LATE
        return answer if request < answer <= number and not late else 0

    def _task_end(
        self,
        request: int,
        task: str,
        number: int,
        rounds: int,
        opened: Mapping[int, OpenRequest],
    ) -> End:
        """A call that goes on as a task ends with the task's result, or its last description."""
        asked = later_requests(self._columns, request, number, "tasks/result")
        for one in reversed(asked):
            if said := self._answer(one, number):
                return End(said, one, rounds, task)
        asked += later_requests(self._columns, request, number, "tasks/get")
        if not any(one in opened for one in asked):  # else somebody waits for what it says
            last = last_words(self._journal, request, task, number)
            if last is not None:
                return End(last.entry, request, rounds, task)
        return End(0, request, rounds, task, open=not self._over(request, number))

    def _over(self, request: int, number: int) -> bool:
        """Whether the connection of a request had ended, so that nobody follows its task."""
        columns = self._columns
        return columns.connections[number] > columns.connections[request]

    def _given_up(self, request: int, number: int) -> int:
        """The entry that withdrew a request, 0 where none did."""
        cancelled = self._columns.known.get("notifications/cancelled", -1)
        found = positions(self._columns.partners, request, request + 1, number + 1)
        return next((one for one in found if self._columns.method_ids[one] == cancelled), 0)


def requests_before(columns: Columns, number: int, limit: int) -> Iterator[int]:
    """The requests up to entry `number`, newest first, `limit` at most."""
    kinds = columns.kinds[: number + 1].tobytes()
    place = number + 1
    for _ in range(limit):
        place = kinds.rfind(bytes((Kind.REQUEST,)), 1, place)
        if place < 1:
            return
        yield place


def outcome_of(journal: Journal, first: int, end: End) -> Outcome:
    """What came of the call that began with request `first`."""
    columns, method = journal.columns, journal.row(first).method
    if not end.answer or (columns.kinds[end.answer] == Kind.NOTIFICATION and not end.task):
        flags = Flag(columns.flags[end.request])
        return Lost(_why_lost(method, flags), end.answer)
    body = journal.body(end.answer)
    if end.task and (found := description_in(journal, end.answer, end.task)) is not None:
        return outcome_of_task(found, method)
    kind = columns.kinds[end.answer]
    if kind == Kind.ERROR:
        raw = raw_members(body).get("error", b"")
        error = obj(parsed(raw))
        said = code_of(error)
        return Failure(
            said if said is not None else 0,
            text(error.get("message")),
            error.get("data"),
            raw,
            end.answer,
        )
    if kind == Kind.RESULT:
        raw = raw_members(body).get("result", b"")
        if end.given_up:
            told = RequestCancelled(f"{method} was asked back, and not gone on with")
            return Lost(told, end.answer)
        return Success(parsed(raw), raw, end.answer)
    return Lost(PeerViolation("the answer cannot be read"), end.answer)


def _why_lost(method: str, flags: Flag) -> InspectorError:
    if Flag.TIMED_OUT in flags:
        return RequestTimeout(f"{method} got no answer in time")
    if Flag.CANCELLED in flags:
        return RequestCancelled(f"{method} was cancelled")
    return ConnectionFailed(f"{method} got no answer before the connection ended")


def read_progress(journal: Journal, progress: ProgressAt | None) -> Progress | None:
    """The latest report, in full."""
    if progress is None:
        return None
    value, total, message = progress_said(journal, progress)
    return Progress(value or 0.0, total, message, progress.entry, progress.count)
