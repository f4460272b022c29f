"""Calls that take several requests (2026-07-28): the server asks something back first
(basic/patterns/mrtr), or refuses a request that another try may cure.

Has the questions in a result answered, and sends the same request again with the answers and the
server's `requestState`, byte for byte, under a new id. Makes the headers anew and tries once more
where they did not match. The call that the user made goes on through all of it and ends with the
last result, or goes on as a task. How an ask is answered is the inbox's business.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from inspector.errors import InspectorError, PeerViolation, RequestCancelled
from inspector.journal.entries import NO_FLAGS, Flag
from inspector.protocol.codes import HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION
from inspector.protocol.messages import RawJson, Sendable, raw_members
from inspector.session.engine import Engine
from inspector.session.extension_tasks import ExtensionTasks
from inspector.session.inbox import Inbox
from inspector.session.negotiate import as_mapping
from inspector.session.pending import Call, Failure, Lost, Outcome, Success
from inspector.session.questions import InputRequest, answered, read_requests, stepped

ROUNDS: Final = 100
"""A call that asks more often than this is ended: nobody answers that many by hand."""
SILENT_ROUNDS: Final = 10
"""So many results in a row may ask for nothing but another try."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 0.25


@dataclass(slots=True)
class _Journey:
    """A call on its way through several requests, and the one that is out."""

    call: Call
    timeout: float | None
    leg: Call
    work: asyncio.Task[None] | None = None
    mended: bool = False


class Rounds:
    """The calls of one session that take several requests.

    `refresh_tools` reads the tool list again, from which a call's headers are made.
    """

    def __init__(
        self,
        engine: Engine,
        inbox: Inbox,
        tasks: ExtensionTasks,
        refresh_tools: Callable[[], Awaitable[object]],
    ) -> None:
        self._engine = engine
        self._inbox = inbox
        self._tasks = tasks
        self._refresh_tools = refresh_tools
        self._open: dict[int, _Journey] = {}

    def take(self, call: Call, success: Success, timeout: float | None = None) -> bool:
        """Takes over a result that is not the last word: a question, or a task. `timeout` is for
        each further request, as in `Session.request`."""
        if call.done or not asks_back(success):  # nobody answers for a call that was given up
            return self._tasks.take(call, success)
        self._begin(call, success, timeout)
        return True

    def mend(self, call: Call, failure: Failure, timeout: float | None = None) -> bool:
        """Takes over an error that another try may cure."""
        if not _curable(call, failure):
            return False
        self._begin(call, failure, timeout)
        return True

    def _begin(self, call: Call, outcome: Success | Failure, timeout: float | None) -> None:
        here = _Journey(call, timeout, call)
        self._open[call.number] = here
        call.cancel_by(self._cancel)
        here.work = self._engine.nest.spawn(self._travel(here, outcome))

    async def _travel(self, here: _Journey, outcome: Outcome) -> None:
        """From answer to answer, to the last one."""
        silent = asked = 0
        try:
            while True:
                if isinstance(outcome, Success) and asks_back(outcome):
                    asked += 1
                    if asked > ROUNDS:
                        raise PeerViolation(f"{here.call.method} asked back {ROUNDS} times")
                    wanted = self._read(here.call.method, outcome)
                    silent = 0 if wanted else silent + 1
                    if silent > SILENT_ROUNDS:
                        raise PeerViolation(
                            f"{here.call.method} was put off {SILENT_ROUNDS} times in a row",
                            hint="each answer asked for nothing but another try",
                        )
                    if silent:
                        await asyncio.sleep(min(FIRST_PAUSE * 2 ** (silent - 1), LONGEST_PAUSE))
                    answers = await answered(
                        self._inbox, here.call, wanted, outcome.entry, round=here.call.rounds + 1
                    )
                    here.leg = await self._go_on(here, outcome, answers)
                elif isinstance(outcome, Failure) and await self._mended(here, outcome):
                    here.leg = await self._send(here, here.leg.params)
                else:
                    break
                outcome = await here.leg.wait()
        except InspectorError as error:
            outcome = Lost(error, outcome.entry)
        self._open.pop(here.call.number, None)
        if not (isinstance(outcome, Success) and self._tasks.take(here.call, outcome)):
            self._engine.finish(here.call, outcome)

    async def _mended(self, here: _Journey, failure: Failure) -> bool:
        """Whether the cause of an error is out of the way, so that the request may go out once
        more; that is tried once for a call, however many requests it takes."""
        if here.mended or not _curable(here.call, failure):
            return False
        here.mended = True
        if failure.code == UNSUPPORTED_PROTOCOL_VERSION:
            return self._engine.strategy.speaks_again(failure)
        await self._refresh_tools()
        return True

    def _read(self, method: str, question: Success) -> dict[str, InputRequest]:
        """The input requests by key. Raises PeerViolation for what cannot be asked."""
        body = question.result if isinstance(question.result, dict) else {}
        requests = body.get("inputRequests")
        if requests is None or requests == {}:
            if "requestState" not in body:
                raise PeerViolation(
                    f"{method} was answered with input_required, but with neither inputRequests"
                    " nor requestState: there is nothing to answer"
                )
            return {}
        return read_requests(requests, f"the result of {method}", self._engine.state)

    async def _go_on(
        self, here: _Journey, question: Success, answers: Mapping[str, Sendable]
    ) -> Call:
        """The same method and parameters, with the answers (basic/patterns/mrtr). What a person
        changes of it before it goes out is not carried into the requests after it."""
        before = as_mapping(here.call.params)
        params = dict(before) if isinstance(before, Mapping) else {}
        for key in ("inputResponses", "requestState"):
            params.pop(key, None)
        if answers:
            params["inputResponses"] = answers
        if (state := raw_members(question.raw).get("requestState")) is not None:
            params["requestState"] = RawJson(state)
        agreed = await stepped(
            self._inbox,
            here.call,
            here.call.method,
            params,
            question.entry,
            round=here.call.rounds + 1,
        )
        here.call.rounds += 1
        return await self._send(here, agreed)

    async def _send(self, here: _Journey, params: Sendable) -> Call:
        """A further request of the call, under a new id."""
        call = here.call
        call.deadline.progress(time.monotonic())
        return await self._engine.request(
            call.method,
            params,
            timeout=here.timeout,
            progress=call.progress_token is not None,
            flags=Flag.FORCED if call.forced else NO_FLAGS,
            parent=call.number,
            retry_of=here.leg.number,
        )

    async def _cancel(self, call: Call, reason: str) -> None:
        """Gives up the question, or the request that is out."""
        here = self._open.pop(call.number, None)
        error = RequestCancelled(f"{call.method} was cancelled", hint=reason)
        self._engine.finish(call, Lost(error))
        if here is None:
            return
        if here.work is not None:
            here.work.cancel()
        if here.leg is not call:
            await here.leg.cancel(reason)


def asks_back(success: Success) -> bool:
    """Whether a result is an `input_required` one."""
    return isinstance(success.result, dict) and (
        success.result.get("resultType") == "input_required"
    )


def _curable(call: Call, failure: Failure) -> bool:
    """Whether the specification sends the request once more after this error: with headers made
    anew (basic/transports/streamable-http), or in another version (basic/versioning)."""
    if failure.code == HEADER_MISMATCH:
        return call.method == "tools/call"
    return failure.code == UNSUPPORTED_PROTOCOL_VERSION
