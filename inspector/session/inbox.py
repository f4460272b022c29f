"""The inbox: questions of the server that wait for a person, and what becomes of them.

Decides when an ask opens, which call caused it, which clocks stand still meanwhile, and that it is
answered at most once. What a policy answers is `inspector.session.policies`; whether a request may
become an ask at all is `inspector.session.dispatch`.
"""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final

import msgspec

from inspector.errors import UsageError
from inspector.forms.hidden import hidden_texts
from inspector.protocol.codes import INTERNAL_ERROR
from inspector.protocol.json_text import NotJsonError, parse_json
from inspector.protocol.messages import (
    Json,
    JsonObject,
    RawJson,
    RequestId,
    Sendable,
    encode_json,
)
from inspector.protocol.methods import BYSTANDERS
from inspector.session.asks import (
    ASK_KINDS,
    INTERACTIVE,
    RELATED_TASK,
    AskKind,
    AskState,
    CauseFrom,
)
from inspector.session.asks import Ask as Ask
from inspector.session.asks import Policy as Policy
from inspector.session.engine import Engine
from inspector.session.pending import Call
from inspector.session.policies import (
    Answer,
    accepted_content,
    cancelled,
    decide,
    declined,
    roots_result,
)
from inspector.session.roots import Root

BOUND: Final = 500
"""How many asks are remembered; open ones are never forgotten."""
OPEN_LIMIT: Final = 200
"""How many may be open; a flood beyond it is refused."""


@dataclass(frozen=True, slots=True)
class Said:
    """The answer to an input request: the exact text of a result, or None and why there is none."""

    result: bytes | None
    why: str = ""


@dataclass(frozen=True, slots=True)
class Cause:
    """The calls that an ask may come from (their clocks stop), and how that is known."""

    calls: tuple[Call, ...]
    known_from: CauseFrom

    @property
    def call(self) -> Call | None:
        """The one call that caused the ask, None where that is not known."""
        return self.calls[0] if self.known_from != "unknown" and self.calls else None


class Inbox:
    """The asks of one session. Coroutines raise UsageError for an ask that is not open, and
    ConnectionFailed where the answer cannot be sent."""

    def __init__(
        self,
        engine: Engine,
        numbers: Iterator[int],
        roots: Callable[[], tuple[Root, ...]],
        policies: Mapping[AskKind, Policy],
    ) -> None:
        self.asks: tuple[Ask, ...] = ()
        self.policies: Mapping[AskKind, Policy] = {
            kind: policies.get(kind, INTERACTIVE[kind]) for kind in ASK_KINDS
        }
        self._engine = engine
        self._now = engine.journal.clock.monotonic
        self._numbers = numbers
        self._roots = roots
        self._stopped: dict[int, tuple[Call, ...]] = {}
        self._waiting: dict[int, asyncio.Future[Said]] = {}

    # -- looking --

    @property
    def open(self) -> tuple[Ask, ...]:
        """The asks that wait for a decision, oldest first."""
        return tuple(ask for ask in self.asks if ask.is_open)

    @property
    def open_count(self) -> int:
        """How many asks wait for a decision."""
        return len(self.open)

    def find(self, number: int) -> Ask | None:
        """The remembered ask with this number."""
        return next((ask for ask in reversed(self.asks) if ask.number == number), None)

    async def wait_open(self) -> Ask:
        """The oldest open ask, once there is one."""
        await self._engine.changes.until(lambda: bool(self.open))
        return self.open[0]

    def set_policy(self, kind: AskKind, policy: Policy) -> None:
        """Chooses what happens to asks of `kind` from now on; open ones stay open."""
        self.policies = {**self.policies, kind: policy}
        self._engine.changes.bump("asks")

    # -- deciding --

    async def accept(self, number: int, result: Sendable = None) -> None:
        """Says yes.

        `result` is the whole result for sampling, the content for a form, nothing for a URL; for
        roots the whole result, or None for the configured ones; for a round the parameters, or
        None for those that it shows.
        """
        ask = self._open_ask(number)
        if ask.kind == "sampling" and result is None:
            raise UsageError("an answer to sampling needs a message")
        body = result
        if ask.kind == "roots" and result is None:
            body = roots_result(self._roots())
        elif ask.kind == "round" and result is None:
            body = RawJson(ask.raw)
        elif ask.kind in ("elicitation", "elicitation-url"):
            body = _elicited(ask.kind, result)
        await self._send_result(ask, body, "answered")

    async def decline(self, number: int, message: str = "") -> None:
        """Says no; `message` is the error's text where the answer is an error."""
        ask = self._open_ask(number)
        await self._send(ask, declined(ask.kind, message))

    async def cancel(self, number: int) -> None:
        """Dismisses the ask without deciding."""
        ask = self._open_ask(number)
        await self._send(ask, cancelled(ask.kind))

    async def answer_raw(self, number: int, result: Sendable) -> None:
        """Sends `result` as the whole result, as it stands; a debugger may send a wrong one."""
        await self._send_exactly(self._open_ask(number), result, "answered")

    async def refuse(self, number: int, code: int, message: str) -> None:
        """Answers with an error of the user's choice."""
        ask = self._open_ask(number)
        await self._send(ask, Answer("declined", None, code, message))

    # -- what the server does --

    def take(
        self,
        kind: AskKind,
        method: str,
        params: JsonObject,
        request_id: RequestId | None,
        entry: int,
        cause: Cause,
        *,
        key: str = "",
        round: int = 0,
        raw: bytes = b"",
        answer: asyncio.Future[Said] | None = None,
    ) -> Ask:
        """A new ask: answered by policy, or opened. `answer` gets what is said to an input
        request, which is named `key` in its result, or to a round."""
        call = cause.call
        ask = Ask(
            number=next(self._numbers),
            kind=kind,
            method=method,
            params=params,
            request_id=request_id,
            entry=entry,
            cause=call.number if call else None,
            opened=self._now(),
            cause_from=cause.known_from,
            key=key,
            round=round,
            raw=raw,
        )
        if answer is not None:
            self._waiting[ask.number] = answer
        policy = self.policies[kind]
        if request_id is not None and self.open_count >= OPEN_LIMIT:
            refusal = Answer("automatic", None, INTERNAL_ERROR, "too many open requests")
            self._automatic(ask, refusal, f"refused: {OPEN_LIMIT} asks are open already")
        elif policy.mode == "ask":
            self._keep(ask)
            if ask.owed:
                self._stopped[ask.number] = cause.calls
                for waiting in cause.calls:
                    self._engine.pause(waiting)
        else:
            decided = decide(kind, policy, params, self._roots())
            said = f"by policy: {policy.mode}"
            if decided.result is not None and decided.message:
                said += f", but {decided.message}: declined"
            self._automatic(ask, decided, said)
        return self.find(ask.number) or ask

    def withdraw(self, request_id: RequestId, reason: str) -> bool:
        """The server cancelled its request: no answer is sent. False where none is open."""
        ask = next((ask for ask in self.open if ask.request_id == request_id), None)
        if ask is None:
            return False
        self._end(ask, "withdrawn", None, reason or "the server cancelled its request")
        return True

    def drop(self, number: int, reason: str) -> None:
        """Nobody waits for the answer to this input request any more."""
        self._waiting.pop(number, None)
        ask = self.find(number)
        if ask is not None and ask.is_open:
            self._end(ask, "withdrawn", None, reason)

    def withdraw_all(self, reason: str) -> None:
        """Nobody can be answered any more."""
        for ask in self.open:
            self._end(ask, "withdrawn", None, reason)

    def completed(self, elicitation_id: str) -> bool:
        """The server reports the end of a URL elicitation; False for an id we do not know."""
        known = [ask for ask in self.asks if ask.elicitation_id == elicitation_id]
        for ask in known:
            self._put(replace(ask, completed=True))
        return bool(known)

    # -- the steps --

    def _open_ask(self, number: int) -> Ask:
        ask = self.find(number)
        if ask is None or not ask.is_open:
            how = "is not known" if ask is None else f"was {ask.state} already"
            raise UsageError(f"ask {number} {how}")
        return ask

    def _automatic(self, ask: Ask, answer: Answer, note: str) -> None:
        self._learn(ask, answer.shown)
        shown = _kept(ask, answer)
        self._keep(replace(ask, state="automatic", answer=shown, closed=self._now(), note=note))
        if ask.request_id is None:
            said = encode_json(answer.result) if answer.result is not None else None
            self._tell(ask, said, note)
            return
        if answer.result is not None:
            result = in_task(ask, answer.result)
            self._engine.post(self._engine.respond(ask.request_id, result))
        elif answer.code is not None:
            self._engine.post(self._engine.refuse(ask.request_id, answer.code, answer.message))

    async def _send(self, ask: Ask, answer: Answer) -> None:
        if answer.result is not None:
            await self._send_result(ask, answer.result, answer.state)
            return
        self._end(ask, answer.state, _kept(ask, answer), answer.message)
        self._tell(ask, None, answer.message)
        if ask.request_id is not None and answer.code is not None:
            await self._engine.refuse(ask.request_id, answer.code, answer.message)

    async def _send_result(self, ask: Ask, result: Sendable, state: AskState) -> None:
        owed = ask.request_id is not None
        await self._send_exactly(ask, in_task(ask, result) if owed else result, state)

    async def _send_exactly(self, ask: Ask, result: Sendable, state: AskState) -> None:
        """An answer that no JSON can say is the user's mistake, and the ask stays open."""
        try:
            text = encode_json(result)
        except (ValueError, TypeError, OverflowError, msgspec.MsgspecError) as error:
            raise UsageError(f"cannot write this answer as JSON: {error}") from error
        if ask.kind == "round" and not text.startswith(b"{"):
            raise UsageError("the parameters of a request are a JSON object")
        shown = _shown(text)
        self._learn(ask, shown)
        self._end(ask, state, shown, "")
        self._tell(ask, text, "")
        if ask.request_id is not None:
            await self._engine.respond(ask.request_id, RawJson(text))

    def _learn(self, ask: Ask, shown: Json) -> None:
        """What was typed into a password's field is a secret from now on."""
        content = shown.get("content") if isinstance(shown, dict) else None
        for text in hidden_texts(ask.params.get("requestedSchema"), content):
            self._engine.journal.redactor.learn(text)

    def _tell(self, ask: Ask, result: bytes | None, why: str) -> None:
        """Hands what was said to the call that an input request belongs to."""
        waiting = self._waiting.pop(ask.number, None)
        if waiting is not None and not waiting.done():
            waiting.set_result(Said(result, why))

    def _end(self, ask: Ask, state: AskState, answer: Json, note: str) -> None:
        """Closed before anything is sent, so that nobody can answer it twice."""
        self._put(replace(ask, state=state, answer=answer, closed=self._now(), note=note))
        for call in self._stopped.pop(ask.number, ()):
            self._engine.resume(call)

    def _keep(self, ask: Ask) -> None:
        kept = self.asks
        if len(kept) >= BOUND:
            oldest = next((old for old in kept if not old.is_open), None)
            kept = tuple(old for old in kept if old is not oldest)
        self.asks = (*kept, ask)
        self._engine.changes.bump("asks")

    def _put(self, ask: Ask) -> None:
        self.asks = tuple(ask if old.number == ask.number else old for old in self.asks)
        self._engine.changes.bump("asks")


def find_cause(engine: Engine, task_call: Call | None, about: RequestId | None) -> Cause:
    """The call that a request of the server belongs to.

    Best is the task that it names, then the HTTP stream that it came on. On a plain connection the
    protocol does not tell: a single running call is taken, several leave it unknown.
    """
    if task_call is not None:
        return Cause((task_call,), "task")
    if about is not None and (call := engine.calls.by_id(about)) is not None:
        return Cause((_top(engine, call), call) if call.parent else (call,), "stream")
    running = tuple(c for c in engine.calls.all_pending() if c.method not in BYSTANDERS)
    if len(running) == 1:
        top = _top(engine, running[0])
        return Cause((top, running[0]) if top is not running[0] else running, "only-call")
    return Cause(running, "unknown")


def _top(engine: Engine, call: Call) -> Call:
    """The call of the user's that `call` was made for."""
    return engine.calls.by_number(call.parent) or call if call.parent else call


def _elicited(kind: AskKind, content: Sendable) -> Sendable:
    if kind == "elicitation-url" or content is None:
        return accepted_content(kind, None)
    return {"action": "accept", "content": content}


def in_task(ask: Ask, result: Sendable) -> Sendable:
    """2025-11-25 basic/utilities/tasks: what belongs to a task names it in its `_meta`. An answer
    that has a `_meta` of the user's own, or is no object, stays as it is."""
    meta = ask.params.get("_meta")
    named = meta.get(RELATED_TASK) if isinstance(meta, dict) else None
    if not isinstance(named, dict) or not isinstance(result, Mapping) or "_meta" in result:
        return result
    return {**result, "_meta": {RELATED_TASK: named}}


def _kept(ask: Ask, answer: Answer) -> Json:
    """What the ask keeps of an answer: a no to what stands in a result is sent to nobody
    (2026-07-28 basic/patterns/mrtr)."""
    return None if answer.result is None and ask.request_id is None else answer.shown


def _shown(text: bytes) -> Json:
    """What was sent, as plain JSON for the screen."""
    try:
        return parse_json(text)
    except NotJsonError:
        return text.decode("utf-8", "replace")
