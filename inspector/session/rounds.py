"""Multi round-trip requests (2026-07-28 basic/patterns/mrtr): a result that asks something back.

Turns the input requests of a result into asks, and sends the same request again with the answers
and the server's `requestState`, byte for byte, under a new id. The call that the user made goes on
through all of it and ends with the last result. How an ask is answered is the inbox's business.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from inspector.errors import InspectorError, PeerViolation, RequestCancelled
from inspector.protocol.messages import JsonObject, RawJson, Sendable, raw_members
from inspector.session.asks import AskKind
from inspector.session.declared import Unasked, ask_kind
from inspector.session.engine import Engine
from inspector.session.inbox import Cause, Inbox, Said
from inspector.session.negotiate import as_mapping
from inspector.session.pending import Call, Lost, Outcome, Success

ROUNDS: Final = 100
"""A call that asks more often than this is ended: nobody answers that many by hand."""
SILENT_ROUNDS: Final = 10
"""So many results in a row may ask for nothing but another try."""
FIRST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 0.25


@dataclass(frozen=True, slots=True)
class InputRequest:
    """One thing that a result asks for."""

    kind: AskKind
    method: str
    params: JsonObject


@dataclass(slots=True)
class _Journey:
    """A call on its way through several requests: the one that is out, and the open asks."""

    call: Call
    timeout: float | None
    leg: Call
    work: asyncio.Task[None] | None = None
    asks: list[int] = field(default_factory=list)


class Rounds:
    """The calls of one session that the server answered with a question."""

    def __init__(self, engine: Engine, inbox: Inbox) -> None:
        self._engine = engine
        self._inbox = inbox
        self._open: dict[int, _Journey] = {}

    def take(self, call: Call, success: Success, timeout: float | None = None) -> bool:
        """Takes over an `input_required` result; False for any other. `timeout` is for each
        further request, as in `Session.request`."""
        if not asks_back(success):
            return False
        here = _Journey(call, timeout, call)
        self._open[call.number] = here
        call.cancel_by(self._cancel)
        here.work = self._engine.nest.spawn(self._travel(here, success))
        return True

    async def _travel(self, here: _Journey, question: Success) -> None:
        """From question to question, to the result."""
        silent = 0
        try:
            for _ in range(ROUNDS):
                wanted = self._read(here.call.method, question)
                silent = 0 if wanted else silent + 1
                if silent > SILENT_ROUNDS:
                    raise PeerViolation(
                        f"{here.call.method} was put off {SILENT_ROUNDS} times in a row",
                        hint="each answer asked for nothing but another try",
                    )
                if silent:
                    await asyncio.sleep(min(FIRST_PAUSE * 2 ** (silent - 1), LONGEST_PAUSE))
                answers = await self._answers(here, wanted, question.entry)
                here.leg = await self._send_again(here, question, answers)
                outcome = await here.leg.wait()
                if not (isinstance(outcome, Success) and asks_back(outcome)):
                    self._finish(here, outcome)
                    return
                question = outcome
            raise PeerViolation(f"{here.call.method} asked back {ROUNDS} times")
        except InspectorError as error:
            self._finish(here, Lost(error, question.entry))

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
        if not isinstance(requests, dict):
            raise PeerViolation(f"the inputRequests in the result of {method} are no object")
        wanted: dict[str, InputRequest] = {}
        for key, request in requests.items():
            name = request.get("method") if isinstance(request, dict) else None
            params = request.get("params", {}) if isinstance(request, dict) else None
            if not isinstance(name, str) or not isinstance(params, dict):
                raise PeerViolation(f"the input request {key!r} of {method} is no request")
            state = self._engine.state
            kind = ask_kind(name, params, state.client_capabilities, state.revision)
            if isinstance(kind, Unasked):
                raise PeerViolation(
                    f"the server may not ask {name} (input request {key!r} of {method}): {kind.why}"
                )
            wanted[key] = InputRequest(kind, name, params)
        return wanted

    async def _answers(
        self, here: _Journey, wanted: Mapping[str, InputRequest], entry: int
    ) -> dict[str, Sendable]:
        """What was answered, by key. Raises RequestCancelled where somebody said no: then there
        is nothing to send (basic/patterns/mrtr)."""
        loop = asyncio.get_running_loop()
        said: dict[str, asyncio.Future[Said]] = {}
        here.asks = []
        cause = Cause((here.call,), "result")
        try:
            for key, asked in wanted.items():
                said[key] = loop.create_future()
                ask = self._inbox.take(
                    asked.kind,
                    asked.method,
                    asked.params,
                    None,
                    entry,
                    cause,
                    key=key,
                    answer=said[key],
                )
                here.asks.append(ask.number)
            answers: dict[str, Sendable] = {}
            waiting = set(said.values())
            while waiting:
                done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                if no := next((one.result() for one in done if one.result().result is None), None):
                    raise RequestCancelled(
                        f"{here.call.method} was not gone on with: {no.why}",
                        hint="without an answer to what it asked, the server is not asked again",
                    )
            for key, answer in said.items():
                answers[key] = RawJson(answer.result().result or b"null")
            return answers
        finally:
            for number in here.asks:
                self._inbox.drop(number, "the call that asked it goes on without an answer")

    async def _send_again(
        self, here: _Journey, question: Success, answers: Mapping[str, Sendable]
    ) -> Call:
        """The same method and parameters under a new id (basic/patterns/mrtr)."""
        call, before = here.call, as_mapping(here.call.params)
        params = dict(before) if isinstance(before, Mapping) else {}
        for key in ("inputResponses", "requestState"):
            params.pop(key, None)
        if answers:
            params["inputResponses"] = answers
        if (state := raw_members(question.raw).get("requestState")) is not None:
            params["requestState"] = RawJson(state)
        call.rounds += 1
        return await self._engine.request(
            call.method,
            params,
            timeout=here.timeout,
            progress=call.progress_token is not None,
            parent=call.number,
            retry_of=here.leg.number,
        )

    def _finish(self, here: _Journey, outcome: Outcome) -> None:
        self._open.pop(here.call.number, None)
        self._engine.finish(here.call, outcome)

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
