"""Input requests: what a result, or a task, wants of a person before it can go on.

Reads them, turns them into asks, and waits until all are answered. The shape is the same in an
`input_required` result (2026-07-28 basic/patterns/mrtr) and in a task of the extension; how the
answers are sent is left to whoever asks here, and how an ask is answered to the inbox.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass

from inspector.errors import PeerViolation, RequestCancelled
from inspector.protocol.messages import Json, JsonObject, RawJson, Sendable
from inspector.session.asks import AskKind
from inspector.session.declared import Unasked, ask_kind
from inspector.session.inbox import Cause, Inbox, Said
from inspector.session.pending import Call
from inspector.session.state import SessionState


@dataclass(frozen=True, slots=True)
class InputRequest:
    """One thing that is asked for."""

    kind: AskKind
    method: str
    params: JsonObject


def read_requests(requests: Json, whose: str, state: SessionState) -> dict[str, InputRequest]:
    """The input requests by key. Raises PeerViolation for what cannot be asked."""
    if not isinstance(requests, dict):
        raise PeerViolation(f"the inputRequests of {whose} are no object")
    wanted: dict[str, InputRequest] = {}
    for key, request in requests.items():
        name = request.get("method") if isinstance(request, dict) else None
        params = request.get("params", {}) if isinstance(request, dict) else None
        if not isinstance(name, str) or not isinstance(params, dict):
            raise PeerViolation(f"the input request {key!r} of {whose} is no request")
        kind = ask_kind(name, params, state.client_capabilities, state.revision)
        if isinstance(kind, Unasked):
            raise PeerViolation(
                f"the server may not ask {name} (input request {key!r} of {whose}): {kind.why}"
            )
        wanted[key] = InputRequest(kind, name, params)
    return wanted


async def answered(
    inbox: Inbox, call: Call, wanted: Mapping[str, InputRequest], entry: int
) -> dict[str, Sendable]:
    """What was answered, by key. Raises RequestCancelled where somebody said no: then there is
    nothing to send (basic/patterns/mrtr). Cancelled, it takes its asks back."""
    loop = asyncio.get_running_loop()
    said: dict[str, asyncio.Future[Said]] = {}
    asks: list[int] = []
    cause = Cause((call,), "result")
    try:
        for key, one in wanted.items():
            said[key] = answer = loop.create_future()
            ask = inbox.take(
                one.kind, one.method, one.params, None, entry, cause, key=key, answer=answer
            )
            asks.append(ask.number)
        waiting = set(said.values())
        while waiting:
            done, waiting = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if no := next((one.result() for one in done if one.result().result is None), None):
                raise RequestCancelled(
                    f"{call.method} was not gone on with: {no.why}",
                    hint="without an answer to what it asked, the server is not asked again",
                )
        return {key: RawJson(answer.result().result or b"null") for key, answer in said.items()}
    finally:
        for number in asks:
            inbox.drop(number, "the call that asked it goes on without an answer")
