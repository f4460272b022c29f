"""A server played from a recording: it answers our requests as the recorded one did.

Decides when the next recorded entry is said: at once, except that what followed an answer of ours
waits for that answer. Nothing depends on time, so the same requests give the same traffic. Nothing
recorded is ever executed. What belongs to which request is `replay_script`.
"""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inspector.errors import ConnectionFailed
from inspector.journal.entries import Direction, Kind
from inspector.journal.facts import http_facts, stderr_line
from inspector.protocol.messages import (
    Json,
    MessageKind,
    RequestId,
    encode_error,
    encode_result,
)
from inspector.transport.base import Closed, Outgoing, Sink, Transport, TransportFacts
from inspector.transport.replay_script import (
    Script,
    Step,
    read_scripts,
    token_of,
    with_id,
    with_progress_token,
    with_subscription_id,
)

if TYPE_CHECKING:
    from inspector.journal.journal import Journal

NOT_RECORDED = -32603


@dataclass(slots=True)
class _Run:
    """A script being played for a message of ours."""

    script: Script
    id: RequestId | None
    token: Json
    sent: int
    next_step: int = 0


class ReplayTransport(Transport):
    """Answers from `recording` (a loaded journal), journalling into `journal`.

    Requests match by method and params; of several recorded exchanges that match, each is played
    once, in order, and the last one again and again. A request that the recording does not hold is
    answered with an error that says so; an unrecorded ping with an empty result.
    """

    kind = "replay"

    def __init__(
        self,
        recording: "Journal",
        journal: "Journal",
        connection: int,
        *,
        label: str = "recording",
    ) -> None:
        self._journal = journal
        self._connection = connection
        self._label = label
        self._scripts = read_scripts(recording)
        self._state = "closed"
        self._sink: Sink | None = None
        self._answered: set[RequestId] = set()
        self._paused: dict[RequestId, _Run] = {}
        self._http: dict[int, int] = {}

    @property
    def facts(self) -> TransportFacts:
        return TransportFacts(self.kind, self._label, state=self._state)

    async def open(self, sink: Sink) -> None:
        self._sink = sink
        self._state = "open"
        self._play(_Run(self._scripts.preamble, None, None, 0))

    async def send(self, outgoing: Outgoing) -> int:
        if self._sink is None or self._state != "open":
            raise ConnectionFailed("the replay is closed", kind="closed", fault="us")
        number = self._journal.frame(
            Direction.SENT, outgoing.raw, connection=self._connection, flags=outgoing.flags
        )
        if outgoing.kind in (MessageKind.REQUEST, MessageKind.NOTIFICATION):
            script = self._scripts.next_for(outgoing.raw)
            if script is None and outgoing.id is not None:
                script = Script(outgoing.id, steps=[_not_recorded(outgoing)])
            if script is not None:
                self._play(_Run(script, outgoing.id, token_of(outgoing.raw), number))
        elif outgoing.id is not None:
            self._answered.add(outgoing.id)
            if (run := self._paused.pop(outgoing.id, None)) is not None:
                self._play(run)
        return number

    async def close(self) -> None:
        if self._state == "open" and self._sink is not None:
            self._state = "closed"
            self._sink.closed(Closed("closed by us", expected=True))

    def _play(self, run: _Run) -> None:
        asyncio.get_running_loop().call_soon(self._advance, run)

    def _advance(self, run: _Run) -> None:
        """Says one recorded entry and comes back for the next."""
        if self._state != "open" or run.next_step >= len(run.script.steps):
            return
        step = run.script.steps[run.next_step]
        if step.waits is not None and step.waits not in self._answered:
            self._paused[step.waits] = run
            return
        run.next_step += 1
        if step.waits is None:
            self._say(run, step)
        else:
            self._answered.discard(step.waits)
        self._play(run)

    def _say(self, run: _Run, step: Step) -> None:
        if step.kind is Kind.HTTP:
            facts = http_facts(step.body)
            self._http[step.entry] = self._journal.http(
                facts, connection=self._connection, frame=run.sent or None
            )
            return
        if step.kind is Kind.STDERR:
            self._journal.stderr(stderr_line(step.body), connection=self._connection)
            return
        raw = step.body
        if step.outcome and run.id is not None:
            raw = with_id(raw, run.id)
        elif step.kind is Kind.NOTIFICATION:
            raw = with_progress_token(raw, run.script.token, run.token)
            if run.id is not None:
                raw = with_subscription_id(raw, run.script.id, run.id)
        number = self._journal.frame(
            Direction.RECEIVED,
            raw,
            connection=self._connection,
            http=self._http.get(step.http) if step.http is not None else None,
            flags=step.flags,
        )
        if self._sink is not None:
            self._sink.received(number, raw, run.id if step.http is not None else None)


def _not_recorded(outgoing: Outgoing) -> Step:
    request_id = outgoing.id if outgoing.id is not None else 0
    if outgoing.method == "ping":
        return Step(Kind.RESULT, encode_result(request_id, {}))
    text = f"the recording holds no answer to {outgoing.method} with these params"
    return Step(Kind.ERROR, encode_error(request_id, NOT_RECORDED, text))
